/** The schema of guests. Access checks load only this file, not the endpoints. */
import * as z from 'zod'
import { Id, Time } from './ids.ts'

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
