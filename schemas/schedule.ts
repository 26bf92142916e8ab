import * as z from 'zod'

/** How often a job is repeated, as actions declare it. */
export const JobSchedule = z.enum(['weekly', 'daily', 'hourly'])
export type JobSchedule = z.infer<typeof JobSchedule>
