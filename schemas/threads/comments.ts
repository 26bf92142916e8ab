/** Comments on records. They are threads about their sheet, for those who can read its records. */
import * as z from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { Id, narrowing, scoped, Time } from '../kit/ids.ts'
import { data, list } from '../kit/page.ts'

export const MAX_COMMENT_LENGTH = 5000

export const Comment = z.object({
  id: Id,
  recordId: Id,
  text: z.string(),
  createdBy: z.string(),
  createdByName: z.string().optional(),
  createdAt: Time,
})
export type Comment = z.infer<typeof Comment>

const params = z.object({ sheetId: Id })
const at = 'params.sheetId'

export const comments = endpoint({
  id: 'threads.comments',
  method: 'GET',
  path: '/sheets/{sheetId}/comments',
  summary: 'Lists the comments on a record, oldest first',
  policy: { can: 'records:read', on: 'sheet', at },
  params,
  query: z.object({ recordId: narrowing('record') }),
  reply: list(Comment),
  also: ['large'],
  example: { params: { sheetId: '{sheetId}' }, query: { recordId: '{recordId}' } },
})
export const commentedRecords = endpoint({
  id: 'threads.commentedRecords',
  method: 'GET',
  path: '/sheets/{sheetId}/comments/records',
  summary: 'Lists the records that have comments',
  policy: { can: 'records:read', on: 'sheet', at },
  params,
  reply: list(z.object({ recordId: Id, count: z.number().int(), updatedAt: Time })),
  also: ['large'],
  example: { params: { sheetId: '{sheetId}' } },
})
export const addComment = endpoint({
  id: 'threads.addComment',
  method: 'POST',
  path: '/sheets/{sheetId}/comments',
  summary: 'Comments on a record',
  description:
    'The first comment creates a thread about the sheet with the source `record-comments`, and each one is a message in it.',
  policy: { can: 'records:write', on: 'sheet', at },
  params,
  body: z.strictObject({ recordId: scoped('record'), text: z.string().trim().min(1).max(MAX_COMMENT_LENGTH) }),
  reply: data(Comment),
  errors: ['not-found'],
  example: { params: { sheetId: '{sheetId}' }, body: { recordId: '{recordId}', text: 'Please check the address.' } },
})
