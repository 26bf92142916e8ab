import * as z from 'zod'
import { scoped } from '../kit/ids.ts'
import { nullish } from '../kit/nullish.ts'
import { message } from '../messages/index.ts'
import { Reading, ReadingQuestion } from '../programs/readings.ts'
import { CellValue } from '../records/input.ts'
import { Field, FieldKey, SheetConstraint } from '../sheets/fields.ts'
import { MAX_RULES_PER_SHEET } from '../sheets/rules.ts'
import { MAX_FIELDS_PER_SHEET } from '../sheets/shape.ts'

export const MAX_VALUES_PER_INTERPRETATION = 10_000

const Column = z.object({
  key: FieldKey,
  values: z.array(CellValue),
  reading: nullish(Reading),
})

export const Interpret = z
  .object({
    sheetId: nullish(scoped('sheet')),
    fields: nullish(z.array(Field).max(MAX_FIELDS_PER_SHEET)),
    columns: z.array(Column).min(1).max(MAX_FIELDS_PER_SHEET),
  })
  .superRefine(({ sheetId, fields, columns }, context) => {
    if ((sheetId === undefined) === (fields === undefined))
      context.addIssue({ code: 'custom', path: ['fields'], message: message('values.fieldsOrSheet') })
    const count = columns.reduce((sum, { values }) => sum + values.length, 0)
    if (count > MAX_VALUES_PER_INTERPRETATION)
      context.addIssue({
        code: 'custom',
        path: ['columns'],
        message: message('values.tooMany', { count, limit: MAX_VALUES_PER_INTERPRETATION }),
      })
  })
export type Interpret = z.output<typeof Interpret>

export const READING_PROBLEMS = [
  'unreadable',
  'ambiguous',
  'impossible',
  'time',
  'short-year',
  'unit',
  'too-long',
  'not-an-option',
] as const
export type ReadingProblem = (typeof READING_PROBLEMS)[number]

export const InterpretedValue = z.object({
  value: z.unknown(),
  problem: z.enum(READING_PROBLEMS).optional(),
  message: z.string().optional(),
  alternatives: z.array(z.union([z.string(), z.number(), z.boolean()])).optional(),
})
export type InterpretedValue = z.output<typeof InterpretedValue>

export const InterpretedColumn = z.object({
  key: z.string(),
  reading: Reading.optional(),
  delimiter: z.string().optional(),
  question: ReadingQuestion.optional(),
  values: z.array(InterpretedValue),
})

export const SuggestedField = z.object({
  column: z.string(),
  field: Field,
  reasons: z.array(z.string()),
})
export type SuggestedField = z.output<typeof SuggestedField>

export const MAX_CHECKED_REFERENCES = 20

const CheckedReference = z.object({
  /** Key of a field that is checked. */
  field: z.string(),
  sheetId: scoped('sheet'),
  /** Field of the sheet that has the values. */
  column: z.string(),
  /** How the column will be read. Default: as it is. */
  as: nullish(Field),
})

export const CheckFields = z.object({
  fields: z.array(Field).min(1).max(MAX_FIELDS_PER_SHEET),
  constraints: nullish(z.array(SheetConstraint).max(MAX_RULES_PER_SHEET)),
  columns: nullish(z.record(z.string(), z.string())),
  references: nullish(z.array(CheckedReference).max(MAX_CHECKED_REFERENCES)),
})
export type CheckFields = z.output<typeof CheckFields>

export const FieldProblem = z.object({
  field: z.string().optional(),
  type: z.enum(['error', 'warn', 'info']),
  message: z.string(),
  count: z.number().int(),
  examples: z.array(z.unknown()),
})
