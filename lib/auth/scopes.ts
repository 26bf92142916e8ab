/**
 * How each scope of a policy loads the thing it guards, and whether the caller may know that it exists.
 * The only place where a tenant's thing is read by its bare id: everything else reads through what this hands over.
 */
import type { Scope } from '../../schemas/access.ts'
import { readersOf } from '../../schemas/event-readers.ts'
import { type GuestSpace, isPartial } from '../../schemas/guest.ts'
import type { HeldRole } from '../../schemas/held-role.ts'
import { Id } from '../../schemas/ids.ts'
import { invalidField, notFound } from '../core/errors.ts'
import { kindOf } from '../core/ids.ts'
import { onDemand } from '../core/on-demand.ts'
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
import { type Asked, holdsAt, may, type Placed, type Principal, permitted } from './principal.ts'

/** What a handler receives for its policy's scope, under the scope's name. */
export interface Loaded {
  account: StoredAccount
  environment: StoredEnvironment
  /** Every environment the caller can use, or the one it named. */
  environments: StoredEnvironment[]
  user: StoredUser
  guest: StoredGuest
  token: StoredToken
  space: StoredSpace
  workbook: StoredWorkbook
  sheet: StoredSheet
  /** The sheet whose commit is named in the path. */
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
  /** The thing a job is about, told by its id's kind. */
  resource: Resource
  /** Where events are listened to. */
  channel: Channel
}
/** An environment, or one space of it, by its id. */
export type Channel = EventList
export type Resource =
  | { kind: 'space'; space: StoredSpace }
  | { kind: 'workbook'; workbook: StoredWorkbook }
  | { kind: 'sheet'; sheet: StoredSheet }
  | { kind: 'file'; file: StoredFile }
  | { kind: 'document'; document: StoredDocument }
  | { kind: 'agent'; agent: StoredAgent }

const reachesEnvironment = (principal: Principal, place: Placed): boolean =>
  place.accountId === principal.accountId &&
  (principal.environmentId === undefined || place.environmentId === principal.environmentId) &&
  (principal.roles === undefined || principal.roles.some((role) => holdsAt(role, place)))

/** May the principal know of the space something lives in? */
export const reachesSpace = (principal: Principal, place: Placed): boolean =>
  reachesEnvironment(principal, place) &&
  (principal.spaceId === undefined || place.spaceId === principal.spaceId) &&
  (principal.grants === undefined || principal.grants.some(({ id }) => id === place.spaceId))

/** May the principal know of a thing that lives there? */
const reaches = (principal: Principal, place: Placed): boolean =>
  reachesSpace(principal, place) &&
  (principal.grants === undefined ||
    principal.grants.some((grant) => grant.id === place.spaceId && covers(grant, place)))

/** A grant of parts covers what is in them; what a space has as a whole is in none. */
const covers = (grant: GuestSpace, { workbookId, sheetId }: Placed): boolean =>
  !isPartial(grant) ||
  (grant.workbooks ?? []).some(({ id }) => id === workbookId) ||
  (grant.sheets ?? []).some(({ id }) => id === sheetId)

/** May the principal read an event of a list it reaches? It must be allowed to read what the event is about. */
export const mayHear = (principal: Principal, { topic, context }: Pick<StoredEvent, 'topic' | 'context'>): boolean =>
  may(principal, readersOf(topic), context)

/** For lists: keeps what the principal may know of. */
export const reachedBy =
  (principal: Principal) =>
  (thing: Placed): boolean =>
    reaches(principal, thing)

type Read<T> = (id: string) => Promise<T | undefined>

interface Loader<T> {
  /** @param read instead of the loader's own: what it began already */
  (principal: Principal, id: string | undefined, read?: Read<never>): Promise<T>
  /** Reads the thing for whoever asks; what has none reads more, or by what the caller is. */
  read?: Read<unknown>
}

/** Loads by id and answers the same 404 whether the thing is missing or out of the caller's reach. */
function guarded<T, P extends Placed>(
  kind: string,
  get: Read<T>,
  place: (thing: T) => P,
  known: (principal: Principal, place: P) => boolean = reaches,
) {
  const load = async (principal: Principal, id: string | undefined, read = get): Promise<T> => {
    if (id === undefined) throw invalidField(`${kind}Id`, 'is required')
    const thing = await read(id)
    if (!thing || !known(principal, place(thing))) throw notFound(kind, id)
    return thing
  }
  return Object.assign(load, { read: get })
}

const own = <T extends Placed>(thing: T): T => thing

