/** Canvases and their areas over HTTP. */

import { loadScope, reachedBy } from '../lib/auth/scopes.ts'
import { conflict, invalidField, notFound } from '../lib/core/errors.ts'
import { newId } from '../lib/core/ids.ts'
import {
  areaContext,
  assertCanvasFits,
  CanvasAreas,
  Canvases,
  canvasContext,
  type NewArea,
  type NewCanvas,
  removeCanvas,
  type StoredArea,
  removeArea as takeAway,
} from '../lib/entities/canvases.ts'
import { changesBetween, merged } from '../lib/entities/changes.ts'
import { spaceNamespaces } from '../lib/entities/spaces.ts'
import { pageOf } from '../lib/http/page.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import * as canvases from '../schemas/canvases.ts'
import { success } from '../schemas/page.ts'

export const create = serve(canvases.create)(async ({ space, body, caller, tx }) => {
  const canvas: NewCanvas = {
    ...body,
    id: newId('canvas'),
    accountId: space.accountId,
    environmentId: space.environmentId,
    namespaces: spaceNamespaces(space),
    createdBy: caller.actorId,
    createdAt: tx.now,
    updatedAt: tx.now,
  }
  assertCanvasFits(canvas)
  tx.write(Canvases.create(canvas))
  tx.emit(canvases.created, canvasContext(canvas), canvas, { namespaces: canvas.namespaces })
  return { data: canvas }
})

export const list = serve(canvases.listed)(async ({ environments, query, caller }) => {
  const spaceId = query.spaceId ?? caller.spaceId
  if (spaceId === undefined) {
    const lists = await Promise.all(environments.map(({ id }) => Canvases.inEnvironment(id)))
    return pageOf(lists.flat().filter(reachedBy(caller)), query)
  }
  const space = await loadScope('space', caller, spaceId)
  if (!environments.some(({ id }) => id === space.environmentId)) throw notFound('space', spaceId)
  return pageOf(await Canvases.inSpace(spaceId), query)
})

export const get = serve(canvases.get)(async ({ canvas }) => ({ data: canvas }))

export const update = serve(canvases.update)(async ({ canvas, body, tx }) => {
  const changed = merged(canvas, body)
  if (changesBetween(canvas, changed).length === 0) return { data: canvas }
  const after = { ...changed, updatedAt: tx.now }
  assertCanvasFits(after)
  tx.write(Canvases.replace(canvas, after))
  tx.emit(canvases.updated, canvasContext(after), after, { namespaces: after.namespaces })
  return { data: after }
})

export const remove = serve(canvases.remove)(async ({ canvas, tx }) => {
  await removeCanvas(tx, canvas)
  return success
})

/** The areas an area is in, from its parent up. Throws 400 for a parent elsewhere or inside the area itself. */
function checkParent(area: NewArea, all: readonly StoredArea[]): void {
  const byId = new Map(all.map((each) => [each.id, each]))
  let up = area.parentId
  if (up !== undefined && !byId.has(up)) throw invalidField('parentId', 'is not an area of the same canvas')
  for (let steps = 0; up !== undefined && steps <= all.length; steps++) {
    if (up === area.id) throw invalidField('parentId', 'is the area itself or inside it')
    up = byId.get(up)?.parentId
  }
}

export const createArea = serve(canvases.createArea)(async ({ canvas, body, tx }) => {
  const all = await CanvasAreas.inCanvas(canvas.id)
  if (all.length >= canvases.AREAS_A_CANVAS) throw conflict(`A canvas may have ${canvases.AREAS_A_CANVAS} areas.`)
  const area: NewArea = {
    ...body,
    id: newId('canvasArea'),
    accountId: canvas.accountId,
    environmentId: canvas.environmentId,
    spaceId: canvas.spaceId,
    namespaces: canvas.namespaces,
    layout: body.layout ?? 'split',
    visibility: body.visibility ?? 'visible',
    createdAt: tx.now,
    updatedAt: tx.now,
  }
  checkParent(area, all)
  assertCanvasFits(area)
  tx.write(CanvasAreas.create(area))
  tx.emit(canvases.areaCreated, areaContext(area), area, { namespaces: area.namespaces })
  return { data: area }
})

export const areas = serve(canvases.areas)(async ({ environments, query, caller }) => {
  const { canvasId, parentId } = query
  const { spaceId } = query
  const reached = reachedBy(caller)
  const canvas = canvasId === undefined ? undefined : await loadScope('canvas', caller, canvasId)
  const lists = canvas
    ? [await CanvasAreas.inCanvas(canvas.id)]
    : await Promise.all(environments.map(({ id }) => CanvasAreas.inEnvironment(id)))
  const found = lists
    .flat()
    .filter(
      (area) =>
        environments.some(({ id }) => id === area.environmentId) &&
        reached(area) &&
        (spaceId === undefined || area.spaceId === spaceId) &&
        (parentId === undefined || area.parentId === parentId),
    )
  return pageOf(found, query)
})

export const getArea = serve(canvases.getArea)(async ({ canvasArea }) => ({ data: canvasArea }))

export const updateArea = serve(canvases.updateArea)(async ({ canvasArea, body, tx }) => {
  if (body.canvasId !== undefined && body.canvasId !== canvasArea.canvasId)
    throw invalidField('canvasId', 'is not the canvas of the area, and an area stays in its canvas')
  const changed = merged(canvasArea, body)
  if (changesBetween(canvasArea, changed).length === 0) return { data: canvasArea }
  if (changed.parentId !== canvasArea.parentId) checkParent(changed, await CanvasAreas.inCanvas(canvasArea.canvasId))
  const after = { ...changed, updatedAt: tx.now }
  assertCanvasFits(after)
  tx.write(CanvasAreas.replace(canvasArea, after))
  tx.emit(canvases.areaUpdated, areaContext(after), after, { namespaces: after.namespaces })
  return { data: after }
})

/** The area and all below it. */
function withInner(area: StoredArea, all: readonly StoredArea[]): StoredArea[] {
  const inner = all.filter(({ parentId }) => parentId === area.id)
  return [area, ...inner.flatMap((each) => withInner(each, all))]
}

export const removeArea = serve(canvases.removeArea)(async ({ canvasArea, tx }) => {
  for (const area of withInner(canvasArea, await CanvasAreas.inCanvas(canvasArea.canvasId))) takeAway(tx, area)
  return success
})

export const handler = lambda(create, list, get, update, remove, createArea, areas, getArea, updateArea, removeArea)
