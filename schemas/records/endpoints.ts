/** Endpoints of records. A write is one commit; a page is copied as bytes from the stored columns. */
import * as z from 'zod'
import { LARGE_BODY_BYTES, RECORDS_BODY_BYTES } from '../kit/byte-limits.ts'
import { endpoint } from '../kit/endpoint.ts'
import { Id, narrowing } from '../kit/ids.ts'
import { nullish } from '../kit/nullish.ts'
import { data, pageQuery, QueryBoolean, QueryList, QueryNumber } from '../kit/page.ts'
import { message } from '../messages/index.ts'
import { FieldKey } from '../sheets/fields.ts'
import { CellValue, NewRecord, RecordChange, Values } from './input.ts'
import { MAX_RECORDS_PER_CALL } from './limits.ts'
import {
  interpretParam,
  RecordIds,
  readParams,
  selectionParams,
  sortParams,
  versionCondition,
  writeParams,
} from './selection.ts'
import { Counts, Record } from './shape.ts'

const params = z.object({ sheetId: Id })
const at = 'params.sheetId'
const example = { params: { sheetId: '{sheetId}' } }
const WriteResult = z.object({
  commitId: Id.optional(),
  versionId: Id.optional(),
  ignoredFields: z.array(z.string()).optional(),
})

const Replacement = { fieldKey: nullish(FieldKey), find: CellValue.optional(), replace: CellValue.optional() }

