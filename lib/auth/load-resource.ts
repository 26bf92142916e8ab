/** Loads the resource a policy guards if the caller may see it; nothing else reads resources by bare id. */

import type { Scope } from '../../schemas/access.ts'
import { getReadPermission } from '../../schemas/event-readers.ts'
import { type GuestSpace, isPartial } from '../../schemas/guest.ts'
import { Id } from '../../schemas/ids.ts'
import { message } from '../../schemas/messages/index.ts'
import type { RoleAssignment } from '../../schemas/role-assignment.ts'
import { invalidField, type MissingKind, notFound } from '../core/errors.ts'
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

type Read<T> = (id: string) => Promise<T | undefined>

interface Loader<T> {
  (principal: Principal, id: string | undefined, read?: Read<never>): Promise<T>
  /** Reads without authorization, for prefetching. Absent where loading depends on the caller. */
  read?: Read<unknown>
}

function createLoader<T, P extends ResourceLocation>(
  kind: MissingKind,
  get: Read<T>,
  locate: (entity: T) => P,
  isVisible: (principal: Principal, location: P) => boolean = canSee,
) {
  const load = async (principal: Principal, id: string | undefined, read = get): Promise<T> => {
    if (id === undefined) throw invalidField(`${kind}Id`, message('shape.required'))
    const entity = await read(id)
    if (!entity || !isVisible(principal, locate(entity))) throw notFound(kind, id)
    return entity
  }
  return Object.assign(load, { read: get })
}

const identity = <T extends ResourceLocation>(entity: T): T => entity

/** Lazy: each function uses few of these entities, so its cold start skips the others. */
function lazyGet<T>(load: () => Promise<{ get(id: string): Promise<T | undefined> }>) {
  const loadEntities = lazy(load)
  return async (id: string): Promise<T | undefined> => (await loadEntities()).get(id)
}
const lazyGetters = {
  action: lazyGet(async () => (await import('../entities/actions.ts')).Actions),
  agent: lazyGet(async () => (await import('../entities/agents.ts')).Agents),
  agentExport: lazyGet(async () => (await import('../entities/agent-exports.ts')).AgentExports),
  app: lazyGet(async () => (await import('../entities/apps.ts')).Apps),
  canvas: lazyGet(async () => (await import('../entities/canvases.ts')).Canvases),
  canvasArea: lazyGet(async () => (await import('../entities/canvases.ts')).CanvasAreas),
  clip: lazyGet(async () => (await import('../entities/clips.ts')).Clips),
  document: lazyGet(async () => (await import('../entities/documents.ts')).Documents),
  file: lazyGet(async () => (await import('../entities/files.ts')).Files),
  guest: lazyGet(async () => (await import('../entities/guests.ts')).Guests),
  job: lazyGet(async () => (await import('../entities/jobs.ts')).Jobs),
  program: lazyGet(async () => (await import('../entities/programs.ts')).Programs),
  retentionPolicy: lazyGet(async () => (await import('../entities/retention.ts')).RetentionPolicies),
  secret: lazyGet(async () => (await import('../entities/secrets.ts')).Secrets),
  snapshot: lazyGet(async () => (await import('../entities/snapshots.ts')).Snapshots),
  thread: lazyGet(async () => (await import('../entities/threads.ts')).Threads),
  view: lazyGet(async () => (await import('../entities/views.ts')).Views),
  webhook: lazyGet(async () => (await import('../entities/webhooks.ts')).Webhooks),
}

export const locateSpace = (found: StoredSpace): ResourceLocation => ({ ...found, spaceId: found.id })
export const locateWorkbook = (found: StoredWorkbook): ResourceLocation => ({ ...found, workbookId: found.id })
const locateSheet = (found: StoredSheet): ResourceLocation => ({ ...found, sheetId: found.id })

