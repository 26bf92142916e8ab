/** Roles on resources as they are kept, given and shown; what guards endpoints reads this file alone. */
import * as z from 'zod'
import { ACTOR_ROLES, type ActorRoleName } from './access.ts'
import { free, ID_PREFIXES, Id, scoped, Time } from './ids.ts'

/** Roles one user or agent may have. */
export const ROLES_PER_ACTOR = 50

/** A role's id is the same in every account. */
export const roleIdOf = (name: ActorRoleName): string => `${ID_PREFIXES.role}_${name}`

/** The role an id names, or undefined for an id of none. */
export const roleOfId = (id: string): ActorRoleName | undefined =>
  (Object.keys(ACTOR_ROLES) as ActorRoleName[]).find((name) => roleIdOf(name) === id)

/** A role somebody can be given. */
export const Role = z.object({ id: Id, name: z.string(), accountId: Id, createdAt: Time, updatedAt: Time })

/** `roleId` as `GET /roles` tells it; `resourceId` of the account, an environment or a space. */
export const AssignRole = z.object({
  roleId: free('one of the roles of the platform, which are the same for every account'),
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
