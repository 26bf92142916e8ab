/** Tables on LevelDB, changed only in batches: a batch is one record of its log, so it is atomic across a crash. */
import { mkdir } from 'node:fs/promises'
import { type BatchOperation, type KeyRange, type LevelDatabase, openLevel } from './dynalite.ts'
import { tableNotFound, tableOfItemsNotFound } from './errors.ts'
import { Gate, KeyLocks } from './locks.ts'
import type { IndexDescription, Item, TableDescription, TableRecord } from './types.ts'

const TABLE_PREFIX = 'table/'
/** Sorts after every character used in keys. */
const LAST_CHARACTER = '~'

/** Table and index names have no slash, so no prefix is a prefix of another one. */
export const buildKey = {
  table: (table: string) => `${TABLE_PREFIX}${table}`,
  items: (table: string) => `item/${table}/`,
  item: (table: string, itemKey: string) => `item/${table}/${itemKey}`,
  indexes: (table: string) => `index/${table}/`,
  index: (table: string, index: string) => `index/${table}/${index}/`,
  expiries: (table: string) => `expiry/${table}/`,
  /** `expiresAt` is in seconds since 1970. */
  expiry: (table: string, expiresAt: number, itemKey = '') =>
    `expiry/${table}/${String(expiresAt).padStart(12, '0')}/${itemKey}`,
  token: (token: string) => `token/${token}`,
  /** Orders tokens by age; `timestamp` is in milliseconds since 1970. */
  tokenAge: (timestamp: number, token = '') => `token-age/${String(timestamp).padStart(15, '0')}/${token}`,
}

export const prefixRange = (prefix: string): KeyRange => ({ gte: prefix, lt: prefix + LAST_CHARACTER })

export function resolveRange(prefix: string, { gt, gte, lt, lte, reverse }: KeyRange): KeyRange {
  const from = gt !== undefined ? { gt: prefix + gt } : { gte: prefix + (gte ?? '') }
  const to = lte !== undefined ? { lte: prefix + lte } : { lt: prefix + (lt ?? LAST_CHARACTER) }
  return { ...from, ...to, reverse: reverse ?? false }
}

export const getIndexes = ({
  GlobalSecondaryIndexes = [],
  LocalSecondaryIndexes = [],
}: TableDescription): IndexDescription[] => [...GlobalSecondaryIndexes, ...LocalSecondaryIndexes]

export class Store {
  readonly #database: LevelDatabase
  readonly #tables = new Map<string, TableRecord>()
  readonly locks = new KeyLocks()
  /** Shared by item writes, exclusive for table changes. */
  readonly gate = new Gate()

  private constructor(database: LevelDatabase) {
    this.#database = database
  }

  static async open(directory?: string): Promise<Store> {
    if (directory) await mkdir(directory, { recursive: true })
    const database = openLevel(directory)
    try {
      await database.open()
    } catch (cause) {
      throw new Error(`Cannot open the DynamoDB data in ${directory}: is another process using it?`, { cause })
    }
    const store = new Store(database)
    await store.#loadTables()
    return store
  }

  async #loadTables(): Promise<void> {
    for await (const record of this.#database.values(prefixRange(TABLE_PREFIX)) as AsyncIterable<TableRecord>) {
      this.#tables.set(record.description.TableName, record)
    }
    for (const [name, record] of this.#tables) if (record.deleting) await this.removeTable(name)
  }

  close(): Promise<void> {
    return this.#database.close()
  }

  listTables(): TableRecord[] {
    return [...this.#tables.values()].filter((record) => !record.deleting)
  }

  hasTable(name: string): boolean {
    return this.#tables.has(name)
  }

  #findTable(name: string): TableRecord | undefined {
    const record = this.#tables.get(name)
    return record?.deleting ? undefined : record
  }

  getTable(name: string): TableRecord {
    const record = this.#findTable(name)
    if (!record) throw tableOfItemsNotFound()
    return record
  }

  getNamedTable(name: string): TableRecord {
    const record = this.#findTable(name)
    if (!record) throw tableNotFound(name)
    return record
  }

  async saveTable(record: TableRecord): Promise<void> {
    const name = record.description.TableName
    await this.commit([{ type: 'put', key: buildKey.table(name), value: record }])
    this.#tables.set(name, record)
  }

  /** Resumes at the next start if the process ends before it is done. */
  async removeTable(name: string): Promise<void> {
    const record = this.#tables.get(name)
    if (!record) throw tableNotFound(name)
    await this.saveTable({ ...record, deleting: true })
    for (const prefix of [buildKey.items(name), buildKey.indexes(name), buildKey.expiries(name)])
      await this.clear(prefixRange(prefix))
    await this.commit([{ type: 'del', key: buildKey.table(name) }])
    this.#tables.delete(name)
  }

  async getItems(keys: string[]): Promise<(Item | undefined)[]> {
    const values = keys.length === 1 ? [await this.#database.get(keys[0]!)] : await this.#database.getMany(keys)
    return values as (Item | undefined)[]
  }

  async getValue<Shape>(key: string): Promise<Shape | undefined> {
    return (await this.#database.get(key)) as Shape | undefined
  }

  async *iterateItems(range: KeyRange): AsyncGenerator<Item> {
    for await (const item of this.#database.values(range)) yield item as Item
  }

  async *iterateKeys(range: KeyRange): AsyncGenerator<string> {
    yield* this.#database.keys(range)
  }

  /** Atomic, even if the process is killed. */
  commit(operations: BatchOperation[]): Promise<void> {
    return this.#database.batch(operations)
  }

  clear(range: KeyRange): Promise<void> {
    return this.#database.clear(range)
  }
}
