/** What a mutation would change, shown without changing anything. */
import type * as z from 'zod'
import { PREVIEW_SHOWN, PREVIEWED_RECORDS } from '../../../schemas/jobs.ts'
import type { mutateRecords } from '../../../schemas/operations.ts'
import { sheetRef } from '../../commits/sheet-ref.ts'
import type { StoredSheet } from '../../entities/sheets.ts'
import {
  type CellInputs,
  cellOf,
  type DiffCell,
  type DiffRecord,
  read,
  type SheetRef,
  type TextBatch,
  type WireRecord,
} from '../../records/index.ts'
import { mutationOf } from '../offers/workbook-mutate-records.ts'
import { mutator } from './mutator.ts'

/**
 * Of the first records the configuration means, some that would change, with both values. Constraints over several records
 * (unique, references) speak as of now.
 * @throws ApiError invalid for a configuration that does not fit, unprocessable when the function fails
 */
export async function preview(
  sheet: StoredSheet,
  config: z.output<typeof mutateRecords.config>,
): Promise<DiffRecord[]> {
  const { selection, program } = mutationOf(sheet, config, '')
  const ref = sheetRef(sheet)
  const { records } = await read(ref, { ...selection, pageSize: PREVIEWED_RECORDS })
  if (records.length === 0) return []
  const cells = await mutator(program)(columnsOf(ref, records))
  return records
    .map((record, at) => changed(ref, record, cells[at] ?? {}))
    .filter((record) => record !== undefined)
    .slice(0, PREVIEW_SHOWN)
}

const columnsOf = ({ fields }: SheetRef, records: readonly WireRecord[]): TextBatch => ({
  ids: records.map(({ id }) => id),
  columns: new Map(
    fields.map(({ key }) => [key, records.map(({ values }) => JSON.stringify(values[key]?.value ?? null))]),
  ),
})

/** The record as it would be; undefined when nothing of it would change. */
function changed(ref: SheetRef, record: WireRecord, cells: CellInputs): DiffRecord | undefined {
  let isChanged = false
  const values: Record<string, DiffCell> = {}
  for (const [key, before] of Object.entries(record.values)) {
    const input = cells[key]
    const after = input && cellOf(ref, key, input.value)
    const isOther = after !== undefined && JSON.stringify(after.value) !== JSON.stringify(before.value)
    isChanged ||= isOther
    const { value, messages, valid } = isOther ? after : before
    values[key] = { value, snapshotValue: before.value, messages: [...messages], valid }
  }
  const { id, metadata, config } = record
  const valid = Object.values(values).every((cell) => cell.valid)
  return isChanged ? { id, values, valid, metadata, config } : undefined
}
