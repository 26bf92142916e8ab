/**
 * A page of sorted records, found by several functions if the sheet is large. First pages are merged from the first
 * records of each part. For later ones, samples of each part bound the page, and the records between are merged.
 */
import { memoize } from '../../core/memo.ts'
import type { Store } from '../log/store.ts'
import { parseCellValue } from '../segments/cells.ts'
import { readCellTexts } from '../segments/open.ts'
import type { ListQuery, Selection, SheetRef } from '../sheet.ts'
import { type RowRef, type State, toCoordinate } from '../state/state.ts'
import { type DividedRead, divideView, readParts } from './divided.ts'
import { buildCacheKey, getOrder, getRowAt, type Order } from './order.ts'
import { validateField } from './select.ts'
import { compareSortKeys, type SortKey, toSortKey } from './sort.ts'
import type { View } from './view.ts'

type Sort = NonNullable<ListQuery['sort']>

/** A record in the order. Equal keys keep the order of the sheet. */
interface Bound {
  key: SentKey
  part: number
  segment: number
  row: number
}

interface SortQuery {
  sort: Sort
  part: number
  from?: Bound | undefined
  to?: Bound | undefined
  limit?: number
  every: number
}

type SentRow = readonly [segment: number, row: number, key: SentKey]

interface SortedPart {
  total: number
  before: number
  rows: SentRow[]
}

/** JSON has no infinite numbers, so keys are texts. */
type SentKey = string | null

const MAX_KEY_LENGTH = 200

function sendKey(key: SortKey, maxLength = MAX_KEY_LENGTH): SentKey {
  if (key === null) return null
  return typeof key === 'number' ? `n${key}` : `t${key.slice(0, maxLength)}`
}

function receiveKey(key: SentKey): SortKey {
  if (key === null) return null
  return key.startsWith('n') ? Number(key.slice(1)) : key.slice(1)
}

const isCut = (key: SentKey): boolean => key?.startsWith('t') === true && key.length > MAX_KEY_LENGTH

async function readKeys(store: Store, { state, rules }: View, sort: Sort, rows: readonly RowRef[]): Promise<SortKey[]> {
  const { column, type } = rules.byKey.get(sort.field)!
  const coordinates = rows.map(({ segment, row }) => toCoordinate(segment, row))
  const texts = await readCellTexts(store, state, [column], coordinates)
  return texts.map((cells) => toSortKey(type, parseCellValue(cells![0]!)))
}

export const sortRead: DividedRead<SortQuery, SortedPart> = {
  name: 'sort',
  async read(store, view, selection, { sort, part, from, to, limit = Number.POSITIVE_INFINITY, every }) {
    const order = await getOrder(store, view, selection, sort)
    const total = order.positions.length
    const before = from ? await countBefore(store, view, { order, sort, part }, from) : 0
    const end = to ? await countBefore(store, view, { order, sort, part }, to) : total
    const rows: RowRef[] = []
    for (let at = before; at < end && rows.length < limit; at += every) rows.push(getRowAt(order, order.positions[at]!))
    const keys = await readKeys(store, view, sort, rows)
    const sent = rows.map((row, i): SentRow => [indexOf(view, row), row.row, sendKey(keys[i]!)])
    return { total, before, rows: sent }
  },
}

interface RankQuery {
  sort: Sort
  part: number
  bounds: readonly Bound[]
}

export const rankRead: DividedRead<RankQuery, number[]> = {
  name: 'rank',
  async read(store, view, selection, { sort, part, bounds }) {
    const order = await getOrder(store, view, selection, sort)
    const ranks: number[] = []
    for (const bound of bounds) ranks.push(await countBefore(store, view, { order, sort, part }, bound))
    return ranks
  },
}

const indexOf = ({ state }: View, { segment }: RowRef): number => state.positions.get(segment.key)!

async function countBefore(
  store: Store,
  view: View,
  { order, sort, part }: { order: Order; sort: Sort; part: number },
  bound: Bound,
): Promise<number> {
  const boundKey = receiveKey(bound.key)
  let low = 0
  for (let high = order.positions.length; low < high; ) {
    const middle = (low + high) >> 1
    const at = getRowAt(order, order.positions[middle]!)
    const [key] = await readKeys(store, view, sort, [at])
    const difference =
      compareSortKeys(key!, boundKey, sort.direction) ||
      compareRows({ part, segment: indexOf(view, at), row: at.row }, bound)
    if (difference < 0) low = middle + 1
    else high = middle
  }
  return low
}

const compareRows = (a: Omit<Bound, 'key'>, b: Omit<Bound, 'key'>): number =>
  a.part - b.part || a.segment - b.segment || a.row - b.row

interface Received extends Bound {
  value: SortKey
}

interface MergedRow extends Received {
  at: RowRef
}

interface SortedRows {
  first: number
  total: number
  rows: readonly RowRef[]
}

interface Context {
  store: Store
  sheet: SheetRef
  selection: Selection
}

interface PageRange {
  first: number
  size: number
}

export async function selectSorted(
  context: Context,
  view: View,
  sort: Sort,
  page: PageRange,
): Promise<{ rows: readonly RowRef[]; total: number }> {
  const { store, sheet, selection } = context
  validateField(view.rules, sort.field, 'sortField')
  const key = buildCacheKey(view.rules, selection, sort)
  const cache = getCachedRows(view.state)
  const cached = cache.get(key)
  if (cached && contains(cached, page)) return takePage(cached, page)
  const views = await divideView(store, sheet, view, selection)
  if (views.length === 1) {
    const order = await getOrder(store, view, selection, sort)
    const positions = order.positions.subarray(page.first, page.first + page.size)
    return { rows: Array.from(positions, (position) => getRowAt(order, position)), total: order.positions.length }
  }
  const sorted = await sortShared(context, view, views, sort, page)
  cache.delete(key)
  cache.set(key, sorted)
  if (cache.size > MAX_CACHED_PAGES) cache.delete(cache.keys().next().value!)
  return takePage(sorted, page)
}

