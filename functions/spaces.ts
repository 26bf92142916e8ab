import { readActorNames } from '../lib/auth/actor-names.ts'
import { issueEmbeddedToken } from '../lib/auth/exchange.ts'
import { buildGuestLink } from '../lib/auth/guest-links.ts'
import { canInviteTo } from '../lib/auth/guests.ts'
import { getGuestAuthentication, withNextLink, withUpdatedLink } from '../lib/auth/link-version.ts'
import { canSeeSpace, loadScope, loadWithPermission, locateSpace } from '../lib/auth/load-resource.ts'
import { assertMayAllowGuests } from '../lib/auth/may-run-mutations.ts'
import { may, type Principal } from '../lib/auth/principal.ts'
import { diffFields, mergeDefined } from '../lib/core/diff.ts'
import { conflict, invalidField, notFound } from '../lib/core/errors.ts'
import { newId } from '../lib/core/ids.ts'
import { Apps } from '../lib/entities/apps.ts'
import { Autobuilds } from '../lib/entities/autobuilds.ts'
import { resolveBranding } from '../lib/entities/branding.ts'
import { createDocument } from '../lib/entities/documents.ts'
import { Environments, type StoredEnvironment } from '../lib/entities/environments.ts'
import { endPresence, listPresent, reportPresence } from '../lib/entities/presence.ts'
import { Spaces, type StoredSpace, spaceContext, spaceNamespaces } from '../lib/entities/spaces.ts'
import { Workbooks } from '../lib/entities/workbooks.ts'
import { paginate } from '../lib/http/page.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import { createJob } from '../lib/jobs/lifecycle/create.ts'
import type { Tx } from '../lib/tx.ts'
import { createWorkbook, type PresetIds } from '../lib/workbooks/create.ts'
import { removeSpace } from '../lib/workbooks/remove.ts'
import { assertRules } from '../lib/workbooks/rules.ts'
import { getSpaceStats, getStatsOfSpaces, type SpaceStats } from '../lib/workbooks/space-stats.ts'
import { success } from '../schemas/kit/page.ts'
import { message } from '../schemas/messages/index.ts'
import * as spaces from '../schemas/spaces/endpoints.ts'
import * as spaceEvents from '../schemas/spaces/events.ts'
import * as spacePresence from '../schemas/spaces/presence.ts'
import type { SPACE_SORTS } from '../schemas/spaces/shape.ts'
import type { CreateWorkbook } from '../schemas/workbooks/shape.ts'

export const create = serve(spaces.create)(async ({ environment, body, caller, tx }) => {
  assertMayAllowGuests(caller, { environmentId: environment.id }, body.settings)
  return {
    data: await serializeNewSpace(
      caller,
      await createSpace(tx, environment, await assertReferencesVisible(caller, body)),
      environment,
    ),
  }
})

export const init = serve(spaces.init)(async ({ environment, body, caller, tx }) => {
  assertMayAllowGuests(caller, { environmentId: environment.id }, body.space.settings)
  const { externalActorId } = body
  await assertRules(body.workbook?.sheets ?? [], (sheet, path) => ['workbook.sheets', sheet, ...path].join('.'))
  const ids = body.workbook && newWorkbookIds(body.workbook)
  const checkedConfig = await assertReferencesVisible(caller, body.space)
  const config = { ...checkedConfig, primaryWorkbookId: checkedConfig.primaryWorkbookId ?? ids?.workbookId }
  const space = await createSpace(tx, environment, { ...config, ...(externalActorId ? { externalActorId } : {}) })
  const createdWorkbook = body.workbook && createWorkbook(tx, space, body.workbook, ids)
  const document = body.document && createDocument(tx, space, body.document)
  const workbook = createdWorkbook && { ...createdWorkbook.workbook, sheets: createdWorkbook.sheets }
  return { data: { space: await serializeNewSpace(caller, space, environment), workbook, document } }
})

async function assertReferencesVisible<C extends spaces.CreateSpace>(caller: Principal, config: C): Promise<C> {
  const { appId, primaryWorkbookId } = config
  if (appId !== undefined) await loadScope('app', caller, appId)
  if (primaryWorkbookId !== undefined) await loadWithPermission('workbook', caller, 'workbooks:read', primaryWorkbookId)
  return config
}

