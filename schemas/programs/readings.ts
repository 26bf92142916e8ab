/** Readings: how the texts of a column become values. Decided once for all texts of the column. */
import * as z from 'zod'

export const DATE_ORDERS = ['dmy', 'mdy', 'ymd'] as const
export const DATE_MARKS = ['/', '-', '.', 'name'] as const
const DateOrder = z.enum(DATE_ORDERS)
export type DateOrder = z.infer<typeof DateOrder>
export type DateMark = (typeof DATE_MARKS)[number]

/** Texts that stand for an empty cell, such as `n/a`. */
const emptyTexts = z.array(z.string().min(1).max(24)).max(50).optional()

const Year = z.number().int().min(1).max(9999)

export const DateReading = z.object({
  type: z.literal('date'),
  orders: z.partialRecord(z.enum(DATE_MARKS), DateOrder).optional(),
  firstShortYear: Year.optional(),
  lastShortYear: Year.optional(),
  serials: z.boolean().optional(),
  emptyTexts,
})
export type DateReading = z.output<typeof DateReading>

export const NumberReading = z.object({
  type: z.literal('number'),
  decimalMark: z.enum(['.', ',']).optional(),
  units: z.array(z.string().min(1).max(20)).max(100).optional(),
  emptyTexts,
})
export type NumberReading = z.output<typeof NumberReading>

export const BooleanReading = z.object({
  type: z.literal('boolean'),
  letters: z.boolean().optional(),
  digits: z.boolean().optional(),
  ticks: z.boolean().optional(),
  emptyValue: z.boolean().optional(),
  emptyTexts,
})
export type BooleanReading = z.output<typeof BooleanReading>

export const StringReading = z.object({ type: z.literal('string') })
export type StringReading = z.output<typeof StringReading>

/** Options are translated by the mapping's `values`. */
export const EnumReading = z.object({ type: z.literal('enum'), emptyTexts })

export const Reading = z.discriminatedUnion('type', [
  DateReading,
  NumberReading,
  BooleanReading,
  EnumReading,
  StringReading,
])
export type Reading = z.output<typeof Reading>

export const QUESTIONS = [
  'day-month-order',
  'century',
  'serial-number',
  'decimal-mark',
  'unit',
  'boolean-letters',
] as const

export const ReadingQuestion = z.object({
  about: z.enum(QUESTIONS),
  examples: z.array(z.string()),
  alternatives: z.array(Reading),
})
export type ReadingQuestion = z.output<typeof ReadingQuestion>