/** What few functions guard: the others do not read its code at their cold start. */
function byId<T>(load: () => Promise<{ get(id: string): Promise<T | undefined> }>) {
  const things = onDemand(load)
  return async (id: string): Promise<T | undefined> => (await things()).get(id)
}
const later = {
  action: byId(async () => (await import('../entities/actions.ts')).Actions),
  agent: byId(async () => (await import('../entities/agents.ts')).Agents),
  agentExport: byId(async () => (await import('../entities/agent-exports.ts')).AgentExports),
  app: byId(async () => (await import('../entities/apps.ts')).Apps),
  canvas: byId(async () => (await import('../entities/canvases.ts')).Canvases),
  canvasArea: byId(async () => (await import('../entities/canvases.ts')).CanvasAreas),
  clip: byId(async () => (await import('../entities/clips.ts')).Clips),
  document: byId(async () => (await import('../entities/documents.ts')).Documents),
  file: byId(async () => (await import('../entities/files.ts')).Files),
  guest: byId(async () => (await import('../entities/guests.ts')).Guests),
  job: byId(async () => (await import('../entities/jobs.ts')).Jobs),
  program: byId(async () => (await import('../entities/programs.ts')).Programs),
  retentionPolicy: byId(async () => (await import('../entities/retention.ts')).RetentionPolicies),
  secret: byId(async () => (await import('../entities/secrets.ts')).Secrets),
  snapshot: byId(async () => (await import('../entities/snapshots.ts')).Snapshots),
  thread: byId(async () => (await import('../entities/threads.ts')).Threads),
  view: byId(async () => (await import('../entities/views.ts')).Views),
  webhook: byId(async () => (await import('../entities/webhooks.ts')).Webhooks),
}

export const placeOfSpace = (found: StoredSpace): Placed => ({ ...found, spaceId: found.id })
export const placeOfWorkbook = (found: StoredWorkbook): Placed => ({ ...found, workbookId: found.id })
const placeOfSheet = (found: StoredSheet): Placed => ({ ...found, sheetId: found.id })

/** One who has a part of a space may know of the space. */
const space = guarded('space', Spaces.get, placeOfSpace, reachesSpace)
/** The space as a whole. */
const wholeSpace = guarded('space', Spaces.get, placeOfSpace)
const workbook = guarded('workbook', Workbooks.get, placeOfWorkbook)
const sheet = guarded('sheet', Sheets.get, placeOfSheet)
const file = guarded('file', later.file, own)
const document = guarded('document', later.document, own)
const agent = guarded('agent', later.agent, own)

async function account(principal: Principal): Promise<StoredAccount> {
  const found = await Accounts.get(principal.accountId)
  if (!found) throw notFound('account', principal.accountId)
  return found
}

/** Of the whole account: those who work in one of its environments know of it, guests do not. */
async function app(principal: Principal, id: string | undefined): Promise<StoredApp> {
  const found = id === undefined ? undefined : await later.app(id)
  if (!found || found.accountId !== principal.accountId || principal.grants) throw notFound('app', id ?? '')
  return found
}

async function environment(principal: Principal, id: string | undefined): Promise<StoredEnvironment> {
  const wanted = id ?? principal.environmentId
  if (wanted === undefined)
    throw invalidField('environmentId', 'is required: this token is not bound to one environment')
  const found = await Environments.get(wanted)
  if (!found || !reachesEnvironment(principal, { accountId: found.accountId, environmentId: found.id }))
    throw notFound('environment', wanted)
  return found
}

async function environments(principal: Principal, id: string | undefined): Promise<StoredEnvironment[]> {
  if (principal.roles) return environmentsOf(principal.roles, principal, id)
  if (id ?? principal.environmentId) return [await environment(principal, id)]
  return Environments.inAccount(principal.accountId)
}

/** One who has a space lists what is in its environment; what it does not reach there, the list leaves out. */
async function environmentsOf(roles: HeldRole[], { accountId }: Principal, id: string | undefined) {
  const ids = [...new Set(roles.flatMap(({ environmentId }) => environmentId ?? []))]
  const found = await Environments.getMany(ids.filter((known) => id === undefined || known === id))
  const own = found.filter((each) => each.accountId === accountId)
  if (id !== undefined && own.length === 0) throw notFound('environment', id)
  return own
}

/** A commit's id carries its sheet's: `us_vr_<sheet key>_<sequence>`. */
const sheetOfCommit = (commitId: string): string =>
  `us_sh_${commitId.slice('us_vr_'.length, commitId.lastIndexOf('_'))}`

const commit = guarded('commit', (id) => Sheets.get(sheetOfCommit(id)), placeOfSheet)

