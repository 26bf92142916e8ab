/**
 * Rows of a sheet by the hash of what they are looked up by: one sorted list a segment, 12 bytes a value. A list is made
 * when first asked for and lives as long as the chunk or segment it is made of: after an edit only the lists of changed
 * segments are made anew, from chunks that are hashed already.
 */
import { parseColumn } from '../bytes/columns.ts'
import { type Hashes, hashBytesInto, hashInto, sortHashes } from '../bytes/hash.ts'
import { getOrMake } from '../bytes/maps.ts'
import { chunkOf, isLive, type Segment } from '../log/state.ts'
import type { Store } from '../log/store.ts'
import { cellsAt, type OpenSegment, openAll } from '../read/reader.ts'
import { noHashes } from './unique.ts'

/** What rows are looked up by. */
export interface LookupKey {
  /** Equal for keys that make the same texts of the same columns. */
  id: string
  columns: readonly string[]
  /**
   * A row's texts, from the values of its columns in their order; of an empty first value there are none. With one column,
   * a text, number or boolean has itself as its only text.
   */
  texts: (values: readonly unknown[]) => readonly string[]
}

const bySegment = new WeakMap<Segment, Map<string, Hashes>>()
const byChunk = new WeakMap<object, Map<string, Hashes>>()

/** Hashes of live rows as they are now (`at` is the row), sorted; in the order of the segments. */
export async function hashLists(store: Store, segments: readonly Segment[], key: LookupKey): Promise<Hashes[]> {
  const unknown = segments.filter((segment) => !knownList(segment, key))
  for await (const open of openAll(store, unknown, key.columns))
    remember(open.segment, key, currentList(open, key, chunkList(open, key)))
  return segments.map((segment) => knownList(segment, key)!)
}

function remember(segment: Segment, key: LookupKey, list: Hashes): Hashes {
  const lists = bySegment.get(segment) ?? new Map<string, Hashes>()
  bySegment.set(segment, lists.set(key.id, list))
  return list
}

/** The list when no chunk needs to be read for it. */
function knownList(segment: Segment, key: LookupKey): Hashes | undefined {
  const known = bySegment.get(segment)?.get(key.id)
  if (known) return known
  const { source, name } = chunksOf(segment, key)
  const ofChunks = source ? byChunk.get(source)?.get(name) : noHashes
  if (!ofChunks || editedRows(segment, key).length) return undefined
  return remember(segment, key, currentList({ segment, raw: new Map() }, key, ofChunks))
}

/** What stands for the texts of a segment's chunks: where the first column is, and a name that tells the others. */
function chunksOf(segment: Segment, key: LookupKey): { source: object | undefined; name: string } {
  const [source, ...others] = key.columns.map(
    (column) => chunkOf(segment, column)?.blob ?? (segment.inline?.has(column) ? segment.inline : undefined),
  )
  const names = others.map((other) => (other ? ('id' in other ? other.id : 'inline') : ''))
  return { source, name: [key.id, ...names].join(' ') }
}

function chunkList(open: OpenSegment, key: LookupKey): Hashes {
  const { source, name } = chunksOf(open.segment, key)
  if (!source) return noHashes
  const lists = byChunk.get(source) ?? new Map<string, Hashes>()
  byChunk.set(source, lists)
  return getOrMake(lists, name, () => sortHashes(hashChunks(open, key)))
}

function hashChunks({ segment, raw }: OpenSegment, key: LookupKey): Hashes {
  if (key.columns.length === 1) return hashColumn(raw.get(key.columns[0]!), segment.rows, key)
  const columns = key.columns.map((column) => {
    const chunk = raw.get(column)
    return chunk && parseColumn(chunk)
  })
  const list = newList(segment.rows)
  const values: unknown[] = []
  for (let row = 0; row < segment.rows; row++) {
    for (let i = 0; i < columns.length; i++) values[i] = columns[i]?.[row] ?? null
    for (const text of key.texts(values)) addTo(list, text, row)
  }
  return taken(list)
}

const NEWLINE = 10
const QUOTE = 34
const COMMA = 44
const OPEN = 91
const NULL_START = 110
const OBJECT_OPEN = 123

