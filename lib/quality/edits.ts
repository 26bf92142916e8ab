/** Edits change all records that have the same value in a field. What becomes of a value depends on the value only. */
import { message } from '../../schemas/messages/index.ts'
import type { Edit, EditPreview } from '../../schemas/quality/shape.ts'
import { invalid, invalidField } from '../core/errors.ts'
import { isListField, splitItems } from '../mapping/lists.ts'
import { evaluateCell, readDistinctColumns, type Selection, type SheetRef } from '../records/index.ts'
import { readValue } from '../values/read-column.ts'
import { toPattern } from './patterns.ts'

/** Undefined leaves the value unchanged. */
export type ChangeValue = (value: unknown) => unknown

export function compileEdit(ref: SheetRef, edit: Edit, keyPrefix = ''): ChangeValue {
  const field = ref.fields.find(({ key }) => key === edit.fieldKey)
  if (!field) throw invalidField(`${keyPrefix}fieldKey`, message('records.noField', { field: edit.fieldKey }))
  if (edit.type === 'replace') return compileReplacements(ref, edit, keyPrefix)
  if (edit.type === 'split') {
    if (!isListField(field)) throw invalidField(`${keyPrefix}type`, message('quality.notListField'))
    return compileTextEdit(ref, edit, (text) => {
      const items = splitItems(text, edit.separator)
      return items.length > 0 ? items : undefined
    })
  }
  const { reading } = edit
  if (reading.type !== 'string' && reading.type !== field.type)
    throw invalidField(`${keyPrefix}reading.type`, message('quality.otherFieldType', { type: field.type }))
  return compileTextEdit(ref, edit, (text) => {
    const read = readValue(reading, text)
    return 'value' in read ? read.value : undefined
  })
}

function compileTextEdit(
  ref: SheetRef,
  { fieldKey, pattern }: { fieldKey: string; pattern?: string | undefined },
  change: (text: string) => unknown,
): ChangeValue {
  return memoizeChange((value) => {
    if (typeof value !== 'string' || (pattern !== undefined && toPattern(value) !== pattern)) return undefined
    const changed = change(value)
    if (changed === undefined) return undefined
    const cell = evaluateCell(ref, fieldKey, changed)!
    return cell.valid && JSON.stringify(cell.value) !== JSON.stringify(value) ? cell.value : undefined
  })
}

function compileReplacements(
  ref: SheetRef,
  { fieldKey, replacements }: Extract<Edit, { type: 'replace' }>,
  keyPrefix: string,
): ChangeValue {
  const results = new Map<string, { text: string; value: unknown }>()
  const problems: { key: string; message: string }[] = []
  for (const [index, { from, to }] of replacements.entries()) {
    const value = evaluateCell(ref, fieldKey, to)!.value
    const text = JSON.stringify(value)
    for (const source of new Set([from, evaluateCell(ref, fieldKey, from)!.value].map((one) => JSON.stringify(one)))) {
      const known = results.get(source)
      if (known && known.text !== text)
        problems.push({ key: `${keyPrefix}replacements.${index}.from`, message: message('quality.replacedTwice') })
      results.set(source, { text, value })
    }
  }
  if (problems.length > 0) throw invalid(problems)
  return memoizeChange((value) => {
    const source = JSON.stringify(value)
    const found = results.get(source)
    return found && found.text !== source ? found.value : undefined
  })
}

const MAX_CACHED_VALUES = 10_000

function memoizeChange(change: ChangeValue): ChangeValue {
  const cache = new Map<unknown, unknown>()
  return (value) => {
    if (typeof value === 'object' && value !== null) return change(value)
    if (cache.has(value)) return cache.get(value)
    if (cache.size >= MAX_CACHED_VALUES) cache.clear()
    const changed = change(value)
    cache.set(value, changed)
    return changed
  }
}

export async function previewEdit(
  ref: SheetRef,
  edit: Edit,
  selection: Selection,
  { pageSize, pageNumber }: { pageSize: number; pageNumber: number },
): Promise<EditPreview> {
  const change = compileEdit(ref, edit)
  const { version, columns } = await readDistinctColumns(ref, { ...selection, fields: [edit.fieldKey] })
  const changes: { before: unknown; after: unknown; count: number }[] = []
  let records = 0
  for (const { value, count } of columns[0]!.values()) {
    const after = change(value)
    if (after === undefined) continue
    changes.push({ before: value, after, count })
    records += count
  }
  changes.sort((a, b) => b.count - a.count)
  const offset = (pageNumber - 1) * pageSize
  const page = changes
    .slice(offset, offset + pageSize)
    .map((one) => ({ ...one, valid: evaluateCell(ref, edit.fieldKey, one.after)!.valid }))
  return { version, records, values: changes.length, changes: page }
}
