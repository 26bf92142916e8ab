import {
  listRoles as allRoles,
  assertLocationsExist,
  createRoleAssignment,
  serializeRole,
  withoutRole,
  withRole,
} from '../lib/auth/roles.ts'
import {
  acceptInvite as accept,
  addPersonalToken,
  inviteUser,
  removeUser,
  resendInvitation,
} from '../lib/auth/users.ts'
import { mergeDefined } from '../lib/core/diff.ts'
import { forbidden, notFound } from '../lib/core/errors.ts'
import { Accounts } from '../lib/entities/accounts.ts'
import { Tokens } from '../lib/entities/tokens.ts'
import { UserChanges } from '../lib/entities/user-changes.ts'
import { type NewUser, Users } from '../lib/entities/users.ts'
import { getClientAddress } from '../lib/http/address.ts'
import { paginate } from '../lib/http/page.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import { success } from '../schemas/kit/page.ts'
import { message } from '../schemas/messages/index.ts'
import * as users from '../schemas/users/endpoints.ts'

const PROPERTY_BY_SORT_FIELD = {
  email: 'email',
  name: 'name',
  id: 'id',
  idp: 'idp',
  idp_ref: 'idpRef',
  created_at: 'createdAt',
  updated_at: 'updatedAt',
  last_seen_at: 'lastSeenAt',
  dashboard: 'dashboard',
} as const satisfies Record<string, keyof NewUser>

export const list = serve(users.list)(async ({ account, query }) => {
  const candidates = await Users.inAccount(account.id)
  const search = query.search?.toLowerCase()
  const filtered = candidates.filter(
    ({ email, name }) =>
      (!query.email || email === query.email.toLowerCase()) &&
      (!search || email.includes(search) || name.toLowerCase().includes(search)),
  )
  return paginate(
    filtered.sort(compareBy(PROPERTY_BY_SORT_FIELD[query.sortField ?? 'created_at'], query.sortDirection ?? 'asc')),
    query,
  )
})

const compareBy = (field: keyof NewUser, direction: 'asc' | 'desc') => (a: NewUser, b: NewUser) => {
  const [left, right] = [a[field] ?? '', b[field] ?? '']
  const ascending = left < right ? -1 : left > right ? 1 : a.id < b.id ? -1 : 1
  return direction === 'asc' ? ascending : -ascending
}

export const get = serve(users.get)(async ({ user }) => ({ data: user }))

export const invite = serve(users.invite)(async ({ account, body, caller, tx }) => {
  const { email, name } = body
  const requestedRoles = body.actorRoles ?? [{ roleId: 'us_rol_administrator', resourceId: account.id }]
  let actorRoles: NewUser['actorRoles'] = []
  for (const [index, requestedRole] of requestedRoles.entries()) {
    const newRole = await createRoleAssignment(
      caller,
      'user',
      requestedRole,
      tx.now,
      body.actorRoles ? `actorRoles.${index}.` : '',
    )
    actorRoles = withRole(actorRoles, newRole).roles
  }
  const user = await inviteUser(tx, { accountId: account.id, email, name, actorRoles }, account.name)
  return { data: { ...user, actorRoles: user.actorRoles.map((role) => serializeRole(user, role)) } }
})

export const resendInvite = serve(users.resendInvite)(async ({ user, tx }) => {
  const account = await Accounts.get(user.accountId)
  if (!account) throw notFound('user', user.id)
  await resendInvitation(tx, user, account.name)
  return success
})

export const acceptInvite = serve(users.acceptInvite)(async ({ body, request }) => {
  const { id: userId, email } = await accept(body, getClientAddress(request))
  return { data: { userId, email } }
})

export const update = serve(users.update)(async ({ user, body, tx }) => {
  const after = { ...mergeDefined(user, body ?? {}), updatedAt: tx.now }
  await UserChanges.change(tx, user, after)
  return { data: after }
})

export const remove = serve(users.remove)(async ({ user, tx }) => {
  await removeUser(tx, user)
  return success
})

const assertOwnTenant = (accountId: string, tenantId: string) => {
  if (tenantId !== accountId) throw notFound('tenant', tenantId)
}

const serializeTokenPair = ({ id, name, createdAt }: { id: string; name: string; createdAt: string }) => ({
  clientId: id,
  description: name,
  metadata: {},
  createdAt,
})

export const apiTokens = serve(users.apiTokens)(async ({ user, query }) => {
  assertOwnTenant(user.accountId, query.tenantId)
  const { data, pagination } = paginate(await Tokens.ofUser(user.id), query)
  return { data: data.map(serializeTokenPair), pagination }
})

export const createApiToken = serve(users.createApiToken)(async ({ user, query, caller, tx }) => {
  assertOwnTenant(user.accountId, query.tenantId)
  if (user.id !== caller.actorId) throw forbidden(message('access.onlyOwnTokenPair'))
  const { value, token } = await addPersonalToken(tx, { accountId: user.accountId, userId: user.id }, 'API token')
  return { data: { ...serializeTokenPair(token), secret: value } }
})

export const availableRoles = serve(users.availableRoles)(async ({ account }) => ({ data: allRoles(account) }))

export const roles = serve(users.roles)(async ({ user }) => ({
  data: user.actorRoles.map((role) => serializeRole(user, role)),
}))

export const assignRole = serve(users.assignRole)(async ({ user, body, caller, tx }) => {
  const { roles: actorRoles, role } = withRole(
    user.actorRoles,
    await createRoleAssignment(caller, 'user', body, tx.now),
  )
  await UserChanges.change(tx, user, { ...user, actorRoles, updatedAt: tx.now })
  tx.write(...assertLocationsExist([role]))
  return { data: serializeRole(user, role) }
})

export const removeRole = serve(users.removeRole)(async ({ user, params, tx }) => {
  const actorRoles = withoutRole(user.actorRoles, params.actorRoleId)
  await UserChanges.change(tx, user, { ...user, actorRoles, updatedAt: tx.now })
  return success
})

export const handler = lambda(
  list,
  get,
  invite,
  resendInvite,
  acceptInvite,
  update,
  remove,
  apiTokens,
  createApiToken,
  availableRoles,
  roles,
  assignRole,
  removeRole,
)
