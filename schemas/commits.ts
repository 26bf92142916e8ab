/** Endpoints for commits: every write of records is one. */
import * as z from 'zod'
import { FieldChange, SheetContext } from './context.ts'
import { endpoint } from './endpoint.ts'
import { Id, scoped, Time, unscoped } from './ids.ts'
import { nullish } from './nullish.ts'
import { data, list, pageQuery, QueryBoolean, Success } from './page.ts'
import { topic } from './topic.ts'

export const Commit = z.object({
  id: Id,
  sheetId: Id,
  createdBy: z.string(),
  createdAt: Time,
  completedBy: z.string().optional(),
  completedAt: Time.optional(),
})

const params = z.object({ commitId: Id })
const idPath = 'params.commitId'
const example = { params: { commitId: '{commitId}' } }

export const get = endpoint({
  id: 'commits.get',
  method: 'GET',
  path: '/commits/{commitId}',
  summary: 'Reads a commit',
  policy: { can: 'commits:read', on: 'commit', at: idPath },
  params,
  reply: data(Commit),
  example,
})
export const complete = endpoint({
  id: 'commits.complete',
  method: 'POST',
  path: '/commits/{commitId}/complete',
  summary: 'Marks a commit as completed by its listeners',
  policy: { can: 'commits:write', on: 'commit', at: idPath },
  params,
  reply: Success,
  example,
})
export const replay = endpoint({
  id: 'commits.replay',
  method: 'POST',
  path: '/commits/{commitId}/replay',
  summary: 'Emits commit:created for a commit again, so that its listeners run again',
  policy: { can: 'commits:write', on: 'commit', at: idPath },
  params,
  reply: Success,
  example,
})
export const createVersion = endpoint({
  id: 'commits.createVersion',
  method: 'POST',
  path: '/versions',
  summary: "Returns a sheet's latest version (deprecated: every write returns its own)",
  policy: { can: 'commits:read', on: 'sheet', at: 'body.sheetId', optional: true },
  body: z.object({
    sheetId: nullish(scoped('sheet')),
    parentVersionId: nullish(unscoped('accepted but ignored; the latest version is returned')),
  }),
  bodyOptional: true,
  reply: data(z.object({ versionId: Id })),
  example: { body: { sheetId: '{sheetId}' } },
})
export const ofSheet = endpoint({
  id: 'commits.ofSheet',
  method: 'GET',
  path: '/sheets/{sheetId}/commits',
  summary: "Lists a sheet's commits, newest first",
  policy: { can: 'commits:read', on: 'sheet', at: 'params.sheetId' },
  params: z.object({ sheetId: Id }),
  query: z.object({ completed: QueryBoolean.optional(), ...pageQuery(1000) }),
  reply: list(Commit),
  example: { params: { sheetId: '{sheetId}' } },
})
export const ofWorkbook = endpoint({
  id: 'commits.ofWorkbook',
  method: 'GET',
  path: '/workbooks/{workbookId}/commits',
  summary: "Lists the commits of a workbook's sheets, newest first",
  policy: { can: 'commits:read', on: 'workbook', at: 'params.workbookId' },
  params: z.object({ workbookId: Id }),
  query: z.object({ completed: QueryBoolean.optional(), ...pageQuery(1000) }),
  reply: list(Commit),
  example: { params: { workbookId: '{workbookId}' } },
})

const ids = { sheetId: Id, workbookId: Id, versionId: Id, commitId: Id }
export const created = topic('commit:created', {
  when: 'a cell in a record is created or updated',
  payload: z.object({
    sheetId: Id,
    workbookId: Id,
    versionId: Id,
    sheetSlug: z.string(),
    trackChanges: z.boolean().describe('not in the specification, but read by public record hooks'),
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
