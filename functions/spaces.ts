/** Spaces over HTTP. */

import { embeddedToken } from '../lib/auth/exchange.ts'
import { guestLinkOf } from '../lib/auth/guest-links.ts'
import { mayInviteTo } from '../lib/auth/guests.ts'
import { guestAuthenticationOf, withLinkAfter, withNextLink } from '../lib/auth/link-version.ts'
import { assertMayLetGuests } from '../lib/auth/mutations.ts'
import { may, type Principal } from '../lib/auth/principal.ts'
import { loadNamed, loadScope, placeOfSpace, reachesSpace } from '../lib/auth/scopes.ts'
import { conflict, invalidField, notFound } from '../lib/core/errors.ts'
import { newId } from '../lib/core/ids.ts'
import { onDemand } from '../lib/core/on-demand.ts'
import { Apps } from '../lib/entities/apps.ts'
import { Autobuilds } from '../lib/entities/autobuilds.ts'
import { changesBetween, merged } from '../lib/entities/changes.ts'
import { createDocument } from '../lib/entities/documents.ts'
import { Environments, type StoredEnvironment } from '../lib/entities/environments.ts'
import { Spaces, type StoredSpace, spaceContext, spaceNamespaces } from '../lib/entities/spaces.ts'
import { Workbooks } from '../lib/entities/workbooks.ts'
import { pageOf } from '../lib/http/page.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import { createJob } from '../lib/jobs/create.ts'
import type { Tx } from '../lib/tx.ts'
import { createWorkbook, type GivenIds } from '../lib/workbooks/create.ts'
import type { SpaceFigures } from '../lib/workbooks/figures.ts'
import { removeSpace } from '../lib/workbooks/remove.ts'
import { success } from '../schemas/page.ts'
import * as spaces from '../schemas/spaces.ts'
import type { CreateWorkbook } from '../schemas/workbooks.ts'

const spaceFigures = onDemand(() => import('../lib/workbooks/figures.ts'))

export const create = serve(spaces.create)(async ({ environment, body, caller, tx }) => {
  assertMayLetGuests(caller, { environmentId: environment.id }, body.settings)
  return { data: await shownTo(caller, await createSpace(tx, environment, await reachable(caller, body)), environment) }
})

export const init = serve(spaces.init)(async ({ environment, body, caller, tx }) => {
  assertMayLetGuests(caller, { environmentId: environment.id }, body.space.settings)
  const { externalActorId } = body
  const ids = body.workbook && idsFor(body.workbook)
  const given = await reachable(caller, body.space)
  const config = { ...given, primaryWorkbookId: given.primaryWorkbookId ?? ids?.workbookId }
  const space = await createSpace(tx, environment, { ...config, ...(externalActorId ? { externalActorId } : {}) })
  const made = body.workbook && createWorkbook(tx, space, body.workbook, ids)
  const document = body.document && createDocument(tx, space, body.document)
  const workbook = made && { ...made.workbook, sheets: made.sheets }
  return { data: { space: await shownTo(caller, space, environment), workbook, document } }
})

/** The configuration of a new space. Throws 404 for an app or a workbook that the caller may not know of. */
async function reachable<C extends spaces.CreateSpace>(caller: Principal, config: C): Promise<C> {
  const { appId, primaryWorkbookId } = config
  if (appId !== undefined) await loadScope('app', caller, appId)
  if (primaryWorkbookId !== undefined) await loadNamed('workbook', caller, 'workbooks:read', primaryWorkbookId)
  return config
}

