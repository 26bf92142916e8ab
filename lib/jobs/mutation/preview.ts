import type * as z from 'zod'
import type { mutateRecords } from '../../../schemas/jobs/operations.ts'
import { MAX_CHANGES_PER_PREVIEW, MAX_RECORDS_PER_PREVIEW } from '../../../schemas/jobs/shape.ts'
import { toSheetRef } from '../../commits/sheet-ref.ts'
import type { StoredSheet } from '../../entities/sheets.ts'
import { packIds } from '../../events/id-ranges.ts'
import {
  type CellInput,
  type DiffCell,
  type DiffRecord,
  evaluateCell,
  joinTexts,
  readRecords,
  type SheetRef,
  type TextBatch,
  type WireRecord,
} from '../../records/index.ts'
import { createMutator } from './mutator.ts'
import { parseMutation } from './parse.ts'

/** Returns the first records that would change. Constraints across records reflect the current data. */
export async function previewChanges(
  sheet: StoredSheet,
  config: z.output<typeof mutateRecords.config>,
): Promise<DiffRecord[]> {
  const { selection, program } = parseMutation(sheet, config, '')
  const ref = toSheetRef(sheet)
  const { records } = await readRecords(ref, { ...selection, pageSize: MAX_RECORDS_PER_PREVIEW })
  if (records.length === 0) return []
  const changes = await createMutator(program)(toTextBatch(ref, records))
  return records
    .map((record, at) => toDiffRecord(ref, record, (key) => changes.get(key)?.[at]))
    .filter((record) => record !== undefined)
    .slice(0, MAX_CHANGES_PER_PREVIEW)
}

const toTextBatch = ({ fields }: SheetRef, records: readonly WireRecord[]): TextBatch => ({
  length: records.length,
  getIdRuns: (from, to) => packIds(records.slice(from, to).map(({ id }) => id)).runs,
  fields: fields.map(({ key }) => key),
  readTexts: async (fields) =>
    fields.map((field) => joinTexts(records.map(({ values }) => JSON.stringify(values[field]?.value ?? null)))),
})

function toDiffRecord(
  ref: SheetRef,
  record: WireRecord,
  getCell: (key: string) => CellInput | undefined,
): DiffRecord | undefined {
  let isChanged = false
  const values: Record<string, DiffCell> = {}
  for (const [key, before] of Object.entries(record.values)) {
    const input = getCell(key)
    const after = input && evaluateCell(ref, key, input.value)
    const isDifferent = after !== undefined && JSON.stringify(after.value) !== JSON.stringify(before.value)
    isChanged ||= isDifferent
    const { value, messages, valid } = isDifferent ? after : before
    values[key] = { value, snapshotValue: before.value, messages: [...messages], valid }
  }
  const { id, metadata, config } = record
  const valid = Object.values(values).every((cell) => cell.valid)
  return isChanged ? { id, values, valid, metadata, config } : undefined
}
