/** The schema of an assigned role. Access checks load only this file, not the endpoints. */
import * as z from 'zod'
import { Id, Time } from '../kit/ids.ts'
import { ACTOR_ROLES, type ActorRoleName } from './permissions.ts'

export const RoleAssignment = z.object({
  id: Id,
  role: z.enum(Object.keys(ACTOR_ROLES) as [ActorRoleName, ...ActorRoleName[]]),
  /** Without environment and space, applies to the whole account. */
  environmentId: Id.optional(),
  spaceId: Id.optional(),
  createdAt: Time,
})
export type RoleAssignment = z.infer<typeof RoleAssignment>
