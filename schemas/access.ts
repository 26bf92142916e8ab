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
export type Permission = `${PermissionDomain}:${'read' | 'write'}`

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

/** The guests of the specification. Where is told by what each was given; a guest reads of guests itself alone. */
export const GUEST_ROLES = {
  singleSpaceGuest: IN_SPACES,
  multiSpaceGuest: IN_SPACES,
  singleWorkbookGuest: IN_WORKBOOKS,
  multiWorkbookGuest: IN_WORKBOOKS,
} as const
export type GuestRole = keyof typeof GUEST_ROLES

/** Roles and what they may do. `*` is everything inside the role's own reach (its account, environment or space). */
export const ROLES = {
  /** A team member: everything in the account. */
  administrator: ['*'],
  /** A secret key: everything in its environment, nothing of the account's people. */
  environment: [
    ...IN_AN_ENVIRONMENT,
    'keys:read',
    'invitations:read',
    'webhooks:read',
    'webhooks:write',
    'retention:write',
  ],
  /** A deployed agent: as a secret key, but it cannot read keys or send events somewhere, which would outlive it. */
  agent: IN_AN_ENVIRONMENT,
  /** A publishable key: creates the space it embeds, nothing more. */
  publishable: ['spaces:create'],
  /** The access token a publishable key got with its space: works in that one space. */
  embedded: WORK_IN_SPACES,
  ...GUEST_ROLES,
} as const satisfies Record<string, readonly (Permission | '*' | 'spaces:create')[]>
export type Role = keyof typeof ROLES