async function createSpace(
  tx: Tx,
  environment: StoredEnvironment,
  body: spaces.CreateSpace & Pick<StoredSpace, 'externalActorId'>,
): Promise<StoredSpace> {
  const autobuild = body.autoConfigure ? await Autobuilds.findFor(environment.id, body.appId) : undefined
  const autobuildIds = autobuild?.workbooks.map(newWorkbookIds) ?? []
  const primaryWorkbookId = body.primaryWorkbookId ?? autobuildIds[0]?.workbookId
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
    spaceEvents.created,
    spaceContext(space),
    { spaceId, environmentId: environment.id, name, appId },
    { namespaces: spaceNamespaces(space) },
  )
  for (const [i, ids] of autobuildIds.entries()) createWorkbook(tx, space, autobuild!.workbooks[i]!, ids)
  if (body.autoConfigure && !autobuild) {
    createJob(
      tx,
      { type: 'space', operation: 'configure', source: spaceId, trigger: 'immediate', mode: 'foreground' },
      { kind: 'space', space },
    )
  }
  if (space.archivedAt) tx.emit(spaceEvents.archived, spaceContext(space), {}, { namespaces: spaceNamespaces(space) })
  return space
}

async function serializeNewSpace(caller: Principal, space: StoredSpace, environment: StoredEnvironment) {
  const view = { ...(await serializeSpace(space, environment, caller)), guestLink: buildGuestLink(space, environment) }
  return caller.role === 'publishable' ? { ...view, accessToken: await issueEmbeddedToken(caller, space) } : view
}

/** Ids are created in advance because the space refers to its first workbook. */
const newWorkbookIds = ({ sheets }: Pick<CreateWorkbook, 'sheets'>): PresetIds => ({
  workbookId: newId('workbook'),
  sheetIds: (sheets ?? []).map(() => newId('sheet')),
})

export const list = serve(spaces.list)(async ({ environments, query, caller }) => {
  const lists = await Promise.all(environments.map(({ id }) => Spaces.inEnvironment(id)))
  const search = query.search?.toLowerCase()
  const appId = query.appId ?? query.app
  const candidates = lists
    .flat()
    .filter(
      (space) =>
        canSeeSpace(caller, locateSpace(space)) &&
        space.expiredAt === undefined &&
        (query.archived === true ? space.archivedAt !== undefined : space.archivedAt === undefined) &&
        (search === undefined || space.name.toLowerCase().includes(search)) &&
        (query.namespace === undefined || space.namespace === query.namespace) &&
        (query.isAppTemplate === undefined || (space.isAppTemplate ?? false) === query.isAppTemplate) &&
        (appId === undefined || space.appId === appId),
    )
  const apps = await findProjectApps(candidates)
  const filtered = candidates
    .map((space) => ({
      ...withGuestAuthentication(space, environments.find(({ id }) => id === space.environmentId)!),
      isCollaborative: apps.has(space.appId ?? ''),
    }))
    .filter(({ isCollaborative }) => (query.isCollaborative ?? isCollaborative) === isCollaborative)
  const sorted = await withSortValues(filtered, query.sortField, caller.accountId)
  return paginate(sorted.sort(compareBy(query.sortField ?? 'createdAt', query.sortDirection ?? 'desc')), query)
})

async function findProjectApps(found: readonly StoredSpace[]): Promise<Set<string>> {
  const [spaceOfApp] = found.filter(({ appId }) => appId !== undefined)
  const apps = spaceOfApp ? await Apps.inAccount(spaceOfApp.accountId) : []
  return new Set(apps.filter(({ type }) => type === 'PROJECTS').map(({ id }) => id))
}

const withGuestAuthentication = (space: StoredSpace, environment: StoredEnvironment) => ({
  ...space,
  guestAuthentication: getGuestAuthentication(space, environment),
  inheritsGuestAuthentication: space.guestAuthentication === undefined,
})

const serializeSpace = async (space: StoredSpace, environment: StoredEnvironment, caller: Principal) => ({
  ...withGuestAuthentication(space, environment),
  isCollaborative: (await findProjectApps([space])).has(space.appId ?? ''),
  mayInviteGuests: canInviteTo(caller, environment, space),
})

type SortField = (typeof SPACE_SORTS)[number]
type Sortable = StoredSpace & Partial<SpaceStats>

async function withSortValues<S extends StoredSpace>(
  found: S[],
  field: SortField | undefined,
  accountId: string,
): Promise<(S & Partial<SpaceStats>)[]> {
  if (!['workbooksCount', 'filesCount', 'createdByUserName', 'lastActivityAt'].includes(field ?? '')) return found
  const environmentIds = [...new Set(found.map(({ environmentId }) => environmentId))]
  const stats = await getStatsOfSpaces(accountId, environmentIds, found)
  return found.map((space) => ({ ...space, ...stats.get(space.id) }))
}

const compareBy = (field: SortField, direction: 'asc' | 'desc') => (a: Sortable, b: Sortable) => {
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
  const isEditor = may(caller, 'spaces:write', locateSpace(space))
  const [environment, stats] = await Promise.all([environmentOf(space), isEditor ? getSpaceStats(space) : undefined])
  const data = {
    ...(await serializeSpace(space, environment, caller)),
    branding: resolveBranding(space, environment),
  }
  return { data: isEditor ? { ...data, ...stats, guestLink: buildGuestLink(space, environment) } : data }
})

