/** Copies records into another sheet with the same fields and stores the lineage: which copy came from which record. */
import { message } from '../../../schemas/messages/index.ts'
import { conflict, tooLarge } from '../../core/errors.ts'
import { rulesOf } from '../fields/rules.ts'
import type { Coordinate } from '../format/ids.ts'
import { processStore, type Store } from '../log/store.ts'
import { listSelectedRows, type Selected, selectRows } from '../read/select.ts'
import { openView } from '../read/view.ts'
import type { Selection, SheetRef, WriteContext } from '../sheet.ts'
import { countRows, hasRecord, type Segment, type State, toCoordinate } from '../state/state.ts'
import { createIngest } from '../write/ingest.ts'
import { type Comparison, commitWrites, startWrite } from '../write/write.ts'
import type { RecordsWritten } from '../write/write-result.ts'
import { type CopiedBatch, readBatches } from './copied-rows.ts'
import { buildCopySource, type Lineage, loadLineage } from './lineage.ts'

/** Maximum runs of consecutive rows one copy may be made of: their names must fit into one table item. */
const MAX_ROW_RANGES = 20_000

export interface CopyOptions {
  maxAdditions: number
  /** Runs before anything is written, so that referenced records can be copied first. */
  beforeWrite?: (batches: () => AsyncIterable<CopiedBatch>) => Promise<void>
}

/**
 * Commits the selected records the copy does not have yet; undefined if there are none.
 * @throws ApiError conflict after too many additions or a concurrent one, too-large when the rows are too scattered
 */
export async function copyRecords(
  source: SheetRef,
  selection: Selection,
  copy: SheetRef,
  ctx: WriteContext,
  options: CopyOptions,
  store: Store = processStore,
): Promise<RecordsWritten | undefined> {
  const [{ state, rules }, start] = await Promise.all([openView(store, source), startWrite(store, copy, ctx)])
  if ('earlier' in start) return start.earlier
  const lineage = await loadLineage(store, copy.sheetId, start.state.seq)
  const newRows: Selected[] = []
  for await (const selected of selectRows(store, state, rules, selection)) {
    const { segment } = selected
    const rows = listSelectedRows(selected).filter((row) => !isCopied(start.state, lineage, toCoordinate(segment, row)))
    if (rows.length) newRows.push({ segment, rows })
  }
  if (!newRows.length) return undefined
  if (lineage.parts.length >= options.maxAdditions)
    throw conflict(message('clips.tooManyAdditions', { count: options.maxAdditions }))
  const copied = buildCopySource(state.seq, newRows)
  if (copied.rows.length > MAX_ROW_RANGES)
    throw tooLarge(message('clips.tooManyRanges', { count: copied.rows.length, limit: MAX_ROW_RANGES }))
  await options.beforeWrite?.(() => readBatches(store, rules, newRows))
  const ingestion = createIngest(store, rulesOf(copy), store.sheetRows, countRows(start.state))
  for await (const batch of readBatches(store, rules, newRows)) await ingestion.add(batch)
  return commitWrites(
    store,
    copy,
    start.state,
    { ...ctx, event: { ...ctx.event, copied } },
    { added: await ingestion.finish(), compare: ensureNotCopied(store, newRows) },
  )
}

/** A record that was deleted from the copy can be copied again. */
const isCopied = (copy: State, lineage: Lineage, source: Coordinate): boolean =>
  lineage.copiesOf(source).some((at) => hasRecord(copy, at))

/** A comparison that changes nothing but fails if a concurrent request has copied one of these rows. */
const ensureNotCopied =
  (store: Store, newRows: readonly Selected[]): Comparison =>
  async (state) => {
    const lineage = await loadLineage(store, state.sheetId, state.seq)
    const isAlreadyCopied = (segment: Segment) => (row: number) => isCopied(state, lineage, toCoordinate(segment, row))
    if (newRows.some((selected) => listSelectedRows(selected).some(isAlreadyCopied(selected.segment))))
      throw conflict(message('clips.copiedConcurrently'))
    return { changes: [], missing: [], exact: true }
  }
