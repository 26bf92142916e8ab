/** Records: the rows of a sheet. A write is one commit; a page is answered as bytes copied from the stored columns. */
import * as z from 'zod'
import { SheetContext } from './context.ts'
import { endpoint } from './endpoint.ts'
import { FieldKey } from './fields.ts'
import { Id, narrowing } from './ids.ts'
import { data, pageQuery, QueryBoolean, QueryList, QueryNumber, Success } from './page.ts'
import { AnyObject, CellValue, NewRecord, RecordChange, Values } from './record-input.ts'
import { meaning, RecordIds, selection, sorting, telling } from './selection.ts'
import { LARGE_BODY_BYTES, RECORDS_BODY_BYTES } from './sizes.ts'
import { topic } from './topic.ts'

/** One call inserts, updates or answers at most this many records. */
export const RECORDS_PER_CALL = 10_000
/** A sheet holds at most this many records. */
export const RECORDS_PER_SHEET = 1_000_000
/** Ids in one records:* event. */
export const IDS_PER_EVENT = 5_000

/** Most `records:updated` events of a commit that travel whole: more than most requests cause. Further ones are larger, and claimed. */
export const WHOLE_UPDATES = 32

/** A message as answered: `source` says who made it. */
export const Message = z.object({
  type: z.enum(['error', 'warn', 'info']),
  source: z.string(),
  message: z.string(),
  field: z.string().optional(),
  path: z.string().optional(),
})
/** A record as answered: every field of the sheet has a cell. */
export const Record = z.object({
  id: Id,
  values: z.record(z.string(), z.object({ value: z.unknown(), messages: z.array(Message), valid: z.boolean() })),
  valid: z.boolean(),
  metadata: AnyObject,
  config: AnyObject,
})

export const Counts = z.object({
  total: z.number().int(),
  valid: z.number().int(),
  error: z.number().int(),
  errorsByField: z.record(z.string(), z.number()).optional(),
  byField: z
    .record(z.string(), z.object({ total: z.number(), valid: z.number(), error: z.number(), empty: z.number() }))
    .optional(),
})

const params = z.object({ sheetId: Id })
const at = 'params.sheetId'
const example = { params: { sheetId: '{sheetId}' } }
const written = z.object({
  commitId: Id.optional(),
  versionId: Id.optional(),
  /** Keys of values the sheet has no field for: those values were not kept. */
  ignoredFields: z.array(z.string()).optional(),
})

