/**
 * Query and Scan: one page of items in key order, from a table or one of its indexes. dynalite plans the key range; the
 * reading, filtering and paging are done here. Must not know HTTP.
 */
import { type CapacityDetail, consumedCapacity, readUnits } from './capacity.ts'
import { checkOperands, fulfils } from './conditions.ts'
import { type Input, indexKey, itemKey, type KeyRange, type Parsed, parse, planRange } from './dynalite.ts'
import { invalidParameters, validationError } from './errors.ts'
import { wantedPaths } from './reads.ts'
import { checkLegacy, projectedNames } from './rules.ts'
import { indexesOf, place, rangeWithin, type Store } from './store.ts'
import type { IndexDescription, Item, TableDescription } from './types.ts'
import { attributeOf, itemBytes, project, typeOf } from './values.ts'

const PAGE_BYTES = 1024 * 1024
const LEGACY = ['QueryFilter', 'ScanFilter', 'ConditionalOperator']

interface PageFields {
  TableName: string
  IndexName?: string
  Select?: 'COUNT' | 'ALL_ATTRIBUTES' | 'ALL_PROJECTED_ATTRIBUTES' | 'SPECIFIC_ATTRIBUTES'
  Limit?: number
  ExclusiveStartKey?: Item
  ConsistentRead?: boolean
  ScanIndexForward?: boolean
  AttributesToGet?: string[]
  ReturnConsumedCapacity?: CapacityDetail
}
type Request = Parsed<PageFields>

interface Page {
  items: Item[]
  bytes: number
  /** The last item read, when there may be more behind it. */
  last: Item | undefined
  /** Set when the items were fetched beside the entries of an index. */
  withItems?: true
}

const keySchemasOf = (table: TableDescription, index?: IndexDescription) => [
  ...table.KeySchema,
  ...(index?.KeySchema ?? []),
]

function checkStart(start: Item, table: TableDescription, index?: IndexDescription): void {
  const names = new Set(keySchemasOf(table, index).map((element) => element.AttributeName))
  const fits = (name: string) => {
    const value = attributeOf(start, name)
    const definition = table.AttributeDefinitions.find((candidate) => candidate.AttributeName === name)
    return value !== undefined && typeOf(value) === definition?.AttributeType
  }
  if (Object.keys(start).length === names.size && [...names].every(fits)) return
  throw validationError('The provided starting key is invalid: The provided key element does not match the schema')
}

const isWithin = (key: string, { gt, gte, lt, lte }: KeyRange) =>
  (gt === undefined || key > gt) &&
  (gte === undefined || key >= gte) &&
  (lt === undefined || key < lt) &&
  (lte === undefined || key <= lte)

/** What is left of a range behind the last key of the page before. */
function behind(start: Item, range: KeyRange, table: TableDescription, index?: IndexDescription): KeyRange {
  checkStart(start, table, index)
  const key = index ? indexKey(start, table, index.KeySchema) : itemKey(start, table)
  if (!isWithin(key, range)) {
    throw validationError('The provided starting key is outside query boundaries based on provided conditions')
  }
  return range.reverse ? { ...range, lt: key, lte: undefined } : { ...range, gt: key, gte: undefined }
}

/**
 * The stored keys to read. dynalite plans as if from the start: its index keys do not tell all items apart, and it
 * compares a page's start in another order than that of the keys.
 */
function rangeOf(
  action: 'query' | 'scan',
  request: Request,
  table: TableDescription,
  index?: IndexDescription,
): KeyRange {
  const { ExclusiveStartKey: start, ...fromStart } = request
  const planned = planRange(action, fromStart, table)
  const range = start ? behind(start, planned, table, index) : planned
  return rangeWithin(index ? place.index(table.TableName, index.IndexName) : place.items(table.TableName), range)
}

/** Reads on until the limit or the size of a page is reached; both count before the filter. */
async function readPage(store: Store, range: KeyRange, limit = Number.POSITIVE_INFINITY): Promise<Page> {
  const page: Page = { items: [], bytes: 0, last: undefined }
  for await (const item of store.itemsIn(range)) {
    page.items.push(item)
    page.bytes += itemBytes(item)
    if (page.items.length >= limit || page.bytes >= PAGE_BYTES) {
      page.last = item
      break
    }
  }
  return page
}