async function resource(principal: Principal, id: string | undefined): Promise<Resource> {
  if (id === undefined) throw invalidField('source', 'is required')
  switch (kindOf(id)) {
    case 'space':
      return { kind: 'space', space: await wholeSpace(principal, id) }
    case 'workbook':
      return { kind: 'workbook', workbook: await workbook(principal, id) }
    case 'sheet':
      return { kind: 'sheet', sheet: await sheet(principal, id) }
    case 'file':
      return { kind: 'file', file: await file(principal, id) }
    case 'document':
      return { kind: 'document', document: await document(principal, id) }
    case 'agent':
      return { kind: 'agent', agent: await agent(principal, id) }
    default:
      throw notFound('resource', id)
  }
}

/** A guest knows of no other, and one who has a space of the guests of it. */
async function guest(principal: Principal, id: string | undefined): Promise<StoredGuest> {
  const found = id === undefined ? undefined : await later.guest(id)
  const known = principal.grants ? found?.id === principal.actorId : found && knowsGuest(principal, found)
  if (!found || !known) throw notFound('guest', id ?? '')
  return found
}

/** Of a guest that has no space, who reaches the environment knows. */
export const knowsGuest = (principal: Principal, found: StoredGuest): boolean =>
  reachesSpace(principal, found) || found.spaces.some(({ id }) => reachesSpace(principal, { ...found, spaceId: id }))

/** A user of single environments or spaces knows of itself. */
async function user(principal: Principal, id: string | undefined): Promise<StoredUser> {
  const found = id === undefined ? undefined : await Users.get(id)
  const known = principal.role === 'member' ? found?.id === principal.actorId : found && reaches(principal, found)
  if (!found || !known) throw notFound('user', id ?? '')
  return found
}

/** One who lives in a space hears that space alone. */
async function channel(principal: Principal, id: string | undefined): Promise<Channel> {
  if (id === undefined) throw invalidField('scope', 'is required')
  if (kindOf(id) === 'environment' && principal.spaceId === undefined && !principal.grants)
    return { environmentId: (await environment(principal, id)).id }
  if (kindOf(id) === 'space') return { spaceId: (await wholeSpace(principal, id)).id }
  throw notFound('environment or space', id)
}

type Loaders = { [S in Scope]: Loader<Loaded[S]> }

const LOADERS: Loaders = {
  account,
  environment,
  environments,
  user,
  token: async (principal, id) => {
    const found = id === undefined ? undefined : await Tokens.get(id)
    if (!found || found.userId !== principal.actorId) throw notFound('token', id ?? '')
    return found
  },
  guest,
  space,
  workbook,
  sheet,
  commit,
  snapshot: guarded('snapshot', later.snapshot, own),
  file,
  job: guarded('job', later.job, own),
  event: guarded<StoredEvent, StoredEvent>(
    'event',
    Events.get,
    own,
    (principal, event) => reaches(principal, event) && mayHear(principal, event),
  ),
  agent,
  agentExport: guarded('agent export', later.agentExport, own),
  program: guarded('program', later.program, own),
  secret: guarded('secret', later.secret, own),
  document,
  action: guarded('action', later.action, own),
  thread: guarded('thread', later.thread, own),
  canvas: guarded('canvas', later.canvas, own),
  canvasArea: guarded('canvas area', later.canvasArea, own),
  app,
  view: guarded('view', later.view, own),
  clip: guarded('data clip', later.clip, own),
  webhook: guarded('webhook', later.webhook, own),
  retentionPolicy: guarded('data retention policy', later.retentionPolicy, own),
  resource,
  channel,
}

/** No id is so long, and none could be a key of the table. */
const isId = (id: string): boolean => Id.safeParse(id).success

/** Begins to read what a policy guards before the caller is known; undefined where that cannot be told by its id alone. */
export function readAhead(scope: Scope, id: string): Promise<unknown> | undefined {
  const reading = isId(id) ? LOADERS[scope].read?.(id) : undefined
  // A failure is met when it is awaited, not as an unhandled rejection before.
  reading?.catch(() => {})
  return reading
}

/**
 * Loads what the policy guards. Throws 404 when the caller may not know that it exists.
 * @param ahead what `readAhead` of the same scope and id gave
 */
export const loadScope = <S extends Scope>(
  scope: S,
  principal: Principal,
  id: string | undefined,
  ahead?: Promise<unknown>,
): Promise<Loaded[S]> => {
  if (id !== undefined && !isId(id)) throw notFound(scope, id.slice(0, 200))
  return LOADERS[scope](principal, id, ahead && (() => ahead as Promise<never>))
}

/**
 * Loads what a request names beside the resource its policy guards, and needs a permission of its own.
 * Throws the same 404 for a resource that is missing, out of reach, or where the caller does not have the permission.
 */
export async function loadNamed<S extends Scope>(
  scope: S,
  principal: Principal,
  permission: Asked,
  id: string,
): Promise<Loaded[S]> {
  const allowed = permitted(principal, permission, scope)
  if (!allowed) throw notFound(scope, id.slice(0, 200))
  return loadScope(scope, allowed, id)
}
