/** A role as it is kept with its actor; what guards endpoints reads this file alone. */
import * as z from 'zod'
import { ACTOR_ROLES, type ActorRoleName } from './access.ts'
import { Id, Time } from './ids.ts'

export const HeldRole = z.object({
  id: Id,
  role: z.enum(Object.keys(ACTOR_ROLES) as [ActorRoleName, ...ActorRoleName[]]),
  /** Where it holds: in the whole account when neither is told. */
  environmentId: Id.optional(),
  spaceId: Id.optional(),
  createdAt: Time,
})
export type HeldRole = z.infer<typeof HeldRole>
