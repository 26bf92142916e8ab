/**
 * GetItem, BatchGetItem, TransactGetItems, Query and Scan. Reads take no lock: a batch becomes visible whole, and what
 * must be consistent among several items is read from one snapshot. Must not know HTTP.
 */
import { byTable, type CapacityDetail, type Consumption, consumedCapacity, readUnits, twice } from './capacity.ts'
import { checkKey, checkKeyPaths, type Input, itemKey, type Parsed, parse } from './dynalite.ts'
import { validationError } from './errors.ts'
import { place, type Store } from './store.ts'
import { checkDistinct, checkTransactionSize, transactItems } from './transactions.ts'
import type { Item, Path, TableDescription } from './types.ts'
import { itemBytes, project } from './values.ts'

/** What BatchGetItem answers at most; the rest comes back as unprocessed. */
const MAX_BATCH_BYTES = 16 * 1024 * 1024
const MAX_BATCH_KEYS = 100

interface GetFields {
  TableName: string
  Key: Item
  ConsistentRead?: boolean
  AttributesToGet?: string[]
  ReturnConsumedCapacity?: CapacityDetail
}

interface Get {
  table: TableDescription
  place: string
  key: Item
  consistent: boolean
  paths: Path[] | undefined
}

/** The paths that a request wants of each item; undefined for all of it. */
export const wantedPaths = (request: Parsed<{ AttributesToGet?: string[] }>): Path[] | undefined =>
  request._projection?.paths ?? request.AttributesToGet?.map((name) => [name])

function prepareGet(store: Store, request: Parsed<GetFields>): Get {
  const table = store.table(request.TableName).description
  checkKey(request.Key, table)
  checkKeyPaths(request._projection, table)
  return {
    table,
    place: place.item(request.TableName, itemKey(request.Key, table)),
    key: request.Key,
    consistent: request.ConsistentRead ?? false,
    paths: wantedPaths(request),
  }
}

const consumptionOf = ({ table, consistent }: Get, item: Item | undefined): Consumption => ({
  table,
  tableUnits: readUnits(item ? itemBytes(item) : 0, consistent),
  indexUnits: {},
})

const wantedOf = ({ paths }: Get, item: Item) => (paths ? project(item, paths) : item)

export async function getItem(store: Store, input: Input) {
  const request = parse<GetFields>('getItem', input)
  const get = prepareGet(store, request)
  const [item] = await store.items([get.place])
  return {
    Item: item && wantedOf(get, item),
    ConsumedCapacity: consumedCapacity(request.ReturnConsumedCapacity, consumptionOf(get, item)),
  }
}

type KeysAndAttributes = Parsed<{ Keys: Item[]; ConsistentRead?: boolean; AttributesToGet?: string[] }>
interface BatchGetFields {
  RequestItems: Record<string, KeysAndAttributes>
  ReturnConsumedCapacity?: CapacityDetail
}

function batchedGets(store: Store, { RequestItems }: BatchGetFields): Get[] {
  const gets = Object.entries(RequestItems).flatMap(([TableName, request]) =>
    request.Keys.map((Key) => prepareGet(store, { ...request, TableName, Key })),
  )
  if (gets.length > MAX_BATCH_KEYS) throw validationError('Too many items requested for the BatchGetItem call')
  if (new Set(gets.map((get) => get.place)).size < gets.length) {
    throw validationError('Provided list of item keys contains duplicates')
  }
  return gets
}

/** Splits at the first item that would lead over the size of an answer. */
function fitting(items: (Item | undefined)[]): number {
  let bytes = 0
  const over = items.findIndex((item) => {
    bytes += item ? itemBytes(item) : 0
    return bytes > MAX_BATCH_BYTES
  })
  return over < 0 ? items.length : over
}

/** The keys left over, each table with what the request said about it. */
function unprocessed(gets: Get[], raw: Record<string, Input>): Record<string, Input> {
  const names = [...new Set(gets.map((get) => get.table.TableName))]
  const keysIn = (name: string) => gets.filter((get) => get.table.TableName === name).map((get) => get.key)
  return Object.fromEntries(names.map((name) => [name, { ...raw[name], Keys: keysIn(name) }]))
}

/** Up to 100 items, 16 MB in all. */
export async function batchGetItem(store: Store, input: Input) {
  const raw = structuredClone(input.RequestItems) as Record<string, Input>
  const request = parse<BatchGetFields>('batchGetItem', input)
  const gets = batchedGets(store, request)
  const items = await store.items(gets.map((get) => get.place))
  const count = fitting(items)
  const responses: Record<string, Item[]> = Object.fromEntries(
    Object.keys(request.RequestItems).map((name) => [name, []]),
  )
  const read = gets.slice(0, count)
  read.forEach((get, index) => {
    const item = items[index]
    if (item) responses[get.table.TableName]!.push(wantedOf(get, item))
  })
  const parts = byTable(read.map((get, index) => consumptionOf(get, items[index])))
  const consumed = parts.flatMap((part) => consumedCapacity(request.ReturnConsumedCapacity, part) ?? [])
  return {
    Responses: responses,
    UnprocessedKeys: unprocessed(gets.slice(count), raw),
    ConsumedCapacity: consumed.length ? consumed : undefined,
  }
}

function transactGet(store: Store, item: Record<string, Input>): Get {
  if (!item?.Get) throw validationError('TransactItems of TransactGetItems can only contain Get')
  return prepareGet(store, parse<GetFields>('getItem', { ...item.Get, ConsistentRead: true }))
}

/** Up to 100 items, 4 MB in all, as they were at one moment. */
export async function transactGetItems(store: Store, input: Input) {
  const gets = transactItems(input).map((item) => transactGet(store, item))
  const places = gets.map((get) => get.place)
  checkDistinct(places)
  const items = await store.inSnapshot((snapshot) => store.items(places, snapshot))
  checkTransactionSize(items)
  const detail = input.ReturnConsumedCapacity as CapacityDetail
  const parts = byTable(gets.map((get, index) => twice(consumptionOf(get, items[index]))))
  const consumed = parts.flatMap((part) => consumedCapacity(detail, part) ?? [])
  return {
    Responses: gets.map((get, index) => ({ Item: items[index] && wantedOf(get, items[index]) })),
    ConsumedCapacity: consumed.length
      ? consumed.map((part) => ({ ...part, ReadCapacityUnits: part.CapacityUnits }))
      : undefined,
  }
}
