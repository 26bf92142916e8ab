/** Maps copied records to their source records; stored with the log entry that adds the rows. */

import { decompressJson } from '../../core/compressed-json.ts'
import { memoize } from '../../core/memo.ts'
import { getContexts, readPagesFrom } from '../../table/record-log.ts'
import { decodeRows, encodeRows, type StoredRows } from '../columns/bits.ts'
import { getOrInsert } from '../columns/maps.ts'
import { type AddBody, ENTRIES_PER_PAGE } from '../format/entries.ts'
import type { Coordinate } from '../format/ids.ts'
import { loadEntries } from '../log/log.ts'
import { listEffectiveEntries, type PageEntry } from '../log/page-entries.ts'
import type { Store } from '../log/store.ts'
import { listSelectedRows, type Selected } from '../read/select.ts'
import { toCoordinate } from '../state/state.ts'

/** Stored with an entry that adds rows: their source rows, in the same order. */
export interface CopySource {
  seq: number
  rows: [key: string, rows: StoredRows][]
}

export function buildCopySource(seq: number, selected: readonly Selected[]): CopySource {
  const groups: { key: string; rows: number[] }[] = []
  for (const selection of selected)
    for (const row of listSelectedRows(selection)) {
      const at = toCoordinate(selection.segment, row)
      const last = groups.at(-1)
      if (last?.key === at.key && at.row > last.rows.at(-1)!) last.rows.push(at.row)
      else groups.push({ key: at.key, rows: [at.row] })
    }
  return { seq, rows: groups.map(({ key, rows }) => [key, encodeRows(rows)]) }
}

interface RowGroup {
  key: string
  rows: readonly number[]
  offset: number
}

export interface CopiedPart {
  seq: number
  sourceSeq: number
  /** The n-th row of one belongs to the n-th row of the other. */
  copyGroups: readonly RowGroup[]
  sourceGroups: readonly RowGroup[]
}

export interface Lineage {
  parts: readonly CopiedPart[]
  sourceOf(at: Coordinate): Coordinate | undefined
  copiesOf(source: Coordinate): Coordinate[]
}

interface CachedLineage {
  seq: number
  parts: CopiedPart[]
}
/** A log never changes, so a cached lineage stays valid and only newer entries are read. */
const MAX_CACHED_LINEAGES = 4
const getCachedLineages = memoize<Store, Map<string, CachedLineage>>(() => new Map())

export async function loadLineage(store: Store, sheetId: string, seq: number): Promise<Lineage> {
  const cache = getCachedLineages(store)
  const cached = cache.get(sheetId) ?? { seq: 0, parts: [] }
  const parts =
    cached.seq >= seq ? cached.parts : [...cached.parts, ...(await readCopiedParts(store, sheetId, cached.seq, seq))]
  cache.delete(sheetId)
  cache.set(sheetId, { seq: Math.max(seq, cached.seq), parts })
  if (cache.size > MAX_CACHED_LINEAGES) cache.delete(cache.keys().next().value!)
  return createLineage(parts)
}

const PAGES_PER_BATCH = 64

async function readCopiedParts(store: Store, sheetId: string, from: number, to: number): Promise<CopiedPart[]> {
  const parts: CopiedPart[] = []
  const last = Math.floor((to - 1) / ENTRIES_PER_PAGE)
  for (let page = Math.floor(from / ENTRIES_PER_PAGE); page <= last; page += PAGES_PER_BATCH) {
    const pages = await readPagesFrom(sheetId, page, Math.min(last, page + PAGES_PER_BATCH - 1))
    const adds = pages
      .flatMap(listEffectiveEntries)
      .filter(({ seq, entry }) => seq >= from && seq < to && entry.k === 'a')
    parts.push(...(await loadCopiedParts(store, sheetId, adds)))
  }
  return parts
}

async function loadCopiedParts(store: Store, sheetId: string, adds: readonly PageEntry[]): Promise<CopiedPart[]> {
  const getContextId = ({ entry }: PageEntry): string => (typeof entry.e === 'string' ? entry.e : '')
  const contexts = await getContexts(sheetId, adds.map(getContextId).filter(Boolean))
  const getCopySource = (pageEntry: PageEntry): CopySource | undefined => {
    const bytes = contexts.get(getContextId(pageEntry))
    const event = bytes ? decompressJson(bytes) : pageEntry.entry.e
    return (event as { copied?: CopySource } | undefined)?.copied
  }
  const copies = adds.flatMap((pageEntry) => {
    const copied = getCopySource(pageEntry)
    return copied ? [{ one: pageEntry, copied }] : []
  })
  const loaded = await loadEntries(
    store,
    sheetId,
    copies.map(({ one: pageEntry }) => pageEntry),
  )
  return loaded.map(({ seq, body }, i) => ({
    seq,
    sourceSeq: copies[i]!.copied.seq,
    copyGroups: buildGroups(
      (body as AddBody).a.map(({ n }, part) => [`${seq}.${part}`, Array.from({ length: n }, (_, row) => row)]),
    ),
    sourceGroups: buildGroups(copies[i]!.copied.rows.map(([key, rows]) => [key, decodeRows(rows)])),
  }))
}

function buildGroups(groups: readonly [key: string, rows: number[]][]): RowGroup[] {
  let offset = 0
  return groups.map(([key, rows]) => {
    const group = { key, rows, offset }
    offset += rows.length
    return group
  })
}

function createLineage(parts: readonly CopiedPart[]): Lineage {
  const copyIndex = groupByKey(parts.flatMap((part) => part.copyGroups.map((group) => ({ group, part }))))
  const sourceIndex = groupByKey(parts.flatMap((part) => part.sourceGroups.map((group) => ({ group, part }))))
  return {
    parts,
    sourceOf({ key, row }) {
      for (const { group, part } of copyIndex.get(key) ?? []) {
        const index = findRowIndex(group.rows, row)
        if (index >= 0) return findNthRow(part.sourceGroups, group.offset + index)
      }
      return undefined
    },
    copiesOf: ({ key, row }) =>
      (sourceIndex.get(key) ?? []).flatMap(({ group, part }) => {
        const index = findRowIndex(group.rows, row)
        return (index >= 0 && findNthRow(part.copyGroups, group.offset + index)) || []
      }),
  }
}

function groupByKey<T extends { group: RowGroup }>(groups: readonly T[]): Map<string, T[]> {
  const groupsByKey = new Map<string, T[]>()
  for (const item of groups) getOrInsert(groupsByKey, item.group.key, (): T[] => []).push(item)
  return groupsByKey
}

function findRowIndex(rows: readonly number[], row: number): number {
  const index = lowerBound(rows.length, (i) => rows[i]! >= row)
  return rows[index] === row ? index : -1
}

function findNthRow(groups: readonly RowGroup[], index: number): Coordinate | undefined {
  const group = groups[lowerBound(groups.length, (i) => groups[i]!.offset > index) - 1]
  const row = group?.rows[index - group.offset]
  return row === undefined ? undefined : { key: group!.key, row }
}

function lowerBound(length: number, matches: (at: number) => boolean): number {
  let [low, high] = [0, length]
  while (low < high) {
    const mid = (low + high) >>> 1
    if (matches(mid)) high = mid
    else low = mid + 1
  }
  return low
}
