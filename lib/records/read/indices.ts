import { formatRecordId } from '../format/ids.ts'
import { processStore, type Store } from '../log/store.ts'
import type { ListQuery, Selection, SheetRef } from '../sheet.ts'
import { isLive, type Segment, toCoordinate } from '../state/state.ts'
import { getOrder, type Order } from './order.ts'
import { countSelected, findRowsByIds } from './select.ts'
import { selectShared } from './select-shared.ts'
import { openView, type View } from './view.ts'

export interface RecordIndex {
  id: string
  index: number
}

/** Results in the order of `ids`; records that the query does not select are left out. */
export async function findIndices(
  sheet: SheetRef,
  ids: readonly string[],
  query: Selection & Pick<ListQuery, 'sort'> = {},
  store: Store = processStore,
): Promise<RecordIndex[]> {
  const view = await openView(store, sheet, query.asOf)
  const requested = findRowsByIds(view.state, ids)
  const rowsByPosition = await locateRecords(store, sheet, view, query, requested)
  const ranksByPosition = query.sort
    ? findRanks(await getOrder(store, view, query, query.sort), new Set(rowsByPosition.keys()))
    : undefined
  const indexById = new Map<string, number>()
  for (const [position, { segment, row }] of rowsByPosition)
    indexById.set(formatRecordId(sheet.sheetId, toCoordinate(segment, row)), ranksByPosition?.get(position) ?? position)
  return [...new Set(ids)].flatMap((id) => {
    const index = indexById.get(id)
    return index === undefined ? [] : [{ id, index }]
  })
}

type RowRef = { segment: Segment; row: number }

async function locateRecords(
  store: Store,
  sheet: SheetRef,
  view: View,
  query: Selection,
  requested: ReadonlyMap<Segment, ReadonlySet<number>>,
): Promise<Map<number, RowRef>> {
  const rowsByPosition = new Map<number, RowRef>()
  let firstPosition = 0
  for await (const selected of selectShared(store, sheet, view, query)) {
    const { segment, rows } = selected
    const requestedRows = requested.get(segment)
    if (requestedRows && rows)
      rows.forEach((row, i) => {
        if (requestedRows.has(row)) rowsByPosition.set(firstPosition + i, { segment, row })
      })
    else if (requestedRows)
      for (const row of requestedRows)
        rowsByPosition.set(firstPosition + countLiveBefore(segment, row), { segment, row })
    firstPosition += countSelected(selected)
  }
  return rowsByPosition
}

function countLiveBefore(segment: Segment, row: number): number {
  if (!segment.deleted) return row
  let count = 0
  for (let earlierRow = 0; earlierRow < row; earlierRow++) if (isLive(segment, earlierRow)) count++
  return count
}

function findRanks({ positions }: Order, requested: ReadonlySet<number>): Map<number, number> {
  const ranksByPosition = new Map<number, number>()
  for (let rank = 0; rank < positions.length && ranksByPosition.size < requested.size; rank++)
    if (requested.has(positions[rank]!)) ranksByPosition.set(positions[rank]!, rank)
  return ranksByPosition
}