/** Writes a space with what is made with it, and tells of all. */
async function createSpace(
  tx: Tx,
  environment: StoredEnvironment,
  body: spaces.CreateSpace & Pick<StoredSpace, 'externalActorId'>,
): Promise<StoredSpace> {
  const autobuild = body.autoConfigure ? await Autobuilds.for(environment.id, body.appId) : undefined
  const built = autobuild?.workbooks.map(idsFor) ?? []
  const primaryWorkbookId = body.primaryWorkbookId ?? built[0]?.workbookId
  const { archivedAt, ...config } = body
  const space: StoredSpace = {
    ...config,
    rev: 1,
    id: newId('space'),
    accountId: environment.accountId,
    environmentId: environment.id,
    name: body.name ?? 'Space',
    ...(primaryWorkbookId ? { primaryWorkbookId } : {}),
    createdByUserId: tx.actor.actorId,
    ...(archivedAt === undefined ? {} : { archivedAt: tx.now }),
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
  if (space.archivedAt) tx.emit(spaces.archived, spaceContext(space), {}, { namespaces: spaceNamespaces(space) })
  return space
}

/** A new space with its links; who came with a publishable key works on with a token for it. */
async function shownTo(caller: Principal, space: StoredSpace, environment: StoredEnvironment) {
  const linked = { ...(await shownIn(space, environment, caller)), guestLink: guestLinkOf(space, environment) }
  return caller.role === 'publishable' ? { ...linked, accessToken: await embeddedToken(caller, space) } : linked
}

/** Known before they are made: the space names its first workbook. */
const idsFor = ({ sheets }: Pick<CreateWorkbook, 'sheets'>): GivenIds => ({
  workbookId: newId('workbook'),
  sheetIds: (sheets ?? []).map(() => newId('sheet')),
})

export const list = serve(spaces.list)(async ({ environments, query, caller }) => {
  const lists = await Promise.all(environments.map(({ id }) => Spaces.inEnvironment(id)))
  const search = query.search?.toLowerCase()
  const appId = query.appId ?? query.app
  const found = lists
    .flat()
    .filter(
      (space) =>
        reachesSpace(caller, placeOfSpace(space)) &&
        space.expiredAt === undefined &&
        (query.archived === true ? space.archivedAt !== undefined : space.archivedAt === undefined) &&
        (search === undefined || space.name.toLowerCase().includes(search)) &&
        (query.namespace === undefined || space.namespace === query.namespace) &&
        (query.isAppTemplate === undefined || (space.isAppTemplate ?? false) === query.isAppTemplate) &&
        (appId === undefined || space.appId === appId),
    )
  const apps = await projectsAmong(found)
  const wanted = found
    .map((space) => ({
      ...withGuestAuthentication(space, environments.find(({ id }) => id === space.environmentId)!),
      isCollaborative: apps.has(space.appId ?? ''),
    }))
    .filter(({ isCollaborative }) => (query.isCollaborative ?? isCollaborative) === isCollaborative)
  const sorted = await withSorts(wanted, query.sortField, caller.accountId)
  return pageOf(sorted.sort(order(query.sortField ?? 'createdAt', query.sortDirection ?? 'desc')), query)
})

/** The apps of these spaces whose spaces are projects, by id. */
async function projectsAmong(found: readonly StoredSpace[]): Promise<Set<string>> {
  const [one] = found.filter(({ appId }) => appId !== undefined)
  const apps = one ? await Apps.inAccount(one.accountId) : []
  return new Set(apps.filter(({ type }) => type === 'PROJECTS').map(({ id }) => id))
}

const withGuestAuthentication = (space: StoredSpace, environment: StoredEnvironment) => ({
  ...space,
  guestAuthentication: guestAuthenticationOf(space, environment),
  inheritsGuestAuthentication: space.guestAuthentication === undefined,
})

/** One space, as its caller may use it. */
const shownIn = async (space: StoredSpace, environment: StoredEnvironment, caller: Principal) => ({
  ...withGuestAuthentication(space, environment),
  isCollaborative: (await projectsAmong([space])).has(space.appId ?? ''),
  mayInviteGuests: mayInviteTo(caller, environment, space),
})

type Sort = (typeof spaces.SPACE_SORTS)[number]
type Sortable = StoredSpace & Partial<SpaceFigures>

/** What spaces do not say themselves is read where they are sorted by it. */
async function withSorts<S extends StoredSpace>(
  found: S[],
  field: Sort | undefined,
  accountId: string,
): Promise<(S & Partial<SpaceFigures>)[]> {
  if (!['workbooksCount', 'filesCount', 'createdByUserName', 'lastActivityAt'].includes(field ?? '')) return found
  const { figuresIn } = await spaceFigures()
  const environmentIds = [...new Set(found.map(({ environmentId }) => environmentId))]
  const figures = await figuresIn(accountId, environmentIds, found)
  return found.map((space) => ({ ...space, ...figures.get(space.id) }))
}

const order = (field: Sort, direction: 'asc' | 'desc') => (a: Sortable, b: Sortable) => {
  const [left = '', right = ''] = [a[field], b[field]]
  const ascending = left < right ? -1 : left > right ? 1 : a.id < b.id ? -1 : 1
  return direction === 'asc' ? ascending : -ascending
}

async function environmentOf({ id, environmentId }: StoredSpace): Promise<StoredEnvironment> {
  const environment = await Environments.get(environmentId)
  if (!environment) throw notFound('space', id)
  return environment
}

export const get = serve(spaces.get)(async ({ space, caller }) => {
  const environment = await environmentOf(space)
  if (!may(caller, 'spaces:write', placeOfSpace(space))) return { data: await shownIn(space, environment, caller) }
  const { figuresOf } = await spaceFigures()
  const [shown, figures] = await Promise.all([shownIn(space, environment, caller), figuresOf(space)])
  return { data: { ...shown, ...figures, guestLink: guestLinkOf(space, environment) } }
})

export const update = serve(spaces.update)(async ({ space, body, caller, tx }) => {
  assertMayLetGuests(caller, placeOfSpace(space), body.settings, space.settings)
  if (body.environmentId !== undefined && body.environmentId !== space.environmentId)
    throw invalidField('environmentId', 'is not the environment of the space, and a space stays in its environment')
  const { appId, primaryWorkbookId } = body
  if (appId !== undefined && appId !== space.appId) await loadScope('app', caller, appId)
  if (primaryWorkbookId !== undefined && primaryWorkbookId !== space.primaryWorkbookId) {
    const primary = await Workbooks.get(primaryWorkbookId)
    if (primary?.spaceId !== space.id) throw notFound('workbook', primaryWorkbookId)
  }
  const { archivedAt, guestAuthentication, ...fields } = body
  const changed = merged(space, {
    ...fields,
    guestAuthentication: guestAuthentication ?? undefined,
    environmentId: undefined,
  })
  const environment = await environmentOf(space)
  const wanted = guestAuthentication === null ? withoutGuestAuthentication(changed) : changed
  const after = withLinkAfter(space, wanted, environment)
  const moving = archivedAt === undefined ? after : moved(after, archivedAt !== null, tx.now)
  return { data: await shownIn(change(tx, space, moving), environment, caller) }
})

const withoutGuestAuthentication = ({ guestAuthentication: _, ...space }: StoredSpace): StoredSpace => space

export const rotateGuestLink = serve(spaces.rotateGuestLink)(async ({ space, tx }) => {
  const environment = await environmentOf(space)
  if (guestAuthenticationOf(space, environment) !== 'shared_link')
    throw conflict('Guests of this space come in by magic links: it has no link to replace.')
  const after = { ...withNextLink(space), updatedAt: tx.now }
  tx.write(Spaces.replace(space, after))
  return { data: { guestLink: guestLinkOf(after, environment) } }
})

export const archive = serve(spaces.archive)(async ({ space, tx }) => {
  change(tx, space, moved(space, true, tx.now))
  return success
})

export const unarchive = serve(spaces.unarchive)(async ({ space, tx }) => {
  change(tx, space, moved(space, false, tx.now))
  return success
})

/** Archived or active; one that is so already stays as it is. */
function moved({ archivedAt, ...space }: StoredSpace, archived: boolean, now: string): StoredSpace {
  return archived ? { ...space, archivedAt: archivedAt ?? now } : space
}

export const remove = serve(spaces.remove)(async ({ space, tx }) => {
  await removeSpace(tx, space)
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
  for (const space of reachable.values()) await removeSpace(tx, space)
  return success
})

/** Writes what changed and tells of it: being archived and being active again have topics of their own. */
function change(tx: Tx, before: StoredSpace, wanted: StoredSpace): StoredSpace {
  const all = changesBetween(before, wanted)
  if (all.length === 0) return before
  const after = { ...wanted, updatedAt: tx.now }
  tx.write(Spaces.replace(before, after))
  const [context, extras] = [spaceContext(before), { namespaces: spaceNamespaces(after) }]
  const changes = all.filter(({ field }) => field !== 'archivedAt' && field !== 'linkVersion')
  const { id: spaceId, environmentId } = before
  if (changes.length > 0) tx.emit(spaces.updated, context, { spaceId, environmentId, changes }, extras)
  if (changes.length < all.length) tx.emit(after.archivedAt ? spaces.archived : spaces.unarchived, context, {}, extras)
  return after
}

export const handler = lambda(create, init, list, get, update, rotateGuestLink, archive, unarchive, remove, removeMany)
