/** Reads the resource a policy guards for callers who may see it. Nothing else reads resources by bare id. */

import type { Scope } from '../../schemas/access/permissions.ts'
import { getReadPermission } from '../../schemas/events/readers.ts'
import { type GuestSpace, isPartial } from '../../schemas/guests/shape.ts'
import { Id } from '../../schemas/kit/ids.ts'
import { message } from '../../schemas/messages/index.ts'
import { type ApiError, invalidField, type MissingKind, missingPermission, notFound } from '../core/errors.ts'
import { parseKind } from '../core/ids.ts'
import { lazy } from '../core/lazy.ts'
import { Accounts, type StoredAccount } from '../entities/accounts.ts'
import type { StoredAction } from '../entities/actions.ts'
import type { StoredAgentExport } from '../entities/agent-exports.ts'
import type { StoredAgent } from '../entities/agents.ts'
import type { StoredApp } from '../entities/apps.ts'
import type { StoredArea, StoredCanvas } from '../entities/canvases.ts'
import type { StoredClip } from '../entities/clips.ts'
import type { StoredDocument } from '../entities/documents.ts'
import { Environments, type StoredEnvironment } from '../entities/environments.ts'
import type { StoredFile } from '../entities/files.ts'
import type { StoredGuest } from '../entities/guests.ts'
import type { StoredJob } from '../entities/jobs.ts'
import type { StoredProgram } from '../entities/programs.ts'
import type { StoredPolicy } from '../entities/retention.ts'
import type { StoredSecret } from '../entities/secrets.ts'
import { Sheets, type StoredSheet } from '../entities/sheets.ts'
import type { StoredSnapshot } from '../entities/snapshots.ts'
import { Spaces, type StoredSpace } from '../entities/spaces.ts'
import type { StoredThread } from '../entities/threads.ts'
import { type StoredToken, Tokens } from '../entities/tokens.ts'
import { type StoredUser, Users } from '../entities/users.ts'
import type { StoredView } from '../entities/views.ts'
import type { StoredWebhook } from '../entities/webhooks.ts'
import { type StoredWorkbook, Workbooks } from '../entities/workbooks.ts'
import type { EventList } from '../events/list.ts'
import { Events, type StoredEvent } from '../events/store.ts'
import {
  may,
  type Principal,
  type RequestedPermission,
  type ResourceLocation,
  restrictTo,
  roleApplies,
} from './principal.ts'

export interface ScopeResources {
  account: StoredAccount
  environment: StoredEnvironment
  environments: StoredEnvironment[]
  user: StoredUser
  guest: StoredGuest
  token: StoredToken
  space: StoredSpace
  workbook: StoredWorkbook
  sheet: StoredSheet
  commit: StoredSheet
  snapshot: StoredSnapshot
  file: StoredFile
  job: StoredJob
  event: StoredEvent
  agent: StoredAgent
  agentExport: StoredAgentExport
  program: StoredProgram
  secret: StoredSecret
  webhook: StoredWebhook
  retentionPolicy: StoredPolicy
  document: StoredDocument
  action: StoredAction
  thread: StoredThread
  canvas: StoredCanvas
  canvasArea: StoredArea
  clip: StoredClip
  view: StoredView
  app: StoredApp
  resource: Resource
  channel: Channel
}
export type Channel = EventList
export type Resource =
  | { kind: 'space'; space: StoredSpace }
  | { kind: 'workbook'; workbook: StoredWorkbook }
  | { kind: 'sheet'; sheet: StoredSheet }
  | { kind: 'file'; file: StoredFile }
  | { kind: 'document'; document: StoredDocument }
  | { kind: 'agent'; agent: StoredAgent }

const canSeeEnvironment = (principal: Principal, location: ResourceLocation): boolean =>
  location.accountId === principal.accountId &&
  (principal.environmentId === undefined || location.environmentId === principal.environmentId) &&
  (principal.roles === undefined || principal.roles.some((role) => roleApplies(role, location)))