/** Hashes a column's cells as they stand: only lists and texts with escapes or beyond ASCII become values first. */
function hashColumn(raw: Buffer | undefined, rows: number, key: LookupKey): Hashes {
  const list = newList(raw ? rows : 0)
  for (let row = 0, at = 0; raw && at < raw.length; row++) {
    const first = raw[at]!
    let end = -1
    if (first === NULL_START) end = at + 4
    else if (first !== OPEN && first !== OBJECT_OPEN) {
      reserve(list)
      const isText = first === QUOTE
      const stop = hashBytesInto(raw, isText ? at + 1 : at, isText ? QUOTE : COMMA, list.hi, list.lo, list.length)
      if (stop >= 0) {
        list.at[list.length++] = row
        end = isText ? stop + 1 : stop
      }
    }
    if (end < 0) {
      const newline = raw.indexOf(NEWLINE, at)
      end = newline < 0 ? raw.length : newline - 1
      for (const text of key.texts([JSON.parse(raw.toString('utf8', at, end))])) addTo(list, text, row)
    }
    // A comma and a newline stand between cells.
    at = end + 2
  }
  return taken(list)
}

interface GrowingList extends Hashes {
  length: number
}

const newList = (capacity: number): GrowingList => ({
  hi: new Uint32Array(capacity),
  lo: new Uint32Array(capacity),
  at: new Uint32Array(capacity),
  length: 0,
})

function reserve(list: GrowingList): void {
  if (list.length < list.hi.length) return
  const grown = newList(list.length * 2 + 16)
  for (const part of ['hi', 'lo', 'at'] as const) {
    grown[part].set(list[part])
    list[part] = grown[part]
  }
}

function addTo(list: GrowingList, text: string, row: number): void {
  reserve(list)
  hashInto(text, list.hi, list.lo, list.length)
  list.at[list.length++] = row
}

const taken = ({ hi, lo, at, length }: GrowingList): Hashes => ({
  hi: hi.slice(0, length),
  lo: lo.slice(0, length),
  at: at.slice(0, length),
})

/** By the chunks' list: the list last made of it, and of what. */
const lastMade = new WeakMap<Hashes, { deleted: Segment['deleted']; edits: string; list: Hashes }>()

/** The chunks' list without rows deleted since, and with edited rows as they are. The same list while these are the same. */
function currentList(open: OpenSegment, key: LookupKey, ofChunks: Hashes): Hashes {
  const { deleted, edits } = open.segment
  const edited = editedRows(open.segment, key)
  if (!edited.length && !deleted) return ofChunks
  const texts = JSON.stringify(
    edited.map((row) => [row, key.columns.map((column) => edits.get(row)!.values.get(column))]),
  )
  const last = lastMade.get(ofChunks)
  if (ofChunks !== noHashes && last?.deleted === deleted && last.edits === texts) return last.list
  const list = editedList(open, key, ofChunks, edited)
  lastMade.set(ofChunks, { deleted, edits: texts, list })
  return list
}

function editedList(open: OpenSegment, key: LookupKey, ofChunks: Hashes, edited: readonly number[]): Hashes {
  const { segment } = open
  const isEdited = new Set(edited)
  const kept = newList(ofChunks.hi.length + edited.length)
  for (let i = 0; i < ofChunks.hi.length; i++) {
    const row = ofChunks.at[i]!
    if (!isLive(segment, row) || isEdited.has(row)) continue
    kept.hi[kept.length] = ofChunks.hi[i]!
    kept.lo[kept.length] = ofChunks.lo[i]!
    kept.at[kept.length++] = row
  }
  const cells = key.columns.map((column) => cellsAt(open, column, edited))
  for (const [i, row] of edited.entries())
    if (isLive(segment, row))
      for (const text of key.texts(cells.map((column) => JSON.parse(column[i]!)))) addTo(kept, text, row)
  return edited.length ? sortHashes(taken(kept)) : taken(kept)
}

/** Ascending. */
function editedRows(segment: Segment, key: LookupKey): number[] {
  const rows: number[] = []
  for (const [row, { values }] of segment.edits) if (key.columns.some((column) => values.has(column))) rows.push(row)
  return rows.sort((a, b) => a - b)
}
