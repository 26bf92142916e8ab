/** Shapes of error groups and of edits, which change all records that have the same value in a field. */
import * as z from 'zod'
import { Id } from '../kit/ids.ts'
import { QUESTIONS, Reading } from '../programs/readings.ts'
import { CellValue } from '../records/input.ts'
import { FieldKey } from '../sheets/fields.ts'
import { MAX_REPLACEMENTS_PER_EDIT } from './limits.ts'

const field = { fieldKey: FieldKey, pattern: z.string().max(200).optional() }

export const ReadEdit = z.strictObject({ type: z.literal('read'), ...field, reading: Reading })
export const SplitEdit = z.strictObject({ type: z.literal('split'), ...field, separator: z.string().min(1).max(10) })
export const ReplaceEdit = z.strictObject({
  type: z.literal('replace'),
  fieldKey: FieldKey,
  replacements: z
    .array(z.strictObject({ from: CellValue, to: CellValue }))
    .min(1)
    .max(MAX_REPLACEMENTS_PER_EDIT),
})
export const Edit = z.discriminatedUnion('type', [ReadEdit, SplitEdit, ReplaceEdit])
export type Edit = z.output<typeof Edit>

export const ErrorGroup = z.object({
  fieldKey: z.string(),
  source: z.string(),
  message: z.string().nullable(),
  pattern: z.string().nullable(),
  count: z.number().int(),
  examples: z.array(z.object({ recordId: Id, value: z.unknown() })),
  fix: Edit.optional(),
  question: z
    .object({ about: z.enum(QUESTIONS), examples: z.array(z.string()), alternatives: z.array(Edit) })
    .optional(),
})
export type ErrorGroup = z.output<typeof ErrorGroup>

export const EditPreview = z.object({
  version: z.number().int(),
  records: z.number().int(),
  values: z.number().int(),
  changes: z.array(z.object({ before: z.unknown(), after: z.unknown(), count: z.number().int(), valid: z.boolean() })),
})
export type EditPreview = z.output<typeof EditPreview>
