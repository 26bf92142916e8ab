/** Records as clients send them. Unknown properties are rejected by name unless they are ignored on purpose. */
import * as z from 'zod'
import { AnyObject } from '../kit/any-object.ts'
import { narrowing } from '../kit/ids.ts'
import { message } from '../messages/index.ts'
import { FieldKey } from '../sheets/fields.ts'

/** Only messages with the source `custom-logic` are stored. */
export const MessageInput = z.looseObject({
  type: z.enum(['error', 'warn', 'info']).nullish(),
  source: z.string().nullish(),
  message: z.string().nullish(),
  field: z.string().nullish(),
  path: z.string().nullish(),
})
export const CellValue = z.union(
  [z.string(), z.number(), z.boolean(), z.null(), z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]))],
  message('records.invalidCellValue'),
)

/** Computed properties that clients send back with a cell; a write ignores them. */
const COMPUTED_CELL_KEYS = ['valid', 'links', 'layer', 'metadata', 'updatedAt', 'counts'] as const
const COMPUTED_RECORD_KEYS = ['valid', 'versionId', 'commitId', 'messages', 'createdAt', 'updatedAt'] as const
export const CELL_KEYS: ReadonlySet<string> = new Set(['value', 'messages', ...COMPUTED_CELL_KEYS])

const ignoredProperties = <K extends string>(keys: readonly K[]) =>
  Object.fromEntries(keys.map((key) => [key, z.unknown().optional()])) as { [key in K]: z.ZodOptional<z.ZodUnknown> }

const MAX_KEYS_PER_MESSAGE = 5
function formatKeys(keys: readonly string[]): string {
  const list = keys
    .slice(0, MAX_KEYS_PER_MESSAGE)
    .map((key) => JSON.stringify(key.slice(0, 100)))
    .join(', ')
  const count = keys.length - MAX_KEYS_PER_MESSAGE
  return count > 0 ? message('records.andMore', { list, count }) : list
}

const CELL_EXAMPLE = '{"value": "Ada", "messages": []}'
const RECORD_EXAMPLE = '{"id", "values": {"email": {"value": "a@b.c"}}}'

const formatUnknownKeys =
  (key: 'records.unknownCellProperties' | 'records.unknownRecordProperties', example: string): z.core.$ZodErrorMap =>
  (issue) =>
    issue.code === 'unrecognized_keys' ? message(key, { properties: formatKeys(issue.keys), example }) : undefined

const Cell = z.strictObject(
  { value: CellValue.optional(), messages: z.array(MessageInput).nullish(), ...ignoredProperties(COMPUTED_CELL_KEYS) },
  { error: formatUnknownKeys('records.unknownCellProperties', CELL_EXAMPLE) },
)
const CellInput = z.union(
  [CellValue.transform((value) => ({ value })), Cell],
  message('records.notCell', { example: CELL_EXAMPLE }),
)
export const Values = z.record(FieldKey, CellInput)

export const RecordChange = z.strictObject(
  {
    id: narrowing('record'),
    values: Values.nullish(),
    metadata: AnyObject.nullish(),
    config: AnyObject.nullish(),
    ...ignoredProperties(COMPUTED_RECORD_KEYS),
  },
  {
    error: formatUnknownKeys('records.unknownRecordProperties', RECORD_EXAMPLE),
  },
)

const isCell = (values: object): boolean => {
  const keys = Object.keys(values)
  return keys.length > 0 && keys.every((key) => CELL_KEYS.has(key))
}

const WholeRecord = z
  .strictObject({
    id: z.unknown().optional(),
    /** `values` is a property of the record here. An object with only cell keys is a cell of a field named `values`. */
    values: Values.refine((values) => !isCell(values), message('records.isCell')),
    metadata: AnyObject.nullish(),
    config: AnyObject.nullish(),
    ...ignoredProperties(COMPUTED_RECORD_KEYS),
  })
  .refine(({ id }) => id === undefined, {
    path: ['id'],
    message: message('records.idAssigned'),
  })

export const NewRecord = z.union([WholeRecord, Values.transform((values) => ({ values }))])