export const update = serve(spaces.update)(async ({ space, body, caller, tx }) => {
  assertMayAllowGuests(caller, locateSpace(space), body.settings, space.settings)
  if (body.environmentId !== undefined && body.environmentId !== space.environmentId)
    throw invalidField('environmentId', message('requests.spaceOfOtherEnvironment'))
  const { appId, primaryWorkbookId } = body
  if (appId !== undefined && appId !== space.appId) await loadScope('app', caller, appId)
  if (primaryWorkbookId !== undefined && primaryWorkbookId !== space.primaryWorkbookId) {
    const primaryWorkbook = await Workbooks.get(primaryWorkbookId)
    if (primaryWorkbook?.spaceId !== space.id) throw notFound('workbook', primaryWorkbookId)
  }
  const { archivedAt, guestAuthentication, ...fields } = body
  const changed = mergeDefined(space, {
    ...fields,
    guestAuthentication: guestAuthentication ?? undefined,
    environmentId: undefined,
  })
  const environment = await environmentOf(space)
  const updatedSpace = guestAuthentication === null ? withoutGuestAuthentication(changed) : changed
  const after = withUpdatedLink(space, updatedSpace, environment)
  const updated = archivedAt === undefined ? after : withArchived(after, archivedAt !== null, tx.now)
  return { data: await serializeSpace(writeChanges(tx, space, updated), environment, caller) }
})

const withoutGuestAuthentication = ({ guestAuthentication: _, ...space }: StoredSpace): StoredSpace => space

export const rotateGuestLink = serve(spaces.rotateGuestLink)(async ({ space, tx }) => {
  const environment = await environmentOf(space)
  if (getGuestAuthentication(space, environment) !== 'shared_link') throw conflict(message('access.noSharedLink'))
  const after = { ...withNextLink(space), updatedAt: tx.now }
  tx.write(Spaces.replace(space, after))
  return { data: { guestLink: buildGuestLink(after, environment) } }
})

export const archive = serve(spaces.archive)(async ({ space, tx }) => {
  writeChanges(tx, space, withArchived(space, true, tx.now))
  return success
})

export const unarchive = serve(spaces.unarchive)(async ({ space, tx }) => {
  writeChanges(tx, space, withArchived(space, false, tx.now))
  return success
})

function withArchived({ archivedAt, ...space }: StoredSpace, archived: boolean, now: string): StoredSpace {
  return archived ? { ...space, archivedAt: archivedAt ?? now } : space
}

export const remove = serve(spaces.remove)(async ({ space, tx }) => {
  await removeSpace(tx, space)
  return success
})

export const removeMany = serve(spaces.removeMany)(async ({ environments, query, caller, tx }) => {
  const found = await Spaces.getMany([...new Set(query.spaceIds)])
  const visibleSpaces = new Map(
    found
      .filter(
        (space) => environments.some(({ id }) => id === space.environmentId) && canSeeSpace(caller, locateSpace(space)),
      )
      .map((space) => [space.id, space]),
  )
  for (const id of query.spaceIds) if (!visibleSpaces.has(id)) throw notFound('space', id)
  for (const space of visibleSpaces.values()) await removeSpace(tx, space)
  return success
})

function writeChanges(tx: Tx, before: StoredSpace, wanted: StoredSpace): StoredSpace {
  const allChanges = diffFields(before, wanted)
  if (allChanges.length === 0) return before
  const after = { ...wanted, updatedAt: tx.now }
  tx.write(Spaces.replace(before, after))
  const [context, extras] = [spaceContext(before), { namespaces: spaceNamespaces(after) }]
  const changes = allChanges.filter(({ field }) => field !== 'archivedAt' && field !== 'linkVersion')
  const { id: spaceId, environmentId } = before
  if (changes.length > 0) tx.emit(spaceEvents.updated, context, { spaceId, environmentId, changes }, extras)
  if (changes.length < allChanges.length)
    tx.emit(after.archivedAt ? spaceEvents.archived : spaceEvents.unarchived, context, {}, extras)
  return after
}

export const presence = serve(spacePresence.presence)(async ({ space, body, caller, tx }) => {
  const canSeeOthers = may(caller, 'guests:read', locateSpace(space))
  const present = canSeeOthers ? await listPresent(space.id, tx.now) : []
  const others = present.filter(({ actorId }) => actorId !== caller.actorId)
  if (body?.left) {
    endPresence(tx, space.id, caller.actorId)
    return { data: others }
  }
  const name = (await readActorNames(caller.accountId, [caller.actorId])).get(caller.actorId)
  const own = name && reportPresence(tx, space.id, { actorId: caller.actorId, name, sheetId: body?.sheetId })
  return { data: own ? [...others, own] : others }
})

export const handler = lambda(
  create,
  init,
  list,
  get,
  update,
  rotateGuestLink,
  archive,
  unarchive,
  remove,
  removeMany,
  presence,
)
