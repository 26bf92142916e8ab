/** What is counted of the use of an environment. */
import * as z from 'zod'
import { Id } from './ids.ts'

/** Each as often as it happened: what is deleted afterwards stays counted. */
export const METERS = [
  'spaces',
  'workbooks',
  'files',
  'fileBytes',
  'recordsCreated',
  'recordsUpdated',
  'recordsDeleted',
  'agentRuns',
  'agentMilliseconds',
] as const
export type Meter = (typeof METERS)[number]

export const Used = z.object(
  Object.fromEntries(METERS.map((meter) => [meter, z.number()])) as Record<Meter, z.ZodNumber>,
)
export type Used = z.infer<typeof Used>

export const Month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'must be a month: yyyy-mm')

export const MonthOfUse = z.object({
  environmentId: Id,
  /** All of it. */
  used: Used,
  /** Of it, what was used while the environment was a production one. */
  credited: Used,
})
