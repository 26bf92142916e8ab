import { loadScope, visibleTo } from '../lib/auth/load-resource.ts'
import { diffFields, mergeDefined } from '../lib/core/diff.ts'
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
import { spaceNamespaces } from '../lib/entities/spaces.ts'
import { paginate } from '../lib/http/page.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import * as canvases from '../schemas/canvases/endpoints.ts'
import * as canvasEvents from '../schemas/canvases/events.ts'
import { MAX_AREAS_PER_CANVAS } from '../schemas/canvases/shape.ts'
import { success } from '../schemas/kit/page.ts'
import { message } from '../schemas/messages/index.ts'

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
  tx.emit(canvasEvents.created, canvasContext(canvas), canvas, { namespaces: canvas.namespaces })
  return { data: canvas }
})

export const list = serve(canvases.listed)(async ({ environments, query, caller }) => {
  const spaceId = query.spaceId ?? caller.spaceId
  if (spaceId === undefined) {
    const lists = await Promise.all(environments.map(({ id }) => Canvases.inEnvironment(id)))
    return paginate(lists.flat().filter(visibleTo(caller)), query)
  }
  const space = await loadScope('space', caller, spaceId)
  if (!environments.some(({ id }) => id === space.environmentId)) throw notFound('space', spaceId)
  return paginate(await Canvases.inSpace(spaceId), query)
})

export const get = serve(canvases.get)(async ({ canvas }) => ({ data: canvas }))

export const update = serve(canvases.update)(async ({ canvas, body, tx }) => {
  const changed = mergeDefined(canvas, body)
  if (diffFields(canvas, changed).length === 0) return { data: canvas }
  const after = { ...changed, updatedAt: tx.now }
  assertCanvasFits(after)
  tx.write(Canvases.replace(canvas, after))
  tx.emit(canvasEvents.updated, canvasContext(after), after, { namespaces: after.namespaces })
  return { data: after }
})

export const remove = serve(canvases.remove)(async ({ canvas, tx }) => {
  await removeCanvas(tx, canvas)
  return success
})

function assertParent(area: NewArea, siblings: readonly StoredArea[]): void {
  const byId = new Map(siblings.map((item) => [item.id, item]))
  let ancestorId = area.parentId
  if (ancestorId !== undefined && !byId.has(ancestorId))
    throw invalidField('parentId', message('requests.notAnAreaOfCanvas'))
  for (let steps = 0; ancestorId !== undefined && steps <= siblings.length; steps++) {
    if (ancestorId === area.id) throw invalidField('parentId', message('requests.parentIsDescendant'))
    ancestorId = byId.get(ancestorId)?.parentId
  }
}

export const createArea = serve(canvases.createArea)(async ({ canvas, body, tx }) => {
  const siblings = await CanvasAreas.inCanvas(canvas.id)
  if (siblings.length >= MAX_AREAS_PER_CANVAS)
    throw conflict(message('requests.canvasAreasMaximum', { count: MAX_AREAS_PER_CANVAS }))
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
  assertParent(area, siblings)
  assertCanvasFits(area)
  tx.write(CanvasAreas.create(area))
  tx.emit(canvasEvents.areaCreated, areaContext(area), area, { namespaces: area.namespaces })
  return { data: area }
})

export const areas = serve(canvases.areas)(async ({ environments, query, caller }) => {
  const { canvasId, parentId } = query
  const { spaceId } = query
  const isVisible = visibleTo(caller)
  const canvas = canvasId === undefined ? undefined : await loadScope('canvas', caller, canvasId)
  const lists = canvas
    ? [await CanvasAreas.inCanvas(canvas.id)]
    : await Promise.all(environments.map(({ id }) => CanvasAreas.inEnvironment(id)))
  const visibleAreas = lists
    .flat()
    .filter(
      (area) =>
        environments.some(({ id }) => id === area.environmentId) &&
        isVisible(area) &&
        (spaceId === undefined || area.spaceId === spaceId) &&
        (parentId === undefined || area.parentId === parentId),
    )
  return paginate(visibleAreas, query)
})

export const getArea = serve(canvases.getArea)(async ({ canvasArea }) => ({ data: canvasArea }))

export const updateArea = serve(canvases.updateArea)(async ({ canvasArea, body, tx }) => {
  if (body.canvasId !== undefined && body.canvasId !== canvasArea.canvasId)
    throw invalidField('canvasId', message('requests.areaOfOtherCanvas'))
  const changed = mergeDefined(canvasArea, body)
  if (diffFields(canvasArea, changed).length === 0) return { data: canvasArea }
  if (changed.parentId !== canvasArea.parentId) assertParent(changed, await CanvasAreas.inCanvas(canvasArea.canvasId))
  const after = { ...changed, updatedAt: tx.now }
  assertCanvasFits(after)
  tx.write(CanvasAreas.replace(canvasArea, after))
  tx.emit(canvasEvents.areaUpdated, areaContext(after), after, { namespaces: after.namespaces })
  return { data: after }
})

function collectSubtree(area: StoredArea, siblings: readonly StoredArea[]): StoredArea[] {
  const children = siblings.filter(({ parentId }) => parentId === area.id)
  return [area, ...children.flatMap((item) => collectSubtree(item, siblings))]
}

export const removeArea = serve(canvases.removeArea)(async ({ canvasArea, tx }) => {
  for (const area of collectSubtree(canvasArea, await CanvasAreas.inCanvas(canvasArea.canvasId))) takeAway(tx, area)
  return success
})

export const handler = lambda(create, list, get, update, remove, createArea, areas, getArea, updateArea, removeArea)
