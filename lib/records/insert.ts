/** Inserting records: from a call's body, or streamed from a file or another sheet. */
import { tooLarge } from '../core/errors.ts'
import { recordIdOf } from './ids.ts'
import { hashesByRule, planAdd, type ReadySegment, storeRuns, storeSegment } from './ingest.ts'
import { append } from './log.ts'
import { addedIds, type WriteResult, writeResult } from './results.ts'
import { hookMessages, rulesOf, type SheetRules } from './rules.ts'
import { type BuiltSegment, cellsLength, type RowExtras, segmentWriter } from './segment.ts'
import type { Message, RecordInput, SheetRef, WriteContext } from './sheet.ts'
import type { State } from './state.ts'
import { processStore, type Store } from './store.ts'
import { validated } from './validate.ts'

/** Records of one call at most. */
export const INSERT_LIMIT = 10_000

export interface InsertResult extends WriteResult {
  created: number
  /** Ids in order; made on demand (a million ids are not held). */
  ids: Iterable<string>
  /** Keys of values the sheet has no field for. */
  ignoredFields: string[]
}

/** Columns of cells by field key, all of one length; a field without a column is empty. */
export interface ColumnBatch {
  length: number
  columns: ReadonlyMap<string, readonly unknown[]>
}
export interface RowBatch {
  keys: readonly string[]
  rows: readonly (readonly unknown[])[]
}

/**
 * Adds up to 10,000 records as one commit. Bad values are kept and reported as messages, not refused.
 * @throws ApiError too-large above the limit
 */
export async function insert(
  sheet: SheetRef,
  rows: readonly RecordInput[],
  ctx: WriteContext,
  store: Store = processStore,
): Promise<InsertResult> {
  if (rows.length > INSERT_LIMIT) throw tooLarge(`At most ${INSERT_LIMIT} records can be inserted in one call.`)
  const { columns, extras, ignored } = columnsOf(rulesOf(sheet), rows)
  async function* once(): AsyncGenerator<ColumnBatch & { extras: RowExtras[] }> {
    yield { length: rows.length, columns, extras }
  }
  const result = await importRows(sheet, once(), ctx, store)
  return { ...result, ignoredFields: [...ignored] }
}

function columnsOf(
  rules: SheetRules,
  rows: readonly RecordInput[],
): { columns: Map<string, unknown[]>; extras: RowExtras[]; ignored: Set<string> } {
  const columns = new Map(rules.fields.map(({ key }) => [key, new Array<unknown>(rows.length).fill(null)]))
  const ignored = new Set<string>()
  const extras = rows.map(({ values, metadata, config }, i): RowExtras => {
    let messages: Map<string, Message[]> | undefined
    for (const [key, cell] of Object.entries(values)) {
      const column = columns.get(key)
      if (!column) ignored.add(key)
      else {
        column[i] = cell?.value
        if (cell?.messages?.length) {
          messages ??= new Map()
          messages.set(key, hookMessages(key, cell.messages))
        }
      }
    }
    return { metadata, config, messages }
  })
  return { columns, extras, ignored }
}

/**
 * Adds any number of records as one commit: segments are stored as they fill, and all rows become visible with the one
 * entry at the end. Repeating an import with the same `op` adds nothing.
 */
export async function importRows(
  sheet: SheetRef,
  batches: AsyncIterable<(ColumnBatch | RowBatch) & { extras?: readonly RowExtras[] }>,
  ctx: WriteContext,
  store: Store = processStore,
): Promise<InsertResult> {
  const rules = rulesOf(sheet)
  const state = await validated(store, sheet)
  const earlier = state.ops.get(ctx.op)
  if (earlier !== undefined) return repeated(store, state, ctx, earlier)
  const { stored, hashed, ignored } = await storeAll(store, rules, batches)
  const ignoredFields = [...ignored]
  if (!stored.length) {
    const nothing = await writeResult(store, state, ctx, undefined, false)
    return { ...nothing, created: 0, ids: [], ignoredFields }
  }
  const hashes = hashesByRule(rules, hashed)
  const [runs, ...segments] = await Promise.all([
    stored.length > 1 ? storeRuns(store, rules, hashes) : undefined,
    ...stored,
  ])
  const appended = await append(store, state, ctx, (now) => planAdd(store, now, rules, segments, hashes, runs))
  const { seq } = appended!
  const result = await writeResult(store, state, ctx, appended, true)
  const rows = segments.map((segment) => segment.rows)
  return {
    ...result,
    created: sum(rows),
    ids: { [Symbol.iterator]: () => newIds(sheet.sheetId, seq, rows) },
    ignoredFields,
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

function* newIds(sheetId: string, seq: number, rows: readonly number[]): Generator<string> {
  for (let i = 0; i < rows.length; i++)
    for (let row = 0; row < rows[i]!; row++) yield recordIdOf(sheetId, { key: `${seq}.${i}`, row })
}

async function repeated(store: Store, state: State, ctx: WriteContext, seq: number): Promise<InsertResult> {
  const ids = [...addedIds(state, seq)]
  const result = await writeResult(store, state, ctx, { seq, state, page: undefined }, true)
  return { ...result, created: ids.length, ids, ignoredFields: [] }
}

/** Segments being packed and stored at a time: the file is parsed on meanwhile, memory stays bounded. */
const STORING = 4

/** Segments on their way to the store; their hashes are at hand at once. */
async function storeAll(
  store: Store,
  rules: SheetRules,
  batches: AsyncIterable<(ColumnBatch | RowBatch) & { extras?: readonly RowExtras[] }>,
): Promise<{ stored: Promise<ReadySegment>[]; hashed: Pick<BuiltSegment, 'rows' | 'hashes'>[]; ignored: Set<string> }> {
  const writer = segmentWriter(rules, store.segmentRows)
  const ignored = new Set<string>()
  const stored: Promise<ReadySegment>[] = []
  const hashed: Pick<BuiltSegment, 'rows' | 'hashes'>[] = []
  const put = async (built: BuiltSegment, alone: boolean): Promise<void> => {
    const ready = storeSegment(store, rules, built, alone)
    // A failure is met when the segment is awaited, not as an unhandled rejection before.
    ready.catch(() => {})
    stored.push(ready)
    hashed.push({ rows: built.rows, hashes: built.hashes })
    if (stored.length > STORING) await stored[stored.length - 1 - STORING]
  }
  for await (const batch of batches) {
    const length = cellsLength(batch)
    for (const key of 'columns' in batch ? batch.columns.keys() : batch.keys)
      if (!rules.byKey.has(key)) ignored.add(key)
    for (let from = 0; from < length; ) {
      if (writer.rows === store.segmentRows) await put(writer.take(), false)
      const to = Math.min(length, from + store.segmentRows - writer.rows)
      writer.add(batch, from, to, batch.extras)
      from = to
    }
  }
  if (writer.rows) await put(writer.take(), stored.length === 0)
  return { stored, hashed, ignored }
}
