/** Guests as they are shown and granted things; what guards endpoints reads this file alone. */
import * as z from 'zod'
import { Id, Time } from './ids.ts'

/** Spaces one guest may have: all of them change in one transaction, each with its event. */
export const SPACES_PER_GUEST = 20
/** Workbooks or sheets named in one grant. */
export const PARTS_PER_GRANT = 100

const Part = z.object({ id: Id })

/** A space a guest has: the whole of it, or the workbooks and sheets that are named. */
export const GuestSpace = z.object({
  id: Id,
  workbooks: z.array(Part).optional(),
  sheets: z.array(Part).optional(),
  /** When the guest last came into the space. */
  lastAccessed: Time.optional(),
})
export type GuestSpace = z.infer<typeof GuestSpace>

/** A customer of an environment: one for each e-mail address. */
export const Guest = z.object({
  id: Id,
  environmentId: Id,
  email: z.string(),
  name: z.string(),
  spaces: z.array(GuestSpace),
  createdAt: Time,
  updatedAt: Time,
})
export type Guest = z.infer<typeof Guest>

/** A grant of named parts of a space alone. */
export const isPartial = ({ workbooks, sheets }: GuestSpace): boolean => workbooks !== undefined || sheets !== undefined