export const canSeeSpace = (principal: Principal, location: ResourceLocation): boolean =>
  canSeeEnvironment(principal, location) &&
  (principal.spaceId === undefined || location.spaceId === principal.spaceId) &&
  (principal.grants === undefined || principal.grants.some(({ id }) => id === location.spaceId))

const canSee = (principal: Principal, location: ResourceLocation): boolean =>
  canSeeSpace(principal, location) &&
  (principal.grants === undefined ||
    principal.grants.some((grant) => grant.id === location.spaceId && grantCovers(grant, location)))

const grantCovers = (grant: GuestSpace, { workbookId, sheetId }: ResourceLocation): boolean =>
  !isPartial(grant) ||
  (grant.workbooks ?? []).some(({ id }) => id === workbookId) ||
  (grant.sheets ?? []).some(({ id }) => id === sheetId)

export const canReadEvent = (
  principal: Principal,
  { topic, context }: Pick<StoredEvent, 'topic' | 'context'>,
): boolean => may(principal, getReadPermission(topic), context)

export const visibleTo =
  (principal: Principal) =>
  (location: ResourceLocation): boolean =>
    canSee(principal, location)

/** A resource that was read: only a principal who may see it gets it, everyone else undefined. */
export type Guarded<T> = (principal: Principal) => T | undefined
type Read<T> = (id: string) => Promise<T | undefined>
type Reader<T> = (id: string) => Promise<Guarded<T>>

const guard =
  <T>(read: Read<T>, isVisible: (principal: Principal, found: T) => boolean): Reader<T> =>
  async (id) => {
    const found = await read(id)
    return (principal) => (found !== undefined && isVisible(principal, found) ? found : undefined)
  }

/** Lazy: each function uses few of these entities, so its cold start skips the others. */
function guardLocated<T extends ResourceLocation>(load: () => Promise<{ get: Read<T> }>): Reader<T> {
  const loadEntities = lazy(load)
  return guard<T>(async (id) => (await loadEntities()).get(id), canSee)
}

export const locateSpace = (found: StoredSpace): ResourceLocation => ({ ...found, spaceId: found.id })
export const locateWorkbook = (found: StoredWorkbook): ResourceLocation => ({ ...found, workbookId: found.id })
const locateSheet = (found: StoredSheet): ResourceLocation => ({ ...found, sheetId: found.id })

const readSpace = guard(Spaces.get, (principal, found) => canSeeSpace(principal, locateSpace(found)))
const readWholeSpace = guard(Spaces.get, (principal, found) => canSee(principal, locateSpace(found)))
const readWorkbook = guard(Workbooks.get, (principal, found) => canSee(principal, locateWorkbook(found)))
const readSheet = guard(Sheets.get, (principal, found) => canSee(principal, locateSheet(found)))
const readFile = guardLocated(async () => (await import('../entities/files.ts')).Files)
const readDocument = guardLocated(async () => (await import('../entities/documents.ts')).Documents)
const readAgent = guardLocated(async () => (await import('../entities/agents.ts')).Agents)
const readEnvironment = guard(Environments.get, (principal, { accountId, id }) =>
  canSeeEnvironment(principal, { accountId, environmentId: id }),
)

/** A role on one space includes its environment; lists in it show only visible resources. */
const canListEnvironment = (principal: Principal, { accountId, id }: StoredEnvironment): boolean =>
  accountId === principal.accountId &&
  (principal.roles
    ? principal.roles.some(({ environmentId }) => environmentId === id)
    : principal.environmentId === undefined || principal.environmentId === id)

async function readEnvironmentAsList(id: string): Promise<Guarded<StoredEnvironment[]>> {
  const getVisible = await guard(Environments.get, canListEnvironment)(id)
  return (principal) => {
    const found = getVisible(principal)
    return found && [found]
  }
}

async function readAllEnvironments({ accountId, roles }: Principal): Promise<Guarded<StoredEnvironment[]>> {
  const ids = roles && [...new Set(roles.flatMap(({ environmentId }) => environmentId ?? []))]
  const all = await (ids ? Environments.getMany(ids) : Environments.inAccount(accountId))
  return (principal) => all.filter((found) => canListEnvironment(principal, found))
}

