/** Reads the cells that an entry changed from the versions before and after it, streamed for large changes. */

import { NULL } from '../columns/columns.ts'
import { getOrInsert } from '../columns/maps.ts'
import type { SheetRules } from '../fields/rules.ts'
import type { Coordinate } from '../format/ids.ts'
import { stateAt } from '../log/log.ts'
import type { Store } from '../log/store.ts'
import { type ChangeBatch, createChangeWriter } from '../segments/change-batch.ts'
import { readCellTexts } from '../segments/open.ts'
import { findChunk, findRow, isEdited, type Segment, type State } from '../state/state.ts'

const ROWS_PER_BATCH = 10_000

/** Order and batches must be the same in every process, because event ids derive from them. */
export function readCellChanges(
  store: Store,
  rules: SheetRules,
  seq: number,
  updated: readonly Coordinate[],
): AsyncIterable<ChangeBatch> {
  return { [Symbol.asyncIterator]: () => streamCellChanges(store, rules, seq, updated) }
}

async function* streamCellChanges(
  store: Store,
  rules: SheetRules,
  seq: number,
  updated: readonly Coordinate[],
): AsyncGenerator<ChangeBatch> {
  if (updated.length === 0) return
  const [before, after] = [await stateAt(store, rules.sheetId, seq), await stateAt(store, rules.sheetId, seq + 1)]
  const sorted = sortInSheetOrder(before, updated)
  for (let from = 0; from < sorted.length; from += ROWS_PER_BATCH) {
    const batch = sorted.slice(from, from + ROWS_PER_BATCH)
    const fields = rules.fields.filter(createColumnFilter(before, after, batch))
    const columns = fields.map(({ column }) => column)
    const textsBefore = await readCellTexts(store, before, columns, batch)
    const textsAfter = await readCellTexts(store, after, columns, batch)
    const changes = createChangeWriter(
      rules.sheetId,
      fields.map(({ key }) => key),
    )
    for (const [i, at] of batch.entries()) {
      changes.startRecord(at)
      for (const field of fields.keys()) {
        const previous = textsBefore[i]?.[field] ?? NULL
        const next = textsAfter[i]?.[field] ?? NULL
        if (previous !== next) changes.addTexts(field, previous, next)
      }
    }
    yield changes.batch
  }
}

function createColumnFilter(
  before: State,
  after: State,
  records: readonly Coordinate[],
): (field: { column: string }) => boolean {
  const pairs: { segmentBefore: Segment | undefined; segmentAfter: Segment | undefined }[] = []
  for (const at of records) {
    const segmentBefore = findRow(before, at)?.segment
    const segmentAfter = findRow(after, at)?.segment
    const last = pairs.at(-1)
    if (last?.segmentBefore !== segmentBefore || last?.segmentAfter !== segmentAfter)
      pairs.push({ segmentBefore, segmentAfter })
  }
  return ({ column }) =>
    pairs.some(
      ({ segmentBefore, segmentAfter }) =>
        !segmentBefore || !segmentAfter || !hasSameCells(segmentBefore, segmentAfter, column),
    )
}

function hasSameCells(before: Segment, after: Segment, column: string): boolean {
  if (before === after) return true
  const [chunkBefore, chunkAfter] = [findChunk(before, column), findChunk(after, column)]
  return (
    before.key === after.key &&
    chunkBefore?.blob.id === chunkAfter?.blob.id &&
    chunkBefore?.index === chunkAfter?.index &&
    before.inline?.get(column) === after.inline?.get(column) &&
    !isEdited(before, column) &&
    !isEdited(after, column)
  )
}

function sortInSheetOrder(state: State, records: readonly Coordinate[]): Coordinate[] {
  const bySegment = new Map<number, { row: number; at: Coordinate }[]>()
  for (const at of records) {
    const rowRef = findRow(state, at)
    const position = rowRef ? state.positions.get(rowRef.segment.key)! : Number.POSITIVE_INFINITY
    getOrInsert(bySegment, position, (): { row: number; at: Coordinate }[] => []).push({
      row: rowRef?.row ?? at.row,
      at,
    })
  }
  return [...bySegment]
    .sort(([a], [b]) => a - b)
    .flatMap(([, rows]) => rows.sort((a, b) => a.row - b.row).map(({ at }) => at))
}
