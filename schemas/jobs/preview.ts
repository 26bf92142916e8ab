import * as z from 'zod'
import { Id } from '../kit/ids.ts'
import { LineGroup } from '../programs/other-lines.ts'
import { Reading, ReadingQuestion } from '../programs/readings.ts'
import { UsedRecipe } from '../programs/recipe.ts'
import { Record } from '../records/shape.ts'

export const MAX_PREVIEWED_RECORDS = 100
export const MAX_EXAMPLES_PER_COLUMN = 3
/** A request on AWS ends after 29 seconds; uniqueness is checked after counting. */
export const PREVIEW_SECONDS = 20
export const MAX_PREVIEW_TOKEN_LENGTH = 1000

const Count = z.number().int()

export const ImportCounts = z.object({
  created: Count,
  updated: Count,
  unchanged: Count,
  deleted: Count,
  /** Rows that are not imported, by reason. */
  skipped: z.object({ emptyKey: Count, noRecord: Count }),
  valid: Count,
  invalid: Count,
})
export type ImportCounts = z.infer<typeof ImportCounts>

const Examples = z.array(z.object({ before: z.unknown(), after: z.unknown() }))
export const ColumnExamples = z.object({ converted: Examples, unchanged: Examples, unreadable: Examples })
export const ColumnPreview = z.object({
  sourceFields: z.array(z.string()),
  destinationField: z.string(),
  reading: Reading.optional(),
  question: ReadingQuestion.optional(),
  converted: Count,
  unchanged: Count,
  unreadable: Count,
  empty: Count,
  examples: ColumnExamples,
})
export type ColumnPreview = z.infer<typeof ColumnPreview>

const SheetPosition = z.object({ sheetId: Id, commitId: Id.optional() })

export const MappingPreview = z.object({
  token: z.string(),
  source: SheetPosition,
  destination: SheetPosition,
  columns: z.array(ColumnPreview),
  records: z.array(Record.omit({ id: true, metadata: true, config: true })),
  counts: ImportCounts,
  recordCount: Count,
  countedRecords: Count,
  isComplete: z.boolean(),
  /** Lines of the source that are left out, because they are not records. */
  otherLines: z.array(LineGroup),
  recipe: UsedRecipe.optional(),
  info: z.string().optional(),
})
export type MappingPreview = z.infer<typeof MappingPreview>

export const PreviewToken = z.string().max(MAX_PREVIEW_TOKEN_LENGTH)
