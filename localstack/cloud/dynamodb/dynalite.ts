/**
 * The one door to dynalite: a small typed face for the parts of it that are used. dynalite parses requests and
 * expressions, validates them with AWS's own messages, encodes keys in their sort order and plans the key range of a
 * query; evaluating, storing and answering are done here. Must not know how anything is stored.
 */
import { createRequire } from 'node:module'
import { ACCOUNT_ID, REGION } from '../service.ts'
import type { ConditionNode, Item, Path, TableDescription, UpdateSection } from './types.ts'

const load = createRequire(import.meta.url)
/** dynalite's own dependencies (level, memory-level, big.js), in the versions it was built with. */
const loadDependency = createRequire(load.resolve('dynalite'))

type Operation =
  | 'batchGetItem'
  | 'batchWriteItem'
  | 'createTable'
  | 'deleteItem'
  | 'deleteTable'
  | 'describeTable'
  | 'getItem'
  | 'listTables'
  | 'listTagsOfResource'
  | 'putItem'
  | 'query'
  | 'scan'
  | 'tagResource'
  | 'untagResource'
  | 'updateItem'

/** What a validated request carries beside its own fields: its parsed expressions. */
export interface ParsedExpressions {
  _condition?: { expression: ConditionNode; nestedPaths: Record<string, true> }
  _filter?: { expression: ConditionNode; pathHeads: Record<string, true> }
  _projection?: { paths: Path[]; nestedPaths: Record<string, true> }
  _updates?: { sections: UpdateSection[]; paths: Path[]; nestedPaths: Record<string, true> }
}
export type Input = Record<string, unknown>
export type Parsed<Fields> = Fields & ParsedExpressions

/** A range of stored keys, as LevelDB takes it. */
export interface KeyRange {
  gt?: string
  gte?: string
  lt?: string
  lte?: string
  reverse?: boolean
}

export interface BatchOperation {
  type: 'put' | 'del'
  key: string
  value?: unknown
}
export interface LevelSnapshot {
  close(): Promise<void>
}
/** The part of abstract-level's API that the store uses; values are JSON. */
export interface LevelDatabase {
  open(): Promise<void>
  close(): Promise<void>
  get(key: string): Promise<unknown>
  getMany(keys: string[], options?: { snapshot?: LevelSnapshot }): Promise<unknown[]>
  batch(operations: BatchOperation[]): Promise<void>
  clear(range: KeyRange): Promise<void>
  snapshot(): LevelSnapshot
  keys(range: KeyRange): AsyncIterable<string>
  values(range: KeyRange): AsyncIterable<unknown>
}
type LevelConstructor = new (location: string, options: { valueEncoding: 'json' }) => LevelDatabase
type MemoryLevelConstructor = new (options: { valueEncoding: 'json' }) => LevelDatabase

/** Arbitrary precision decimals: DynamoDB's numbers have 38 digits. */
export interface Decimal {
  readonly c: number[]
  plus(other: string): Decimal
  minus(other: string): Decimal
  cmp(other: string): number
  toFixed(): string
}

interface Validation {
  types: Record<string, unknown>
  custom?: (data: unknown, store: unknown) => string | undefined
}
interface Validations {
  checkTypes(input: Input, types: Validation['types']): Input
  checkValidations(data: Input, types: Validation['types'], custom: Validation['custom'], store: unknown): void
}
type KeyRule = (data: unknown, table: TableDescription) => Error | null | undefined
interface KeyFunctions {
  createKey(item: Item, table: TableDescription, keySchema?: TableDescription['KeySchema']): string
  createIndexKey(item: Item, table: TableDescription, keySchema: TableDescription['KeySchema']): string
  validateKey: KeyRule
  validateItem: KeyRule
  validateKeyPaths: KeyRule
  validateUpdates(legacy: undefined, updates: unknown, table: TableDescription): Error | null | undefined
}
type ReadAction = (store: unknown, data: unknown, done: (error: Error | null) => void) => void

