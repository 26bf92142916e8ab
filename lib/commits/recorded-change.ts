/** A change of all records, stored on the log entry of its commit so that a recipe can repeat it. */
import * as z from 'zod'
import { MAX_RECORDED_EDIT_BYTES } from '../../schemas/programs/limits.ts'
import { DuplicateSearch, Edit } from '../../schemas/quality/shape.ts'
import type { Selection } from '../records/index.ts'

const RecordedChange = z.discriminatedUnion('type', [
  z.object({ type: z.literal('edit'), edit: Edit }),
  z.object({ type: z.literal('merge'), duplicates: DuplicateSearch.optional() }),
  z.object({ type: z.literal('selected-edit'), fieldKey: z.string() }),
  z.object({ type: z.literal('large-edit'), fieldKey: z.string() }),
])
export type RecordedChange = z.output<typeof RecordedChange>

export function recordEdit(edit: Edit, { filter, ...selection }: Selection): RecordedChange {
  const { fieldKey } = edit
  if ((filter ?? 'all') !== 'all' || Object.keys(selection).length > 0) return { type: 'selected-edit', fieldKey }
  return Buffer.byteLength(JSON.stringify(edit)) > MAX_RECORDED_EDIT_BYTES
    ? { type: 'large-edit', fieldKey }
    : { type: 'edit', edit }
}

export const parseRecordedChange = (event: object | undefined): RecordedChange | undefined =>
  RecordedChange.safeParse((event as { change?: unknown } | undefined)?.change).data
