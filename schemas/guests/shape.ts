import * as z from 'zod'
import { Id, Time } from '../kit/ids.ts'
import { message } from '../messages/index.ts'

/** Limited because all change in one transaction, each with an event. */
export const MAX_SPACES_PER_GUEST = 20
export const MAX_PARTS_PER_GRANT = 100

const Part = z.object({ id: Id })

export const GuestSpace = z.object({
  id: Id,
  workbooks: z.array(Part).optional(),
  sheets: z.array(Part).optional(),
  lastAccessed: Time.optional(),
})
export type GuestSpace = z.infer<typeof GuestSpace>

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

export const isPartial = ({ workbooks, sheets }: GuestSpace): boolean => workbooks !== undefined || sheets !== undefined

/** Limited because all are created in one transaction, which holds 100 writes and events. */
export const MAX_GUESTS_PER_CALL = 20

/** Case-insensitive; stored in lower case. */
export const Email = z
  .string()
  .trim()
  .max(254)
  .transform((text) => text.toLowerCase())
  .pipe(z.email(message('shape.email')))
