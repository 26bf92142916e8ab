/** Endpoints of users: administrators of an account, or of single environments and spaces. */
import * as z from 'zod'
import { ActorRole, AssignRole, MAX_ROLES_PER_ACTOR, Role } from '../access/roles.ts'
import { Email } from '../guests/shape.ts'
import { AnyObject } from '../kit/any-object.ts'
import { endpoint } from '../kit/endpoint.ts'
import { Id, scoped, Time } from '../kit/ids.ts'
import { nullish } from '../kit/nullish.ts'
import { data, list as listOf, paged, pageQuery, Success } from '../kit/page.ts'
import { message } from '../messages/index.ts'
import { INVITE_HOURS, User } from './shape.ts'

const Password = z
  .string()
  .min(10, message('shape.charactersAtLeast', { count: 10 }))
  .max(1000)

const ApiToken = z.object({
  clientId: Id,
  description: z.string(),
  metadata: AnyObject,
  createdAt: Time,
  secret: z.string().optional(),
})

const SORT_FIELDS = [
  'email',
  'name',
  'id',
  'idp',
  'idp_ref',
  'created_at',
  'updated_at',
  'last_seen_at',
  'dashboard',
] as const

export const list = endpoint({
  id: 'users.list',
  method: 'GET',
  path: '/users',
  summary: "Lists the account's users",
  policy: { can: 'users:read', on: 'account' },
  query: z.object({
    email: z.string().optional(),
    search: z.string().optional(),
    sortField: z.enum(SORT_FIELDS).optional(),
    sortDirection: z.enum(['asc', 'desc']).optional(),
    ...pageQuery(20),
  }),
  reply: paged(User),
  example: {},
})

const params = z.object({ userId: Id })
const at = 'params.userId'
const example = { params: { userId: '{userId}' } }

export const get = endpoint({
  id: 'users.get',
  method: 'GET',
  path: '/users/{userId}',
  summary: 'Reads a user',
  policy: { can: 'users:read', on: 'user', at },
  params,
  reply: data(User),
  example,
})

const Name = z.string().trim().min(1).max(200)

export const invite = endpoint({
  id: 'users.invite',
  method: 'POST',
  path: '/users/invite',
  summary: 'Invites a user by email',
  description:
    `The mail contains a link that works once, within ${INVITE_HOURS} hours; \`POST /users/accept-invite\` uses it to set the password. ` +
    'Without `actorRoles` the user is an administrator of the account; with roles on environments and spaces the user has access only to these.',
  policy: { can: 'users:write', on: 'account' },
  audit: 'change',
  body: z.object({
    email: Email,
    name: Name,
    actorRoles: nullish(z.array(AssignRole).max(MAX_ROLES_PER_ACTOR)),
  }),
  reply: data(User.extend({ actorRoles: z.array(ActorRole) })),
  errors: ['conflict'],
  example: {
    body: {
      email: 'grace@example.com',
      name: 'Grace',
      actorRoles: [{ roleId: 'us_rol_administrator', resourceId: '{environmentId}' }],
    },
  },
})

export const resendInvite = endpoint({
  id: 'users.resendInvite',
  method: 'POST',
  path: '/users/{userId}/resend-invite',
  summary: 'Sends a new link to an invited user; the previous one stops working',
  policy: { can: 'users:write', on: 'user', at },
  audit: 'change',
  params,
  reply: Success,
  errors: ['conflict'],
  example,
})

export const acceptInvite = endpoint({
  id: 'users.acceptInvite',
  method: 'POST',
  path: '/users/accept-invite',
  summary: "Sets an invited user's password, with the link from the mail",
  description: 'The link works once. The response is the same for every problem with the link.',
  policy: { public: true },
  body: z.object({ token: z.string().min(1).max(1000), password: Password }),
  reply: data(z.object({ userId: Id, email: z.string() })),
  errors: ['unauthenticated', 'conflict'],
  example: { body: { token: '{inviteToken}', password: 'correct horse battery staple' } },
})

