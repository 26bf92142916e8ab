/** Merges the changes of a copy into its source as one atomic commit. */
import { message } from '../../../schemas/messages/index.ts'
import { conflict } from '../../core/errors.ts'
import { lazy } from '../../core/lazy.ts'
import { getOrInsert } from '../columns/maps.ts'
import { loadValidatedState } from '../constraints/validated-state.ts'
import { rulesOf, type SheetRules } from '../fields/rules.ts'
import { type Coordinate, formatRecordId } from '../format/ids.ts'
import { processStore, type Store } from '../log/store.ts'
import type { Selected } from '../read/select.ts'
import type { RecordUpdate, SheetRef, WriteContext } from '../sheet.ts'
import { countRows, findRow, type Segment, type State } from '../state/state.ts'
import { compareUpdates } from '../write/compare-segments.ts'
import { type AddedRows, createIngest } from '../write/ingest.ts'
import { type Comparison, commitWrites, startWrite } from '../write/write.ts'
import type { RecordsWritten } from '../write/write-result.ts'
import { readBatches } from './copied-rows.ts'
import { type Difference, findCopyDifferences } from './differences.ts'

export interface MergeDecision {
  cells?: ReadonlyMap<string, string>
  add?: boolean
}

const loadUnread = lazy(() => import('../../values/unread.ts'))

/** Called with all differences. If it throws, nothing is written. */
export type DecideMerge = (differences: readonly Difference[]) => (MergeDecision | undefined)[]

/** Decides again if the source changed before the commit. Repeating the same `op` returns the first result. */
export async function mergeCopy(
  sheets: { source: SheetRef; copy: SheetRef },
  decide: DecideMerge,
  ctx: WriteContext,
  store: Store = processStore,
): Promise<RecordsWritten> {
  const { source, copy } = sheets
  const [start, copyState] = await Promise.all([startWrite(store, source, ctx), loadValidatedState(store, copy)])
  if ('earlier' in start) return start.earlier
  const sourceRules = rulesOf(source)
  const copyRules = rulesOf(copy)
  const planMerge = async (state: State) => {
    const differences = await findCopyDifferences(store, { source: state, sourceRules, copy: copyState, copyRules })
    const decisions = decide(differences)
    const updates: RecordUpdate[] = []
    for (const [i, { source: at }] of differences.entries()) {
      const cells = decisions[i]?.cells
      if (at && cells?.size)
        updates.push({ id: formatRecordId(source.sheetId, at), values: await toUpdateValues(cells, sourceRules) })
    }
    return { updates, added: differences.filter((_, i) => decisions[i]?.add).map(({ at }) => at) }
  }
  const initialPlan = await planMerge(start.state)
  const added = await ingestCopyRows(store, { source, copy, copyState }, initialPlan.added, countRows(start.state))
  const compare: Comparison = async (state, removed) => {
    const currentPlan = state === start.state ? initialPlan : await planMerge(state)
    if (JSON.stringify(currentPlan.added) !== JSON.stringify(initialPlan.added))
      throw conflict(message('clips.deletedConcurrently'))
    const options = { rewrite: true, keepChanges: 'all' as const }
    return {
      ...(await compareUpdates(store, state, sourceRules, currentPlan.updates, removed, options, new Map())),
      exact: true,
    }
  }
  return commitWrites(store, source, start.state, ctx, { added, compare })
}

async function toUpdateValues(
  cells: ReadonlyMap<string, string>,
  { byKey }: SheetRules,
): Promise<RecordUpdate['values']> {
  const { keepUnread } = await loadUnread()
  const values: { [field: string]: { value: unknown } } = {}
  for (const [key, text] of cells) {
    const value = keepUnread({ key, type: byKey.get(key)?.type }, JSON.parse(text))
    Object.defineProperty(values, key, { value: { value }, enumerable: true })
  }
  return values
}

async function ingestCopyRows(
  store: Store,
  { source, copy, copyState }: { source: SheetRef; copy: SheetRef; copyState: State },
  records: readonly Coordinate[],
  live: number,
): Promise<AddedRows | undefined> {
  if (!records.length) return undefined
  const bySegment = new Map<Segment, number[]>()
  for (const at of records) {
    const rowRef = findRow(copyState, at)!
    getOrInsert(bySegment, rowRef.segment, (): number[] => []).push(rowRef.row)
  }
  const selected = [...bySegment].map(
    ([segment, rows]): Selected => ({ segment, rows: rows.toSorted((a, b) => a - b) }),
  )
  const ingestion = createIngest(store, rulesOf(source), store.sheetRows, live)
  for await (const batch of readBatches(store, rulesOf(copy), selected)) await ingestion.add(batch)
  return ingestion.finish()
}
