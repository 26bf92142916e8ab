/**
 * In what a copy of records and the records it was made of differ: three versions of each cell, as it was when it was copied,
 * as it is in the copy, and as it is in the source. Reads only cells that were written since.
 */
import { getOrMake } from '../bytes/maps.ts'
import { differencesBetween, isThere, textsAt } from '../log/history.ts'
import { type Coordinate, compareCoordinates, recordIdOf } from '../log/ids.ts'
import { stateAt } from '../log/log.ts'
import { coordinateIn, liveRows, type State } from '../log/state.ts'
import type { Store } from '../log/store.ts'
import { settle } from '../read/reader.ts'
import { type SheetRules, valueColumn } from '../rules/rules.ts'
import { type CopiedPart, type Lineage, lineageOf } from './lineage.ts'

/** The texts of a cell, as JSON. */
export interface CellVersions {
  /** When it was copied. */
  base: string
  copy: string
  /** Null when the record is not there any more. */
  source: string | null
}

/** A record of the copy that is not what the source has. */
export interface Difference {
  /** `changed`: cells differ that were changed in the copy; `added`: made in the copy; `removed`: gone from the source. */
  kind: 'changed' | 'added' | 'removed'
  /** Of the copy. */
  id: string
  at: Coordinate
  /** Its row in the source; none for an added one. */
  source: Coordinate | undefined
  /** Cells changed in the copy that differ from the source, by field. */
  cells: ReadonlyMap<string, CellVersions>
}

/** The two sheets, each with its rules; states are those to compare. */
export interface Compared {
  source: State
  sourceRules: SheetRules
  copy: State
  copyRules: SheetRules
}

/** The latest comparison at hand: who looks through differences decides on them and merges next. */
const latestOf = new WeakMap<Store, { of: string; found: readonly Difference[] }>()
/** Longer ones are not kept: they would take memory from what else is done. */
const KEPT_DIFFERENCES = 50_000

/** All differences, in the order of the copy. Of two states that were just compared they are not looked for again. */
export async function differencesOf(store: Store, compared: Compared): Promise<readonly Difference[]> {
  const { source, copy } = compared
  const shared = compared.copyRules.fields.map(({ key }) => key).filter((key) => compared.sourceRules.byKey.has(key))
  const of = JSON.stringify([source.sheetId, source.seq, copy.sheetId, copy.seq, shared])
  const latest = latestOf.get(store)
  if (latest?.of === of) return latest.found
  const found = await compare(store, compared, shared)
  if (found.length <= KEPT_DIFFERENCES) latestOf.set(store, { of, found })
  else latestOf.delete(store)
  return found
}

async function compare(store: Store, compared: Compared, shared: readonly string[]): Promise<Difference[]> {
  const copy = await settle(store, compared.copy)
  const source = await settle(store, compared.source)
  const lineage = await lineageOf(store, copy.sheetId, copy.seq)
  const edited = await editsIn(store, copy, lineage.parts, new Set(shared))
  const found: Omit<Difference, 'id'>[] = await changed(store, source, lineage, edited)
  for (const segment of copy.segments)
    for (const row of liveRows(segment)) {
      const at = coordinateIn(segment, row)
      const origin = lineage.sourceOf(at)
      if (!origin) found.push({ kind: 'added', at, source: undefined, cells: new Map() })
      else if (!isThere(source, origin)) {
        const cells = edited.get(at.key)?.get(at.row)?.cells ?? []
        const versions = [...cells].map(([field, { before, after }]): [string, CellVersions] => [
          field,
          { base: before, copy: after, source: null },
        ])
        found.push({ kind: 'removed', at, source: origin, cells: new Map(versions) })
      }
    }
  return found
    .sort((a, b) => compareCoordinates(a.at, b.at))
    .map((one) => ({ ...one, id: recordIdOf(copy.sheetId, one.at) }))
}

interface Edited {
  at: Coordinate
  cells: ReadonlyMap<string, { before: string; after: string }>
}
/** By segment and row. */
type Edits = ReadonlyMap<string, ReadonlyMap<number, Edited>>

/** What was changed in the copy since each addition to it. */
async function editsIn(
  store: Store,
  copy: State,
  parts: readonly CopiedPart[],
  fields: ReadonlySet<string>,
): Promise<Edits> {
  const found = new Map<string, Map<number, Edited>>()
  for (const { seq, own } of parts) {
    const before = await settle(store, await stateAt(store, copy.sheetId, seq + 1))
    const keys = new Set(own.map(({ key }) => key))
    for await (const rows of (await differencesBetween(store, before, copy)).updated())
      for (const { at, cells } of rows) {
        if (!keys.has(at.key)) continue
        const known = new Map([...cells].filter(([field]) => fields.has(field)))
        if (known.size) getOrMake(found, at.key, () => new Map<number, Edited>()).set(at.row, { at, cells: known })
      }
  }
  return found
}

/** Records compared at a time. */
const COMPARED_ROWS = 20_000

async function changed(store: Store, source: State, lineage: Lineage, edits: Edits): Promise<Omit<Difference, 'id'>[]> {
  const all = [...edits.values()].flatMap((rows) => [...rows.values()])
  const found: Omit<Difference, 'id'>[] = []
  for (let first = 0; first < all.length; first += COMPARED_ROWS) {
    const some = all.slice(first, first + COMPARED_ROWS)
    const fields = [...new Set(some.flatMap(({ cells }) => [...cells.keys()]))]
    const origins = some.map(({ at }) => lineage.sourceOf(at)!)
    const texts = await textsAt(store, source, fields.map(valueColumn), origins)
    some.forEach(({ at, cells }, i) => {
      const own = texts[i]
      if (!own || !isThere(source, origins[i]!)) return
      const versions = new Map<string, CellVersions>()
      for (const [field, { before, after }] of cells) {
        const now = own[fields.indexOf(field)]!
        if (now !== after) versions.set(field, { base: before, copy: after, source: now })
      }
      if (versions.size) found.push({ kind: 'changed', at, source: origins[i], cells: versions })
    })
  }
  return found
}
