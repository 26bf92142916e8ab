/** Reading the log itself: single entries, what each wrote, and which records a range of commits touched. */
import { pageAt, pagesFrom } from '../table/log.ts'
import { loadRows } from './bits.ts'
import type { Body, Entry, LoadedEntry } from './entries.ts'
import { parseEntry } from './entries.ts'
import { PAGE_ENTRIES } from './fold.ts'
import type { Coordinate } from './ids.ts'
import { loadEntries, stateAt } from './log.ts'
import { getOrMake } from './maps.ts'
import { coordinateIn, type State } from './state.ts'
import type { Store } from './store.ts'

const named = (seq: number, name: string): string => (name.startsWith('+') ? `${seq}.${name.slice(1)}` : name)

/** One entry without its body; undefined when the log is not that long. */
export async function entryAt(sheetId: string, seq: number): Promise<Entry | undefined> {
  const page = await pageAt(sheetId, Math.floor(seq / PAGE_ENTRIES))
  const text = page?.entries[seq % PAGE_ENTRIES]
  return text === undefined ? undefined : parseEntry(text)
}

/** Entries with seqs in [from, to) that count; repeated operations are left out. */
export async function entriesIn(store: Store, state: State, from: number, to = state.seq): Promise<LoadedEntry[]> {
  if (from >= to) return []
  const pages = await pagesFrom(state.sheetId, Math.floor(from / PAGE_ENTRIES), Math.floor((to - 1) / PAGE_ENTRIES))
  const texts = pages.flatMap(({ page, entries }) => entries.map((text, i) => ({ seq: page * PAGE_ENTRIES + i, text })))
  const loaded = await loadEntries(
    store,
    state.sheetId,
    texts.filter(({ seq }) => seq >= from && seq < to),
  )
  const repeated = (seq: number, op: string): boolean => {
    const counted = state.ops.get(op)
    return counted !== undefined && counted !== seq
  }
  return loaded.filter(({ seq, entry }) => !repeated(seq, entry.o))
}

/** Records an entry wrote, in record coordinates. */
export interface Touched {
  /** Whole segments added. */
  added: { key: string; rows: number }[]
  updated: Coordinate[]
  deleted: Coordinate[]
}

export async function touchedBy(store: Store, sheetId: string, { seq, body }: LoadedEntry): Promise<Touched> {
  const touched: Touched = { added: [], updated: [], deleted: [] }
  if ('a' in body) touched.added = body.a.map(({ n }, i) => ({ key: `${seq}.${i}`, rows: n }))
  if ('d' in body)
    for (const [name, rows] of body.d)
      for (const row of loadRows(rows)) touched.deleted.push({ key: named(seq, name), row })
  if ('p' in body && body.p) touched.updated = patchedIn(seq, body.p)
  if ('c' in body && body.c.some(({ w }) => w.length)) {
    const before = await stateAt(store, sheetId, seq)
    touched.updated = touched.updated.concat(body.c.flatMap(({ s, w }) => rewrittenIn(before, s, w)))
  }
  return touched
}

type PatchList = NonNullable<Extract<Body, { p: unknown }>['p']>

/** Rows whose values were patched; messages and metadata alone do not count. */
function patchedIn(seq: number, patches: PatchList): Coordinate[] {
  return patches.flatMap(([name, rows]) =>
    rows.filter(({ v }) => v?.length).map(({ r }) => ({ key: named(seq, name), row: r })),
  )
}

function rewrittenIn(before: State, key: string, changed: readonly (number | number[] | string)[]): Coordinate[] {
  const segment = before.segments[before.positions.get(key)!]!
  const rows = new Set<number>()
  for (let i = 1; i < changed.length; i += 2) for (const row of loadRows(changed[i] as number[] | string)) rows.add(row)
  return [...rows].sort((a, b) => a - b).map((row) => coordinateIn(segment, row))
}

/** A set of record coordinates: whole segments and single rows. */
export interface CoordinateSet {
  has(at: Coordinate): boolean
}

/** Records added or changed by the entries with seqs in [from, to). */
export async function changedIn(store: Store, state: State, from: number, to?: number): Promise<CoordinateSet> {
  const whole = new Set<string>()
  const rows = new Map<string, Set<number>>()
  for (const loaded of await entriesIn(store, state, from, to)) {
    if (loaded.entry.x) continue
    const touched = await touchedBy(store, state.sheetId, loaded)
    for (const { key } of touched.added) whole.add(key)
    for (const { key, row } of touched.updated) {
      getOrMake(rows, key, () => new Set<number>()).add(row)
    }
  }
  return { has: ({ key, row }) => whole.has(key) || (rows.get(key)?.has(row) ?? false) }
}
