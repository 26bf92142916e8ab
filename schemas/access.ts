/** Who may do what, as data: permissions, roles and the scopes a policy can guard. */

/** The things a policy can load and hand over; how each is loaded is `lib/auth/scopes.ts`. */
export const SCOPES = [
  'account',
  'environment',
  'environments',
  'user',
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
  'resource',
  'channel',
] as const
export type Scope = (typeof SCOPES)[number]

/** The domains whose things are read and written. `account` covers what only an administrator of the account may do. */
export type PermissionDomain =
  | 'account'
  | 'users'
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
export type Permission = `${PermissionDomain}:${'read' | 'write'}`

const IN_AN_ENVIRONMENT = [
  'account:read',
  'environments:read',
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
] as const

/** Roles and what they may do. `*` is everything inside the role's own reach (its account, environment or space). */
export const ROLES = {
  /** A team member: everything in the account. */
  administrator: ['*'],
  /** A secret key: everything in its environment, nothing of the account's people. */
  environment: [...IN_AN_ENVIRONMENT, 'keys:read', 'webhooks:read', 'webhooks:write', 'retention:write'],
  /** A deployed agent: as a secret key, but it cannot read keys or send events somewhere, which would outlive it. */
  agent: IN_AN_ENVIRONMENT,
  /** A publishable key: creates the space it embeds, nothing more. */
  publishable: ['spaces:create'],
  /** The access token a publishable key got with its space: works in that one space. */
  embedded: [
    'spaces:read',
    'workbooks:read',
    'sheets:read',
    'records:read',
    'records:write',
    'commits:read',
    'snapshots:read',
    'files:read',
    'files:write',
    'jobs:read',
    'jobs:write',
    'events:read',
    'documents:read',
    'actions:read',
    'canvases:read',
  ],
} as const satisfies Record<string, readonly (Permission | '*' | 'spaces:create')[]>
export type Role = keyof typeof ROLES