const validations: Validations = load('dynalite/validations')
const keys: KeyFunctions = load('dynalite/db')
const actions: Record<'query' | 'scan', ReadAction> = {
  query: load('dynalite/actions/query'),
  scan: load('dynalite/actions/scan'),
}
const { Level }: { Level: LevelConstructor } = loadDependency('level')
const { MemoryLevel }: { MemoryLevel: MemoryLevelConstructor } = loadDependency('memory-level')
const Big: new (value: string) => Decimal = loadDependency('big.js')

/** What dynalite's validators ask of its store. Sizes are checked here, in bytes: dynalite counts characters. */
const VALIDATION_STORE = {
  options: { maxItemSize: Number.POSITIVE_INFINITY },
  tableDb: { awsAccountId: ACCOUNT_ID, awsRegion: REGION },
}

const loadedValidations = new Map<Operation, Validation>()

function validationOf(operation: Operation): Validation {
  const known = loadedValidations.get(operation)
  if (known) return known
  const validation: Validation = load(`dynalite/validations/${operation}`)
  loadedValidations.set(operation, validation)
  return validation
}

/**
 * Checks a request as AWS would and parses its expressions. Numbers come back in their canonical form; fields unknown
 * to the operation are dropped, also from `input` itself. `Fields` is the shape that the operation's validation
 * guarantees. Throws dynalite's error, which carries `statusCode` and `body`.
 */
export function parse<Fields>(operation: Operation, input: Input): Parsed<Fields> {
  const { types, custom } = validationOf(operation)
  const data = validations.checkTypes(input, types)
  validations.checkValidations(data, types, custom, VALIDATION_STORE)
  return data as Parsed<Fields>
}

function refuse(error: Error | null | undefined): void {
  if (error) throw error
}

/** Throws unless `key` has exactly the table's key attributes, of the right types and sizes. */
export const checkKey = (key: Item, table: TableDescription): void => refuse(keys.validateKey(key, table))
/** Throws unless `item` holds the table's key attributes, and index key attributes only of their types. */
export const checkItem = (item: Item, table: TableDescription): void => refuse(keys.validateItem(item, table))
/** Throws when an expression reaches inside a key attribute. */
export const checkKeyPaths = (parsed: { nestedPaths: Record<string, true> } | undefined, table: TableDescription) =>
  refuse(keys.validateKeyPaths(parsed?.nestedPaths, table))
/** Throws when an update expression touches a key, or sets an index key to a value of another type. */
export const checkUpdates = (updates: ParsedExpressions['_updates'], table: TableDescription): void =>
  refuse(keys.validateUpdates(undefined, updates, table))

/** The place of an item in its table; `item` may be a key alone. Sorts as DynamoDB does within one partition. */
export const itemKey = (item: Item, table: TableDescription): string => keys.createKey(item, table)

/**
 * The place of an item in an index. dynalite tells items of equal index keys apart by 24 bits of a hash, so that they
 * overwrite each other by the thousands: the item's whole key is appended.
 */
export const indexKey = (item: Item, table: TableDescription, keySchema: TableDescription['KeySchema']): string =>
  `${keys.createIndexKey(item, table, keySchema)}/${keys.createKey(item, table)}`

const PLANNED = Symbol('planned')

/**
 * The key range (relative to the table or its index) that a parsed query or scan reads. dynalite plans and reads in one
 * go, so it is given a store that stops it where the reading would begin.
 */
export function planRange(action: 'query' | 'scan', data: unknown, table: TableDescription): KeyRange {
  let range: KeyRange = {}
  let failure: Error | null = null
  const source = {
    createValueStream(planned: KeyRange) {
      range = planned
      throw PLANNED
    },
  }
  const store = {
    getTable: (_name: string, done: (error: null, table: TableDescription) => void) => done(null, table),
    getItemDb: () => source,
    getIndexDb: () => source,
  }
  try {
    actions[action](store, data, (error) => {
      failure = error
    })
  } catch (stopped) {
    if (stopped !== PLANNED) throw stopped
  }
  if (failure) throw failure
  return range
}

export const decimal = (value: string): Decimal => new Big(value)

export const openLevel = (directory?: string): LevelDatabase =>
  directory ? new Level(directory, { valueEncoding: 'json' }) : new MemoryLevel({ valueEncoding: 'json' })
