/** The shape of a data retention policy. Its endpoints are in retention.ts. */
import * as z from 'zod'
import { Id, scoped, Time } from './ids.ts'

/** Days between the expiry of a thing and its removal. */
export const REMOVAL_DAYS = 7
/** Longest period, in days. */
const PERIOD_DAYS = 36_500

export const RetentionConfig = z.object({
  /** What the period counts from: the last change of the thing or of anything in it, or its creation. */
  type: z.enum(['lastActivity', 'sinceCreated']),
  /** Days. */
  period: z.number().positive().max(PERIOD_DAYS),
  environmentId: scoped('environment'),
})

export const RetentionPolicy = RetentionConfig.extend({ id: Id, createdAt: Time, updatedAt: Time })
export type RetentionPolicy = z.infer<typeof RetentionPolicy>
