/** Endpoints that stream records: JSON lines in and out, CSV out. Large replies are read from the bucket. */
import * as z from 'zod'
import { FILE_BODY_BYTES } from '../kit/byte-limits.ts'
import { endpoint } from '../kit/endpoint.ts'
import { Id, scoped } from '../kit/ids.ts'
import { QueryBoolean, QueryList, QueryNumber } from '../kit/page.ts'
import { message } from '../messages/index.ts'
import { interpretParam, readParams, sortParams, writeParams } from '../records/selection.ts'

const LARGE_DESCRIPTION =
  'Replies up to 4 MB are returned directly; larger ones are written to the bucket and returned as a redirect (302) to it, which clients follow.'

const sheetParams = {
  sheetId: scoped('sheet').optional(),
  workbookId: scoped('workbook').optional(),
  sheetSlug: z.string().optional(),
}

export const readJsonl = endpoint({
  id: 'streams.readJsonl',
  version: 'v2-alpha',
  method: 'GET',
  path: '/records.jsonl',
  summary: 'Reads records as JSON lines',
  description:
    'One line per record: its values by field key, `__k` its id, `__v` the version read, `__s` the sheet (`noContext` omits both), ' +
    '`__n` the slug, `__i` messages, `__m` metadata, `__c` config, `__e` whether it is valid, `__u` when it was read, `__l` linked records. ' +
    `The sheet is named by \`sheetId\`, or by \`workbookId\` and \`sheetSlug\`. ${LARGE_DESCRIPTION}`,
  policy: { can: 'records:read', on: 'environments' },
  query: z.object({
    ...sheetParams,
    stream: QueryBoolean.optional(),
    isStream: QueryBoolean.optional(),
    ...readParams,
    forEvent: scoped('event').optional(),
    ...sortParams,
    includeLinks: QueryBoolean.optional(),
    includeMessages: QueryBoolean.optional(),
    includeMetadata: QueryBoolean.optional(),
    includeConfig: QueryBoolean.optional(),
    includeSheet: QueryBoolean.optional(),
    includeSheetSlug: QueryBoolean.optional(),
    includeTimestamps: QueryBoolean.optional(),
    includeEmptyCells: QueryBoolean.optional(),
    noContext: QueryBoolean.optional(),
    fields: QueryList(500).optional(),
    pageSize: QueryNumber(1, 1_000_000_000).optional(),
    pageNumber: QueryNumber(1, 1_000_000).optional(),
  }),
  reply: 'bytes',
  errors: ['not-found'],
  replyTypes: ['application/jsonl'],
  also: ['large'],
  example: { query: { stream: 'true', sheetId: '{sheetId}' } },
})

export const writeJsonl = endpoint({
  id: 'streams.writeJsonl',
  version: 'v2-alpha',
  method: 'POST',
  path: '/records.jsonl',
  summary: 'Writes records as JSON lines, all of them in one commit or none',
  description:
    'A line without `__k` adds a record, with `__k` it updates that record, with `__d: true` it deletes it; `__m`, `__c` and `__i` contain ' +
    'metadata, config and messages. `truncate` deletes the existing records in the same commit; `snapshot` takes a snapshot before the write. The ' +
    'sheet is named by the header X-Sheet-Id, by `__s` in the lines, by `sheetId`, or by `workbookId` and `sheetSlug`. All problems are ' +
    'reported by line.',
  policy: { can: 'records:write', on: 'environments' },
  bodyType: 'jsonl',
  query: z.object({
    ...sheetParams,
    ...writeParams,
    ...interpretParam,
    truncate: QueryBoolean.optional(),
    snapshot: QueryBoolean.optional(),
  }),
  body: z.string(),
  reply: z.object({
    success: z.literal(true),
    created: z.number().int(),
    updated: z.number().int(),
    deleted: z.number().int(),
    commitId: Id.optional(),
    versionId: Id.optional(),
    snapshotId: Id.optional(),
    missing: z.array(z.string()).optional(),
    ignoredFields: z.array(z.string()).optional(),
  }),
  errors: ['conflict', 'not-found', 'too-large'],
  bodyBytes: FILE_BODY_BYTES,
  example: { query: { sheetId: '{sheetId}' }, body: '{"email":"ada@example.com"}\n' },
})

export const downloadCsv = endpoint({
  id: 'streams.downloadCsv',
  method: 'GET',
  path: '/sheets/{sheetId}/download',
  summary: 'Downloads records as CSV',
  description:
    'Values that a spreadsheet would run as formulas (starting with =, +, -, @, tab or return, except numbers) are prefixed with an apostrophe, also after a semicolon, tab or line break inside the value; ' +
    `\`escapeFormulas=false\` leaves them unchanged. ${LARGE_DESCRIPTION}`,
  policy: { can: 'records:read', on: 'sheet', at: 'params.sheetId' },
  params: z.object({ sheetId: Id }),
  query: z.object({
    ...readParams,
    ...sortParams,
    fields: QueryList(500).optional(),
    escapeFormulas: QueryBoolean.default(true),
    format: z.literal('csv', message('records.onlyCsv')).optional(),
  }),
  reply: 'bytes',
  replyTypes: ['text/csv; charset=utf-8'],
  also: ['large'],
  example: { params: { sheetId: '{sheetId}' } },
})
