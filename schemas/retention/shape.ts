import * as z from 'zod'
import { Id, scoped, Time } from '../kit/ids.ts'

export const REMOVAL_DAYS = 7
const MAX_PERIOD_DAYS = 36_500

export const RetentionConfig = z.object({
  type: z.enum(['lastActivity', 'sinceCreated']),
  period: z.number().positive().max(MAX_PERIOD_DAYS),
  environmentId: scoped('environment'),
})

export const RetentionPolicy = RetentionConfig.extend({ id: Id, createdAt: Time, updatedAt: Time })
export type RetentionPolicy = z.infer<typeof RetentionPolicy>

export const MAX_POLICIES_PER_ENVIRONMENT = 10
