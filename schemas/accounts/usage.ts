import * as z from 'zod'
import { Id } from '../kit/ids.ts'
import { message } from '../messages/index.ts'

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

export const MeterTotals = z.object(
  Object.fromEntries(METERS.map((meter) => [meter, z.number()])) as Record<Meter, z.ZodNumber>,
)
export type MeterTotals = z.infer<typeof MeterTotals>

export const Month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, message('requests.month'))

export const MonthlyUsage = z.object({
  environmentId: Id,
  used: MeterTotals,
  billable: MeterTotals,
})
