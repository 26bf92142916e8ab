/** Reads the texts of written records. The texts of a column in the same write are the only evidence. Pure. */
import type { Field } from '../../schemas/sheets/fields.ts'
import type { InterpretedValue } from '../../schemas/values/shape.ts'
import type { CellInput, CellInputs } from '../records/index.ts'
import { findFormat } from '../values/formats.ts'
import { differsFromText, noteOriginal, noteUnread } from '../values/read-cell.ts'
import { toStored } from '../values/stored.ts'
import { findOnlyRegionField } from './enums.ts'
import { interpretColumn } from './interpret.ts'

interface WrittenRecord {
  values?: CellInputs | null | undefined
}

interface Column {
  inputs: CellInput[]
  rows: number[]
}

export function interpretRecords<R extends WrittenRecord>(
  fields: readonly Field[],
  records: readonly R[],
  thisYear: number,
): R[] {
  const columns = collectColumns(fields, records)
  const regionField = findOnlyRegionField(fields)
  const changed = new Map<number, { [key: string]: CellInput }>()
  for (const [field, { inputs, rows }] of columns) {
    const texts = inputs.map(({ value }) => value)
    const regions =
      regionField === undefined
        ? undefined
        : { field: regionField, values: rows.map((row) => records[row]!.values?.[regionField]?.value) }
    const { values } = interpretColumn(field, texts, { thisYear, regions })
    values.forEach((read, index) => {
      const row = rows[index]!
      const cells = changed.get(row) ?? { ...records[row]!.values }
      cells[field.key] = { ...inputs[index]!, value: toCell(field, inputs[index]!.value, read) }
      changed.set(row, cells)
    })
  }
  return records.map((record, row) => (changed.has(row) ? { ...record, values: changed.get(row)! } : record))
}

function collectColumns(fields: readonly Field[], records: readonly WrittenRecord[]): Map<Field, Column> {
  const columns = new Map<Field, Column>()
  for (const field of fields) {
    const column: Column = { inputs: [], rows: [] }
    for (const [row, { values }] of records.entries()) {
      const input = values?.[field.key]
      if (input?.value === undefined) continue
      column.inputs.push(input)
      column.rows.push(row)
    }
    if (column.inputs.some(({ value }) => typeof value === 'string')) columns.set(field, column)
  }
  return columns
}

function toCell(field: Field, input: unknown, read: InterpretedValue): unknown {
  const { key, type } = field
  if (typeof input !== 'string') return input
  if (read.problem !== undefined) {
    const hasMeanings = (read.alternatives?.length ?? 0) > 0
    return hasMeanings || findFormat(field) || toStored({ type }, input) !== input
      ? noteUnread(key, input, read.message!)
      : read.value
  }
  return differsFromText(read.value, input) ? noteOriginal(key, read.value, input) : read.value
}
