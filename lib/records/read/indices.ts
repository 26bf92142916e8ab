import { formatRecordId } from '../format/ids.ts'
import { processStore, type Store } from '../log/store.ts'
import type { ListQuery, Selection, SheetRef } from '../sheet.ts'
import { isLive, type RowRef, type Segment, toCoordinate } from '../state/state.ts'
import { narrowView } from './divided.ts'
import { countSelected, findRowsByIds, listSelectedRows, selectRows, validateField } from './select.ts'
import { selectShared } from './select-shared.ts'
import { rankRecords } from './sort-shared.ts'
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
  const rowsByIndex = query.sort
    ? await rankRequested({ store, sheet, selection: query }, view, query.sort, requested)
    : await locateRecords(store, sheet, view, query, requested)
  const indexById = new Map<string, number>()
  for (const [index, { segment, row }] of rowsByIndex)
    indexById.set(formatRecordId(sheet.sheetId, toCoordinate(segment, row)), index)
  return [...new Set(ids)].flatMap((id) => {
    const index = indexById.get(id)
    return index === undefined ? [] : [{ id, index }]
  })
}

async function rankRequested(
  context: { store: Store; sheet: SheetRef; selection: Selection },
  view: View,
  sort: NonNullable<ListQuery['sort']>,
  requested: ReadonlyMap<Segment, ReadonlySet<number>>,
): Promise<Map<number, RowRef>> {
  validateField(view.rules, sort.field, 'sortField')
  const { state, rules } = narrowView(view, [...requested.keys()])
  const rows: RowRef[] = []
  for await (const selected of selectRows(context.store, state, rules, context.selection))
    for (const row of listSelectedRows(selected))
      if (requested.get(selected.segment)!.has(row)) rows.push({ segment: selected.segment, row })
  const ranks = rows.length ? await rankRecords(context, view, sort, rows) : []
  return new Map(rows.map((at, i) => [ranks[i]!, at]))
}

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
