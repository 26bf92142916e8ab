/** Plans one write: its new item, index and expiry entries, and cost. Does not access the store. */
import { countIndexUnits, countWriteUnits } from './capacity.ts'
import { checkOperands, matchesCondition } from './conditions.ts'
import {
  type BatchOperation,
  buildIndexKey,
  buildItemKey,
  checkItem,
  checkKey,
  checkKeyPaths,
  checkUpdates,
  type Input,
  type Parsed,
  parseRequest,
} from './dynalite.ts'
import { conditionFailed, validationError } from './errors.ts'
import { checkIndexKeys, checkLegacy, getProjectedNames, hasIndexKeys } from './rules.ts'
import { buildKey, getIndexes } from './store.ts'
import type { IndexDescription, Item, TableDescription, TableRecord } from './types.ts'
import { applyUpdate } from './updates.ts'
import { getAttribute, isEqualValue, MAX_ITEM_BYTES, measureItem, project } from './values.ts'

export type WriteKind = 'Put' | 'Update' | 'Delete' | 'ConditionCheck'
export type ReturnValues = 'NONE' | 'ALL_OLD' | 'ALL_NEW' | 'UPDATED_OLD' | 'UPDATED_NEW'

interface WriteFields {
  TableName: string
  Item?: Item
  Key?: Item
  ReturnValues?: ReturnValues
  ReturnConsumedCapacity?: string
}

export interface Write {
  kind: WriteKind
  record: TableRecord
  request: Parsed<WriteFields>
  itemKey: string
  storeKey: string
  returnsItemOnFailure: boolean
}

export interface Change {
  before: Item | undefined
  after: Item | undefined
  operations: BatchOperation[]
  units: number
}

const DYNALITE_OPERATIONS = {
  Put: 'putItem',
  Update: 'updateItem',
  Delete: 'deleteItem',
  ConditionCheck: 'deleteItem',
} as const

/** The largest value with 12 digits (year 33658), the width of times in expiry keys. */
const LATEST_EXPIRY_SECONDS = 999_999_999_999

const LEGACY_PARAMETERS = ['Expected', 'AttributeUpdates', 'ConditionalOperator']

function parseReturnsItemOnFailure(input: Input): boolean {
  const returnValues = input.ReturnValuesOnConditionCheckFailure ?? 'NONE'
  if (returnValues !== 'NONE' && returnValues !== 'ALL_OLD') {
    throw validationError(
      `1 validation error detected: Value '${returnValues}' at 'returnValuesOnConditionCheckFailure' failed to satisfy ` +
        'constraint: Member must satisfy enum value set: [ALL_OLD, NONE]',
    )
  }
  return returnValues === 'ALL_OLD'
}

function checkStorable(item: Item, table: TableDescription, messagePrefix: string): void {
  if (measureItem(item) > MAX_ITEM_BYTES) throw validationError(`${messagePrefix} exceeded the maximum allowed size`)
  checkIndexKeys(item, table)
}

function checkRequest(kind: WriteKind, request: Write['request'], table: TableDescription): void {
  if (request._condition) checkOperands(request._condition.expression, 'ConditionExpression')
  if (kind === 'Put') {
    checkItem(request.Item!, table)
    checkStorable(request.Item!, table, 'Item size has')
  } else checkKey(request.Key!, table)
  if (kind === 'Update') checkUpdates(request._updates, table)
  checkKeyPaths(request._condition, table)
}

export function prepareWrite(kind: WriteKind, input: Input, findTable: (name: string) => TableRecord): Write {
  checkLegacy(input, LEGACY_PARAMETERS)
  const returnsItemOnFailure = parseReturnsItemOnFailure(input)
  const request = parseRequest<WriteFields>(DYNALITE_OPERATIONS[kind], input)
  const record = findTable(request.TableName)
  checkRequest(kind, request, record.description)
  const key = buildItemKey(kind === 'Put' ? request.Item! : request.Key!, record.description)
  return { kind, record, request, itemKey: key, storeKey: buildKey.item(request.TableName, key), returnsItemOnFailure }
}