export const update = endpoint({
  id: 'users.update',
  method: 'PATCH',
  path: '/users/{userId}',
  summary: 'Updates a user',
  policy: { can: 'users:write', on: 'user', at },
  audit: 'change',
  params,
  body: z.object({ name: nullish(Name), dashboard: nullish(z.number().int()) }),
  bodyOptional: true,
  reply: data(User),
  errors: ['conflict'],
  example: { ...example, body: { name: 'Ada Lovelace' } },
})

export const remove = endpoint({
  id: 'users.remove',
  method: 'DELETE',
  path: '/users/{userId}',
  summary: 'Deletes a user',
  description:
    'Access tokens and personal access tokens of the user stop working immediately. An account always has at least one administrator.',
  policy: { can: 'users:write', on: 'user', at },
  audit: 'change',
  params,
  reply: Success,
  errors: ['conflict'],
  example: { params: { userId: '{otherUserId}' } },
})

const tenant = { tenantId: scoped('account') }

export const apiTokens = endpoint({
  id: 'users.apiTokens',
  method: 'GET',
  path: '/users/{userId}/api-token',
  summary: "Lists a user's legacy pairs of clientId and secret, without the secrets",
  description: "`tenantId` is the account's id. Personal access tokens are included, because they are such pairs too.",
  policy: { can: 'tokens:read', on: 'user', at },
  params,
  query: z.object({ ...tenant, ...pageQuery(20) }),
  reply: paged(ApiToken),
  errors: ['not-found'],
  example: { ...example, query: { tenantId: '{accountId}' } },
})

export const createApiToken = endpoint({
  id: 'users.createApiToken',
  method: 'POST',
  path: '/users/{userId}/api-token',
  summary: 'Creates a legacy pair of clientId and secret; only this response contains the secret',
  description:
    '`POST /auth` exchanges the pair for an access token of the user. Users can create pairs only for themselves; they are deleted like ' +
    'personal access tokens.',
  policy: { can: 'tokens:write', on: 'user', at },
  audit: 'change',
  params,
  query: z.object(tenant),
  secrets: ['secret'],
  reply: data(ApiToken),
  errors: ['not-found', 'forbidden', 'conflict'],
  example: { ...example, query: { tenantId: '{accountId}' } },
})

export const availableRoles = endpoint({
  id: 'users.availableRoles',
  method: 'GET',
  path: '/roles',
  summary: 'Lists the roles that can be assigned',
  policy: { can: 'account:read', on: 'account' },
  reply: listOf(Role),
  example: {},
})

export const roles = endpoint({
  id: 'users.roles',
  method: 'GET',
  path: '/users/{userId}/roles',
  summary: "Lists a user's roles",
  policy: { can: 'account:read', on: 'user', at },
  params,
  reply: listOf(ActorRole),
  example,
})

export const assignRole = endpoint({
  id: 'users.assignRole',
  method: 'POST',
  path: '/users/{userId}/roles',
  summary: 'Assigns a role on the account, an environment or a space to a user',
  description:
    'Takes effect with the next request of the user. If the user has the role already, the existing assignment is returned.',
  policy: { can: 'roles:write', on: 'user', at },
  audit: 'change',
  params,
  body: AssignRole,
  reply: data(ActorRole),
  errors: ['not-found', 'conflict'],
  example: { ...example, body: { roleId: 'us_rol_administrator', resourceId: '{environmentId}' } },
})

export const removeRole = endpoint({
  id: 'users.removeRole',
  method: 'DELETE',
  path: '/users/{userId}/roles/{actorRoleId}',
  summary: 'Removes a role from a user',
  description: 'Takes effect with the next request of the user. An account always has at least one administrator.',
  policy: { can: 'roles:write', on: 'user', at },
  audit: 'change',
  params: z.object({ userId: Id, actorRoleId: scoped('actorRole') }),
  reply: Success,
  errors: ['not-found', 'conflict'],
  example: { params: { userId: '{otherUserId}', actorRoleId: '{userRoleId}' } },
})
