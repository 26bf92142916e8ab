/** GetItem, BatchGetItem and TransactGetItems. Reads take no lock, since batches become visible as a whole. */
import {
  type CapacityDetail,
  type Consumption,
  countReadUnits,
  doubleConsumption,
  sumByTable,
  toConsumedCapacity,
} from './capacity.ts'
import { buildItemKey, checkKey, checkKeyPaths, type Input, type Parsed, parseRequest } from './dynalite.ts'
import { validationError } from './errors.ts'
import { buildKey, type Store } from './store.ts'
import { checkDistinct, checkTransactionSize, parseTransactItems } from './transactions.ts'
import type { Item, Path, TableDescription } from './types.ts'
import { measureItem, project } from './values.ts'

const MAX_BATCH_BYTES = 16 * 1024 * 1024
const MAX_KEYS_PER_BATCH = 100

interface GetFields {
  TableName: string
  Key: Item
  ConsistentRead?: boolean
  AttributesToGet?: string[]
  ReturnConsumedCapacity?: CapacityDetail
}

interface Get {
  table: TableDescription
  storeKey: string
  key: Item
  consistent: boolean
  paths: Path[] | undefined
}

export const getProjectedPaths = (request: Parsed<{ AttributesToGet?: string[] }>): Path[] | undefined =>
  request._projection?.paths ?? request.AttributesToGet?.map((name) => [name])

function prepareGet(store: Store, request: Parsed<GetFields>): Get {
  const table = store.getTable(request.TableName).description
  checkKey(request.Key, table)
  checkKeyPaths(request._projection, table)
  return {
    table,
    storeKey: buildKey.item(request.TableName, buildItemKey(request.Key, table)),
    key: request.Key,
    consistent: request.ConsistentRead ?? false,
    paths: getProjectedPaths(request),
  }
}

const measureConsumption = ({ table, consistent }: Get, item: Item | undefined): Consumption => ({
  table,
  tableUnits: countReadUnits(item ? measureItem(item) : 0, consistent),
  indexUnits: {},
})

const projectItem = ({ paths }: Get, item: Item) => (paths ? project(item, paths) : item)

export async function getItem(store: Store, input: Input) {
  const request = parseRequest<GetFields>('getItem', input)
  const get = prepareGet(store, request)
  const [item] = await store.getItems([get.storeKey])
  return {
    Item: item && projectItem(get, item),
    ConsumedCapacity: toConsumedCapacity(request.ReturnConsumedCapacity, measureConsumption(get, item)),
  }
}

type KeysAndAttributes = Parsed<{ Keys: Item[]; ConsistentRead?: boolean; AttributesToGet?: string[] }>
interface BatchGetFields {
  RequestItems: Record<string, KeysAndAttributes>
  ReturnConsumedCapacity?: CapacityDetail
}

function prepareBatchGets(store: Store, { RequestItems }: BatchGetFields): Get[] {
  const gets = Object.entries(RequestItems).flatMap(([TableName, request]) =>
    request.Keys.map((Key) => prepareGet(store, { ...request, TableName, Key })),
  )
  if (gets.length > MAX_KEYS_PER_BATCH) throw validationError('Too many items requested for the BatchGetItem call')
  if (new Set(gets.map((get) => get.storeKey)).size < gets.length) {
    throw validationError('Provided list of item keys contains duplicates')
  }
  return gets
}

function countWithinLimit(items: (Item | undefined)[]): number {
  let bytes = 0
  const firstOverLimit = items.findIndex((item) => {
    bytes += item ? measureItem(item) : 0
    return bytes > MAX_BATCH_BYTES
  })
  return firstOverLimit < 0 ? items.length : firstOverLimit
}

function toUnprocessedKeys(gets: Get[], raw: Record<string, Input>): Record<string, Input> {
  const names = [...new Set(gets.map((get) => get.table.TableName))]
  const getKeys = (name: string) => gets.filter((get) => get.table.TableName === name).map((get) => get.key)
  return Object.fromEntries(names.map((name) => [name, { ...raw[name], Keys: getKeys(name) }]))
}

export async function batchGetItem(store: Store, input: Input) {
  const raw = structuredClone(input.RequestItems) as Record<string, Input>
  const request = parseRequest<BatchGetFields>('batchGetItem', input)
  const gets = prepareBatchGets(store, request)
  const items = await store.getItems(gets.map((get) => get.storeKey))
  const count = countWithinLimit(items)
  const responses: Record<string, Item[]> = Object.fromEntries(
    Object.keys(request.RequestItems).map((name) => [name, []]),
  )
  const processed = gets.slice(0, count)
  processed.forEach((get, index) => {
    const item = items[index]
    if (item) responses[get.table.TableName]!.push(projectItem(get, item))
  })
  const consumptions = sumByTable(processed.map((get, index) => measureConsumption(get, items[index])))
  const consumed = consumptions.flatMap((part) => toConsumedCapacity(request.ReturnConsumedCapacity, part) ?? [])
  return {
    Responses: responses,
    UnprocessedKeys: toUnprocessedKeys(gets.slice(count), raw),
    ConsumedCapacity: consumed.length ? consumed : undefined,
  }
}

function prepareTransactGet(store: Store, item: Record<string, Input>): Get {
  if (!item?.Get) throw validationError('TransactItems of TransactGetItems can only contain Get')
  return prepareGet(store, parseRequest<GetFields>('getItem', { ...item.Get, ConsistentRead: true }))
}

export async function transactGetItems(store: Store, input: Input) {
  const gets = parseTransactItems(input).map((item) => prepareTransactGet(store, item))
  const storeKeys = gets.map((get) => get.storeKey)
  checkDistinct(storeKeys)
  const items = await store.inSnapshot((snapshot) => store.getItems(storeKeys, snapshot))
  checkTransactionSize(items)
  const detail = input.ReturnConsumedCapacity as CapacityDetail
  const consumptions = sumByTable(gets.map((get, index) => doubleConsumption(measureConsumption(get, items[index]))))
  const consumed = consumptions.flatMap((part) => toConsumedCapacity(detail, part) ?? [])
  return {
    Responses: gets.map((get, index) => ({ Item: items[index] && projectItem(get, items[index]) })),
    ConsumedCapacity: consumed.length
      ? consumed.map((part) => ({ ...part, ReadCapacityUnits: part.CapacityUnits }))
      : undefined,
  }
}
