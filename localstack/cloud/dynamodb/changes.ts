/**
 * What one write does to its item, before anything is written: the new item, the stored entries that change with it, and
 * what it costs. Put, Update, Delete and ConditionCheck all become a `Change`, so that single writes, batches and
 * transactions differ only in how they commit. Must not read or write the store.
 */
import { indexUnits, writeUnits } from './capacity.ts'
import { checkOperands, fulfils } from './conditions.ts'
import {
  type BatchOperation,
  checkItem,
  checkKey,
  checkKeyPaths,
  checkUpdates,
  type Input,
  indexKey,
  itemKey,
  type Parsed,
  parse,
} from './dynalite.ts'
import { conditionFailed, validationError } from './errors.ts'
import { checkIndexKeys, checkLegacy, hasIndexKeys, projectedNames } from './rules.ts'
import { indexesOf, place } from './store.ts'
import type { IndexDescription, Item, TableDescription, TableRecord } from './types.ts'
import { applyUpdate } from './updates.ts'
import { attributeOf, itemBytes, MAX_ITEM_BYTES, project, sameValue } from './values.ts'

export type WriteKind = 'Put' | 'Update' | 'Delete' | 'ConditionCheck'
export type ReturnValues = 'NONE' | 'ALL_OLD' | 'ALL_NEW' | 'UPDATED_OLD' | 'UPDATED_NEW'

interface WriteFields {
  TableName: string
  Item?: Item
  Key?: Item
  ReturnValues?: ReturnValues
  ReturnConsumedCapacity?: string
}

/** A checked write that only waits for the item it is about. */
export interface Write {
  kind: WriteKind
  record: TableRecord
  request: Parsed<WriteFields>
  /** The key within the table, and the key in the store under which the item is locked. */
  itemKey: string
  place: string
  /** Whether a failed condition gives back the item that it was checked against. */
  returnsItemOnFailure: boolean
}

export interface Change {
  before: Item | undefined
  after: Item | undefined
  operations: BatchOperation[]
  /** Write units of the table and of each index. */
  tableUnits: number
  indexUnits: Record<string, number>
}

const OPERATIONS = {
  Put: 'putItem',
  Update: 'updateItem',
  Delete: 'deleteItem',
  ConditionCheck: 'deleteItem',
} as const

/** The last second that the keys of expiry entries have digits for, in the year 33658. */
const LATEST_EXPIRY_SECONDS = 999_999_999_999

const LEGACY = ['Expected', 'AttributeUpdates', 'ConditionalOperator']

function returnsItem(input: Input): boolean {
  const wanted = input.ReturnValuesOnConditionCheckFailure ?? 'NONE'
  if (wanted !== 'NONE' && wanted !== 'ALL_OLD') {
    throw validationError(
      `1 validation error detected: Value '${wanted}' at 'returnValuesOnConditionCheckFailure' failed to satisfy ` +
        'constraint: Member must satisfy enum value set: [ALL_OLD, NONE]',
    )
  }
  return wanted === 'ALL_OLD'
}