const loadSpace = createLoader('space', Spaces.get, locateSpace, canSeeSpace)
const loadWholeSpace = createLoader('space', Spaces.get, locateSpace)
const loadWorkbook = createLoader('workbook', Workbooks.get, locateWorkbook)
const loadSheet = createLoader('sheet', Sheets.get, locateSheet)
const loadFile = createLoader('file', lazyGetters.file, identity)
const loadDocument = createLoader('document', lazyGetters.document, identity)
const loadAgent = createLoader('agent', lazyGetters.agent, identity)

async function loadAccount(principal: Principal): Promise<StoredAccount> {
  const found = await Accounts.get(principal.accountId)
  if (!found) throw notFound('account', principal.accountId)
  return found
}

async function loadApp(principal: Principal, id: string | undefined): Promise<StoredApp> {
  const found = id === undefined ? undefined : await lazyGetters.app(id)
  if (!found || found.accountId !== principal.accountId || principal.grants) throw notFound('app', id ?? '')
  return found
}

async function loadEnvironment(principal: Principal, id: string | undefined): Promise<StoredEnvironment> {
  const wanted = id ?? principal.environmentId
  if (wanted === undefined) throw invalidField('environmentId', message('access.environmentRequired'))
  const found = await Environments.get(wanted)
  if (!found || !canSeeEnvironment(principal, { accountId: found.accountId, environmentId: found.id }))
    throw notFound('environment', wanted)
  return found
}

async function loadEnvironments(principal: Principal, id: string | undefined): Promise<StoredEnvironment[]> {
  if (principal.roles) return loadEnvironmentsOfRoles(principal.roles, principal, id)
  if (id ?? principal.environmentId) return [await loadEnvironment(principal, id)]
  return Environments.inAccount(principal.accountId)
}

/** A role on one space includes its environment; lists in it show only visible resources. */
async function loadEnvironmentsOfRoles(roles: RoleAssignment[], { accountId }: Principal, id: string | undefined) {
  const ids = [...new Set(roles.flatMap(({ environmentId }) => environmentId ?? []))]
  const found = await Environments.getMany(ids.filter((environmentId) => id === undefined || environmentId === id))
  const inAccount = found.filter((candidate) => candidate.accountId === accountId)
  if (id !== undefined && inAccount.length === 0) throw notFound('environment', id)
  return inAccount
}

/** A commit's id carries its sheet's: `us_vr_<sheet key>_<sequence>`. */
const parseSheetId = (commitId: string): string => `us_sh_${commitId.slice('us_vr_'.length, commitId.lastIndexOf('_'))}`

const loadCommit = createLoader('commit', (id) => Sheets.get(parseSheetId(id)), locateSheet)

async function loadResource(principal: Principal, id: string | undefined): Promise<Resource> {
  if (id === undefined) throw invalidField('source', message('shape.required'))
  switch (parseKind(id)) {
    case 'space':
      return { kind: 'space', space: await loadWholeSpace(principal, id) }
    case 'workbook':
      return { kind: 'workbook', workbook: await loadWorkbook(principal, id) }
    case 'sheet':
      return { kind: 'sheet', sheet: await loadSheet(principal, id) }
    case 'file':
      return { kind: 'file', file: await loadFile(principal, id) }
    case 'document':
      return { kind: 'document', document: await loadDocument(principal, id) }
    case 'agent':
      return { kind: 'agent', agent: await loadAgent(principal, id) }
    default:
      throw notFound('resource', id)
  }
}

/** Guests see only themselves; callers with a space see its guests. */
async function loadGuest(principal: Principal, id: string | undefined): Promise<StoredGuest> {
  const found = id === undefined ? undefined : await lazyGetters.guest(id)
  const isVisible = principal.grants ? found?.id === principal.actorId : found && canSeeGuest(principal, found)
  if (!found || !isVisible) throw notFound('guest', id ?? '')
  return found
}

/** A guest without spaces is visible to anyone who sees the environment. */
export const canSeeGuest = (principal: Principal, found: StoredGuest): boolean =>
  canSeeSpace(principal, found) || found.spaces.some(({ id }) => canSeeSpace(principal, { ...found, spaceId: id }))

