/** Three-way differences between a copy and its source; reads only cells written since each record was copied. */
import { getOrInsert } from '../columns/maps.ts'
import type { SheetRules } from '../fields/rules.ts'
import { valueColumn } from '../format/column-names.ts'
import { type Coordinate, compareCoordinates, formatRecordId } from '../format/ids.ts'
import { stateAt } from '../log/log.ts'
import type { Store } from '../log/store.ts'
import { findDifferences } from '../read/changed-records.ts'
import { computeErrorCounts, readCellTexts } from '../segments/open.ts'
import { hasRecord, listLiveRows, type State, toCoordinate } from '../state/state.ts'
import { type CopiedPart, type Lineage, loadLineage } from './lineage.ts'

export interface CellVersions {
  base: string
  copy: string
  source: string | null
}

export interface Difference {
  /** `added`: created in the copy; `removed`: deleted from the source. */
  kind: 'changed' | 'added' | 'removed'
  id: string
  at: Coordinate
  source: Coordinate | undefined
  cells: ReadonlyMap<string, CellVersions>
}

export interface ComparedSheets {
  source: State
  sourceRules: SheetRules
  copy: State
  copyRules: SheetRules
}

const latestByStore = new WeakMap<Store, { cacheKey: string; differences: readonly Difference[] }>()
const MAX_CACHED_DIFFERENCES = 50_000

export async function findCopyDifferences(store: Store, sheets: ComparedSheets): Promise<readonly Difference[]> {
  const { source, copy } = sheets
  const sharedFields = sheets.copyRules.fields.map(({ key }) => key).filter((key) => sheets.sourceRules.byKey.has(key))
  const cacheKey = JSON.stringify([source.sheetId, source.seq, copy.sheetId, copy.seq, sharedFields])
  const latest = latestByStore.get(store)
  if (latest?.cacheKey === cacheKey) return latest.differences
  const differences = await computeDifferences(store, sheets, sharedFields)
  if (differences.length <= MAX_CACHED_DIFFERENCES) latestByStore.set(store, { cacheKey, differences })
  else latestByStore.delete(store)
  return differences
}

async function computeDifferences(
  store: Store,
  sheets: ComparedSheets,
  sharedFields: readonly string[],
): Promise<Difference[]> {
  const copy = await computeErrorCounts(store, sheets.copy)
  const source = await computeErrorCounts(store, sheets.source)
  const lineage = await loadLineage(store, copy.sheetId, copy.seq)
  const edits = await findCopyEdits(store, copy, lineage.parts, new Set(sharedFields))
  const differences: Omit<Difference, 'id'>[] = await findEditedDifferences(store, source, lineage, edits)
  for (const segment of copy.segments)
    for (const row of listLiveRows(segment)) {
      const at = toCoordinate(segment, row)
      const origin = lineage.sourceOf(at)
      if (!origin) differences.push({ kind: 'added', at, source: undefined, cells: new Map() })
      else if (!hasRecord(source, origin)) {
        const cells = edits.get(at.key)?.get(at.row)?.cells ?? []
        const versions = [...cells].map(([field, { before, after }]): [string, CellVersions] => [
          field,
          { base: before, copy: after, source: null },
        ])
        differences.push({ kind: 'removed', at, source: origin, cells: new Map(versions) })
      }
    }
  return differences
    .sort((a, b) => compareCoordinates(a.at, b.at))
    .map((difference) => ({ ...difference, id: formatRecordId(copy.sheetId, difference.at) }))
}

interface EditedRow {
  at: Coordinate
  cells: ReadonlyMap<string, { before: string; after: string }>
}
type EditsBySegment = ReadonlyMap<string, ReadonlyMap<number, EditedRow>>

async function findCopyEdits(
  store: Store,
  copy: State,
  parts: readonly CopiedPart[],
  fields: ReadonlySet<string>,
): Promise<EditsBySegment> {
  const edits = new Map<string, Map<number, EditedRow>>()
  for (const { seq, copyGroups } of parts) {
    const before = await computeErrorCounts(store, await stateAt(store, copy.sheetId, seq + 1))
    const keys = new Set(copyGroups.map(({ key }) => key))
    for await (const rows of (await findDifferences(store, before, copy)).updated())
      for (const { at, cells } of rows) {
        if (!keys.has(at.key)) continue
        const sharedCells = new Map([...cells].filter(([field]) => fields.has(field)))
        if (sharedCells.size)
          getOrInsert(edits, at.key, () => new Map<number, EditedRow>()).set(at.row, { at, cells: sharedCells })
      }
  }
  return edits
}

const ROWS_PER_BATCH = 20_000

async function findEditedDifferences(
  store: Store,
  source: State,
  lineage: Lineage,
  edits: EditsBySegment,
): Promise<Omit<Difference, 'id'>[]> {
  const editedRows = [...edits.values()].flatMap((rows) => [...rows.values()])
  const differences: Omit<Difference, 'id'>[] = []
  for (let first = 0; first < editedRows.length; first += ROWS_PER_BATCH) {
    const batch = editedRows.slice(first, first + ROWS_PER_BATCH)
    const fields = [...new Set(batch.flatMap(({ cells }) => [...cells.keys()]))]
    const origins = batch.map(({ at }) => lineage.sourceOf(at)!)
    const texts = await readCellTexts(store, source, fields.map(valueColumn), origins)
    batch.forEach(({ at, cells }, i) => {
      const sourceTexts = texts[i]
      if (!sourceTexts || !hasRecord(source, origins[i]!)) return
      const versions = new Map<string, CellVersions>()
      for (const [field, { before, after }] of cells) {
        const sourceText = sourceTexts[fields.indexOf(field)]!
        if (sourceText !== after) versions.set(field, { base: before, copy: after, source: sourceText })
      }
      if (versions.size) differences.push({ kind: 'changed', at, source: origins[i], cells: versions })
    })
  }
  return differences
}
