/** Assigns, lists and removes roles of users and agents on accounts, environments and spaces. */

import type { RoleAssignment } from '../../schemas/access/assignments.ts'
import { ACTOR_ROLES, type ActorRoleName, getAllowedPermissions } from '../../schemas/access/permissions.ts'
import {
  type ActorRole,
  type AssignRole,
  buildRoleId,
  MAX_ROLES_PER_ACTOR,
  parseRoleId,
} from '../../schemas/access/roles.ts'
import { message } from '../../schemas/messages/index.ts'
import { conflict, invalidField, notFound } from '../core/errors.ts'
import { newId, parseKind } from '../core/ids.ts'
import type { StoredAccount } from '../entities/accounts.ts'
import type { StoredAgent } from '../entities/agents.ts'
import { Environments } from '../entities/environments.ts'
import { Spaces } from '../entities/spaces.ts'
import type { Write } from '../table/write.ts'
import { loadScope } from './load-resource.ts'
import type { Principal } from './principal.ts'

type Actor = (typeof ACTOR_ROLES)[ActorRoleName]['actors'][number]

export const listRoles = ({ id: accountId, createdAt }: StoredAccount) =>
  (Object.keys(ACTOR_ROLES) as ActorRoleName[]).map((name) => ({
    id: buildRoleId(name),
    name: ACTOR_ROLES[name].name,
    accountId,
    createdAt,
    updatedAt: createdAt,
  }))

export const serializeRole = (actor: { id: string; accountId: string }, assignment: RoleAssignment): ActorRole => ({
  id: assignment.id,
  roleId: buildRoleId(assignment.role),
  actorId: actor.id,
  resourceId: assignment.spaceId ?? assignment.environmentId ?? actor.accountId,
  createdAt: assignment.createdAt,
  updatedAt: assignment.createdAt,
})

const NOT_FOR_ACTOR = {
  user: 'access.roleNotForUsers',
  agent: 'access.roleNotForAgents',
  guest: 'access.roleNotForGuests',
} as const
const NOT_FOR_LEVEL = {
  account: 'access.roleNotForAccounts',
  environment: 'access.roleNotForEnvironments',
  space: 'access.roleNotForSpaces',
} as const

export function parseRole(actor: Actor, roleId: string, key = 'roleId'): ActorRoleName {
  const role = parseRoleId(roleId)
  if (!role) throw invalidField(key, message('access.unknownRole'))
  if (!(ACTOR_ROLES[role].actors as readonly Actor[]).includes(actor)) {
    throw invalidField(key, message(NOT_FOR_ACTOR[actor]))
  }
  return role
}

/** @throws 404 for a resource the caller cannot see, 400 for a role that does not apply to it */
export async function createRoleAssignment(
  caller: Principal,
  actor: 'user' | 'agent',
  { roleId, resourceId }: AssignRole,
  now: string,
  key = '',
): Promise<RoleAssignment> {
  const role = parseRole(actor, roleId, `${key}roleId`)
  const location = await resolveLocation(caller, resourceId, `${key}resourceId`)
  const level = location.spaceId ? 'space' : location.environmentId ? 'environment' : 'account'
  if (getAllowedPermissions(role, level).length === 0) throw invalidField(`${key}roleId`, message(NOT_FOR_LEVEL[level]))
  return { id: newId('actorRole'), role, ...location, createdAt: now }
}

async function resolveLocation(
  caller: Principal,
  resourceId: string,
  key: string,
): Promise<Pick<RoleAssignment, 'environmentId' | 'spaceId'>> {
  switch (parseKind(resourceId)) {
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
      throw invalidField(key, message('access.notARoleResource'))
  }
}

/** Fails the commit if a resource was deleted, whose role would stay listed. */
export function assertLocationsExist(roles: RoleAssignment[]): Write[] {
  const spaces = new Set(roles.flatMap(({ spaceId }) => spaceId ?? []))
  const environments = new Set(roles.flatMap(({ environmentId, spaceId }) => (spaceId ? [] : (environmentId ?? []))))
  return [...[...spaces].map(Spaces.assertExists), ...[...environments].map(Environments.assertExists)]
}

/** Idempotent. Throws 409 above the limit. */
export function withRole(
  assignments: RoleAssignment[],
  wanted: RoleAssignment,
): { roles: RoleAssignment[]; role: RoleAssignment } {
  const existing = assignments.find(
    ({ role, environmentId, spaceId }) =>
      role === wanted.role && environmentId === wanted.environmentId && spaceId === wanted.spaceId,
  )
  if (existing) return { roles: assignments, role: existing }
  if (assignments.length >= MAX_ROLES_PER_ACTOR)
    throw conflict(message('access.tooManyRoles', { count: MAX_ROLES_PER_ACTOR }))
  return { roles: [...assignments, wanted], role: wanted }
}

export function withoutRole(assignments: RoleAssignment[], actorRoleId: string): RoleAssignment[] {
  if (!assignments.some(({ id }) => id === actorRoleId)) throw notFound('role', actorRoleId)
  return assignments.filter(({ id }) => id !== actorRoleId)
}

export const getAgentRoles = ({ id, actorRoles, environmentId, createdAt }: StoredAgent): RoleAssignment[] =>
  actorRoles ?? [{ id: `us_acr_${id.slice(id.lastIndexOf('_') + 1)}`, role: 'agent', environmentId, createdAt }]
