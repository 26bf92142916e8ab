/**
 * Indexes a sheet's rows by the hash of their lookup texts: one sorted list per segment, 12 bytes per value. Lists are
 * built lazily and cached with their chunk or segment, so an edit only rebuilds the lists of changed segments.
 */
import { memoize } from '../../core/memo.ts'
import { NULL_START, parseColumn } from '../columns/columns.ts'
import { type Hashes, hashBytesInto, noHashes, sortHashes } from '../columns/hash.ts'
import { addHash, createHashList, reserveHash, takeHashes } from '../columns/hash-list.ts'
import { getOrInsert } from '../columns/maps.ts'
import type { Store } from '../log/store.ts'
import { getCellTexts, type OpenSegment, openAll } from '../segments/open.ts'
import { findChunk, isLive, type Segment } from '../state/state.ts'

export interface LookupKey {
  /** Equal for keys that produce the same texts from the same columns. */
  id: string
  columns: readonly string[]
  /** With a single column, a scalar must be its own only text, because it is hashed from the raw bytes. */
  texts: (values: readonly unknown[]) => readonly string[]
}

const getSegmentLists = memoize<Segment, Map<string, Hashes>>(() => new Map())
const getChunkLists = memoize<object, Map<string, Hashes>>(() => new Map())

export async function loadHashLists(store: Store, segments: readonly Segment[], key: LookupKey): Promise<Hashes[]> {
  const uncached = segments.filter((segment) => !getCachedList(segment, key))
  for await (const open of openAll(store, uncached, key.columns))
    cacheList(open.segment, key, getCurrentList(open, key, getChunkHashes(open, key)))
  return segments.map((segment) => getCachedList(segment, key)!)
}

function cacheList(segment: Segment, key: LookupKey, list: Hashes): Hashes {
  getSegmentLists(segment).set(key.id, list)
  return list
}

function getCachedList(segment: Segment, key: LookupKey): Hashes | undefined {
  const cached = getSegmentLists(segment).get(key.id)
  if (cached) return cached
  const { source, name } = getChunkIdentity(segment, key)
  const chunkHashes = source ? getChunkLists(source).get(name) : noHashes
  if (!chunkHashes || findEditedRows(segment, key).length) return undefined
  return cacheList(segment, key, getCurrentList({ segment, raw: new Map() }, key, chunkHashes))
}

function getChunkIdentity(segment: Segment, key: LookupKey): { source: object | undefined; name: string } {
  const [source, ...otherChunks] = key.columns.map(
    (column) => findChunk(segment, column)?.blob ?? (segment.inline?.has(column) ? segment.inline : undefined),
  )
  const names = otherChunks.map((otherChunk) => (otherChunk ? ('id' in otherChunk ? otherChunk.id : 'inline') : ''))
  return { source, name: [key.id, ...names].join(' ') }
}

function getChunkHashes(open: OpenSegment, key: LookupKey): Hashes {
  const { source, name } = getChunkIdentity(open.segment, key)
  if (!source) return noHashes
  return getOrInsert(getChunkLists(source), name, () => sortHashes(hashChunks(open, key)))
}

function hashChunks({ segment, raw }: OpenSegment, key: LookupKey): Hashes {
  if (key.columns.length === 1) return hashColumn(raw.get(key.columns[0]!), segment.rows, key)
  const columns = key.columns.map((column) => {
    const chunk = raw.get(column)
    return chunk && parseColumn(chunk)
  })
  const list = createHashList(segment.rows)
  const values: unknown[] = []
  for (let row = 0; row < segment.rows; row++) {
    for (let i = 0; i < columns.length; i++) values[i] = columns[i]?.[row] ?? null
    for (const text of key.texts(values)) addHash(list, text, row)
  }
  return takeHashes(list)
}

const NEWLINE = 10
const QUOTE = 34
const COMMA = 44
const OPEN = 91
const OBJECT_OPEN = 123

function hashColumn(raw: Buffer | undefined, rows: number, key: LookupKey): Hashes {
  const list = createHashList(raw ? rows : 0)
  for (let row = 0, at = 0; raw && at < raw.length; row++) {
    const first = raw[at]!
    let end = -1
    if (first === NULL_START) end = at + 4
    else if (first !== OPEN && first !== OBJECT_OPEN) {
      reserveHash(list)
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
      for (const text of key.texts([JSON.parse(raw.toString('utf8', at, end))])) addHash(list, text, row)
    }
    // Cells are separated by a comma and a newline.
    at = end + 2
  }
  return takeHashes(list)
}

const latestByChunkHashes = new WeakMap<Hashes, { deleted: Segment['deleted']; edits: string; list: Hashes }>()

/** Returns the same object while neither edits nor deletions change. */
function getCurrentList(open: OpenSegment, key: LookupKey, chunkHashes: Hashes): Hashes {
  const { deleted, edits } = open.segment
  const editedRowNumbers = findEditedRows(open.segment, key)
  if (!editedRowNumbers.length && !deleted) return chunkHashes
  const texts = JSON.stringify(
    editedRowNumbers.map((row) => [row, key.columns.map((column) => edits.get(row)!.values.get(column))]),
  )
  const latest = latestByChunkHashes.get(chunkHashes)
  if (chunkHashes !== noHashes && latest?.deleted === deleted && latest.edits === texts) return latest.list
  const list = buildEditedList(open, key, chunkHashes, editedRowNumbers)
  latestByChunkHashes.set(chunkHashes, { deleted, edits: texts, list })
  return list
}

function buildEditedList(
  open: OpenSegment,
  key: LookupKey,
  chunkHashes: Hashes,
  editedRowNumbers: readonly number[],
): Hashes {
  const { segment } = open
  const editedSet = new Set(editedRowNumbers)
  const updated = createHashList(chunkHashes.hi.length + editedRowNumbers.length)
  for (let i = 0; i < chunkHashes.hi.length; i++) {
    const row = chunkHashes.at[i]!
    if (!isLive(segment, row) || editedSet.has(row)) continue
    updated.hi[updated.length] = chunkHashes.hi[i]!
    updated.lo[updated.length] = chunkHashes.lo[i]!
    updated.at[updated.length++] = row
  }
  const cells = key.columns.map((column) => getCellTexts(open, column, editedRowNumbers))
  for (const [i, row] of editedRowNumbers.entries())
    if (isLive(segment, row))
      for (const text of key.texts(cells.map((column) => JSON.parse(column[i]!)))) addHash(updated, text, row)
  return editedRowNumbers.length ? sortHashes(takeHashes(updated)) : takeHashes(updated)
}

function findEditedRows(segment: Segment, key: LookupKey): number[] {
  const rows: number[] = []
  for (const [row, { values }] of segment.edits) if (key.columns.some((column) => values.has(column))) rows.push(row)
  return rows.sort((a, b) => a - b)
}
