/** Sort keys of records, as functions that share a sort send them to each other. */
import type { Store } from '../log/store.ts'
import { parseCellValue } from '../segments/cells.ts'
import { readCellTexts } from '../segments/open.ts'
import type { ListQuery } from '../sheet.ts'
import { type RowRef, toCoordinate } from '../state/state.ts'
import { compareSortKeys, type SortKey, toSortKey } from './sort.ts'
import type { View } from './view.ts'

export type Sort = NonNullable<ListQuery['sort']>

/** A record in the order. Equal keys keep the order of the sheet. */
export interface Bound {
  key: SentKey
  part: number
  segment: number
  row: number
}

/** JSON has no infinite numbers, so keys are texts. */
export type SentKey = string | null

const MAX_KEY_LENGTH = 200

export function sendKey(key: SortKey, maxLength = MAX_KEY_LENGTH): SentKey {
  if (key === null) return null
  return typeof key === 'number' ? `n${key}` : `t${key.slice(0, maxLength)}`
}

export function receiveKey(key: SentKey): SortKey {
  if (key === null) return null
  return key.startsWith('n') ? Number(key.slice(1)) : key.slice(1)
}

export const isCut = (key: SentKey): boolean => key?.startsWith('t') === true && key.length > MAX_KEY_LENGTH

export async function readKeys(
  store: Store,
  { state, rules }: View,
  sort: Sort,
  rows: readonly RowRef[],
): Promise<SortKey[]> {
  const { column, type } = rules.byKey.get(sort.field)!
  const coordinates = rows.map(({ segment, row }) => toCoordinate(segment, row))
  const texts = await readCellTexts(store, state, [column], coordinates)
  return texts.map((cells) => toSortKey(type, parseCellValue(cells![0]!)))
}

export const compareRows = (a: Omit<Bound, 'key'>, b: Omit<Bound, 'key'>): number =>
  a.part - b.part || a.segment - b.segment || a.row - b.row

export interface Received extends Bound {
  value: SortKey
}

export const compareReceived =
  (direction: Sort['direction']) =>
  (a: Received, b: Received): number =>
    compareSortKeys(a.value, b.value, direction) || compareRows(a, b)
