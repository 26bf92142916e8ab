import {
  createReplacer,
  evaluateCell,
  type Replacement,
  readDistinctColumns,
  type Selection,
  type SheetRef,
} from '../records/index.ts'

interface ReplacedValue {
  fieldKey: string
  before: unknown
  after: unknown
  count: number
}

export async function previewReplacement(
  ref: SheetRef,
  replacement: Replacement,
  selection: Selection,
  { pageSize, pageNumber }: { pageSize: number; pageNumber: number },
) {
  const replace = createReplacer(replacement)
  const { version, columns } = await readDistinctColumns(ref, { ...selection, fields: replacement.fields })
  const found: ReplacedValue[] = []
  for (const { field, values } of columns)
    for (const { value, count } of values()) {
      const after = replace(value)
      if (after !== undefined) found.push({ fieldKey: field, before: value, after, count })
    }
  const offset = (pageNumber - 1) * pageSize
  const changes = found
    .toSorted((a, b) => b.count - a.count)
    .slice(offset, offset + pageSize)
    .map((change) => {
      const cell = evaluateCell(ref, change.fieldKey, change.after)!
      return { ...change, after: cell.value, valid: cell.valid }
    })
  return { version, cells: found.reduce((sum, { count }) => sum + count, 0), changes }
}
