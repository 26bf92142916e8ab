/**
 * The tables on LevelDB: their descriptions, items, index entries and expiry entries under one set of keys, changed only
 * by whole batches. A LevelDB batch is one record of its log, so after a crash it is there in full or not at all. One
 * process holds the directory. Must not know requests or expressions.
 */
import { mkdir } from 'node:fs/promises'
import { type BatchOperation, type KeyRange, type LevelDatabase, type LevelSnapshot, openLevel } from './dynalite.ts'
import { tableNotFound } from './errors.ts'
import { Gate, KeyLocks } from './locks.ts'
import type { IndexDescription, Item, TableDescription, TableRecord } from './types.ts'

const TABLES = 'table/'
/** Sorts behind every character that keys are made of. */
const LAST = '~'

/** Where things are stored. Table and index names have no slash, so no prefix is the beginning of another. */
export const place = {
  table: (table: string) => `${TABLES}${table}`,
  items: (table: string) => `item/${table}/`,
  item: (table: string, itemKey: string) => `item/${table}/${itemKey}`,
  indexes: (table: string) => `index/${table}/`,
  index: (table: string, index: string) => `index/${table}/${index}/`,
  expiries: (table: string) => `expiry/${table}/`,
  /** `expiresAt` in seconds since 1970. */
  expiry: (table: string, expiresAt: number, itemKey = '') =>
    `expiry/${table}/${String(expiresAt).padStart(12, '0')}/${itemKey}`,
  token: (token: string) => `token/${token}`,
  /** Tokens in the order of their age; `at` in milliseconds since 1970. */
  tokenAge: (at: number, token = '') => `token-age/${String(at).padStart(15, '0')}/${token}`,
}

export const within = (prefix: string): KeyRange => ({ gte: prefix, lt: prefix + LAST })

/** A range relative to `prefix` made absolute, and never leading out of it. */
export function rangeWithin(prefix: string, { gt, gte, lt, lte, reverse }: KeyRange): KeyRange {
  const from = gt !== undefined ? { gt: prefix + gt } : { gte: prefix + (gte ?? '') }
  const to = lte !== undefined ? { lte: prefix + lte } : { lt: prefix + (lt ?? LAST) }
  return { ...from, ...to, reverse: reverse ?? false }
}

export const indexesOf = (table: TableDescription): IndexDescription[] => [
  ...(table.GlobalSecondaryIndexes ?? []),
  ...(table.LocalSecondaryIndexes ?? []),
]

export class Store {
  readonly #database: LevelDatabase
  readonly #tables = new Map<string, TableRecord>()
  /** Held by every write for the keys of its items, as `place.item` names them. */
  readonly locks = new KeyLocks()
  /** Shared by writes of items, taken alone by changes of a table. */
  readonly gate = new Gate()

  private constructor(database: LevelDatabase) {
    this.#database = database
  }

  /** Opens (and creates) the directory, or a store in memory without one. Fails when another process holds it. */
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
    for await (const record of this.#database.values(within(TABLES)) as AsyncIterable<TableRecord>) {
      this.#tables.set(record.description.TableName, record)
    }
    for (const [name, record] of this.#tables) if (record.deleting) await this.removeTable(name)
  }

  close(): Promise<void> {
    return this.#database.close()
  }

  tables(): TableRecord[] {
    return [...this.#tables.values()].filter((record) => !record.deleting)
  }

  hasTable(name: string): boolean {
    return this.#tables.has(name)
  }

  /** Throws a ResourceNotFoundException for an unknown table. */
  table(name: string): TableRecord {
    const record = this.#tables.get(name)
    if (!record || record.deleting) throw tableNotFound(name)
    return record
  }

  /** Writes a table's record, new or changed. */
  async saveTable(record: TableRecord): Promise<void> {
    const name = record.description.TableName
    await this.commit([{ type: 'put', key: place.table(name), value: record }])
    this.#tables.set(name, record)
  }

  /** Removes a table with all its items, to be repeated at the next start when the process ends before it is done. */
  async removeTable(name: string): Promise<void> {
    const record = this.#tables.get(name)
    if (!record) throw tableNotFound(name)
    await this.saveTable({ ...record, deleting: true })
    for (const prefix of [place.items(name), place.indexes(name), place.expiries(name)])
      await this.clear(within(prefix))
    await this.commit([{ type: 'del', key: place.table(name) }])
    this.#tables.delete(name)
  }

  /** The items at these places, in order. With a snapshot, all as they were when it was taken. */
  async items(places: string[], snapshot?: LevelSnapshot): Promise<(Item | undefined)[]> {
    const isOne = places.length === 1 && !snapshot
    const found = isOne
      ? [await this.#database.get(places[0]!)]
      : await this.#database.getMany(places, snapshot ? { snapshot } : {})
    return found as (Item | undefined)[]
  }

  /** Runs reads that all see the same state, whatever is written meanwhile. */
  async inSnapshot<Result>(read: (snapshot: LevelSnapshot) => Promise<Result>): Promise<Result> {
    const snapshot = this.#database.snapshot()
    try {
      return await read(snapshot)
    } finally {
      await snapshot.close()
    }
  }

  async value<Shape>(key: string): Promise<Shape | undefined> {
    return (await this.#database.get(key)) as Shape | undefined
  }

  /** Items or index entries in the order of their keys, as of now. Stop early by leaving the loop. */
  async *itemsIn(range: KeyRange): AsyncGenerator<Item> {
    for await (const item of this.#database.values(range)) yield item as Item
  }

  async *keysIn(range: KeyRange): AsyncGenerator<string> {
    yield* this.#database.keys(range)
  }

  /** All or nothing, also when the process is killed. */
  commit(operations: BatchOperation[]): Promise<void> {
    return this.#database.batch(operations)
  }

  clear(range: KeyRange): Promise<void> {
    return this.#database.clear(range)
  }
}
