import * as z from 'zod'
import { FieldChange, SheetContext } from '../kit/context.ts'
import { Id } from '../kit/ids.ts'
import { topic } from '../kit/topic.ts'

const ids = { sheetId: Id, workbookId: Id, versionId: Id, commitId: Id }
export const created = topic('commit:created', {
  when: 'a cell in a record is created or updated',
  payload: z.object({
    sheetId: Id,
    workbookId: Id,
    versionId: Id,
    sheetSlug: z.string(),
    trackChanges: z
      .boolean()
      .describe('Not in the specification: whether commits are only complete after hooks have run.'),
    recordCount: z.number().int().describe('Not in the specification: number of records of the commit in all parts.'),
    part: z.number().int().describe('Not in the specification: the part whose records `dataUrl` reads, from 1.'),
    parts: z.number().int().describe('Not in the specification: number of parts of the commit.'),
  }),
  context: SheetContext,
})
export const updated = topic('commit:updated', {
  when: 'the metadata of a commit changes, for example who completed it and when',
  payload: z.object({ ...ids, changes: z.array(FieldChange) }),
  context: SheetContext,
})
/** `commitId` is the commit replied to; the `commitId` of the context is the reply. */
export const layerCreated = topic('layer:created', {
  when: 'a listener writes its reply to a commit, as a layer over the committed data',
  payload: z.object({ sheetId: Id, workbookId: Id, layerId: Id, commitId: Id }),
  context: SheetContext,
})
export const completed = topic('commit:completed', {
  when: 'a commit is completed, if the workbook tracks changes',
  payload: z.object(ids),
  context: SheetContext,
})
