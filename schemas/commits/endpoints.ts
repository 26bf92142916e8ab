/** Endpoints for commits: every write of records is one. */
import * as z from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { Id, scoped, unscoped } from '../kit/ids.ts'
import { nullish } from '../kit/nullish.ts'
import { data, list, pageQuery, QueryBoolean, Success } from '../kit/page.ts'
import { MAX_UNDONE_CHANGES } from '../records/limits.ts'
import { writeParams } from '../records/selection.ts'
import { Commit, CommitUndone, MAX_OWN_COMMIT_ENTRIES } from './shape.ts'

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
export const undo = endpoint({
  id: 'commits.undo',
  method: 'POST',
  path: '/commits/{commitId}/undo',
  summary: 'Undoes a commit by another commit',
  description:
    'Records that it created are deleted, updated ones get their old values, and deleted ones come back. Undo the new commit to redo the change. ' +
    'If any of its records were changed since, nothing is undone, and the response is a 409 that says who changed how many, with examples. ' +
    `Records that were written since by others stay. If there are any, and the commit updated and deleted more than ${MAX_UNDONE_CHANGES.toLocaleString('en')} records, the response is also a 409. ` +
    'Repeating the request changes nothing.',
  policy: { can: 'records:write', on: 'commit', at: idPath },
  params,
  query: z.object(writeParams),
  reply: data(CommitUndone),
  errors: ['conflict'],
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
  description:
    `\`mine\` limits the list to the caller's own among the last ${MAX_OWN_COMMIT_ENTRIES.toLocaleString('en')} changes of the sheet. ` +
    '`includeCounts` adds how many records each commit created, updated and deleted, for pages of at most 100.',
  policy: { can: 'commits:read', on: 'sheet', at: 'params.sheetId' },
  params: z.object({ sheetId: Id }),
  query: z.object({
    completed: QueryBoolean.optional(),
    mine: QueryBoolean.optional(),
    includeCounts: QueryBoolean.optional(),
    ...pageQuery(1000),
  }),
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
