/** Roles of users and agents on the account, its environments and spaces: given, shown and taken away. */
import { ACTOR_ROLES, type ActorRoleName, allowedBy } from '../../schemas/access.ts'
import type { HeldRole } from '../../schemas/held-role.ts'
import { type ActorRole, type AssignRole, ROLES_PER_ACTOR, roleIdOf, roleOfId } from '../../schemas/role.ts'
import { conflict, invalidField, notFound } from '../core/errors.ts'
import { kindOf, newId } from '../core/ids.ts'
import type { StoredAccount } from '../entities/accounts.ts'
import type { StoredAgent } from '../entities/agents.ts'
import { Environments } from '../entities/environments.ts'
import { Spaces } from '../entities/spaces.ts'
import type { Write } from '../table/entity.ts'
import type { Principal } from './principal.ts'
import { loadScope } from './scopes.ts'

type Actor = (typeof ACTOR_ROLES)[ActorRoleName]['actors'][number]

/** Every role there is, as an account sees it. */
export const availableRoles = ({ id: accountId, createdAt }: StoredAccount) =>
  (Object.keys(ACTOR_ROLES) as ActorRoleName[]).map((name) => ({
    id: roleIdOf(name),
    name: ACTOR_ROLES[name].name,
    accountId,
    createdAt,
    updatedAt: createdAt,
  }))

/** A role as it is shown. */
export const shownRole = (actor: { id: string; accountId: string }, held: HeldRole): ActorRole => ({
  id: held.id,
  roleId: roleIdOf(held.role),
  actorId: actor.id,
  resourceId: held.spaceId ?? held.environmentId ?? actor.accountId,
  createdAt: held.createdAt,
  updatedAt: held.createdAt,
})

/** The role an id names, if such an actor may have it. Throws 400 otherwise. */
export function roleFor(actor: Actor, roleId: string, key = 'roleId'): ActorRoleName {
  const role = roleOfId(roleId)
  if (!role) throw invalidField(key, `is no role: GET /roles lists them`)
  if (!(ACTOR_ROLES[role].actors as readonly Actor[]).includes(actor)) {
    throw invalidField(key, `is no role of ${actor}s`)
  }
  return role
}

/**
 * The role that is asked for, on a resource the caller reaches.
 * @param key where it stands in the request
 * @throws 404 for a resource the caller cannot know of, 400 for a role that is not given there
 */
export async function wantedRole(
  caller: Principal,
  actor: 'user' | 'agent',
  { roleId, resourceId }: AssignRole,
  now: string,
  key = '',
): Promise<HeldRole> {
  const role = roleFor(actor, roleId, `${key}roleId`)
  const place = await placeOf(caller, resourceId, `${key}resourceId`)
  const on = place.spaceId ? 'space' : place.environmentId ? 'environment' : 'account'
  if (allowedBy(role, on).length === 0) throw invalidField(`${key}roleId`, `is not given on ${on}s`)
  return { id: newId('actorRole'), role, ...place, createdAt: now }
}

async function placeOf(
  caller: Principal,
  resourceId: string,
  key: string,
): Promise<Pick<HeldRole, 'environmentId' | 'spaceId'>> {
  switch (kindOf(resourceId)) {
    case 'account':
      if (resourceId !== caller.accountId) throw notFound('account', resourceId)
      return {}
    case 'environment':
      return { environmentId: (await loadScope('environment', caller, resourceId)).id }
    case 'space': {
      const { id: spaceId, environmentId } = await loadScope('space', caller, resourceId)
      return { environmentId, spaceId }
    }
    default:
      throw invalidField(key, 'must be the id of the account, of an environment or of a space')
  }
}

/** Commits only if what the roles are on is still there: a role on what is gone would stay listed. */
export function placesStay(roles: HeldRole[]): Write[] {
  const spaces = new Set(roles.flatMap(({ spaceId }) => spaceId ?? []))
  const environments = new Set(roles.flatMap(({ environmentId, spaceId }) => (spaceId ? [] : (environmentId ?? []))))
  return [...[...spaces].map(Spaces.stays), ...[...environments].map(Environments.stays)]
}

/** The roles with one more; one that is there already stays as it is. Throws 409 for one too many. */
export function withRole(held: HeldRole[], wanted: HeldRole): { roles: HeldRole[]; role: HeldRole } {
  const same = held.find(
    ({ role, environmentId, spaceId }) =>
      role === wanted.role && environmentId === wanted.environmentId && spaceId === wanted.spaceId,
  )
  if (same) return { roles: held, role: same }
  if (held.length >= ROLES_PER_ACTOR) throw conflict(`There may be ${ROLES_PER_ACTOR} roles: take one away first.`)
  return { roles: [...held, wanted], role: wanted }
}

/** The roles without one. Throws 404 when it is not among them. */
export function withoutRole(held: HeldRole[], actorRoleId: string): HeldRole[] {
  if (!held.some(({ id }) => id === actorRoleId)) throw notFound('role', actorRoleId)
  return held.filter(({ id }) => id !== actorRoleId)
}

/** An agent has the role of its kind in its environment from its deployment on, until it is given others or loses it. */
export const rolesOfAgent = ({ id, actorRoles, environmentId, createdAt }: StoredAgent): HeldRole[] =>
  actorRoles ?? [{ id: `us_acr_${id.slice(id.lastIndexOf('_') + 1)}`, role: 'agent', environmentId, createdAt }]
