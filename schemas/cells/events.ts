import * as z from 'zod'
import { SheetContext } from '../kit/context.ts'
import { Id } from '../kit/ids.ts'
import { topic } from '../kit/topic.ts'
import { FORMULAS } from './shape.ts'

export const calculationUpdated = topic('sheet:calculation-updated', {
  when: 'a commit changes cells of number fields, so that calculations are outdated',
  payload: z.object({
    sheetId: Id,
    workbookId: Id,
    calculations: z.array(z.object({ field: z.string(), formula: z.enum(FORMULAS), updated: z.boolean() })),
  }),
  context: SheetContext,
})