/** The attributes that a request looks at and its index does not hold. */
function missingAttributes(request: Request, table: TableDescription, index: IndexDescription) {
  const projected = projectedNames(index, table)
  const missing = (names: string[]) => (projected ? names.filter((name) => !projected.includes(name)) : [])
  return {
    wanted: missing(wantedPaths(request)?.map((path) => String(path[0])) ?? []),
    filtered: missing(Object.keys(request._filter?.pathHeads ?? {})),
    all: request.Select === 'ALL_ATTRIBUTES' && projected !== undefined,
  }
}

/** Whether the items themselves must be read: only local indexes do that, global ones refuse. */
function needsItems(request: Request, table: TableDescription, index: IndexDescription): boolean {
  const { wanted, filtered, all } = missingAttributes(request, table, index)
  if (table.LocalSecondaryIndexes?.includes(index)) return all || wanted.length > 0 || filtered.length > 0
  if (wanted.length) {
    throw invalidParameters(`Global secondary index ${index.IndexName} does not project [${wanted.join(', ')}]`)
  }
  if (filtered.length) {
    const what = `Secondary index ${index.IndexName} does not project one or more filter attributes`
    throw invalidParameters(`${what}: [${filtered.join(', ')}]`)
  }
  return false
}

/** A page of a local index with the items that its entries stand for. */
async function withItems(store: Store, page: Page, table: TableDescription): Promise<Page> {
  const found = await store.items(page.items.map((item) => place.item(table.TableName, itemKey(item, table))))
  return { ...page, withItems: true, items: found.map((item, position) => item ?? page.items[position]!) }
}

function pageKey(item: Item, table: TableDescription, index?: IndexDescription): Item {
  const names = keySchemasOf(table, index).map((element) => element.AttributeName)
  return Object.fromEntries(names.map((name) => [name, item[name]!]))
}

function capacityOf(request: Request, table: TableDescription, page: Page, index?: IndexDescription) {
  const consistent = request.ConsistentRead ?? false
  const units = page.items.length ? readUnits(page.bytes, consistent) : 0
  const fetched = page.withItems ? page.items : []
  const fetchUnits = fetched.reduce((total, item) => total + readUnits(itemBytes(item), consistent), 0)
  const parts = index
    ? { tableUnits: fetchUnits, indexUnits: { [index.IndexName]: units } }
    : { tableUnits: units, indexUnits: {} }
  return consumedCapacity(request.ReturnConsumedCapacity, { table, ...parts })
}

async function pageFor(
  store: Store,
  action: 'query' | 'scan',
  request: Request,
  table: TableDescription,
  index?: IndexDescription,
) {
  const range = rangeOf(action, request, table, index)
  const takesItems = index !== undefined && needsItems(request, table, index)
  const page = await readPage(store, range, request.Limit)
  return takesItems ? withItems(store, page, table) : page
}

function itemsFor(request: Request, found: Item[]): Item[] | undefined {
  if (request.Select === 'COUNT') return undefined
  const paths = wantedPaths(request)
  return paths ? found.map((item) => project(item, paths)) : found
}

async function answerPage(store: Store, action: 'query' | 'scan', input: Input) {
  checkLegacy(input, LEGACY)
  const request = parse<PageFields>(action, input)
  const table = store.table(request.TableName).description
  const filter = request._filter?.expression
  if (filter) checkOperands(filter, 'FilterExpression')
  const index = indexesOf(table).find((candidate) => candidate.IndexName === request.IndexName)
  const page = await pageFor(store, action, request, table, index)
  const found = filter ? page.items.filter((item) => fulfils(filter, item)) : page.items
  return {
    Items: itemsFor(request, found),
    Count: found.length,
    ScannedCount: page.items.length,
    LastEvaluatedKey: page.last && pageKey(page.last, table, index),
    ConsumedCapacity: capacityOf(request, table, page, index),
  }
}

export const query = (store: Store, input: Input) => answerPage(store, 'query', input)
export const scan = (store: Store, input: Input) => answerPage(store, 'scan', input)
