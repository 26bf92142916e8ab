/** Access control as data: permissions, roles and the scopes a policy can use. */

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

/** `account` covers what only an account administrator can do. */
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
/** `mutations:run` allows running custom code on records, in previews and `mutate-records` jobs. */
export type Permission = `${PermissionDomain}:${'read' | 'write'}` | 'mutations:run'

const AGENT_PERMISSIONS = [
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

const WORKBOOK_WORK_PERMISSIONS = [
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

const SPACE_WORK_PERMISSIONS = [
  ...WORKBOOK_WORK_PERMISSIONS,
  'files:read',
  'files:write',
  'events:read',
  'documents:read',
  'actions:read',
  'canvases:read',
] as const

const GUEST_CONTACT_PERMISSIONS = ['guests:read', 'invitations:write'] as const
const WORKBOOK_GUEST_PERMISSIONS = [...GUEST_CONTACT_PERMISSIONS, ...WORKBOOK_WORK_PERMISSIONS] as const
const SPACE_GUEST_PERMISSIONS = [...GUEST_CONTACT_PERMISSIONS, ...SPACE_WORK_PERMISSIONS] as const

const SPACE_PERMISSIONS = [
  ...SPACE_WORK_PERMISSIONS,
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

export const GUEST_ROLES = {
  singleSpaceGuest: SPACE_GUEST_PERMISSIONS,
  multiSpaceGuest: SPACE_GUEST_PERMISSIONS,
  singleWorkbookGuest: WORKBOOK_GUEST_PERMISSIONS,
  multiWorkbookGuest: WORKBOOK_GUEST_PERMISSIONS,
} as const
export type GuestRole = keyof typeof GUEST_ROLES

const SECRET_KEY_PERMISSIONS = [
  ...AGENT_PERMISSIONS,
  'keys:read',
  'invitations:read',
  'webhooks:read',
  'webhooks:write',
  'retention:write',
] as const

/** Read-only access, without the values of secrets. */
const filterReadPermissions = <const P extends string>(permissions: readonly P[]) =>
  permissions.filter(
    (permission): permission is Extract<P, `${string}:read`> =>
      permission.endsWith(':read') && permission !== 'secrets:read',
  )

type Allowed = readonly (Permission | '*' | 'spaces:create')[]

interface ActorRole {
  name: string
  actors: readonly ('user' | 'agent' | 'guest')[]
  /** Permissions by level. A role cannot be assigned at a level it does not list. */
  account?: Allowed
  environment?: Allowed
  space?: Allowed
}

export const ACTOR_ROLES = {
  administrator: {
    name: 'Administrator',
    actors: ['user', 'agent'],
    account: ['*'],
    environment: [...SECRET_KEY_PERMISSIONS, 'environments:write', 'keys:write', 'roles:read', 'roles:write'],
    space: [...SPACE_PERMISSIONS, ...GUEST_CONTACT_PERMISSIONS],
  },
  agent: { name: 'Agent', actors: ['agent'], environment: AGENT_PERMISSIONS, space: SPACE_PERMISSIONS },
  reader: {
    name: 'Reader',
    actors: ['user', 'agent'],
    environment: filterReadPermissions(AGENT_PERMISSIONS),
    space: filterReadPermissions(SPACE_PERMISSIONS),
  },
  singleSpaceGuest: { name: 'Single-Space Guest', actors: ['guest'], space: SPACE_GUEST_PERMISSIONS },
  multiSpaceGuest: { name: 'Multi-Space Guest', actors: ['guest'], space: SPACE_GUEST_PERMISSIONS },
  singleWorkbookGuest: { name: 'Single-Workbook Guest', actors: ['guest'], space: WORKBOOK_GUEST_PERMISSIONS },
  multiWorkbookGuest: { name: 'Multi-Workbook Guest', actors: ['guest'], space: WORKBOOK_GUEST_PERMISSIONS },
} as const satisfies Record<string, ActorRole>
export type ActorRoleName = keyof typeof ACTOR_ROLES

export const getAllowedPermissions = (role: ActorRoleName, on: 'account' | 'environment' | 'space'): Allowed =>
  (ACTOR_ROLES[role] as ActorRole)[on] ?? []

/** `*` allows everything within the role's account, environment or space. */
export const ROLES = {
  administrator: ['*'],
  /** A user whose actor roles on environments or spaces define what it can do. */
  member: ['account:read', 'tokens:read', 'tokens:write'],
  environment: SECRET_KEY_PERMISSIONS,
  /** Like a secret key, but cannot read keys or create webhooks, which could outlive the agent. */
  agent: AGENT_PERMISSIONS,
  publishable: ['spaces:create'],
  /** The access token issued to a publishable key with its space. */
  embedded: SPACE_WORK_PERMISSIONS,
  ...GUEST_ROLES,
} as const satisfies Record<string, Allowed>
export type Role = keyof typeof ROLES
