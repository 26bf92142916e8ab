/** Who may do what, as data: permissions, roles and the scopes a policy can guard. */

/** The things a policy can load and hand over; how each is loaded is `lib/auth/scopes.ts`. */
export const SCOPES = [
  'account',
  'environment',
  'environments',
  'user',
  'guest',
  'token',
  'space',
  'workbook',
  'sheet',
  'commit',
  'snapshot',
  'file',
  'job',
  'event',
  'agent',
  'agentExport',
  'program',
  'secret',
  'webhook',
  'retentionPolicy',
  'document',
  'action',
  'thread',
  'canvas',
  'canvasArea',
  'clip',
  'view',
  'app',
  'resource',
  'channel',
] as const
export type Scope = (typeof SCOPES)[number]

/** The domains whose things are read and written. `account` covers what only an administrator of the account may do. */
export type PermissionDomain =
  | 'account'
  | 'users'
  | 'roles'
  | 'guests'
  | 'invitations'
  | 'tokens'
  | 'keys'
  | 'environments'
  | 'spaces'
  | 'workbooks'
  | 'sheets'
  | 'records'
  | 'commits'
  | 'snapshots'
  | 'files'
  | 'jobs'
  | 'events'
  | 'agents'
  | 'mapping'
  | 'secrets'
  | 'webhooks'
  | 'retention'
  | 'documents'
  | 'actions'
  | 'threads'
  | 'canvases'
  | 'clips'
  | 'views'
  | 'apps'
  | 'entitlements'
/** `mutations:run` is to have code of one's own run over records: previews and `mutate-records` jobs. */
export type Permission = `${PermissionDomain}:${'read' | 'write'}` | 'mutations:run'

const IN_AN_ENVIRONMENT = [
  'account:read',
  'environments:read',
  'guests:read',
  'guests:write',
  'invitations:write',
  'spaces:create',
  'spaces:read',
  'spaces:write',
  'workbooks:read',
  'workbooks:write',
  'sheets:read',
  'sheets:write',
  'records:read',
  'records:write',
  'commits:read',
  'commits:write',
  'snapshots:read',
  'snapshots:write',
  'files:read',
  'files:write',
  'jobs:read',
  'jobs:write',
  'events:read',
  'events:write',
  'agents:read',
  'agents:write',
  'mapping:read',
  'mapping:write',
  'mutations:run',
  'retention:read',
  'secrets:read',
  'secrets:write',
  'documents:read',
  'documents:write',
  'actions:read',
  'actions:write',
  'threads:read',
  'threads:write',
  'canvases:read',
  'canvases:write',
  'clips:read',
  'clips:write',
  'views:read',
  'views:write',
  'apps:read',
  'entitlements:read',
] as const

/** Work on records in named workbooks and sheets. What is kept for a space as a whole stays out of sight. */
const WORK_IN_WORKBOOKS = [
  'spaces:read',
  'workbooks:read',
  'sheets:read',
  'records:read',
  'records:write',
  'commits:read',
  'snapshots:read',
  'jobs:read',
  'jobs:write',
  'clips:read',
  'views:read',
  'views:write',
  'entitlements:read',
] as const

/** The same in a whole space. */
const WORK_IN_SPACES = [
  ...WORK_IN_WORKBOOKS,
  'files:read',
  'files:write',
  'events:read',
  'documents:read',
  'actions:read',
  'canvases:read',
] as const

/** Guests know of guests, and invite others. */
const AMONG_GUESTS = ['guests:read', 'invitations:write'] as const
const IN_WORKBOOKS = [...AMONG_GUESTS, ...WORK_IN_WORKBOOKS] as const
const IN_SPACES = [...AMONG_GUESTS, ...WORK_IN_SPACES] as const

/** Everything that is done in a space, by those it was given to as a whole and who do not come as guests. */
const IN_A_SPACE = [
  ...WORK_IN_SPACES,
  'spaces:write',
  'workbooks:write',
  'sheets:write',
  'commits:write',
  'snapshots:write',
  'mutations:run',
  'documents:write',
  'actions:write',
  'threads:read',
  'threads:write',
  'canvases:write',
] as const