/** Members see only themselves. */
async function loadUser(principal: Principal, id: string | undefined): Promise<StoredUser> {
  const found = id === undefined ? undefined : await Users.get(id)
  const isVisible = principal.role === 'member' ? found?.id === principal.actorId : found && canSee(principal, found)
  if (!found || !isVisible) throw notFound('user', id ?? '')
  return found
}

async function loadChannel(principal: Principal, id: string | undefined): Promise<Channel> {
  if (id === undefined) throw invalidField('scope', message('shape.required'))
  if (parseKind(id) === 'environment' && principal.spaceId === undefined && !principal.grants)
    return { environmentId: (await loadEnvironment(principal, id)).id }
  if (parseKind(id) === 'space') return { spaceId: (await loadWholeSpace(principal, id)).id }
  throw notFound('environmentOrSpace', id)
}

type Loaders = { [S in Scope]: Loader<ScopeResources[S]> }

const LOADERS: Loaders = {
  account: loadAccount,
  environment: loadEnvironment,
  environments: loadEnvironments,
  user: loadUser,
  token: async (principal, id) => {
    const found = id === undefined ? undefined : await Tokens.get(id)
    if (!found || found.userId !== principal.actorId) throw notFound('token', id ?? '')
    return found
  },
  guest: loadGuest,
  space: loadSpace,
  workbook: loadWorkbook,
  sheet: loadSheet,
  commit: loadCommit,
  snapshot: createLoader('snapshot', lazyGetters.snapshot, identity),
  file: loadFile,
  job: createLoader('job', lazyGetters.job, identity),
  event: createLoader<StoredEvent, StoredEvent>(
    'event',
    Events.get,
    identity,
    (principal, event) => canSee(principal, event) && canReadEvent(principal, event),
  ),
  agent: loadAgent,
  agentExport: createLoader('agentExport', lazyGetters.agentExport, identity),
  program: createLoader('program', lazyGetters.program, identity),
  secret: createLoader('secret', lazyGetters.secret, identity),
  document: loadDocument,
  action: createLoader('action', lazyGetters.action, identity),
  thread: createLoader('thread', lazyGetters.thread, identity),
  canvas: createLoader('canvas', lazyGetters.canvas, identity),
  canvasArea: createLoader('canvasArea', lazyGetters.canvasArea, identity),
  app: loadApp,
  view: createLoader('view', lazyGetters.view, identity),
  clip: createLoader('clip', lazyGetters.clip, identity),
  webhook: createLoader('webhook', lazyGetters.webhook, identity),
  retentionPolicy: createLoader('retentionPolicy', lazyGetters.retentionPolicy, identity),
  resource: loadResource,
  channel: loadChannel,
}

const toKind = (scope: Scope): MissingKind =>
  scope === 'environments' ? 'environment' : scope === 'channel' ? 'environmentOrSpace' : scope

const isId = (id: string): boolean => Id.safeParse(id).success

/** Starts reading before the caller is known; undefined where the id is not enough. */
export function prefetch(scope: Scope, id: string): Promise<unknown> | undefined {
  const read = isId(id) ? LOADERS[scope].read?.(id) : undefined
  // The error surfaces when the read is awaited, not as an unhandled rejection before.
  read?.catch(() => {})
  return read
}

export const loadScope = <S extends Scope>(
  scope: S,
  principal: Principal,
  id: string | undefined,
  prefetched?: Promise<unknown>,
): Promise<ScopeResources[S]> => {
  if (id !== undefined && !isId(id)) throw notFound(toKind(scope), id.slice(0, 200))
  return LOADERS[scope](principal, id, prefetched && (() => prefetched as Promise<never>))
}

/** Throws the same 404 whether the resource is missing, hidden or forbidden. */
export async function loadWithPermission<S extends Scope>(
  scope: S,
  principal: Principal,
  permission: RequestedPermission,
  id: string,
): Promise<ScopeResources[S]> {
  const allowed = restrictTo(principal, permission, scope)
  if (!allowed) throw notFound(toKind(scope), id.slice(0, 200))
  return loadScope(scope, allowed, id)
}
