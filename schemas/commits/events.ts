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
    trackChanges: z.boolean().describe('not in the specification, but read by public record hooks'),
    recordCount: z.number().int().describe('not in the specification, records of the commit in all parts'),
    part: z.number().int().describe('not in the specification, the part whose records `dataUrl` reads, from 1'),
    parts: z.number().int().describe('not in the specification, number of parts of the commit'),
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
