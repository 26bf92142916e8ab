import * as z from 'zod'
import { AnyObject } from '../kit/any-object.ts'
import { RECORDS_BODY_BYTES } from '../kit/byte-limits.ts'
import { endpoint } from '../kit/endpoint.ts'
import { Id, narrowing } from '../kit/ids.ts'
import { data, QueryBoolean, QueryList, QueryNumber } from '../kit/page.ts'
import { message } from '../messages/index.ts'
import { FieldKey } from '../sheets/fields.ts'
import { CellValue, MessageInput } from './input.ts'
import { MAX_RECORDS_PER_CALL } from './limits.ts'
import { readParams, writeParams } from './selection.ts'
import { Message, Record } from './shape.ts'

const params = z.object({ sheetId: Id })
const at = 'params.sheetId'
const path = '/sheets/{sheetId}/records/columns'
const example = { params: { sheetId: '{sheetId}' } }
const commit = { commitId: Id.optional(), versionId: Id.optional() }

const Row = z
  .number()
  .int()
  .min(0)
  .max(MAX_RECORDS_PER_CALL - 1)
  .describe('Position of the record in the columns or in `ids`, from 0.')
const rowList = <T extends z.ZodRawShape>(shape: T) => z.array(z.object({ row: Row, ...shape }))

export const read = endpoint({
  id: 'records.readColumns',
  method: 'GET',
  path,
  summary: 'Reads a page of records as columns',
  description:
    'Values by field, in the order of the records. `ids` lists ranges: the ids of `count` records are `prefix` followed by `first`, `first + 1` and so on. ' +
    'Messages, metadata, config and links are listed only for the rows that have them.',
  policy: { can: 'records:read', on: 'sheet', at },
  params,
  query: z.object({
    ...readParams,
    fields: QueryList(500).optional(),
    includeMessages: QueryBoolean.default(true),
    includeLinks: QueryBoolean.optional(),
    pageSize: QueryNumber(1, MAX_RECORDS_PER_CALL).default(MAX_RECORDS_PER_CALL),
    pageNumber: QueryNumber(1, 1_000_000).default(1),
  }),
  reply: data(
    z.object({
      success: z.literal(true),
      count: z.number().int(),
      ids: z
        .array(
          z.object({
            prefix: z.string().describe('Start of the ids.'),
            first: z.number().int().describe('Number at the end of the first id.'),
            count: z.number().int(),
          }),
        )
        .describe('Ranges of ids in the order of the records.'),
      columns: z.record(z.string(), z.array(z.unknown())).describe('Values by field, in the order of the records.'),
      messages: rowList({ field: z.string(), messages: z.array(Message) }),
      metadata: rowList({ value: AnyObject }),
      config: rowList({ value: AnyObject }),
      links: rowList({ field: z.string(), links: z.array(Record) }),
      ...commit,
    }),
  ),
  also: ['large'],
  example,
})

const Cells = z.object({
  rows: z.array(Row).describe('Positions in `ids`.'),
  values: z.array(CellValue).describe('One value for each row.'),
})

const ColumnChanges = z
  .object({
    ids: z.array(narrowing('record')).max(MAX_RECORDS_PER_CALL).describe('The records to update.'),
    columns: z.record(FieldKey, Cells).optional().describe('New values by field.'),
    messages: rowList({ field: FieldKey, messages: z.array(MessageInput) }).optional(),
    metadata: rowList({ value: AnyObject }).optional(),
    config: rowList({ value: AnyObject }).optional(),
  })
  .superRefine(({ ids, columns = {}, messages = [], metadata = [], config = [] }, context) => {
    const addIssue = (at: (string | number)[], text: string) =>
      context.addIssue({ code: 'custom', path: at, message: text })
    const checkRows = (at: (string | number)[], rows: readonly number[]) => {
      const index = rows.findIndex((row) => row >= ids.length)
      if (index >= 0) addIssue([...at, index], message('records.rowWithoutId', { count: ids.length }))
    }
    for (const [key, { rows, values }] of Object.entries(columns)) {
      checkRows(['columns', key, 'rows'], rows)
      if (rows.length !== values.length)
        addIssue(['columns', key, 'values'], message('records.notOneValuePerRow', { count: rows.length }))
    }
    for (const [name, items] of Object.entries({ messages, metadata, config }))
      checkRows(
        [name],
        items.map(({ row }) => row),
      )
  })
export type ColumnChanges = z.output<typeof ColumnChanges>

export const write = endpoint({
  id: 'records.writeColumns',
  method: 'PUT',
  path,
  summary: 'Updates cells of records as columns (at most 10,000 records per call), as one commit',
  description:
    '`rows` are positions in `ids`. Cells that are not listed are unchanged; the value `null` clears a cell; `messages` replaces the messages of hooks on a cell. ' +
    'Ids that no longer exist are listed in `missing`; if none exists, the response is 404.',
  policy: { can: 'records:write', on: 'sheet', at },
  params,
  query: z.looseObject(writeParams),
  body: ColumnChanges,
  reply: data(
    z.object({
      success: z.literal(true),
      missing: z.array(z.string()).optional(),
      ...commit,
      ignoredFields: z.array(z.string()).optional(),
    }),
  ),
  errors: ['conflict', 'not-found'],
  bodyBytes: RECORDS_BODY_BYTES,
  example: {
    ...example,
    body: { ids: ['{recordId}'], columns: { email: { rows: [0], values: ['ada@lovelace.org'] } } },
  },
})
