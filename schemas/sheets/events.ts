import * as z from 'zod'
import { SheetContext } from '../kit/context.ts'
import { Id } from '../kit/ids.ts'
import { topic } from '../kit/topic.ts'

const sheetPayload = { sheetId: Id, workbookId: Id, name: z.string(), slug: z.string() }
export const created = topic('sheet:created', {
  when: 'a sheet is created',
  payload: z.object({ ...sheetPayload, fieldCount: z.number().int() }),
  context: SheetContext,
})
export const updated = topic('sheet:updated', {
  when: "a sheet's blueprint or configuration changes",
  payload: z.object({
    sheetId: Id,
    workbookId: Id,
    changes: z.array(
      z.object({
        type: z.enum(['field_added', 'field_removed', 'field_updated', 'config_updated']),
        details: z.unknown(),
      }),
    ),
  }),
  context: SheetContext,
})
export const deleted = topic('sheet:deleted', {
  when: 'a sheet is deleted',
  payload: z.object(sheetPayload),
  context: SheetContext,
})