/** What an item must fulfil to be stored. */
function checkStorable(item: Item, table: TableDescription, tooLarge: string): void {
  if (itemBytes(item) > MAX_ITEM_BYTES) throw validationError(`${tooLarge} exceeded the maximum allowed size`)
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

/** Checks one write as far as is possible without its item. `tableOf` finds a table by name, or throws. */
export function prepareWrite(kind: WriteKind, input: Input, tableOf: (name: string) => TableRecord): Write {
  checkLegacy(input, LEGACY)
  const returnsItemOnFailure = returnsItem(input)
  const request = parse<WriteFields>(OPERATIONS[kind], input)
  const record = tableOf(request.TableName)
  checkRequest(kind, request, record.description)
  const key = itemKey(kind === 'Put' ? request.Item! : request.Key!, record.description)
  return { kind, record, request, itemKey: key, place: place.item(request.TableName, key), returnsItemOnFailure }
}

function itemAfter({ kind, request, record }: Write, before: Item | undefined): Item | undefined {
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

/** The item's entry in an index; none when it lacks a fitting index key: indexes are sparse. */
function indexEntry(item: Item, index: IndexDescription, table: TableDescription): Entry | undefined {
  if (!hasIndexKeys(item, index, table)) return undefined
  const key = place.index(table.TableName, index.IndexName) + indexKey(item, table, index.KeySchema)
  const paths = projectedNames(index, table)?.map((name) => [name])
  return { key, item: paths ? project(item, paths) : item }
}

function replaceEntry(old: Entry | undefined, next: Entry | undefined): BatchOperation[] {
  const operations: BatchOperation[] = []
  if (old && old.key !== next?.key) operations.push({ type: 'del', key: old.key })
  if (next) operations.push({ type: 'put', key: next.key, value: next.item })
  return operations
}

/** When TTL removes the item, in seconds since 1970; never when the attribute is missing or not a number. */
export function expiresAt(item: Item, { timeToLiveAttribute }: TableRecord): number | undefined {
  const value = timeToLiveAttribute === undefined ? undefined : attributeOf(item, timeToLiveAttribute)?.N
  const seconds = Math.floor(Number(value))
  return seconds > 0 && seconds <= LATEST_EXPIRY_SECONDS ? seconds : undefined
}

function expiryEntry(
  item: Item | undefined,
  { record, itemKey }: Pick<Write, 'record' | 'itemKey'>,
): Entry | undefined {
  const seconds = item && expiresAt(item, record)
  if (seconds === undefined) return undefined
  return { key: place.expiry(record.description.TableName, seconds, itemKey), item: {} }
}

const unchanged = (old: Entry | undefined, next: Entry | undefined) =>
  old?.key === next?.key && (!old || !next || sameValue({ M: old.item }, { M: next.item }))

function indexChanges(table: TableDescription, before: Item | undefined, after: Item | undefined) {
  return indexesOf(table).flatMap((index) => {
    const old = before && indexEntry(before, index, table)
    const next = after && indexEntry(after, index, table)
    if (unchanged(old, next)) return []
    return [{ name: index.IndexName, units: indexUnits(old, next), operations: replaceEntry(old, next) }]
  })
}

/** The removal of a stored item, whatever it holds. */
export const removalOf = (record: TableRecord, itemKey: string): Write => ({
  kind: 'Delete',
  record,
  request: { TableName: record.description.TableName },
  itemKey,
  place: place.item(record.description.TableName, itemKey),
  returnsItemOnFailure: false,
})

/**
 * What the write does to the item as it stands. Throws when its condition fails, or when the outcome would not be a
 * valid item; nothing has happened then.
 */
export function planChange(write: Write, before: Item | undefined): Change {
  const { _condition } = write.request
  if (_condition && !fulfils(_condition.expression, before ?? {})) {
    throw conditionFailed(write.returnsItemOnFailure ? before : undefined)
  }
  const after = itemAfter(write, before)
  const tableUnits = writeUnits(before, after)
  if (write.kind === 'ConditionCheck') return { before, after, operations: [], tableUnits, indexUnits: {} }
  const changes = indexChanges(write.record.description, before, after)
  const item: BatchOperation = after
    ? { type: 'put', key: write.place, value: after }
    : { type: 'del', key: write.place }
  const expiry = replaceEntry(expiryEntry(before, write), expiryEntry(after, write))
  return {
    before,
    after,
    operations: [item, ...changes.flatMap((change) => change.operations), ...expiry],
    tableUnits,
    indexUnits: Object.fromEntries(changes.map((change) => [change.name, change.units])),
  }
}

/** The entries a stored item needs in a newly made index, or under a newly enabled TTL. */
export function entriesFor(item: Item, record: TableRecord, index?: IndexDescription): BatchOperation[] {
  const table = record.description
  const entry = index ? indexEntry(item, index, table) : expiryEntry(item, { record, itemKey: itemKey(item, table) })
  return replaceEntry(undefined, entry)
}
