/** GetItem and BatchGetItem. Reads take no lock, since batches become visible as a whole. */
import { type CapacityDetail, type Consumption, countReadUnits, sumByTable, toConsumedCapacity } from './capacity.ts'
import { buildItemKey, checkKey, checkKeyPaths, type Input, type Parsed, parseRequest } from './dynalite.ts'
import { validationError } from './errors.ts'
import { checkLegacy } from './rules.ts'
import { buildKey, type Store } from './store.ts'
import type { Item, Path, TableDescription } from './types.ts'
import { measureItem, project } from './values.ts'

const MAX_BATCH_BYTES = 16 * 1024 * 1024
const MAX_KEYS_PER_BATCH = 100
const LEGACY_PARAMETERS = ['AttributesToGet']

interface GetFields {
  TableName: string
  Key: Item
  ConsistentRead?: boolean
  ReturnConsumedCapacity?: CapacityDetail
}

interface Get {
  table: TableDescription
  storeKey: string
  key: Item
  consistent: boolean
  paths: Path[] | undefined
}

function prepareGet(store: Store, request: Parsed<GetFields>): Get {
  const table = store.getTable(request.TableName).description
  checkKey(request.Key, table)
  checkKeyPaths(request._projection, table)
  return {
    table,
    storeKey: buildKey.item(request.TableName, buildItemKey(request.Key, table)),
    key: request.Key,
    consistent: request.ConsistentRead ?? false,
    paths: request._projection?.paths,
  }
}

const measureConsumption = ({ table, consistent }: Get, item: Item | undefined): Consumption => ({
  tableName: table.TableName,
  units: countReadUnits(item ? measureItem(item) : 0, consistent),
})

const projectItem = ({ paths }: Get, item: Item) => (paths ? project(item, paths) : item)

export async function getItem(store: Store, input: Input) {
  checkLegacy(input, LEGACY_PARAMETERS)
  const request = parseRequest<GetFields>('getItem', input)
  const get = prepareGet(store, request)
  const [item] = await store.getItems([get.storeKey])
  return {
    Item: item && projectItem(get, item),
    ConsumedCapacity: toConsumedCapacity(request.ReturnConsumedCapacity, measureConsumption(get, item)),
  }
}

type KeysAndAttributes = Parsed<{ Keys: Item[]; ConsistentRead?: boolean }>
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
  for (const tableRequest of Object.values(raw)) checkLegacy(tableRequest, LEGACY_PARAMETERS)
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
