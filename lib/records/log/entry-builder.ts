/** Helpers to encode log entries: dictionaries, rows grouped by segment, error hints. */
import { encodeRows, type StoredRows } from '../bytes/bits.ts'
import { getOrInsert } from '../bytes/maps.ts'
import { openSegments, readBaseMessages } from '../read/reader.ts'
import { createDictionary, type Dictionary, findErrorSlots } from '../rules/message-chunk.ts'
import type { SheetRules } from '../rules/rules.ts'
import type { Message } from '../sheet.ts'
import { MESSAGES } from '../write/segment.ts'
import type { BlobForm, FieldCountsForm, HintForm } from './entries.ts'
import type { Coordinate } from './ids.ts'
import { type BlobRef, findRow, type Segment, type State } from './state.ts'
import type { Store } from './store.ts'

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

/** Chunk error slots of newly edited rows, so that readers keep exact error counts without reading chunks. */
export async function encodeErrorHints(
  store: Store,
  state: State,
  dictionaries: BodyDictionaries,
  coordinates: Iterable<Coordinate>,
): Promise<HintForm[]> {
  const unhinted = new Map<Segment, Map<number, Coordinate>>()
  for (const at of coordinates) {
    const rowRef = findRow(state, at)
    if (!rowRef || rowRef.segment.edits.get(rowRef.row)?.base) continue
    getOrInsert(unhinted, rowRef.segment, () => new Map<number, Coordinate>()).set(rowRef.row, at)
  }
  if (!unhinted.size) return []
  const opened = await openSegments(store, [...unhinted.keys()], [MESSAGES])
  return opened.flatMap((open) => {
    const base = readBaseMessages(open)
    return [...groupRowsBySegment(unhinted.get(open.segment)!.values())].map(([key, rows]): HintForm => {
      const slots = rows.map((row) =>
        findErrorSlots(base.get(findRow(state, { key, row })!.row)).map((slot) => dictionaries.slots.indexOf(slot)),
      )
      return [key, rows, slots]
    })
  })
}