/** A commit's id carries its sheet's: `us_vr_<sheet key>_<sequence>`. */
const parseSheetId = (commitId: string): string => `us_sh_${commitId.slice('us_vr_'.length, commitId.lastIndexOf('_'))}`

const RESOURCE_READERS = {
  space: readWholeSpace,
  workbook: readWorkbook,
  sheet: readSheet,
  file: readFile,
  document: readDocument,
  agent: readAgent,
}
const isResourceKind = (kind: string | undefined): kind is Resource['kind'] =>
  kind !== undefined && Object.hasOwn(RESOURCE_READERS, kind)

async function readResource(id: string): Promise<Guarded<Resource>> {
  const kind = parseKind(id)
  if (!isResourceKind(kind)) return () => undefined
  const getVisible = await RESOURCE_READERS[kind](id)
  return (principal) => {
    const found = getVisible(principal)
    return found && ({ kind, [kind]: found } as unknown as Resource)
  }
}

async function readChannel(id: string): Promise<Guarded<Channel>> {
  switch (parseKind(id)) {
    case 'environment': {
      const getVisible = await readEnvironment(id)
      return (principal) =>
        principal.spaceId === undefined && !principal.grants && getVisible(principal)
          ? { environmentId: id }
          : undefined
    }
    case 'space': {
      const getVisible = await readWholeSpace(id)
      return (principal) => getVisible(principal) && { spaceId: id }
    }
    default:
      return () => undefined
  }
}

/** A guest without spaces is visible to anyone who sees the environment. */
export const canSeeGuest = (principal: Principal, found: StoredGuest): boolean =>
  canSeeSpace(principal, found) || found.spaces.some(({ id }) => canSeeSpace(principal, { ...found, spaceId: id }))

const loadGuests = lazy(() => import('../entities/guests.ts'))
const loadApps = lazy(() => import('../entities/apps.ts'))

const READERS: { [S in Scope]: Reader<ScopeResources[S]> } = {
  account: guard(Accounts.get, (principal, { id }) => id === principal.accountId),
  environment: readEnvironment,
  environments: readEnvironmentAsList,
  /** Members see only themselves. */
  user: guard(Users.get, (principal, found) =>
    principal.role === 'member' ? found.id === principal.actorId : canSee(principal, found),
  ),
  token: guard(Tokens.get, (principal, { userId }) => userId === principal.actorId),
  /** Guests see only themselves; callers with a space see its guests. */
  guest: guard(
    async (id) => (await loadGuests()).Guests.get(id),
    (principal, found) => (principal.grants ? found.id === principal.actorId : canSeeGuest(principal, found)),
  ),
  app: guard(
    async (id) => (await loadApps()).Apps.get(id),
    (principal, { accountId }) => accountId === principal.accountId && !principal.grants,
  ),
  space: readSpace,
  workbook: readWorkbook,
  sheet: readSheet,
  commit: (id) => readSheet(parseSheetId(id)),
  event: guard(Events.get, (principal, event) => canSee(principal, event) && canReadEvent(principal, event)),
  file: readFile,
  document: readDocument,
  agent: readAgent,
  snapshot: guardLocated(async () => (await import('../entities/snapshots.ts')).Snapshots),
  job: guardLocated(async () => (await import('../entities/jobs.ts')).Jobs),
  agentExport: guardLocated(async () => (await import('../entities/agent-exports.ts')).AgentExports),
  program: guardLocated(async () => (await import('../entities/programs.ts')).Programs),
  secret: guardLocated(async () => (await import('../entities/secrets.ts')).Secrets),
  action: guardLocated(async () => (await import('../entities/actions.ts')).Actions),
  thread: guardLocated(async () => (await import('../entities/threads.ts')).Threads),
  canvas: guardLocated(async () => (await import('../entities/canvases.ts')).Canvases),
  canvasArea: guardLocated(async () => (await import('../entities/canvases.ts')).CanvasAreas),
  view: guardLocated(async () => (await import('../entities/views.ts')).Views),
  clip: guardLocated(async () => (await import('../entities/clips.ts')).Clips),
  webhook: guardLocated(async () => (await import('../entities/webhooks.ts')).Webhooks),
  retentionPolicy: guardLocated(async () => (await import('../entities/retention.ts')).RetentionPolicies),
  resource: readResource,
  channel: readChannel,
}

