import * as z from 'zod'
import { WorkbookContext } from '../kit/context.ts'
import { Id } from '../kit/ids.ts'
import { topic } from '../kit/topic.ts'

export const created = topic('workbook:created', {
  when: 'a workbook is created',
  payload: z.object({
    workbookId: Id,
    spaceId: Id,
    name: z.string(),
    namespace: z.string().optional(),
    sheetCount: z.number().int(),
  }),
  context: WorkbookContext,
})
export const updated = topic('workbook:updated', {
  when: 'a workbook is changed',
  payload: z.object({
    workbookId: Id,
    spaceId: Id,
    changes: z.array(
      z.object({ type: z.enum(['sheet_added', 'sheet_removed', 'config_updated']), details: z.unknown() }),
    ),
  }),
  context: WorkbookContext,
})
export const deleted = topic('workbook:deleted', {
  when: 'a workbook is deleted',
  payload: z.object({ workbookId: Id, spaceId: Id }),
  context: WorkbookContext,
})
export const expired = topic('workbook:expired', {
  when: 'a workbook expires under a data retention policy',
  payload: z.object({ workbookId: Id, spaceId: Id }),
  context: WorkbookContext,
})
