import * as z from 'zod'
import { Id, Time } from '../kit/ids.ts'

const Section = z.object({
  total: z.number().int(),
  byField: z.record(z.string(), z.number().int()).optional(),
})
export const Summary = z.object({
  createdSince: Section,
  updatedSince: Section,
  deletedSince: Section,
  schemaDiff: z.record(z.string(), z.enum(['added', 'removed', 'unchanged'])),
  config: z.unknown(),
})

export const Snapshot = z.object({
  id: Id,
  sheetId: Id,
  label: z.string().optional(),
  threadId: z.string().optional(),
  commitId: Id.optional(),
  counts: z.object({ total: z.number().int(), valid: z.number().int(), error: z.number().int() }),
  summary: Summary.optional(),
  createdAt: Time,
  createdBy: Id,
})
export type Snapshot = z.infer<typeof Snapshot>
