/** Query and Scan: reads, filters and pages items in key order; dynalite plans the key range. */
import { type CapacityDetail, countReadUnits, toConsumedCapacity } from './capacity.ts'
import { checkOperands, matchesCondition } from './conditions.ts'
import {
  buildIndexKey,
  buildItemKey,
  type Input,
  type KeyRange,
  type Parsed,
  parseRequest,
  planRange,
} from './dynalite.ts'
import { invalidParameters, validationError } from './errors.ts'
import { checkLegacy, getProjectedNames } from './rules.ts'
import { buildKey, getIndexes, resolveRange, type Store } from './store.ts'
import type { IndexDescription, Item, TableDescription } from './types.ts'
import { getAttribute, getType, measureItem, project } from './values.ts'

const PAGE_BYTES = 1024 * 1024
const LEGACY_PARAMETERS = ['AttributesToGet', 'QueryFilter', 'ScanFilter', 'ConditionalOperator']

interface PageFields {
  TableName: string
  IndexName?: string
  Select?: 'COUNT' | 'ALL_ATTRIBUTES' | 'ALL_PROJECTED_ATTRIBUTES' | 'SPECIFIC_ATTRIBUTES'
  Limit?: number
  ExclusiveStartKey?: Item
  ConsistentRead?: boolean
  ScanIndexForward?: boolean
  Segment?: number
  TotalSegments?: number
  ReturnConsumedCapacity?: CapacityDetail
}
type Request = Parsed<PageFields>

interface Page {
  items: Item[]
  bytes: number
  last: Item | undefined
}

const getKeySchemas = (table: TableDescription, index?: IndexDescription) => [
  ...table.KeySchema,
  ...(index?.KeySchema ?? []),
]

function checkStart(start: Item, table: TableDescription, index?: IndexDescription): void {
  const names = new Set(getKeySchemas(table, index).map((element) => element.AttributeName))
  const hasKeyType = (name: string) => {
    const value = getAttribute(start, name)
    const definition = table.AttributeDefinitions.find((candidate) => candidate.AttributeName === name)
    return value !== undefined && getType(value) === definition?.AttributeType
  }
  if (Object.keys(start).length === names.size && [...names].every(hasKeyType)) return
  throw validationError('The provided starting key is invalid: The provided key element does not match the schema')
}

const isWithin = (key: string, { gt, gte, lt, lte }: KeyRange) =>
  (gt === undefined || key > gt) &&
  (gte === undefined || key >= gte) &&
  (lt === undefined || key < lt) &&
  (lte === undefined || key <= lte)

function rangeAfter(start: Item, range: KeyRange, table: TableDescription, index?: IndexDescription): KeyRange {
  checkStart(start, table, index)
  const key = index ? buildIndexKey(start, table, index.KeySchema) : buildItemKey(start, table)
  if (!isWithin(key, range)) {
    throw validationError('The provided starting key is outside query boundaries based on provided conditions')
  }
  return range.reverse ? { ...range, lt: key, lte: undefined } : { ...range, gt: key, gte: undefined }
}

/** Plans without the start key: dynalite's index keys are not unique, and it compares the start differently. */
function planStoredRange(
  action: 'query' | 'scan',
  request: Request,
  table: TableDescription,
  index?: IndexDescription,
): KeyRange {
  const { ExclusiveStartKey: start, ...fromStart } = request
  const planned = planRange(action, fromStart, table)
  const range = start ? rangeAfter(start, planned, table, index) : planned
  return resolveRange(index ? buildKey.index(table.TableName, index.IndexName) : buildKey.items(table.TableName), range)
}

async function readPage(store: Store, range: KeyRange, limit = Number.POSITIVE_INFINITY): Promise<Page> {
  const page: Page = { items: [], bytes: 0, last: undefined }
  for await (const item of store.iterateItems(range)) {
    page.items.push(item)
    page.bytes += measureItem(item)
    if (page.items.length >= limit || page.bytes >= PAGE_BYTES) {
      page.last = item
      break
    }
  }
  return page
}