export const insert = endpoint({
  id: 'records.insert',
  method: 'POST',
  path: '/sheets/{sheetId}/records',
  summary: 'Adds records (at most 10,000 per call)',
  description:
    'A record is an object of cells by field key, or `{values, metadata?, config?}` with the cells in `values`. A cell is `{value, messages?}` or just its value. ' +
    'The response includes the records if there are at most 1,000. An empty list creates no commit.',
  policy: { can: 'records:write', on: 'sheet', at },
  params,
  query: z.object({ ...writeParams, ...interpretParam }),
  body: z.array(NewRecord).max(MAX_RECORDS_PER_CALL),
  reply: data(
    z.object({ success: z.literal(true), records: z.array(Record).optional(), counts: Counts, ...WriteResult.shape }),
  ),
  errors: ['conflict', 'too-large'],
  bodyBytes: RECORDS_BODY_BYTES,
  example: { ...example, body: [{ email: { value: 'ada@example.com' } }] },
})
export const list = endpoint({
  id: 'records.list',
  method: 'GET',
  path: '/sheets/{sheetId}/records',
  summary: 'Reads a page of records',
  policy: { can: 'records:read', on: 'sheet', at },
  params,
  query: z.object({
    ...readParams,
    ...sortParams,
    fields: QueryList(500).optional(),
    includeMessages: QueryBoolean.default(true),
    includeLength: QueryBoolean.optional(),
    includeCounts: QueryBoolean.optional(),
    includeLinks: QueryBoolean.optional(),
    pageSize: QueryNumber(1, MAX_RECORDS_PER_CALL).default(MAX_RECORDS_PER_CALL),
    pageNumber: QueryNumber(1, 1_000_000).default(1),
  }),
  reply: data(
    z.object({
      success: z.literal(true),
      records: z.array(Record),
      counts: Counts.partial().optional(),
      ...WriteResult.shape,
    }),
  ),
  also: ['large'],
  example,
})
export const update = endpoint({
  id: 'records.update',
  method: 'PUT',
  path: '/sheets/{sheetId}/records',
  summary: 'Updates parts of records (at most 10,000 per call)',
  description:
    'Omitted cells are unchanged; `value: null` clears a cell; `messages` replaces the messages of hooks. Ids that no longer exist are listed in `missing`; if none exists, the response is 404.',
  policy: { can: 'records:write', on: 'sheet', at },
  params,
  query: z.looseObject({ ...writeParams, ...versionCondition, ...interpretParam }),
  body: z.array(RecordChange).max(MAX_RECORDS_PER_CALL),
  reply: data(z.object({ success: z.literal(true), missing: z.array(z.string()).optional(), ...WriteResult.shape })),
  errors: ['conflict', 'not-found'],
  bodyBytes: RECORDS_BODY_BYTES,
  example: { ...example, body: [{ id: '{recordId}', values: { email: { value: 'ada@lovelace.org' } } }] },
})
export const remove = endpoint({
  id: 'records.remove',
  method: 'DELETE',
  path: '/sheets/{sheetId}/records',
  summary: 'Deletes records by id (at most 100 per call)',
  policy: { can: 'records:write', on: 'sheet', at },
  params,
  query: z.object({ ids: RecordIds, ...writeParams, ...versionCondition }),
  reply: data(z.object({ success: z.literal(true), ...WriteResult.shape })),
  errors: ['conflict', 'not-found'],
  example: { ...example, query: { ids: ['{recordId}'] } },
})
export const bulkUpdate = endpoint({
  id: 'records.bulkUpdate',
  method: 'PATCH',
  path: '/sheets/{sheetId}/records/bulk-update',
  summary: 'Sets the same cells of every selected record, as one commit',
  policy: { can: 'records:write', on: 'sheet', at },
  params,
  query: z.object({ ...selectionParams, ...sortParams, ...writeParams, ...versionCondition, ...interpretParam }),
  body: z.object({
    fieldUpdates: Values.refine((cells) => Object.keys(cells).length > 0, message('records.updatesEmpty')),
  }),
  reply: data(z.object({ success: z.literal(true), updated: z.number().int(), ...WriteResult.shape })),
  errors: ['conflict'],
  bodyBytes: LARGE_BODY_BYTES,
  example: { ...example, query: { filter: 'error' }, body: { fieldUpdates: { age: { value: 36 } } } },
})
export const findReplace = endpoint({
  id: 'records.findReplace',
  method: 'PUT',
  path: '/sheets/{sheetId}/find-replace',
  summary: 'Replaces text in the values of one field, or of all fields, as one commit',
  description:
    'The text matches anywhere in a value, ignoring case; in double quotes it matches the whole value. `""`, null or no `find` matches empty cells. `replace: null` clears the cell. ' +
    'Without `fieldKey` it changes all fields except read-only ones. With the `version` of a preview, a sheet that changed since is left unchanged, and the response is 409.',
  policy: { can: 'records:write', on: 'sheet', at },
  params,
  query: z.object({ ...selectionParams, ...writeParams }),
  body: z.object({ ...Replacement, version: z.number().int().min(0).optional() }),
  reply: data(z.object({ success: z.literal(true), updated: z.number().int(), ...WriteResult.shape })),
  errors: ['conflict'],
  bodyBytes: LARGE_BODY_BYTES,
  example: { ...example, body: { fieldKey: 'email', find: 'example.com', replace: 'example.org' } },
})
export const previewFindReplace = endpoint({
  id: 'records.previewFindReplace',
  method: 'POST',
  path: '/sheets/{sheetId}/find-replace/preview',
  summary: 'Previews a replacement: the cells it would change, with the most frequent values before and after',
  policy: { can: 'records:read', on: 'sheet', at },
  params,
  query: z.object({ ...selectionParams, ...pageQuery(10, 100) }),
  body: z.object(Replacement),
  reply: data(
    z.object({
      version: z.number().int(),
      cells: z.number().int(),
      changes: z.array(
        z.object({
          fieldKey: z.string(),
          before: z.unknown(),
          after: z.unknown(),
          count: z.number().int(),
          valid: z.boolean(),
        }),
      ),
    }),
  ),
  also: ['large'],
  bodyBytes: LARGE_BODY_BYTES,
  example: { ...example, body: { fieldKey: 'email', find: 'example.com', replace: 'example.org' } },
})
export const indices = endpoint({
  id: 'records.indices',
  method: 'GET',
  path: '/sheets/{sheetId}/records/indices',
  summary: 'Returns the positions of records in a filtered, sorted list',
  description: 'Positions count from 0; records that the filter excludes are omitted.',
  policy: { can: 'records:read', on: 'sheet', at },
  params,
  query: z.object({ ...readParams, ...sortParams, ids: RecordIds }),
  reply: z.array(z.object({ id: Id, index: z.number().int() })),
  example: { ...example, query: { ids: ['{recordId}'] } },
})
export const history = endpoint({
  id: 'records.history',
  method: 'GET',
  path: '/sheets/{sheetId}/records/{recordId}/history',
  summary: "Lists a record's changes, newest first",
  policy: { can: 'records:read', on: 'sheet', at },
  params: z.object({ sheetId: Id, recordId: narrowing('record') }),
  query: z.object({ ...pageQuery(100) }),
  reply: data(
    z.array(
      z.object({
        commitId: Id,
        action: z.enum(['created', 'updated', 'deleted']),
        createdAt: z.string(),
        createdBy: z.string(),
        createdByName: z.string().optional(),
        changes: z.array(z.object({ fieldKey: z.string(), previousValue: z.unknown(), newValue: z.unknown() })),
        originals: z.record(z.string(), z.string()).optional(),
      }),
    ),
  ),
  errors: ['not-found'],
  also: ['large'],
  example: { params: { sheetId: '{sheetId}', recordId: '{recordId}' } },
})
