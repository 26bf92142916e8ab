/** Records as streams: JSON lines in and out, CSV out. Answers too large for one reply are read from the bucket. */
import * as z from 'zod'
import { endpoint } from './endpoint.ts'
import { Id, scoped } from './ids.ts'
import { QueryBoolean, QueryList, QueryNumber } from './page.ts'
import { selection, sorting, telling } from './selection.ts'
import { FILE_BODY_BYTES } from './sizes.ts'

const LARGE =
  'Up to 4 MB are answered at once; a larger answer is written to the bucket and answered by a redirect (302) to it, which clients follow.'

/** The sheet by its id, or by its workbook and slug. */
const named = {
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
    'One line a record: its values by field key, `__k` its id, `__v` the version read, `__s` the sheet (`noContext` leaves both out), ' +
    '`__n` the slug, `__i` messages, `__m` metadata, `__c` config, `__e` whether it is valid, `__u` when it was read, `__l` linked records. ' +
    `The sheet is named by \`sheetId\`, or by \`workbookId\` and \`sheetSlug\`. ${LARGE}`,
  policy: { can: 'records:read', on: 'environments' },
  query: z.object({
    ...named,
    stream: QueryBoolean.optional(),
    isStream: QueryBoolean.optional(),
    ...selection,
    /** Another name of `for`. */
    forEvent: scoped('event').optional(),
    ...sorting,
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
  summary: 'Writes records as JSON lines: all of them in one commit, or none',
  description:
    'A line without `__k` is a new record, with `__k` it changes that record, with `__d: true` it deletes it; `__m`, `__c` and `__i` carry ' +
    'metadata, config and messages. `truncate` deletes what was there before in the same commit; `snapshot` keeps the version before. The ' +
    'sheet is named by the header X-Sheet-Id, by `__s` in the lines, by `sheetId`, or by `workbookId` and `sheetSlug`. Every problem is ' +
    'reported by its line.',
  policy: { can: 'records:write', on: 'environments' },
  bodyType: 'jsonl',
  query: z.object({
    ...named,
    ...telling,
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
    /** Of the version before, with `snapshot`. */
    snapshotId: Id.optional(),
    /** Ids of lines that name no record: those lines changed nothing. */
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
    'Texts that a spreadsheet would run as formulas (beginning with =, +, -, @, tab or return, numbers apart) get a leading apostrophe, also after a semicolon, tab or line break within them; ' +
    `\`escapeFormulas=false\` leaves them as they are. ${LARGE}`,
  policy: { can: 'records:read', on: 'sheet', at: 'params.sheetId' },
  params: z.object({ sheetId: Id }),
  query: z.object({
    ...selection,
    ...sorting,
    fields: QueryList(500).optional(),
    escapeFormulas: QueryBoolean.default(true),
    format: z.literal('csv', 'must be csv: a job `sheet:export` writes xlsx, json and jsonl').optional(),
  }),
  reply: 'bytes',
  replyTypes: ['text/csv; charset=utf-8'],
  also: ['large'],
  example: { params: { sheetId: '{sheetId}' } },
})
