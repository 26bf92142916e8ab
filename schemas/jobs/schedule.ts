import * as z from 'zod'

/** How often a job repeats. */
export const JobSchedule = z.enum(['weekly', 'daily', 'hourly'])
export type JobSchedule = z.infer<typeof JobSchedule>
