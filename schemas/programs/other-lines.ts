/** Lines of a file that are not records, such as totals and page headings. */
import * as z from 'zod'

export const LINE_KINDS = ['total', 'carry-over', 'page', 'text'] as const
const LineKind = z.enum(LINE_KINDS)
export type LineKind = z.infer<typeof LineKind>

export const MAX_LINE_EXAMPLES = 3
export const MAX_LISTED_LINES = 100
const MAX_COLUMNS = 100

const Columns = z.array(z.string().min(1).max(600)).max(MAX_COLUMNS)

export const LeaveOut = z.object({
  /** Columns that almost every record fills. Only a row without some of them can be another line. */
  filledColumns: Columns.min(3),
  /** Those that identify a record, hold numbers, and hold texts with digits. */
  keyColumns: Columns,
  numberColumns: Columns,
  digitColumns: Columns,
  otherColumns: Columns,
  /** False keeps the lines as records. */
  leaveOut: z.boolean().default(true),
})
export type LeaveOut = z.output<typeof LeaveOut>

export const LineGroup = z.object({
  kind: LineKind,
  count: z.number().int(),
  /** Row numbers in the source sheet, from 1. */
  rows: z.array(z.number().int()),
  examples: z.array(z.object({ row: z.number().int(), cells: z.array(z.string()) })),
  text: z.string(),
})
export type LineGroup = z.infer<typeof LineGroup>

export const OtherLines = z.object({ leaveOut: z.boolean(), lines: z.array(LineGroup) })
export type OtherLines = z.infer<typeof OtherLines>
/** The part that a client can change. */
export const OtherLinesChoice = z.looseObject({ leaveOut: z.boolean() })
