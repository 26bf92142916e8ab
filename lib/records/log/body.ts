/** What the bodies of log entries have in common: dictionaries, rows grouped by segment, error hints. */
import { type StoredRows, storeRows } from '../bytes/bits.ts'
import { getOrMake } from '../bytes/maps.ts'
import { baseMessages, openSegments } from '../read/reader.ts'
import { type Dictionary, dictionary, errorSlots } from '../rules/messages.ts'
import type { SheetRules } from '../rules/rules.ts'
import type { Message } from '../sheet.ts'
import { MESSAGES } from '../write/segment.ts'
import type { BlobForm, HintForm, Tally } from './entries.ts'
import type { Coordinate } from './ids.ts'
import { type BlobRef, placeOf, type Segment, type State } from './state.ts'
import type { Store } from './store.ts'

/** Things a body names by number. */
export interface Names {
  keys: Dictionary<string>
  messages: Dictionary<Message>
  slots: Dictionary<string>
  layouts: Dictionary<readonly string[]>
}

export const newNames = (): Names => ({
  keys: dictionary(),
  messages: dictionary(),
  slots: dictionary(),
  layouts: dictionary(),
})

/** The part every body carries; call it once all names are given. */
export function commonForm(rules: SheetRules, names: Names) {
  const { keys, messages, slots, layouts } = names
  return {
    sig: rules.signature,
    ...(layouts.entries.length ? { layouts: layouts.entries.map((list) => [...list]) } : {}),
    ...(keys.entries.length ? { keys: keys.entries } : {}),
    ...(messages.entries.length ? { messages: messages.entries } : {}),
    ...(slots.entries.length ? { slots: slots.entries } : {}),
  }
}

export const blobForm = ({ layouts }: Names, blob: BlobRef): BlobForm => [
  blob.id,
  blob.tier,
  layouts.indexOf(blob.names),
  [...blob.lengths],
]

export const tallyForm = ({ keys }: Names, counts: ReadonlyMap<string, number>): Tally =>
  [...counts].flatMap(([key, count]) => (count ? [keys.indexOf(key), count] : []))

/** Rows by the name of their segment. */
export type RowsByName = Map<string, number[]>

export const addRow = (rows: RowsByName, { key, row }: Coordinate): void => {
  getOrMake(rows, key, (): number[] => []).push(row)
}

const ascending = (rows: number[]): number[] => rows.sort((a, b) => a - b)

/** Rows by segment name, ascending. */
export function rowsBySegment(places: Iterable<Coordinate>): RowsByName {
  const groups: RowsByName = new Map()
  for (const at of places) addRow(groups, at)
  for (const rows of groups.values()) ascending(rows)
  return groups
}

/** `[segment, rows flagged, rows cleared]` of one rule. */
export function flagForms(
  rule: string,
  flagged: RowsByName,
  cleared: RowsByName,
): [string, string, StoredRows, StoredRows][] {
  return [...new Set([...flagged.keys(), ...cleared.keys()])].map((key) => [
    rule,
    key,
    storeRows(ascending(flagged.get(key) ?? [])),
    storeRows(ascending(cleared.get(key) ?? [])),
  ])
}

/**
 * Error slots of rows in their chunks, for rows no entry has counted by itself yet. With them a reader keeps exact counts
 * without reading a chunk.
 */
export async function hintForms(
  store: Store,
  state: State,
  names: Names,
  places: Iterable<Coordinate>,
): Promise<HintForm[]> {
  const wanted = new Map<Segment, Map<number, Coordinate>>()
  for (const at of places) {
    const place = placeOf(state, at)
    if (!place || place.segment.edits.get(place.row)?.base) continue
    getOrMake(wanted, place.segment, () => new Map<number, Coordinate>()).set(place.row, at)
  }
  if (!wanted.size) return []
  const opened = await openSegments(store, [...wanted.keys()], [MESSAGES])
  return opened.flatMap((open) => {
    const base = baseMessages(open)
    return [...rowsBySegment(wanted.get(open.segment)!.values())].map(([key, rows]): HintForm => {
      const slots = rows.map((row) =>
        errorSlots(base.get(placeOf(state, { key, row })!.row)).map((slot) => names.slots.indexOf(slot)),
      )
      return [key, rows, slots]
    })
  })
}
