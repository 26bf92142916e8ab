/** Stores the changes of many records as lists of their parts: for one field, a fifth of the text. */
import { type IdRange, type PackedIds, packIds, unpackIds } from './id-ranges.ts'

interface Change {
  recordId: string
  fieldKey: string
  previousValue: unknown
  newValue: unknown
}

export interface PackedChanges {
  /** The records, and how many changes each has; one number if all have as many. */
  runs: IdRange[]
  counts: number | number[]
  keys: string[]
  /** The position in `keys` for each change; empty if there is one key. */
  fields: number[]
  previous: unknown[]
  next: unknown[]
}

const CHANGE_KEYS = new Set(['recordId', 'fieldKey', 'previousValue', 'newValue'])

/** JSON leaves out undefined values, and clients may add others. */
function isChange(value: unknown): value is Change {
  if (typeof value !== 'object' || value === null) return false
  let known = 0
  for (const key in value) {
    if (!CHANGE_KEYS.has(key)) return false
    known++
  }
  const { recordId, fieldKey, previousValue, newValue } = value as Partial<Change>
  const areTexts = typeof recordId === 'string' && typeof fieldKey === 'string'
  return known === CHANGE_KEYS.size && areTexts && previousValue !== undefined && newValue !== undefined
}

export function packChanges(
  changes: readonly unknown[],
  recordIds: readonly string[],
  packedIds: PackedIds,
): PackedChanges | undefined {
  const ids: string[] = []
  const counts: number[] = []
  const positions = new Map<string, number>()
  const packed = { fields: [] as number[], previous: [] as unknown[], next: [] as unknown[] }
  for (const change of changes) {
    if (!isChange(change)) return undefined
    const { recordId, fieldKey, previousValue, newValue } = change
    if (ids.at(-1) === recordId) counts[counts.length - 1]!++
    else {
      ids.push(recordId)
      counts.push(1)
    }
    const position = positions.get(fieldKey) ?? positions.size
    positions.set(fieldKey, position)
    packed.fields.push(position)
    packed.previous.push(previousValue)
    packed.next.push(newValue)
  }
  const areSame = ids.length === recordIds.length && ids.every((id, at) => id === recordIds[at])
  return {
    ...(areSame ? packedIds : packIds(ids)),
    ...packed,
    ...packCounts(counts, [...positions.keys()], packed.fields),
  }
}

export const packCounts = (counts: number[], keys: string[], fields: number[]) => ({
  counts: counts.every((count) => count === counts[0]) ? (counts[0] ?? 1) : counts,
  keys,
  fields: keys.length > 1 ? fields : [],
})

export function unpackChanges({ runs, counts, keys, fields, previous, next }: PackedChanges): Change[] {
  const changes: Change[] = []
  for (const [at, recordId] of unpackIds({ runs }).entries())
    for (let left = typeof counts === 'number' ? counts : counts[at]!; left > 0; left--) {
      const index = changes.length
      const fieldKey = keys[fields[index] ?? 0]!
      changes.push({ recordId, fieldKey, previousValue: previous[index], newValue: next[index] })
    }
  return changes
}
