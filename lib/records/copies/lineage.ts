/**
 * Which records of another sheet the records of a copy were made of. Kept with the log entry that added them, so that it is
 * there as soon as they are; read back from the log.
 */

import { unpackJson } from '../../core/packed.ts'
import { getContexts, pagesFrom } from '../../table/log.ts'
import { loadRows, type StoredRows, storeRows } from '../bytes/bits.ts'
import { getOrMake } from '../bytes/maps.ts'
import type { AddBody } from '../log/entries.ts'
import { PAGE_ENTRIES } from '../log/fold.ts'
import { countedOn, type PageEntry } from '../log/history.ts'
import type { Coordinate } from '../log/ids.ts'
import { loadEntries } from '../log/log.ts'
import { coordinateIn } from '../log/state.ts'
import type { Store } from '../log/store.ts'
import type { Selected } from '../read/select.ts'
import { selectedRows } from '../read/select.ts'

/** Stored beside an entry that adds rows: which rows of the source they are, in their order. */
export interface Copied {
  /** Entries of the source's log it was copied after. */
  seq: number
  rows: [key: string, rows: StoredRows][]
}

/** The rows of selected segments, named so that the names outlive merges. */
export function copiedRows(seq: number, selected: readonly Selected[]): Copied {
  const groups: { key: string; rows: number[] }[] = []
  for (const one of selected)
    for (const row of selectedRows(one)) {
      const at = coordinateIn(one.segment, row)
      const last = groups.at(-1)
      if (last?.key === at.key && at.row > last.rows.at(-1)!) last.rows.push(at.row)
      else groups.push({ key: at.key, rows: [at.row] })
    }
  return { seq, rows: groups.map(({ key, rows }) => [key, storeRows(rows)]) }
}

/** Rows that follow each other, and how many there are before them. */
interface Group {
  key: string
  rows: readonly number[]
  before: number
}

/** One addition to a copy. */
export interface CopiedPart {
  /** The entry of the copy's log that added it. */
  seq: number
  /** Of the source, when it was copied. */
  sourceSeq: number
  /** Rows as they were added, and the source's rows; the n-th of one is the n-th of the other. */
  own: readonly Group[]
  source: readonly Group[]
}

/** All additions to a copy. */
export interface Lineage {
  parts: readonly CopiedPart[]
  /** The row of the source one of the copy was made of; undefined for one that was not copied. */
  sourceOf(at: Coordinate): Coordinate | undefined
  /** The rows a row of the source was copied to: one, and those that were deleted in the copy since. */
  copiesOf(source: Coordinate): Coordinate[]
}

interface Known {
  /** Entries looked at. */
  seq: number
  parts: CopiedPart[]
}
/** Copies at hand. What was found in a log stays true: only what came since is read. */
const COPIES_KEPT = 4
const knownOf = new WeakMap<Store, Map<string, Known>>()

/** Of a copy whose log has `seq` entries. */
export async function lineageOf(store: Store, sheetId: string, seq: number): Promise<Lineage> {
  const known = knownOf.get(store) ?? new Map<string, Known>()
  knownOf.set(store, known)
  const found = known.get(sheetId) ?? { seq: 0, parts: [] }
  const parts = found.seq >= seq ? found.parts : [...found.parts, ...(await partsIn(store, sheetId, found.seq, seq))]
  known.delete(sheetId)
  known.set(sheetId, { seq: Math.max(seq, found.seq), parts })
  if (known.size > COPIES_KEPT) known.delete(known.keys().next().value!)
  return lineage(parts)
}

/** Pages of the log read at a time. */
const PAGES = 64

async function partsIn(store: Store, sheetId: string, from: number, to: number): Promise<CopiedPart[]> {
  const parts: CopiedPart[] = []
  const last = Math.floor((to - 1) / PAGE_ENTRIES)
  for (let page = Math.floor(from / PAGE_ENTRIES); page <= last; page += PAGES) {
    const pages = await pagesFrom(sheetId, page, Math.min(last, page + PAGES - 1))
    const adds = pages.flatMap(countedOn).filter(({ seq, entry }) => seq >= from && seq < to && entry.k === 'a')
    parts.push(...(await partsOf(store, sheetId, adds)))
  }
  return parts
}

async function partsOf(store: Store, sheetId: string, adds: readonly PageEntry[]): Promise<CopiedPart[]> {
  const idOf = ({ entry }: PageEntry): string => (typeof entry.e === 'string' ? entry.e : '')
  const contexts = await getContexts(sheetId, adds.map(idOf).filter(Boolean))
  const copiedOf = (one: PageEntry): Copied | undefined => {
    const bytes = contexts.get(idOf(one))
    const event = bytes ? unpackJson(bytes) : one.entry.e
    return (event as { copied?: Copied } | undefined)?.copied
  }
  const copies = adds.flatMap((one) => {
    const copied = copiedOf(one)
    return copied ? [{ one, copied }] : []
  })
  const loaded = await loadEntries(
    store,
    sheetId,
    copies.map(({ one }) => one),
  )
  return loaded.map(({ seq, body }, i) => ({
    seq,
    sourceSeq: copies[i]!.copied.seq,
    own: grouped(
      (body as AddBody).a.map(({ n }, part) => [`${seq}.${part}`, Array.from({ length: n }, (_, row) => row)]),
    ),
    source: grouped(copies[i]!.copied.rows.map(([key, rows]) => [key, loadRows(rows)])),
  }))
}

function grouped(groups: readonly [key: string, rows: number[]][]): Group[] {
  let before = 0
  return groups.map(([key, rows]) => {
    const group = { key, rows, before }
    before += rows.length
    return group
  })
}

function lineage(parts: readonly CopiedPart[]): Lineage {
  const own = byKey(parts.flatMap((part) => part.own.map((group) => ({ group, part }))))
  const source = byKey(parts.flatMap((part) => part.source.map((group) => ({ group, part }))))
  return {
    parts,
    sourceOf({ key, row }) {
      for (const { group, part } of own.get(key) ?? []) {
        const index = indexIn(group.rows, row)
        if (index >= 0) return nth(part.source, group.before + index)
      }
      return undefined
    },
    copiesOf: ({ key, row }) =>
      (source.get(key) ?? []).flatMap(({ group, part }) => {
        const index = indexIn(group.rows, row)
        return (index >= 0 && nth(part.own, group.before + index)) || []
      }),
  }
}

function byKey<T extends { group: Group }>(groups: readonly T[]): Map<string, T[]> {
  const found = new Map<string, T[]>()
  for (const one of groups) getOrMake(found, one.group.key, (): T[] => []).push(one)
  return found
}

/** Of an ascending list; -1 when it is not in it. */
function indexIn(rows: readonly number[], row: number): number {
  const index = lowerBound(rows.length, (i) => rows[i]! >= row)
  return rows[index] === row ? index : -1
}

function nth(groups: readonly Group[], index: number): Coordinate | undefined {
  const group = groups[lowerBound(groups.length, (i) => groups[i]!.before > index) - 1]
  const row = group?.rows[index - group.before]
  return row === undefined ? undefined : { key: group!.key, row }
}

/** The first of `length` places for which the test holds; it holds for all after it. */
function lowerBound(length: number, holds: (at: number) => boolean): number {
  let [low, high] = [0, length]
  while (low < high) {
    const mid = (low + high) >>> 1
    if (holds(mid)) high = mid
    else low = mid + 1
  }
  return low
}
