/** Helpers to encode log entries: dictionaries, and rows grouped by segment. */
import { encodeRows, type StoredRows } from '../columns/bits.ts'
import { getOrInsert } from '../columns/maps.ts'
import type { SheetRules } from '../fields/rules.ts'
import type { BlobForm, FieldCountsForm } from '../format/entries.ts'
import type { Coordinate } from '../format/ids.ts'
import { createDictionary, type Dictionary } from '../format/message-chunk.ts'
import type { Message } from '../sheet.ts'
import type { BlobRef } from '../state/state.ts'

export interface BodyDictionaries {
  keys: Dictionary<string>
  messages: Dictionary<Message>
  slots: Dictionary<string>
  layouts: Dictionary<readonly string[]>
}

export const createDictionaries = (): BodyDictionaries => ({
  keys: createDictionary(),
  messages: createDictionary(),
  slots: createDictionary(),
  layouts: createDictionary(),
})

/** Call it last, when all dictionaries are filled. */
export function encodeCommon(rules: SheetRules, dictionaries: BodyDictionaries) {
  const { keys, messages, slots, layouts } = dictionaries
  return {
    sig: rules.signature,
    ...(layouts.entries.length ? { layouts: layouts.entries.map((list) => [...list]) } : {}),
    ...(keys.entries.length ? { keys: keys.entries } : {}),
    ...(messages.entries.length ? { messages: messages.entries } : {}),
    ...(slots.entries.length ? { slots: slots.entries } : {}),
  }
}

export const encodeBlob = ({ layouts }: BodyDictionaries, blob: BlobRef): BlobForm => [
  blob.id,
  blob.tier,
  layouts.indexOf(blob.names),
  [...blob.lengths],
]

export const encodeFieldCounts = ({ keys }: BodyDictionaries, counts: ReadonlyMap<string, number>): FieldCountsForm =>
  [...counts].flatMap(([key, count]) => (count ? [keys.indexOf(key), count] : []))

export type RowsBySegment = Map<string, number[]>

export const addRow = (rows: RowsBySegment, { key, row }: Coordinate): void => {
  getOrInsert(rows, key, (): number[] => []).push(row)
}

const sortAscending = (rows: number[]): number[] => rows.sort((a, b) => a - b)

export function groupRowsBySegment(coordinates: Iterable<Coordinate>): RowsBySegment {
  const groups: RowsBySegment = new Map()
  for (const at of coordinates) addRow(groups, at)
  for (const rows of groups.values()) sortAscending(rows)
  return groups
}

export function encodeFlags(
  rule: string,
  flagged: RowsBySegment,
  cleared: RowsBySegment,
): [string, string, StoredRows, StoredRows][] {
  return [...new Set([...flagged.keys(), ...cleared.keys()])].map((key) => [
    rule,
    key,
    encodeRows(sortAscending(flagged.get(key) ?? [])),
    encodeRows(sortAscending(cleared.get(key) ?? [])),
  ])
}
