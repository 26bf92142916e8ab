import * as z from 'zod'
import { Id, Time } from '../kit/ids.ts'

export const Commit = z.object({
  id: Id,
  sheetId: Id,
  createdBy: z.string(),
  createdAt: Time,
  completedBy: z.string().optional(),
  completedAt: Time.optional(),
})
