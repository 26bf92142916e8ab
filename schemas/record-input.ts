/** Records as clients send them. Unknown properties are rejected by name unless they are ignored on purpose. */
import * as z from 'zod'
import { FieldKey } from './fields.ts'
import { narrowing } from './ids.ts'

export const AnyObject = z.record(z.string(), z.unknown())

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
  'must be a string, a number, true, false, null or a list of those',
)

/** Computed properties that clients send back with a cell; a write ignores them. */
const COMPUTED_CELL_KEYS = ['valid', 'links', 'layer', 'metadata', 'updatedAt', 'counts'] as const
const COMPUTED_RECORD_KEYS = ['valid', 'versionId', 'commitId', 'messages', 'createdAt', 'updatedAt'] as const
export const CELL_KEYS: ReadonlySet<string> = new Set(['value', 'messages', ...COMPUTED_CELL_KEYS])

const ignoredProperties = <K extends string>(keys: readonly K[]) =>
  Object.fromEntries(keys.map((key) => [key, z.unknown().optional()])) as { [key in K]: z.ZodOptional<z.ZodUnknown> }

const MAX_KEYS_PER_MESSAGE = 5
const formatKeys = (keys: readonly string[]): string =>
  keys
    .slice(0, MAX_KEYS_PER_MESSAGE)
    .map((key) => JSON.stringify(key.slice(0, 100)))
    .join(', ') + (keys.length > MAX_KEYS_PER_MESSAGE ? ` and ${keys.length - MAX_KEYS_PER_MESSAGE} more` : '')

const CELL_HINT = 'a cell is a value, or an object such as {"value": "Ada", "messages": []}'

const formatUnknownKeys =
  (problem: string): z.core.$ZodErrorMap =>
  (issue) =>
    issue.code === 'unrecognized_keys' ? `has ${formatKeys(issue.keys)}, which ${problem}` : undefined

const Cell = z.strictObject(
  { value: CellValue.optional(), messages: z.array(MessageInput).nullish(), ...ignoredProperties(COMPUTED_CELL_KEYS) },
  { error: formatUnknownKeys(`is not a property of a cell: ${CELL_HINT}`) },
)
const CellInput = z.union([CellValue.transform((value) => ({ value })), Cell], `is not a cell: ${CELL_HINT}`)
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
    error: formatUnknownKeys(
      'is not a property of a record: put cells in "values", as in {"id", "values": {"email": {"value": "a@b.c"}}}',
    ),
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
    values: Values.refine((values) => !isCell(values), 'is a cell'),
    metadata: AnyObject.nullish(),
    config: AnyObject.nullish(),
    ...ignoredProperties(COMPUTED_RECORD_KEYS),
  })
  .refine(({ id }) => id === undefined, {
    path: ['id'],
    message: 'is assigned by the platform: omit it, or update the existing record with PUT',
  })

export const NewRecord = z.union([WholeRecord, Values.transform((values) => ({ values }))])
