import * as z from 'zod'
import { Id, narrowing } from '../kit/ids.ts'
import { QUESTIONS, Reading } from '../programs/readings.ts'
import { CellValue } from '../records/input.ts'
import { FieldKey } from '../sheets/fields.ts'
import {
  MAX_CLUSTER_RADIUS,
  MAX_DUPLICATE_FIELDS,
  MAX_RECORDS_PER_DUPLICATE_GROUP,
  MAX_REPLACEMENTS_PER_EDIT,
} from './limits.ts'

const pattern = z.string().max(200).optional()
const Read = z.strictObject({ type: z.literal('read'), pattern, reading: Reading })
const Split = z.strictObject({ type: z.literal('split'), pattern, separator: z.string().min(1).max(10) })
const Replace = z.strictObject({
  type: z.literal('replace'),
  replacements: z
    .array(z.strictObject({ from: CellValue, to: CellValue }))
    .min(1)
    .max(MAX_REPLACEMENTS_PER_EDIT),
})
/** An edit of the values of any field. */
export const ValueEdit = z.discriminatedUnion('type', [Read, Split, Replace])
export type ValueEdit = z.output<typeof ValueEdit>

const field = { fieldKey: FieldKey }
export const ReadEdit = Read.extend(field)
export const SplitEdit = Split.extend(field)
export const ReplaceEdit = Replace.extend(field)
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

export const MissingValue = z.object({ value: z.union([z.string(), z.number(), z.boolean()]), count: z.number().int() })
export type MissingValue = z.output<typeof MissingValue>

export const KEY_METHODS = ['fingerprint', 'ngram', 'phonetic'] as const
export type KeyMethod = (typeof KEY_METHODS)[number]
export const CLUSTER_METHODS = [...KEY_METHODS, 'distance'] as const
export type ClusterMethod = (typeof CLUSTER_METHODS)[number]

export const DuplicateSearch = z.strictObject({
  fields: z.array(FieldKey).min(1).max(MAX_DUPLICATE_FIELDS),
  method: z.enum(CLUSTER_METHODS).default('fingerprint'),
  radius: z.number().int().min(1).max(MAX_CLUSTER_RADIUS).default(2),
})
export type DuplicateSearch = z.output<typeof DuplicateSearch>

export const Cluster = z.object({
  count: z.number().int(),
  size: z.number().int(),
  values: z.array(z.object({ value: z.string(), count: z.number().int() })),
  suggestion: z.string(),
  fix: ReplaceEdit,
})
export type Cluster = z.output<typeof Cluster>

export const Merge = z.strictObject({
  keep: narrowing('record'),
  remove: z.array(narrowing('record')).min(1).max(MAX_RECORDS_PER_DUPLICATE_GROUP),
  values: z.record(FieldKey, narrowing('record')).optional(),
})
export type Merge = z.output<typeof Merge>

export const DuplicateGroup = z.object({
  count: z.number().int(),
  records: z.array(z.object({ id: Id, values: z.record(z.string(), z.unknown()) })),
  merge: Merge,
})
export type DuplicateGroup = z.output<typeof DuplicateGroup>

export const MergePreview = z.object({
  version: z.number().int(),
  records: z.number().int(),
  deleted: z.number().int(),
  merges: z.array(
    z.object({
      keep: Id,
      remove: z.array(Id),
      values: z.record(z.string(), z.object({ before: z.unknown(), after: z.unknown() })),
    }),
  ),
})
export type MergePreview = z.output<typeof MergePreview>

export const EditPreview = z.object({
  version: z.number().int(),
  records: z.number().int(),
  values: z.number().int(),
  changes: z.array(z.object({ before: z.unknown(), after: z.unknown(), count: z.number().int(), valid: z.boolean() })),
})
export type EditPreview = z.output<typeof EditPreview>