function checkParameters({ Select, _projection, Segment, TotalSegments }: Request): void {
  if (Select === 'SPECIFIC_ATTRIBUTES' && !_projection)
    throw validationError(
      'Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES',
    )
  if (Segment !== undefined && TotalSegments === undefined)
    throw validationError(
      'The TotalSegments parameter is required but was not present in the request when Segment parameter is present',
    )
}

interface UnprojectedNames {
  wanted: string[]
  filtered: string[]
}

function findUnprojected(request: Request, table: TableDescription, index: IndexDescription): UnprojectedNames {
  const projected = getProjectedNames(index, table)
  const leaveProjectedOut = (names: string[]) => (projected ? names.filter((name) => !projected.includes(name)) : [])
  return {
    wanted: leaveProjectedOut(request._projection?.paths.map((path) => String(path[0])) ?? []),
    filtered: leaveProjectedOut(Object.keys(request._filter?.pathHeads ?? {})),
  }
}

function checkProjection(index: IndexDescription, { wanted, filtered }: UnprojectedNames): void {
  if (wanted.length) {
    throw invalidParameters(`Global secondary index ${index.IndexName} does not project [${wanted.join(', ')}]`)
  }
  if (filtered.length) {
    const summary = `Secondary index ${index.IndexName} does not project one or more filter attributes`
    throw invalidParameters(`${summary}: [${filtered.join(', ')}]`)
  }
}

/** DynamoDB reads what a local index does not project from the table, for the capacity of both. */
async function completeFromTable(store: Store, table: TableDescription, page: Page): Promise<void> {
  const keys = page.items.map((item) => buildKey.item(table.TableName, buildItemKey(item, table)))
  page.items = (await store.getItems(keys)).filter((item) => item !== undefined)
  page.bytes += page.items.reduce((sum, item) => sum + measureItem(item), 0)
}

function buildPageKey(item: Item, table: TableDescription, index?: IndexDescription): Item {
  const names = getKeySchemas(table, index).map((element) => element.AttributeName)
  return Object.fromEntries(names.map((name) => [name, item[name]!]))
}

function measureCapacity(request: Request, { items, bytes }: Page) {
  const units = items.length ? countReadUnits(bytes, request.ConsistentRead ?? false) : 0
  return toConsumedCapacity(request.ReturnConsumedCapacity, { tableName: request.TableName, units })
}

function projectItems(request: Request, items: Item[]): Item[] | undefined {
  if (request.Select === 'COUNT') return undefined
  const paths = request._projection?.paths
  return paths ? items.map((item) => project(item, paths)) : items
}

async function runPagedRead(store: Store, action: 'query' | 'scan', input: Input) {
  checkLegacy(input, LEGACY_PARAMETERS)
  const request = parseRequest<PageFields>(action, input)
  checkParameters(request)
  const table = store.getTable(request.TableName).description
  const filter = request._filter?.expression
  if (filter) checkOperands(filter, 'FilterExpression')
  const index = getIndexes(table).find((candidate) => candidate.IndexName === request.IndexName)
  const range = planStoredRange(action, request, table, index)
  const unprojected = index ? findUnprojected(request, table, index) : { wanted: [], filtered: [] }
  const isLocal = index !== undefined && (table.LocalSecondaryIndexes ?? []).includes(index)
  if (index && !isLocal) checkProjection(index, unprojected)
  const page = await readPage(store, range, request.Limit)
  const needsTable = request.Select === 'ALL_ATTRIBUTES' || unprojected.wanted.length + unprojected.filtered.length > 0
  if (isLocal && needsTable) await completeFromTable(store, table, page)
  const matches = filter ? page.items.filter((item) => matchesCondition(filter, item)) : page.items
  return {
    Items: projectItems(request, matches),
    Count: matches.length,
    ScannedCount: page.items.length,
    LastEvaluatedKey: page.last && buildPageKey(page.last, table, index),
    ConsumedCapacity: measureCapacity(request, page),
  }
}

export const query = (store: Store, input: Input) => runPagedRead(store, 'query', input)
export const scan = (store: Store, input: Input) => runPagedRead(store, 'scan', input)
