/** Readings: how the texts of a column become values. Decided once for all texts of the column. */
import * as z from 'zod'

export const DATE_ORDERS = ['dmy', 'mdy', 'ymd'] as const
export const DATE_MARKS = ['/', '-', '.', 'name', 'digits'] as const
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
  firstSerialYear: Year.optional(),
  lastSerialYear: Year.optional(),
  timestamps: z.boolean().optional(),
  withoutTime: z.boolean().optional(),
  emptyTexts,
})
export type DateReading = z.output<typeof DateReading>

export const DEBITS = ['negative', 'positive'] as const

export const NumberReading = z.object({
  type: z.literal('number'),
  decimalMark: z.enum(['.', ',']).optional(),
  units: z.array(z.string().min(1).max(20)).max(100).optional(),
  labels: z.array(z.string().min(1).max(20)).max(20).optional(),
  onlyWithUnit: z.boolean().optional(),
  unit: z.string().min(1).max(20).optional(),
  bareUnit: z.string().min(1).max(20).optional(),
  debits: z.enum([...DEBITS, 'unclear']).optional(),
  zeroTexts: z.array(z.string().min(1).max(24)).max(20).optional(),
  emptyTexts,
})
export type NumberReading = z.output<typeof NumberReading>

export const BooleanReading = z.object({
  type: z.literal('boolean'),
  letters: z.boolean().optional(),
  digits: z.boolean().optional(),
  ticks: z.boolean().optional(),
  phrases: z.boolean().optional(),
  trueTexts: z.array(z.string().min(1).max(40)).max(20).optional(),
  falseTexts: z.array(z.string().min(1).max(40)).max(20).optional(),
  emptyValue: z.boolean().optional(),
  emptyTexts,
})
export type BooleanReading = z.output<typeof BooleanReading>

export const StringReading = z.object({
  type: z.literal('string'),
  withoutApostrophe: z.boolean().optional(),
  htmlEntities: z.boolean().optional(),
  emails: z.boolean().optional(),
  emptyTexts,
})
export type StringReading = z.output<typeof StringReading>

/** Options are translated by the mapping's `values`. */
export const EnumReading = z.object({ type: z.literal('enum'), emptyTexts })

export const EmailReading = z.object({ type: z.literal('email'), hasLowerDomain: z.boolean().optional(), emptyTexts })
export type EmailReading = z.output<typeof EmailReading>

export const PhoneReading = z.object({
  type: z.literal('phone'),
  region: z.string().length(2).optional(),
  regionField: z.string().min(1).max(512).optional(),
  emptyTexts,
})
export type PhoneReading = z.output<typeof PhoneReading>

export const UrlReading = z.object({ type: z.literal('url'), addScheme: z.boolean().optional(), emptyTexts })
export type UrlReading = z.output<typeof UrlReading>

export const TimeReading = z.object({
  type: z.literal('time'),
  hasMeridiem: z.boolean().optional(),
  bareHours: z.enum(['24h', 'pm']).optional(),
  emptyTexts,
})
export type TimeReading = z.output<typeof TimeReading>

export const Reading = z.discriminatedUnion('type', [
  DateReading,
  NumberReading,
  BooleanReading,
  EnumReading,
  StringReading,
  EmailReading,
  PhoneReading,
  UrlReading,
  TimeReading,
])
export type Reading = z.output<typeof Reading>

export const QUESTIONS = [
  'day-month-order',
  'century',
  'decimal-mark',
  'unit',
  'debit-credit',
  'boolean-letters',
  'phone-region',
  'url-scheme',
  'time-of-day',
] as const

export const ReadingQuestion = z.object({
  about: z.enum(QUESTIONS),
  examples: z.array(z.string()),
  alternatives: z.array(Reading),
})
export type ReadingQuestion = z.output<typeof ReadingQuestion>