/** The guests of the specification. Where is told by what each was given; of guests they know those of the same whole space. */
export const GUEST_ROLES = {
  singleSpaceGuest: IN_SPACES,
  multiSpaceGuest: IN_SPACES,
  singleWorkbookGuest: IN_WORKBOOKS,
  multiWorkbookGuest: IN_WORKBOOKS,
} as const
export type GuestRole = keyof typeof GUEST_ROLES

const OF_AN_ENVIRONMENT = [
  ...IN_AN_ENVIRONMENT,
  'keys:read',
  'invitations:read',
  'webhooks:read',
  'webhooks:write',
  'retention:write',
] as const

/** What is looked at, and not changed. Values of secrets are no sight. */
const looksAt = <const P extends string>(permissions: readonly P[]) =>
  permissions.filter(
    (permission): permission is Extract<P, `${string}:read`> =>
      permission.endsWith(':read') && permission !== 'secrets:read',
  )

type Allowed = readonly (Permission | '*' | 'spaces:create')[]

interface ActorRole {
  /** As people read it. */
  name: string
  /** Who may have it. */
  actors: readonly ('user' | 'agent' | 'guest')[]
  /** What it allows where: in the whole account, in one environment, in one space. Where it allows nothing it is not given. */
  account?: Allowed
  environment?: Allowed
  space?: Allowed
}

/** The roles actors are given on a resource. */
export const ACTOR_ROLES = {
  administrator: {
    name: 'Administrator',
    actors: ['user', 'agent'],
    account: ['*'],
    environment: [...OF_AN_ENVIRONMENT, 'environments:write', 'keys:write', 'roles:read', 'roles:write'],
    space: [...IN_A_SPACE, ...AMONG_GUESTS],
  },
  agent: { name: 'Agent', actors: ['agent'], environment: IN_AN_ENVIRONMENT, space: IN_A_SPACE },
  reader: {
    name: 'Reader',
    actors: ['user', 'agent'],
    environment: looksAt(IN_AN_ENVIRONMENT),
    space: looksAt(IN_A_SPACE),
  },
  singleSpaceGuest: { name: 'Single-Space Guest', actors: ['guest'], space: IN_SPACES },
  multiSpaceGuest: { name: 'Multi-Space Guest', actors: ['guest'], space: IN_SPACES },
  singleWorkbookGuest: { name: 'Single-Workbook Guest', actors: ['guest'], space: IN_WORKBOOKS },
  multiWorkbookGuest: { name: 'Multi-Workbook Guest', actors: ['guest'], space: IN_WORKBOOKS },
} as const satisfies Record<string, ActorRole>
export type ActorRoleName = keyof typeof ACTOR_ROLES

/** What a role allows on a kind of resource; nothing where it is not given. */
export const allowedBy = (role: ActorRoleName, on: 'account' | 'environment' | 'space'): Allowed =>
  (ACTOR_ROLES[role] as ActorRole)[on] ?? []

/** Roles and what they may do. `*` is everything inside the role's own reach (its account, environment or space). */
export const ROLES = {
  /** A team member: everything in the account. */
  administrator: ['*'],
  /** A user of single environments or spaces: what it may do there, its actor roles say; of the account it has itself alone. */
  member: ['account:read', 'tokens:read', 'tokens:write'],
  /** A secret key: everything in its environment, nothing of the account's people. */
  environment: OF_AN_ENVIRONMENT,
  /** A deployed agent: as a secret key, but it cannot read keys or send events somewhere, which would outlive it. */
  agent: IN_AN_ENVIRONMENT,
  /** A publishable key: creates the space it embeds, nothing more. */
  publishable: ['spaces:create'],
  /** The access token a publishable key got with its space: works in that one space. */
  embedded: WORK_IN_SPACES,
  ...GUEST_ROLES,
} as const satisfies Record<string, Allowed>
export type Role = keyof typeof ROLES