function applyWrite({ kind, request, record }: Write, before: Item | undefined): Item | undefined {
  if (kind === 'ConditionCheck') return before
  if (kind === 'Delete') return undefined
  if (kind === 'Put') return request.Item!
  const after = applyUpdate(request._updates?.sections ?? [], before ?? request.Key!)
  checkStorable(after, record.description, 'Item size to update has')
  return after
}

interface Entry {
  key: string
  item: Item
}

function buildIndexEntry(item: Item, index: IndexDescription, table: TableDescription): Entry | undefined {
  if (!hasIndexKeys(item, index, table)) return undefined
  const key = buildKey.index(table.TableName, index.IndexName) + buildIndexKey(item, table, index.KeySchema)
  const paths = getProjectedNames(index, table)?.map((name) => [name])
  return { key, item: paths ? project(item, paths) : item }
}

function replaceEntry(oldEntry: Entry | undefined, newEntry: Entry | undefined): BatchOperation[] {
  const operations: BatchOperation[] = []
  if (oldEntry && oldEntry.key !== newEntry?.key) operations.push({ type: 'del', key: oldEntry.key })
  if (newEntry) operations.push({ type: 'put', key: newEntry.key, value: newEntry.item })
  return operations
}

/** In seconds since 1970; undefined (never) when the attribute is missing or not a number. */
export function getExpirySeconds(item: Item, { timeToLiveAttribute }: TableRecord): number | undefined {
  const value = timeToLiveAttribute === undefined ? undefined : getAttribute(item, timeToLiveAttribute)?.N
  const seconds = Math.floor(Number(value))
  return seconds > 0 && seconds <= LATEST_EXPIRY_SECONDS ? seconds : undefined
}

function buildExpiryEntry(
  item: Item | undefined,
  { record, itemKey }: Pick<Write, 'record' | 'itemKey'>,
): Entry | undefined {
  const seconds = item && getExpirySeconds(item, record)
  if (seconds === undefined) return undefined
  return { key: buildKey.expiry(record.description.TableName, seconds, itemKey), item: {} }
}

const isSameEntry = (oldEntry: Entry | undefined, newEntry: Entry | undefined) =>
  oldEntry?.key === newEntry?.key &&
  (!oldEntry || !newEntry || isEqualValue({ M: oldEntry.item }, { M: newEntry.item }))

function planIndexChanges(table: TableDescription, before: Item | undefined, after: Item | undefined) {
  return getIndexes(table).flatMap((index) => {
    const oldEntry = before && buildIndexEntry(before, index, table)
    const newEntry = after && buildIndexEntry(after, index, table)
    if (isSameEntry(oldEntry, newEntry)) return []
    return [{ units: countIndexUnits(oldEntry, newEntry), operations: replaceEntry(oldEntry, newEntry) }]
  })
}

export const buildRemoval = (record: TableRecord, itemKey: string): Write => ({
  kind: 'Delete',
  record,
  request: { TableName: record.description.TableName },
  itemKey,
  storeKey: buildKey.item(record.description.TableName, itemKey),
  returnsItemOnFailure: false,
})

export function planChange(write: Write, before: Item | undefined): Change {
  const { _condition } = write.request
  if (_condition && !matchesCondition(_condition.expression, before ?? {})) {
    throw conditionFailed(write.returnsItemOnFailure ? before : undefined)
  }
  const after = applyWrite(write, before)
  const tableUnits = countWriteUnits(before, after)
  if (write.kind === 'ConditionCheck') return { before, after, operations: [], units: tableUnits }
  const changes = planIndexChanges(write.record.description, before, after)
  const item: BatchOperation = after
    ? { type: 'put', key: write.storeKey, value: after }
    : { type: 'del', key: write.storeKey }
  const expiry = replaceEntry(buildExpiryEntry(before, write), buildExpiryEntry(after, write))
  return {
    before,
    after,
    operations: [item, ...changes.flatMap((change) => change.operations), ...expiry],
    units: changes.reduce((sum, change) => sum + change.units, tableUnits),
  }
}

export const buildExpiryOperations = (item: Item, record: TableRecord): BatchOperation[] =>
  replaceEntry(undefined, buildExpiryEntry(item, { record, itemKey: buildItemKey(item, record.description) }))
