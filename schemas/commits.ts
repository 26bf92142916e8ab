/** Commits: every write of records is one; a commit's id tells its sheet and its place in the sheet's log. */
import * as z from 'zod'
import { FieldChange, SheetContext } from './context.ts'
import { endpoint } from './endpoint.ts'
import { free, Id, scoped, Time } from './ids.ts'
import { maybe } from './optional.ts'
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
const at = 'params.commitId'
const example = { params: { commitId: '{commitId}' } }

export const get = endpoint({
  id: 'commits.get',
  method: 'GET',
  path: '/commits/{commitId}',
  summary: 'Reads a commit',
  policy: { can: 'commits:read', on: 'commit', at },
  params,
  reply: data(Commit),
  example,
})
export const complete = endpoint({
  id: 'commits.complete',
  method: 'POST',
  path: '/commits/{commitId}/complete',
  summary: 'Completes a commit: its listeners are done with it',
  policy: { can: 'commits:write', on: 'commit', at },
  params,
  reply: Success,
  example,
})
export const replay = endpoint({
  id: 'commits.replay',
  method: 'POST',
  path: '/commits/{commitId}/replay',
  summary: 'Calls the listeners of a commit again: emits its commit:created anew',
  policy: { can: 'commits:write', on: 'commit', at },
  params,
  reply: Success,
  example,
})
export const createVersion = endpoint({
  id: 'commits.createVersion',
  method: 'POST',
  path: '/versions',
  summary: "Answers a sheet's latest version (deprecated: every write answers its own)",
  policy: { can: 'commits:read', on: 'sheet', at: 'body.sheetId', optional: true },
  body: z.object({
    sheetId: maybe(scoped('sheet')),
    parentVersionId: maybe(free('nothing is made of it: the latest version is answered')),
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
    trackChanges: z.boolean().describe('beyond the specification: public record hooks read it'),
  }),
  context: SheetContext,
})
export const updated = topic('commit:updated', {
  when: "a commit's metadata changes: who completed it, and when",
  payload: z.object({ ...ids, changes: z.array(FieldChange) }),
  context: SheetContext,
})
/** `commitId` is the commit that was answered; the `commitId` of the context is the one that holds the answer. */
export const layerCreated = topic('layer:created', {
  when: 'a listener writes its answer to a commit: the layer over what was committed',
  payload: z.object({ sheetId: Id, workbookId: Id, layerId: Id, commitId: Id }),
  context: SheetContext,
})
export const completed = topic('commit:completed', {
  when: 'a commit is completed; only when the workbook tracks changes',
  payload: z.object(ids),
  context: SheetContext,
})
