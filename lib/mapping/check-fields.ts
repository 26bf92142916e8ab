import type { Field } from '../../schemas/sheets/fields.ts'
import type { CheckFields } from '../../schemas/values/shape.ts'
import { type CountedProblems, countProblems, type SheetRef, scanRecords } from '../records/index.ts'
import { interpretColumn } from './interpret.ts'

export const MAX_CHECKED_RECORDS = 20_000

export interface CheckedFields extends CountedProblems {
  records: number
}

/** The column of another sheet that a reference field names. */
export interface CheckedReference {
  field: string
  sheet: SheetRef
  column: string
  as?: Field | undefined
}

export async function checkFields(
  source: SheetRef,
  { fields, constraints = [], columns = {} }: CheckFields,
  references: readonly CheckedReference[],
  thisYear: number,
): Promise<CheckedFields> {
  const { values, length } = await readColumns(source)
  const interpreted = new Map<string, unknown[]>()
  const unread = new Map<string, (string | undefined)[]>()
  for (const field of fields) {
    const column = values.get(columns[field.key] ?? field.key)
    if (!column) continue
    const cells = interpretColumn(field, column, { thisYear }).values
    interpreted.set(
      field.key,
      cells.map(({ value }) => value),
    )
    unread.set(
      field.key,
      cells.map(({ message }) => message),
    )
  }
  const linked = await readLinkedValues(references, thisYear)
  const sheet = { sheetId: source.sheetId, fields, constraints }
  return { records: length, ...(await countProblems(sheet, length, interpreted, unread, linked)) }
}

async function readLinkedValues(references: readonly CheckedReference[], thisYear: number) {
  const linked = new Map<string, unknown[]>()
  for (const { field, sheet, column, as } of references) {
    const { values, length, isComplete } = await readColumns(sheet, [column])
    const cells = values.get(column)
    if (!cells || !isComplete || length === 0) continue
    const read = as ? interpretColumn(as, cells, { thisYear }).values.map(({ value }) => value) : cells
    linked.set(
      field,
      read.filter((value) => value != null),
    )
  }
  return linked
}

async function readColumns(source: SheetRef, keys?: readonly string[]) {
  const values = new Map<string, unknown[]>(
    source.fields.filter(({ key }) => keys?.includes(key) ?? true).map(({ key }) => [key, []]),
  )
  let [length, isComplete] = [0, true]
  for await (const { ids, columns } of scanRecords(source)) {
    const count = Math.min(ids.length, MAX_CHECKED_RECORDS - length)
    for (const [key, column] of values)
      for (let row = 0; row < count; row++) column.push(columns.get(key)?.[row] ?? null)
    length += count
    isComplete = count === ids.length
    if (!isComplete) break
  }
  return { values, length, isComplete }
}
