/** Schemas of roles. Endpoint guards import only this file, to stay small. */
import * as z from 'zod'
import { ID_PREFIXES, Id, scoped, Time, unscoped } from '../kit/ids.ts'
import { ACTOR_ROLES, type ActorRoleName } from './permissions.ts'

export const MAX_ROLES_PER_ACTOR = 50

/** The id of a role is the same in every account. */
export const buildRoleId = (name: ActorRoleName): string => `${ID_PREFIXES.role}_${name}`

export const parseRoleId = (id: string): ActorRoleName | undefined =>
  (Object.keys(ACTOR_ROLES) as ActorRoleName[]).find((name) => buildRoleId(name) === id)

export const Role = z.object({ id: Id, name: z.string(), accountId: Id, createdAt: Time, updatedAt: Time })

export const AssignRole = z.object({
  roleId: unscoped("one of the platform's roles, which are the same for every account"),
  resourceId: scoped('account', 'environment', 'space'),
})
export type AssignRole = z.infer<typeof AssignRole>

export const ActorRole = z.object({
  id: Id,
  roleId: Id,
  actorId: Id,
  resourceId: Id,
  createdAt: Time,
  updatedAt: Time,
})
export type ActorRole = z.infer<typeof ActorRole>
