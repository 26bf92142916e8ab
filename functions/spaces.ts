/** Spaces over HTTP. */

import { embeddedToken } from '../lib/auth/exchange.ts'
import { guestLinkOf } from '../lib/auth/guest-links.ts'
import { may } from '../lib/auth/principal.ts'
import { placeOfSpace, reachesSpace } from '../lib/auth/scopes.ts'
import { notFound } from '../lib/core/errors.ts'
import { newId } from '../lib/core/ids.ts'
import { Autobuilds } from '../lib/entities/autobuilds.ts'
import { changesBetween, merged } from '../lib/entities/changes.ts'
import { Spaces, type StoredSpace, spaceContext, spaceNamespaces } from '../lib/entities/spaces.ts'
import { pageOf } from '../lib/http/page.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import { createJob } from '../lib/jobs/create.ts'
import type { Tx } from '../lib/tx.ts'
import { createWorkbook, type GivenIds } from '../lib/workbooks/create.ts'
import { removeSpace } from '../lib/workbooks/remove.ts'
import { success } from '../schemas/page.ts'
import * as spaces from '../schemas/spaces.ts'
import type { CreateWorkbook } from '../schemas/workbooks.ts'

export const create = serve(spaces.create)(async ({ environment, body, caller, tx }) => {
  const autobuild = body.autoConfigure ? await Autobuilds.for(environment.id, body.appId) : undefined
  const built = autobuild?.workbooks.map(idsFor) ?? []
  const primaryWorkbookId = body.primaryWorkbookId ?? built[0]?.workbookId
  const space: StoredSpace = {
    ...body,
    rev: 1,
    id: newId('space'),
    accountId: environment.accountId,
    environmentId: environment.id,
    name: body.name ?? 'Space',
    guestAuthentication: body.guestAuthentication ?? environment.guestAuthentication,
    ...(primaryWorkbookId ? { primaryWorkbookId } : {}),
    createdByUserId: caller.actorId,
    createdAt: tx.now,
    updatedAt: tx.now,
  }
  tx.write(Spaces.create(space))
  const { id: spaceId, name, appId } = space
  tx.emit(
    spaces.created,
    spaceContext(space),
    { spaceId, environmentId: environment.id, name, appId },
    { namespaces: spaceNamespaces(space) },
  )
  for (const [i, ids] of built.entries()) createWorkbook(tx, space, autobuild!.workbooks[i]!, ids)
  if (body.autoConfigure && !autobuild) {
    createJob(
      tx,
      { type: 'space', operation: 'configure', source: spaceId, trigger: 'immediate', mode: 'foreground' },
      { kind: 'space', space },
    )
  }
  const linked = { ...space, guestLink: guestLinkOf(space) }
  return {
    data: caller.role === 'publishable' ? { ...linked, accessToken: await embeddedToken(caller, space) } : linked,
  }
})

/** Known before they are made: the space names its first workbook. */
const idsFor = ({ sheets }: Pick<CreateWorkbook, 'sheets'>): GivenIds => ({
  workbookId: newId('workbook'),
  sheetIds: (sheets ?? []).map(() => newId('sheet')),
})

export const list = serve(spaces.list)(async ({ environments, query, caller }) => {
  const lists = await Promise.all(environments.map(({ id }) => Spaces.inEnvironment(id)))
  const search = query.search?.toLowerCase()
  const found = lists
    .flat()
    .filter(
      (space) =>
        reachesSpace(caller, placeOfSpace(space)) &&
        space.expiredAt === undefined &&
        (query.archived === true ? space.archivedAt !== undefined : space.archivedAt === undefined) &&
        (search === undefined || space.name.toLowerCase().includes(search)) &&
        (query.namespace === undefined || space.namespace === query.namespace) &&
        (query.appId === undefined || space.appId === query.appId),
    )
  return pageOf(found.sort(order(query.sortField ?? 'createdAt', query.sortDirection ?? 'desc')), query)
})

const order =
  (field: 'name' | 'createdAt' | 'updatedAt', direction: 'asc' | 'desc') => (a: StoredSpace, b: StoredSpace) => {
    const ascending = a[field] < b[field] ? -1 : a[field] > b[field] ? 1 : a.id < b.id ? -1 : 1
    return direction === 'asc' ? ascending : -ascending
  }

export const get = serve(spaces.get)(async ({ space, caller }) => ({
  data: may(caller, 'spaces:write', placeOfSpace(space)) ? { ...space, guestLink: guestLinkOf(space) } : space,
}))

export const update = serve(spaces.update)(async ({ space, body, tx }) => {
  const after = merged(space, { ...body, environmentId: undefined })
  change(tx, space, after)
  return { data: after }
})

export const archive = serve(spaces.archive)(async ({ space, tx }) => {
  if (space.archivedAt) return success
  tx.write(Spaces.replace(space, { ...space, archivedAt: tx.now, updatedAt: tx.now }))
  tx.emit(spaces.archived, spaceContext(space), {})
  return success
})

export const unarchive = serve(spaces.unarchive)(async ({ space, tx }) => {
  if (!space.archivedAt) return success
  const { archivedAt: _, ...active } = space
  tx.write(Spaces.replace(space, { ...active, updatedAt: tx.now }))
  tx.emit(spaces.unarchived, spaceContext(space), {})
  return success
})

export const remove = serve(spaces.remove)(async ({ space, tx }) => {
  removeSpace(tx, space)
  return success
})

export const removeMany = serve(spaces.removeMany)(async ({ environments, query, caller, tx }) => {
  const found = await Spaces.getMany([...new Set(query.spaceIds)])
  const reachable = new Map(
    found
      .filter(
        (space) =>
          environments.some(({ id }) => id === space.environmentId) && reachesSpace(caller, placeOfSpace(space)),
      )
      .map((space) => [space.id, space]),
  )
  for (const id of query.spaceIds) if (!reachable.has(id)) throw notFound('space', id)
  for (const space of reachable.values()) removeSpace(tx, space)
  return success
})

function change(tx: Tx, before: StoredSpace, after: StoredSpace): void {
  const changes = changesBetween(before, after)
  if (changes.length === 0) return
  tx.write(Spaces.replace(before, { ...after, updatedAt: tx.now }))
  tx.emit(
    spaces.updated,
    spaceContext(before),
    { spaceId: before.id, environmentId: before.environmentId, changes },
    { namespaces: spaceNamespaces(after) },
  )
}

export const handler = lambda(create, list, get, update, archive, unarchive, remove, removeMany)
