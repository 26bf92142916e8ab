import * as z from 'zod'
import { SheetContext } from '../kit/context.ts'
import { Id } from '../kit/ids.ts'
import { topic } from '../kit/topic.ts'

const recordsPayload = { sheetId: Id, recordIds: z.array(Id) }
export const created = topic('records:created', {
  when: 'records are added to a sheet',
  payload: z.object({ ...recordsPayload, recordCount: z.number().int() }),
  context: SheetContext,
})
export const updated = topic('records:updated', {
  when: 'existing records are changed',
  payload: z.object({
    ...recordsPayload,
    changes: z.array(
      z.object({ recordId: Id, fieldKey: z.string(), previousValue: z.unknown(), newValue: z.unknown() }),
    ),
  }),
  context: SheetContext,
})
export const deleted = topic('records:deleted', {
  when: 'records are deleted',
  payload: z.object({ ...recordsPayload, recordCount: z.number().int() }),
  context: SheetContext,
})
export const countsUpdated = topic('sheet:counts-updated', {
  when: "a sheet's record counts change; `attributes` contains the number of records its commit `created`, `updated` and `deleted`",
  payload: z.object({
    sheetId: Id,
    workbookId: Id,
    counts: z.object({ total: z.number(), valid: z.number(), error: z.number(), updated: z.number() }),
  }),
  context: SheetContext,
})