export async function rankRecords(
  context: Context,
  view: View,
  sort: Sort,
  rows: readonly RowRef[],
): Promise<number[]> {
  const { store, sheet, selection } = context
  const views = await divideView(store, sheet, view, selection)
  const keys = await readKeys(store, view, sort, rows)
  const bounds = rows.map((at, i): Bound => {
    const part = views.findIndex(({ state }) => state.positions.has(at.segment.key))
    const key = sendKey(keys[i]!, Number.POSITIVE_INFINITY)
    return { key, part, segment: indexOf(views[part]!, at), row: at.row }
  })
  const counts = await readParts(context, views, rankRead, (part) => ({ sort, part, bounds }))
  return bounds.map((_, i) => counts.reduce((sum, ranks) => sum + ranks[i]!, 0))
}

const MAX_CACHED_PAGES = 4
const getCachedRows = memoize<State, Map<string, SortedRows>>(() => new Map())

const contains = ({ first, rows, total }: SortedRows, page: PageRange): boolean =>
  first <= page.first && Math.min(total, page.first + page.size) <= first + rows.length

const takePage = ({ first, rows, total }: SortedRows, page: PageRange) => ({
  rows: rows.slice(page.first - first, page.first - first + page.size),
  total,
})

async function sortShared(
  context: Context,
  view: View,
  views: readonly View[],
  sort: Sort,
  { first, size }: PageRange,
): Promise<SortedRows> {
  const read = (query: Omit<SortQuery, 'sort' | 'part'>): Promise<SortedPart[]> =>
    readParts(context, views, sortRead, (part) => ({ sort, part, ...query }))
  const merge = (parts: readonly SortedPart[]) => mergeRows(context.store, view, sort, receiveRows(views, parts))
  const { topRecords, sampleEvery } = context.store
  if (first + size <= topRecords) {
    const parts = await read({ limit: topRecords, every: 1 })
    return { first: 0, total: sumTotals(parts), rows: (await merge(parts)).slice(0, topRecords) }
  }
  const samples = await read({ every: sampleEvery })
  const bounds = findBounds(receiveSamples(samples, sampleEvery), samples, sort, { first, size })
  const parts = await read({ ...bounds, every: 1 })
  const before = parts.reduce((sum, part) => sum + part.before, 0)
  return { first: before, total: sumTotals(parts), rows: await merge(parts) }
}

const sumTotals = (parts: readonly SortedPart[]): number => parts.reduce((sum, { total }) => sum + total, 0)

interface Sample extends Received {
  index: number
}

/** A cut key does not decide an order, so it is not a bound. */
const receiveSamples = (parts: readonly SortedPart[], every: number): Sample[] =>
  parts.flatMap(({ rows }, part) =>
    rows.flatMap(([segment, row, key], i) =>
      isCut(key) ? [] : [{ part, segment, row, key, value: receiveKey(key), index: i * every }],
    ),
  )

/** The closest samples around the page, by the least and the most records that can precede a sample. */
function findBounds(
  samples: Sample[],
  parts: readonly SortedPart[],
  { direction }: Sort,
  { first, size }: PageRange,
): { from?: Bound; to?: Bound } {
  const indices = parts.map(({ total }, part) => [
    ...samples.flatMap((sample) => (sample.part === part ? [sample.index] : [])),
    total,
  ])
  const passed = parts.map(() => 0)
  let [least, most] = [0, indices.reduce((sum, [index]) => sum + index!, 0)]
  let bounds: { from?: Bound } = {}
  for (const { index, value: _, ...bound } of samples.sort(compareReceived(direction))) {
    if (most <= first) bounds = { from: bound }
    if (least >= first + size) return { ...bounds, to: bound }
    const { part } = bound
    const at = passed[part]!++
    least += index - (at === 0 ? -1 : indices[part]![at - 1]!)
    most += indices[part]![at + 1]! - index
  }
  return bounds
}

const compareReceived =
  (direction: Sort['direction']) =>
  (a: Received, b: Received): number =>
    compareSortKeys(a.value, b.value, direction) || compareRows(a, b)

const receiveRows = (views: readonly View[], parts: readonly SortedPart[]): MergedRow[] =>
  parts.flatMap(({ rows }, part) =>
    rows.map(([segment, row, key]) => {
      const at = { segment: views[part]!.state.segments[segment]!, row }
      return { part, segment, row, key, value: receiveKey(key), at }
    }),
  )

async function mergeRows(store: Store, view: View, sort: Sort, received: MergedRow[]): Promise<RowRef[]> {
  const rows = received.sort(compareReceived(sort.direction))
  for (let start = 0; start < rows.length; ) {
    const { key } = rows[start]!
    let end = start + 1
    while (end < rows.length && rows[end]!.key === key) end++
    if (isCut(key) && end - start > 1)
      rows.splice(start, end - start, ...(await sortByFullKeys(store, view, sort, rows.slice(start, end))))
    start = end
  }
  return rows.map(({ at }) => at)
}

async function sortByFullKeys(store: Store, view: View, sort: Sort, rows: readonly MergedRow[]): Promise<MergedRow[]> {
  const keys = await readKeys(
    store,
    view,
    sort,
    rows.map(({ at }) => at),
  )
  return rows.map((row, i) => ({ ...row, value: keys[i]! })).sort(compareReceived(sort.direction))
}
