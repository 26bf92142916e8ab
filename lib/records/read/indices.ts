/** Where records stand in the order of a query. */
import { recordIdOf } from '../log/ids.ts'
import { coordinateIn, isLive, type Segment } from '../log/state.ts'
import { processStore, type Store } from '../log/store.ts'
import { type View, viewOf } from '../log/view.ts'
import type { ListQuery, Selection, SheetRef } from '../sheet.ts'
import { type Order, orderOf } from './order.ts'
import { rowsOfIds, select, selectedCount } from './select.ts'

export interface RecordIndex {
  id: string
  /** From 0. */
  index: number
}

/** The records' places among those of the query, in the order given; ids that are not among them are left out. */
export async function indices(
  sheet: SheetRef,
  ids: readonly string[],
  query: Selection & Pick<ListQuery, 'sort'> = {},
  store: Store = processStore,
): Promise<RecordIndex[]> {
  const view = await viewOf(store, sheet, query.asOf)
  const wanted = rowsOfIds(view.state, ids)
  const places = await placesOf(store, view, query, wanted)
  const found = query.sort ? ranks(await orderOf(store, view, query, query.sort), new Set(places.keys())) : undefined
  const byId = new Map<string, number>()
  for (const [position, { segment, row }] of places)
    byId.set(recordIdOf(sheet.sheetId, coordinateIn(segment, row)), found?.get(position) ?? position)
  return [...new Set(ids)].flatMap((id) => {
    const index = byId.get(id)
    return index === undefined ? [] : [{ id, index }]
  })
}

type Place = { segment: Segment; row: number }

/** Wanted records by their position in the sheet's order. */
async function placesOf(
  store: Store,
  { state, rules }: View,
  query: Selection,
  wanted: ReadonlyMap<Segment, ReadonlySet<number>>,
): Promise<Map<number, Place>> {
  const places = new Map<number, Place>()
  let first = 0
  for await (const selected of select(store, state, rules, query)) {
    const { segment, rows } = selected
    const own = wanted.get(segment)
    if (own && rows)
      rows.forEach((row, i) => {
        if (own.has(row)) places.set(first + i, { segment, row })
      })
    else if (own) for (const row of own) places.set(first + liveBefore(segment, row), { segment, row })
    first += selectedCount(selected)
  }
  return places
}

function liveBefore(segment: Segment, row: number): number {
  if (!segment.deleted) return row
  let count = 0
  for (let one = 0; one < row; one++) if (isLive(segment, one)) count++
  return count
}

/** Where positions of the sheet's order stand in a sorted one. */
function ranks({ positions }: Order, wanted: ReadonlySet<number>): Map<number, number> {
  const found = new Map<number, number>()
  for (let rank = 0; rank < positions.length && found.size < wanted.size; rank++)
    if (wanted.has(positions[rank]!)) found.set(positions[rank]!, rank)
  return found
}