export const insert = endpoint({
  id: 'records.insert',
  method: 'POST',
  path: '/sheets/{sheetId}/records',
  summary: 'Adds records (at most 10,000 a call)',
  description:
    'A record is an object of cells by field key, or `{values, metadata?, config?}` with the cells in `values`. A cell is `{value, messages?}` or its bare value. ' +
    'The records themselves are answered for at most 1,000 of them. Of none there is no commit.',
  policy: { can: 'records:write', on: 'sheet', at },
  params,
  query: z.object(telling),
  body: z.array(NewRecord).max(RECORDS_PER_CALL),
  reply: data(
    z.object({ success: z.literal(true), records: z.array(Record).optional(), counts: Counts, ...written.shape }),
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
    ...selection,
    ...sorting,
    fields: QueryList(500).optional(),
    includeMessages: QueryBoolean.default(true),
    includeLength: QueryBoolean.optional(),
    includeCounts: QueryBoolean.optional(),
    includeLinks: QueryBoolean.optional(),
    pageSize: QueryNumber(1, RECORDS_PER_CALL).default(RECORDS_PER_CALL),
    pageNumber: QueryNumber(1, 1_000_000).default(1),
  }),
  reply: data(
    z.object({
      success: z.literal(true),
      records: z.array(Record),
      counts: Counts.partial().optional(),
      ...written.shape,
    }),
  ),
  also: ['large'],
  example,
})
export const update = endpoint({
  id: 'records.update',
  method: 'PUT',
  path: '/sheets/{sheetId}/records',
  summary: 'Changes records in part (at most 10,000 a call)',
  description:
    'What is left out stays; `value: null` clears a cell; `messages` replace those of hooks. Ids that no longer exist are answered in `missing`; when none exists the answer is 404.',
  policy: { can: 'records:write', on: 'sheet', at },
  params,
  query: z.looseObject(telling),
  body: z.array(RecordChange).max(RECORDS_PER_CALL),
  reply: data(z.object({ success: z.literal(true), missing: z.array(z.string()).optional(), ...written.shape })),
  errors: ['conflict', 'not-found'],
  bodyBytes: RECORDS_BODY_BYTES,
  example: { ...example, body: [{ id: '{recordId}', values: { email: { value: 'ada@lovelace.org' } } }] },
})
export const remove = endpoint({
  id: 'records.remove',
  method: 'DELETE',
  path: '/sheets/{sheetId}/records',
  summary: 'Deletes records by their ids (at most 100 a call)',
  policy: { can: 'records:write', on: 'sheet', at },
  params,
  query: z.object({ ids: RecordIds, ...telling }),
  reply: Success,
  errors: ['conflict', 'not-found'],
  example: { ...example, query: { ids: ['{recordId}'] } },
})
export const bulkUpdate = endpoint({
  id: 'records.bulkUpdate',
  method: 'PATCH',
  path: '/sheets/{sheetId}/records/bulk-update',
  summary: 'Sets the same cells of every record meant, as one commit',
  policy: { can: 'records:write', on: 'sheet', at },
  params,
  query: z.object({ ...meaning, ...sorting, ...telling }),
  body: z.object({
    fieldUpdates: Values.refine((cells) => Object.keys(cells).length > 0, 'names at least one field'),
  }),
  reply: data(z.object({ success: z.literal(true), updated: z.number().int(), ...written.shape })),
  errors: ['conflict'],
  bodyBytes: LARGE_BODY_BYTES,
  example: { ...example, query: { filter: 'error' }, body: { fieldUpdates: { age: { value: 36 } } } },
})
export const findReplace = endpoint({
  id: 'records.findReplace',
  method: 'PUT',
  path: '/sheets/{sheetId}/find-replace',
  summary: 'Replaces a text in the values of one field, as one commit',
  description:
    'A text is found in any letter case and wherever it stands in a value; in double quotes it is the whole value. `""`, null and no `find` are empty cells. `replace: null` clears the cell.',
  policy: { can: 'records:write', on: 'sheet', at },
  params,
  query: z.object({ ...meaning, ...telling }),
  body: z.object({ fieldKey: FieldKey, find: CellValue.optional(), replace: CellValue.optional() }),
  reply: data(z.object({ success: z.literal(true), updated: z.number().int(), ...written.shape })),
  errors: ['conflict'],
  bodyBytes: LARGE_BODY_BYTES,
  example: { ...example, body: { fieldKey: 'email', find: 'example.com', replace: 'example.org' } },
})
export const indices = endpoint({
  id: 'records.indices',
  method: 'GET',
  path: '/sheets/{sheetId}/records/indices',
  summary: 'Tells where records stand in the list of the same filter and order',
  description: 'Positions count from 0; a record the filter leaves out is left out.',
  policy: { can: 'records:read', on: 'sheet', at },
  params,
  query: z.object({ ...selection, ...sorting, ids: RecordIds }),
  reply: z.array(z.object({ id: Id, index: z.number().int() })),
  example: { ...example, query: { ids: ['{recordId}'] } },
})
export const history = endpoint({
  id: 'records.history',
  method: 'GET',
  path: '/sheets/{sheetId}/records/{recordId}/history',
  summary: 'Lists what happened to a record, newest first',
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
        changes: z.array(z.object({ fieldKey: z.string(), previousValue: z.unknown(), newValue: z.unknown() })),
      }),
    ),
  ),
  errors: ['not-found'],
  also: ['large'],
  example: { params: { sheetId: '{sheetId}', recordId: '{recordId}' } },
})

const ids = { sheetId: Id, recordIds: z.array(Id) }
export const created = topic('records:created', {
  when: 'records are added to a sheet',
  payload: z.object({ ...ids, recordCount: z.number().int() }),
  context: SheetContext,
})
export const updated = topic('records:updated', {
  when: 'existing records are changed',
  payload: z.object({
    ...ids,
    changes: z.array(
      z.object({ recordId: Id, fieldKey: z.string(), previousValue: z.unknown(), newValue: z.unknown() }),
    ),
  }),
  context: SheetContext,
})
export const deleted = topic('records:deleted', {
  when: 'records are deleted',
  payload: z.object({ ...ids, recordCount: z.number().int() }),
  context: SheetContext,
})
export const countsUpdated = topic('sheet:counts-updated', {
  when: "a sheet's record counts change; `attributes` has how many records its commit `created`, `updated` and `deleted`",
  payload: z.object({
    sheetId: Id,
    workbookId: Id,
    counts: z.object({ total: z.number(), valid: z.number(), error: z.number(), updated: z.number() }),
  }),
  context: SheetContext,
})
