import type { CheckFields } from '../../schemas/values/shape.ts'
import { type CountedProblems, countProblems, type SheetRef, scanRecords } from '../records/index.ts'
import { interpretColumn } from './interpret.ts'

export const MAX_CHECKED_RECORDS = 20_000

export interface CheckedFields extends CountedProblems {
  records: number
}

export async function checkFields(
  source: SheetRef,
  { fields, constraints = [], columns = {} }: CheckFields,
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
  const sheet = { sheetId: source.sheetId, fields, constraints }
  return { records: length, ...(await countProblems(sheet, length, interpreted, unread)) }
}

async function readColumns(source: SheetRef) {
  const values = new Map<string, unknown[]>(source.fields.map(({ key }) => [key, []]))
  let length = 0
  for await (const { ids, columns } of scanRecords(source)) {
    const count = Math.min(ids.length, MAX_CHECKED_RECORDS - length)
    for (const [key, column] of values)
      for (let row = 0; row < count; row++) column.push(columns.get(key)?.[row] ?? null)
    length += count
    if (length >= MAX_CHECKED_RECORDS) break
  }
  return { values, length }
}
