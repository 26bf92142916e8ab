/** Copies records of one sheet into another that has its fields, and keeps which became which. */
import { conflict, tooLarge } from '../../core/errors.ts'
import { isThere } from '../log/history.ts'
import type { Coordinate } from '../log/ids.ts'
import { coordinateIn, type Segment, type State, totalRows } from '../log/state.ts'
import { processStore, type Store } from '../log/store.ts'
import { viewOf } from '../log/view.ts'
import { type Selected, select, selectedRows } from '../read/select.ts'
import { rulesOf } from '../rules/rules.ts'
import type { Selection, SheetRef, WriteContext } from '../sheet.ts'
import { batchesOf, type CopiedBatch } from '../write/copy.ts'
import { ingest } from '../write/ingest.ts'
import type { RecordsWritten } from '../write/outcome.ts'
import { begin, type Comparison, commitWrites } from '../write/write.ts'
import { copiedRows, type Lineage, lineageOf } from './lineage.ts'

/** Rows of different additions to the source that one copy may be made of: their names are one item of the table. */
const SCATTERED_ROWS = 20_000

export interface CopyOptions {
  /** Additions the copy may be made of. */
  additions: number
  /** Runs before anything is written, with the batches that will be: what the copy refers to can be brought first. */
  before?: (batches: () => AsyncIterable<CopiedBatch>) => Promise<void>
}

/**
 * Copies the selected records that are not in the copy yet, as one commit.
 * @returns undefined when there is nothing to copy
 * @throws ApiError conflict when there were too many additions or another one at the same time, too-large when the records are from too many different additions
 */
export async function copyInto(
  source: SheetRef,
  selection: Selection,
  copy: SheetRef,
  ctx: WriteContext,
  options: CopyOptions,
  store: Store = processStore,
): Promise<RecordsWritten | undefined> {
  const [{ state, rules }, begun] = await Promise.all([viewOf(store, source), begin(store, copy, ctx)])
  if ('earlier' in begun) return begun.earlier
  const lineage = await lineageOf(store, copy.sheetId, begun.state.seq)
  const chosen: Selected[] = []
  for await (const selected of select(store, state, rules, selection)) {
    const { segment } = selected
    const rows = selectedRows(selected).filter((row) => !isCopied(begun.state, lineage, coordinateIn(segment, row)))
    if (rows.length) chosen.push({ segment, rows })
  }
  if (!chosen.length) return undefined
  if (lineage.parts.length >= options.additions)
    throw conflict(`Records were added ${lineage.parts.length} times already, and that is as often as they may be.`)
  const copied = copiedRows(state.seq, chosen)
  if (copied.rows.length > SCATTERED_ROWS)
    throw tooLarge(
      `These records were added in ${copied.rows.length} pieces; at most ${SCATTERED_ROWS} are copied at once: copy fewer records.`,
    )
  await options.before?.(() => batchesOf(store, rules, chosen))
  const rows = ingest(store, rulesOf(copy), store.sheetRows, totalRows(begun.state))
  for await (const batch of batchesOf(store, rules, chosen)) await rows.add(batch)
  return commitWrites(
    store,
    copy,
    begun.state,
    { ...ctx, event: { ...ctx.event, copied } },
    { added: await rows.finish(), compare: onlyHere(store, chosen) },
  )
}

/** Does the copy have it now? One that was deleted there can be copied again. */
const isCopied = (copy: State, lineage: Lineage, source: Coordinate): boolean =>
  lineage.copiesOf(source).some((at) => isThere(copy, at))

/** Changes nothing, but has the rows added only to a copy that has none of them yet. */
const onlyHere =
  (store: Store, chosen: readonly Selected[]): Comparison =>
  async (state) => {
    const lineage = await lineageOf(store, state.sheetId, state.seq)
    const isIn = (segment: Segment) => (row: number) => isCopied(state, lineage, coordinateIn(segment, row))
    if (chosen.some((one) => selectedRows(one).some(isIn(one.segment))))
      throw conflict('Some of these records were copied by another request at the same time: repeat the request.')
    return { changes: [], missing: [], exact: true }
  }
