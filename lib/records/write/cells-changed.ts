/** Which cells an entry of the log changed, read from the versions before and after it: a million are streamed. */
import { getOrMake } from '../bytes/maps.ts'
import { textsAt } from '../log/history.ts'
import { type Coordinate, recordIdOf } from '../log/ids.ts'
import { stateAt } from '../log/log.ts'
import { placeOf, type State } from '../log/state.ts'
import type { Store } from '../log/store.ts'
import type { SheetRules } from '../rules/rules.ts'
import type { CellChange } from '../sheet.ts'

/** Rows compared at a time. */
const COMPARED_ROWS = 10_000

/**
 * Changed cells of these records by the entry under `seq`, in the order of the sheet before it: events made of them have the
 * same ids in every process, so they must tell the same.
 */
export function changesOf(
  store: Store,
  rules: SheetRules,
  seq: number,
  updated: readonly Coordinate[],
): AsyncIterable<CellChange> {
  return { [Symbol.asyncIterator]: () => cellsChanged(store, rules, seq, updated) }
}

async function* cellsChanged(
  store: Store,
  rules: SheetRules,
  seq: number,
  updated: readonly Coordinate[],
): AsyncGenerator<CellChange> {
  if (updated.length === 0) return
  const [before, after] = [await stateAt(store, rules.sheetId, seq), await stateAt(store, rules.sheetId, seq + 1)]
  const columns = rules.fields.map(({ column }) => column)
  const sorted = inOrder(before, updated)
  for (let from = 0; from < sorted.length; from += COMPARED_ROWS) {
    const some = sorted.slice(from, from + COMPARED_ROWS)
    const was = await textsAt(store, before, columns, some)
    const is = await textsAt(store, after, columns, some)
    for (const [i, at] of some.entries())
      for (const [field, { key: fieldKey }] of rules.fields.entries()) {
        const previous = was[i]?.[field] ?? 'null'
        const next = is[i]?.[field] ?? 'null'
        if (previous === next) continue
        const recordId = recordIdOf(rules.sheetId, at)
        yield { recordId, fieldKey, previousValue: JSON.parse(previous), newValue: JSON.parse(next) }
      }
  }
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
