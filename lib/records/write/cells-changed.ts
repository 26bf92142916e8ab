/** Which cells an entry of the log changed, read from the versions before and after it: a million are streamed. */
import { getOrMake } from '../bytes/maps.ts'
import { textsAt } from '../log/history.ts'
import { type Coordinate, recordIdOf } from '../log/ids.ts'
import { stateAt } from '../log/log.ts'
import { chunkOf, isEdited, placeOf, type Segment, type State } from '../log/state.ts'
import type { Store } from '../log/store.ts'
import type { SheetRules } from '../rules/rules.ts'
import type { CellChange } from '../sheet.ts'

/** Rows compared at a time. */
const COMPARED_ROWS = 10_000

/**
 * Changed cells of these records by the entry under `seq`, in the order of the sheet before it, some records at a time, each
 * whole: events made of them have the same ids in every process, so they must tell the same.
 */
export function changesOf(
  store: Store,
  rules: SheetRules,
  seq: number,
  updated: readonly Coordinate[],
): AsyncIterable<CellChange[]> {
  return { [Symbol.asyncIterator]: () => cellsChanged(store, rules, seq, updated) }
}

async function* cellsChanged(
  store: Store,
  rules: SheetRules,
  seq: number,
  updated: readonly Coordinate[],
): AsyncGenerator<CellChange[]> {
  if (updated.length === 0) return
  const [before, after] = [await stateAt(store, rules.sheetId, seq), await stateAt(store, rules.sheetId, seq + 1)]
  const sorted = inOrder(before, updated)
  for (let from = 0; from < sorted.length; from += COMPARED_ROWS) {
    const some = sorted.slice(from, from + COMPARED_ROWS)
    const fields = rules.fields.filter(mayDiffer(before, after, some))
    const columns = fields.map(({ column }) => column)
    const was = await textsAt(store, before, columns, some)
    const is = await textsAt(store, after, columns, some)
    const changed: CellChange[] = []
    for (const [i, at] of some.entries())
      for (const [field, { key: fieldKey }] of fields.entries()) {
        const previous = was[i]?.[field] ?? 'null'
        const next = is[i]?.[field] ?? 'null'
        if (previous === next) continue
        const recordId = recordIdOf(rules.sheetId, at)
        changed.push({ recordId, fieldKey, previousValue: JSON.parse(previous), newValue: JSON.parse(next) })
      }
    yield changed
  }
}

/** Tells columns of which these records have other cells in the second state; one whose chunks are the same is not read. */
function mayDiffer(
  before: State,
  after: State,
  records: readonly Coordinate[],
): (field: { column: string }) => boolean {
  const pairs: { was: Segment | undefined; is: Segment | undefined }[] = []
  for (const at of records) {
    const was = placeOf(before, at)?.segment
    const is = placeOf(after, at)?.segment
    const last = pairs.at(-1)
    if (last?.was !== was || last?.is !== is) pairs.push({ was, is })
  }
  return ({ column }) => pairs.some(({ was, is }) => !was || !is || !hasSameCells(was, is, column))
}

function hasSameCells(was: Segment, is: Segment, column: string): boolean {
  if (was === is) return true
  const [one, other] = [chunkOf(was, column), chunkOf(is, column)]
  return (
    was.key === is.key &&
    one?.blob.id === other?.blob.id &&
    one?.index === other?.index &&
    was.inline?.get(column) === is.inline?.get(column) &&
    !isEdited(was, column) &&
    !isEdited(is, column)
  )
}

/** Records by their place in the sheet; what is not there comes last. */
function inOrder(state: State, records: readonly Coordinate[]): Coordinate[] {
  const bySegment = new Map<number, { row: number; at: Coordinate }[]>()
  for (const at of records) {
    const place = placeOf(state, at)
    const position = place ? state.positions.get(place.segment.key)! : Number.POSITIVE_INFINITY
    getOrMake(bySegment, position, (): { row: number; at: Coordinate }[] => []).push({ row: place?.row ?? at.row, at })
  }
  return [...bySegment]
    .sort(([a], [b]) => a - b)
    .flatMap(([, rows]) => rows.sort((a, b) => a.row - b.row).map(({ at }) => at))
}
