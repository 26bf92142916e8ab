import * as z from 'zod'
import { SheetContext } from '../kit/context.ts'
import { Id } from '../kit/ids.ts'
import { topic } from '../kit/topic.ts'

export const created = topic('snapshot:created', {
  when: 'a snapshot of a sheet is created',
  payload: z.object({ snapshotId: Id, sheetId: Id, workbookId: Id, spaceId: Id }),
  context: SheetContext,
})