const DEFAULT_IDS: { [S in Scope]?: (principal: Principal) => string | undefined } = {
  account: ({ accountId }) => accountId,
  environment: ({ environmentId }) => environmentId,
  environments: ({ roles, environmentId }) => (roles ? undefined : environmentId),
}
const LIST_READERS: { [S in Scope]?: (principal: Principal) => Promise<Guarded<ScopeResources[S]>> } = {
  environments: readAllEnvironments,
}

const isId = (id: string): boolean => Id.safeParse(id).success

/** May run before the caller is known, so that both reads share a request to the table. */
export const readScope = async <S extends Scope>(scope: S, id: string): Promise<Guarded<ScopeResources[S]>> =>
  isId(id) ? READERS[scope](id) : () => undefined

async function readFor<S extends Scope>(scope: S, principal: Principal, id: string | undefined) {
  if (id !== undefined) return readScope(scope, id)
  const readAll = LIST_READERS[scope]
  if (!readAll) throw createIdRequired(scope)
  return readAll(principal)
}

/** @throws 400 without an id where one is required, 404 when the resource is missing or hidden */
export async function loadScope<S extends Scope>(
  scope: S,
  principal: Principal,
  id = DEFAULT_IDS[scope]?.(principal),
): Promise<ScopeResources[S]> {
  const resource = (await readFor(scope, principal, id))(principal)
  if (resource === undefined) throw createNotFound(scope, id)
  return resource
}

/**
 * The resource, and the caller reduced to the roles or grants with the permission, so that whatever it loads next is
 * allowed, too.
 * @param readAhead the resource of `id` if it was read already
 * @throws 400 and 404 like `loadScope`, 403 for a visible resource without the permission
 */
export async function authorize<S extends Scope>(
  caller: Principal,
  { can, on }: { can: RequestedPermission; on: S },
  id = DEFAULT_IDS[on]?.(caller),
  readAhead?: Guarded<ScopeResources[S]>,
): Promise<{ caller: Principal; resource: ScopeResources[S] }> {
  const getVisible = readAhead ?? (await readFor(on, caller, id))
  if (getVisible(caller) === undefined) throw createNotFound(on, id)
  const allowedCaller = restrictTo(caller, can, on)
  const resource = allowedCaller && getVisible(allowedCaller)
  if (resource === undefined) throw missingPermission(can)
  return { caller: allowedCaller!, resource }
}

/** Throws the same 404 whether the resource is missing, hidden or forbidden. */
export async function loadWithPermission<S extends Scope>(
  scope: S,
  principal: Principal,
  permission: RequestedPermission,
  id: string,
): Promise<ScopeResources[S]> {
  const allowed = restrictTo(principal, permission, scope)
  if (!allowed) throw createNotFound(scope, id)
  return loadScope(scope, allowed, id)
}

const ID_FIELDS: { [S in Scope]?: string } = { resource: 'source', channel: 'scope' }

const createIdRequired = (scope: Scope): ApiError =>
  scope === 'environment'
    ? invalidField('environmentId', message('access.environmentRequired'))
    : invalidField(ID_FIELDS[scope] ?? `${scope}Id`, message('shape.required'))

const createNotFound = (scope: Scope, id = ''): ApiError =>
  notFound(getMissingKind(scope, parseKind(id)), id.slice(0, 200))

function getMissingKind(scope: Scope, kind: string | undefined): MissingKind {
  if (scope === 'environments') return 'environment'
  if (scope === 'resource') return isResourceKind(kind) ? kind : 'resource'
  if (scope === 'channel') return kind === 'environment' || kind === 'space' ? kind : 'environmentOrSpace'
  return scope
}
