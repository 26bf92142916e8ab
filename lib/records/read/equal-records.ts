import { sortHashes } from '../columns/hash.ts'
import { addHash, createHashList, takeHashes } from '../columns/hash-list.ts'
import { createU32List, pushU32 } from '../columns/u32-list.ts'
import { formatRecordId } from '../format/ids.ts'
import { processStore, type Store } from '../log/store.ts'
import { parseCellValue } from '../segments/cells.ts'
import { getColumnTexts, openAll } from '../segments/open.ts'
import type { Selection, SheetRef } from '../sheet.ts'
import { toCoordinate } from '../state/state.ts'
import { getRowAt, selectParts } from './order.ts'
import { validateField } from './select.ts'
import { openView } from './view.ts'

/** Records with an empty key in any of the fields are equal to no other record. */
export interface KeyedField {
  field: string
  toKey: (value: unknown) => string
}

export interface EqualRecords {
  version: number
  groups: number
  getGroup: (index: number, maxIds: number) => { count: number; ids: string[] }
}

export async function findEqualRecords(
  sheet: SheetRef,
  keyedFields: readonly KeyedField[],
  selection: Selection = {},
  store: Store = processStore,
): Promise<EqualRecords> {
  const { state, rules } = await openView(store, sheet, selection.asOf)
  const fields = keyedFields.map(({ field, toKey }) => ({
    column: rules.byKey.get(validateField(rules, field, 'fields')!)!.column,
    toKey: memoizeKey(toKey),
  }))
  const parts = await selectParts(store, state, rules, selection)
  const bySegment = new Map(parts.map((part) => [part.segment, part]))
  const list = createHashList(parts.reduce((sum, { segment, rows }) => sum + (rows?.length ?? segment.rows), 0))
  const columns = [...new Set(fields.map(({ column }) => column))]
  for await (const open of openAll(store, [...bySegment.keys()], columns)) {
    const { segment, first, rows } = bySegment.get(open.segment)!
    const texts = fields.map(({ column, toKey }) => ({ texts: getColumnTexts(open, column), toKey }))
    const count = rows?.length ?? segment.rows
    for (let i = 0; i < count; i++) {
      const key = joinKeys(texts, rows ? rows[i]! : i)
      if (key !== undefined) addHash(list, key, first + i)
    }
  }
  const { hi, lo, at } = sortHashes(takeHashes(list))
  const starts = createU32List()
  for (let start = 0; start < at.length; ) {
    let end = start + 1
    while (end < at.length && hi[end] === hi[start] && lo[end] === lo[start]) end++
    if (end - start > 1) pushU32(starts, start)
    start = end
  }
  const groups = starts.values.slice(0, starts.length).sort((a, b) => at[a]! - at[b]!)
  return {
    version: state.seq,
    groups: groups.length,
    getGroup(index, maxIds) {
      const start = groups[index]!
      let end = start + 1
      while (end < at.length && hi[end] === hi[start] && lo[end] === lo[start]) end++
      const ids = Array.from(at.subarray(start, Math.min(end, start + maxIds)), (position) => {
        const { segment, row } = getRowAt({ parts }, position)
        return formatRecordId(state.sheetId, toCoordinate(segment, row))
      })
      return { count: end - start, ids }
    },
  }
}

function joinKeys(
  fields: readonly { texts: readonly string[] | undefined; toKey: (text: string) => string }[],
  row: number,
): string | undefined {
  let joined = ''
  for (const { texts, toKey } of fields) {
    const key = texts ? toKey(texts[row]!) : ''
    if (key === '') return undefined
    joined += `${key.length}:${key}`
  }
  return joined
}

const MAX_CACHED_KEYS = 50_000

/** Texts that rarely repeat are not cached: that would take longer than to make their keys. */
function memoizeKey(toKey: (value: unknown) => string): (text: string) => string {
  const keys = new Map<string, string>()
  let hits = 0
  let isCaching = true
  return (text) => {
    const known = isCaching ? keys.get(text) : undefined
    if (known !== undefined) {
      hits++
      return known
    }
    const key = toKey(parseCellValue(text))
    if (!isCaching) return key
    if (keys.size >= MAX_CACHED_KEYS) {
      isCaching = hits >= MAX_CACHED_KEYS
      hits = 0
      keys.clear()
    }
    if (isCaching) keys.set(text, key)
    return key
  }
}
