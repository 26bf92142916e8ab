/** Records as clients send them. Everything that is neither understood nor ignored on purpose is refused by its name. */
import * as z from 'zod'
import { FieldKey } from './fields.ts'
import { narrowing } from './ids.ts'

export const AnyObject = z.record(z.string(), z.unknown())

/** A message as clients send it; of those only `custom-logic` ones are kept. */
export const MessageInput = z.looseObject({
  type: z.enum(['error', 'warn', 'info']).nullish(),
  source: z.string().nullish(),
  message: z.string().nullish(),
  field: z.string().nullish(),
  path: z.string().nullish(),
})
export const CellValue = z.union(
  [z.string(), z.number(), z.boolean(), z.null(), z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]))],
  'must be a text, a number, true, false, null or a list of those',
)

/** Members that responses and public clients put into a cell, and a write ignores: the platform computes them itself. */
const COMPUTED_IN_CELL = ['valid', 'links', 'layer', 'metadata', 'updatedAt', 'counts'] as const
const COMPUTED_IN_RECORD = ['valid', 'versionId', 'commitId', 'messages', 'createdAt', 'updatedAt'] as const
/** The members a cell may have. */
export const CELL_KEYS: ReadonlySet<string> = new Set(['value', 'messages', ...COMPUTED_IN_CELL])

const ignored = <K extends string>(keys: readonly K[]) =>
  Object.fromEntries(keys.map((key) => [key, z.unknown().optional()])) as { [key in K]: z.ZodOptional<z.ZodUnknown> }

/** Names at most this many unknown members of one object. */
const NAMED_KEYS = 5
const quoted = (keys: readonly string[]): string =>
  keys
    .slice(0, NAMED_KEYS)
    .map((key) => JSON.stringify(key.slice(0, 100)))
    .join(', ') + (keys.length > NAMED_KEYS ? ` and ${keys.length - NAMED_KEYS} more` : '')

const A_CELL = 'a cell is a value, or an object such as {"value": "Ada", "messages": []}'

const unknownIn =
  (problem: string): z.core.$ZodErrorMap =>
  (issue) =>
    issue.code === 'unrecognized_keys' ? `has ${quoted(issue.keys)}, which ${problem}` : undefined

const Cell = z.strictObject(
  { value: CellValue.optional(), messages: z.array(MessageInput).nullish(), ...ignored(COMPUTED_IN_CELL) },
  { error: unknownIn(`no cell has: ${A_CELL}`) },
)
/** A cell, or its bare value. */
const CellInput = z.union([CellValue.transform((value) => ({ value })), Cell], `is not a cell: ${A_CELL}`)
export const Values = z.record(FieldKey, CellInput)

export const RecordChange = z.strictObject(
  {
    id: narrowing('record'),
    values: Values.nullish(),
    metadata: AnyObject.nullish(),
    config: AnyObject.nullish(),
    ...ignored(COMPUTED_IN_RECORD),
  },
  {
    error: unknownIn(
      'no record has: cells belong into "values", as in {"id", "values": {"email": {"value": "a@b.c"}}}',
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
    /** What looks like a cell is one, of a field of this name. */
    values: Values.refine((values) => !isCell(values), 'is a cell'),
    metadata: AnyObject.nullish(),
    config: AnyObject.nullish(),
    ...ignored(COMPUTED_IN_RECORD),
  })
  .refine(({ id }) => id === undefined, {
    path: ['id'],
    message: 'is given by the platform: leave it out, or change the record that has it with PUT',
  })

/** A new record: its cells by field key, or the shape in which records are read and changed. */
export const NewRecord = z.union([WholeRecord, Values.transform((values) => ({ values }))])
