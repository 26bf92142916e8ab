/** Typed facade of dynalite, which parses and validates requests, encodes keys and plans query ranges. */
import { createRequire } from 'node:module'
import { ACCOUNT_ID, REGION } from '../service.ts'
import type { ConditionNode, Item, Path, TableDescription, UpdateSection } from './types.ts'

const load = createRequire(import.meta.url)
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
  | 'putItem'
  | 'query'
  | 'scan'
  | 'updateItem'

export interface ParsedExpressions {
  _condition?: { expression: ConditionNode; nestedPaths: Record<string, true> }
  _filter?: { expression: ConditionNode; pathHeads: Record<string, true> }
  _projection?: { paths: Path[]; nestedPaths: Record<string, true> }
  _updates?: { sections: UpdateSection[]; paths: Path[]; nestedPaths: Record<string, true> }
}
export type Input = Record<string, unknown>
export type Parsed<Fields> = Fields & ParsedExpressions

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
export interface LevelDatabase {
  open(): Promise<void>
  close(): Promise<void>
  get(key: string): Promise<unknown>
  getMany(keys: string[]): Promise<unknown[]>
  batch(operations: BatchOperation[]): Promise<void>
  clear(range: KeyRange): Promise<void>
  keys(range: KeyRange): AsyncIterable<string>
  values(range: KeyRange): AsyncIterable<unknown>
}
type LevelConstructor = new (location: string, options: { valueEncoding: 'json' }) => LevelDatabase
type MemoryLevelConstructor = new (options: { valueEncoding: 'json' }) => LevelDatabase

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
type ReadAction = (store: unknown, data: unknown, callback: (error: Error | null) => void) => void

const validations: Validations = load('dynalite/validations')
const keys: KeyFunctions = load('dynalite/db')
const actions: Record<'query' | 'scan', ReadAction> = {
  query: load('dynalite/actions/query'),
  scan: load('dynalite/actions/scan'),
}
const { Level }: { Level: LevelConstructor } = loadDependency('level')
const { MemoryLevel }: { MemoryLevel: MemoryLevelConstructor } = loadDependency('memory-level')
const Big: new (value: string) => Decimal = loadDependency('big.js')

/** Sizes are checked here in bytes, because dynalite counts characters. */
const VALIDATION_STORE = {
  options: { maxItemSize: Number.POSITIVE_INFINITY },
  tableDb: { awsAccountId: ACCOUNT_ID, awsRegion: REGION },
}

const loadedValidations = new Map<Operation, Validation>()

function loadValidation(operation: Operation): Validation {
  const cached = loadedValidations.get(operation)
  if (cached) return cached
  const validation: Validation = load(`dynalite/validations/${operation}`)
  loadedValidations.set(operation, validation)
  return validation
}

/** Validates a request like AWS and parses its expressions. Unknown fields are removed from `input` itself too. */
export function parseRequest<Fields>(operation: Operation, input: Input): Parsed<Fields> {
  const { types, custom } = loadValidation(operation)
  const data = validations.checkTypes(input, types)
  validations.checkValidations(data, types, custom, VALIDATION_STORE)
  return data as Parsed<Fields>
}

function throwIfError(error: Error | null | undefined): void {
  if (error) throw error
}

export const checkKey = (key: Item, table: TableDescription): void => throwIfError(keys.validateKey(key, table))
export const checkItem = (item: Item, table: TableDescription): void => throwIfError(keys.validateItem(item, table))
export const checkKeyPaths = (parsed: { nestedPaths: Record<string, true> } | undefined, table: TableDescription) =>
  throwIfError(keys.validateKeyPaths(parsed?.nestedPaths, table))
export const checkUpdates = (updates: ParsedExpressions['_updates'], table: TableDescription): void =>
  throwIfError(keys.validateUpdates(undefined, updates, table))

/** `item` may be just a key. Sorts like DynamoDB within one partition. */
export const buildItemKey = (item: Item, table: TableDescription): string => keys.createKey(item, table)

/** The item's full key is appended: dynalite distinguishes equal index keys only by a 24-bit hash. */
export const buildIndexKey = (item: Item, table: TableDescription, keySchema: TableDescription['KeySchema']): string =>
  `${keys.createIndexKey(item, table, keySchema)}/${keys.createKey(item, table)}`

const PLANNED = Symbol('planned')

/** dynalite plans and reads in one step, so it gets a store that throws when reading would start. */
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
    getTable: (_name: string, callback: (error: null, table: TableDescription) => void) => callback(null, table),
    getItemDb: () => source,
    getIndexDb: () => source,
  }
  try {
    actions[action](store, data, (error) => {
      failure = error
    })
  } catch (thrown) {
    if (thrown !== PLANNED) throw thrown
  }
  if (failure) throw failure
  return range
}

export const toDecimal = (value: string): Decimal => new Big(value)

export const openLevel = (directory?: string): LevelDatabase =>
  directory ? new Level(directory, { valueEncoding: 'json' }) : new MemoryLevel({ valueEncoding: 'json' })
