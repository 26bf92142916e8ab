/**
 * `entity()` stores one kind of resource in the single table, with writes conditional on `rev`.
 * Layout: pk = `<name>#<id>`, sk = `-`; each `by` index has `<facets>#<name>` and the id, so lists are in creation
 * order.
 */
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb'
import * as z from 'zod'
import { compressJson, decompressJson } from '../core/compressed-json.ts'
import { batchGet, getItem, type Item } from './batch.ts'
import { getTableName, UNMARSHALL_OPTIONS } from './client.ts'
import { buildItemKey, buildListKey, type ListDefinition } from './keys.ts'
import { countItems, queryPages } from './query.ts'
import type { PutWrite, Write } from './write.ts'

type Fields<S extends z.ZodObject> = Extract<keyof z.infer<S>, string>

export interface ListOptions {
  order?: 'asc' | 'desc'
  limit?: number
  /** Only ids after this one (asc) or before it (desc). */
  after?: string
}

/** `rev` is the revision that writes are conditional on. */
export type Stored<S extends z.ZodObject> = z.infer<S> & { rev: number }

/** @param definition.by its lists: the index of each and the fields that select it */
export function entity<S extends z.ZodObject, const B extends Record<string, ListDefinition<Fields<S>>>>(definition: {
  name: string
  shape: S
  id?: Fields<S>
  by: B
  restore?: (item: Record<string, unknown>) => Record<string, unknown>
  /** All other fields are stored as compressed JSON, so that most items are one write unit in the table and each index. */
  unpacked?: readonly Fields<S>[]
}) {
  type StoredItem = Stored<S>
  type List = Extract<keyof B, string>
  const { name, by: lists, restore = unpackItem } = definition
  const id = definition.id ?? 'id'
  const shape = definition.shape.extend({ rev: z.number() })
  const fields = Object.keys(shape.shape)
  const parse = (item: Record<string, unknown>): StoredItem => shape.parse(restore(item)) as StoredItem
  const readId = (item: Record<string, unknown>): string => String(item[id])
  const buildKey = (value: string) => buildItemKey(name, value)
  const marshallKey = (value: string): Item => marshall(buildKey(value))
  const parseItem = (item: Item): StoredItem => parse(unmarshall(item, UNMARSHALL_OPTIONS))

  function toItem(values: Record<string, unknown>): Record<string, unknown> {
    const present: Record<string, unknown> = {}
    for (const field of fields) if (values[field] !== undefined) present[field] = values[field]
    const item = definition.unpacked ? packItem(present, ['rev', ...definition.unpacked]) : present
    Object.assign(item, buildKey(readId(values)))
    for (const { index, of } of Object.values(lists)) {
      const listKey = buildListKey(name, of, values)
      if (listKey !== undefined) Object.assign(item, { [`${index}pk`]: listKey, [`${index}sk`]: readId(values) })
    }
    return item
  }

  function buildQuery(by: List, facets: Record<string, string>, after?: string, order = 'asc') {
    const { index, of } = lists[by]!
    const listKey = buildListKey(name, of, facets)
    if (listKey === undefined) throw new Error(`The list ${name}.${by} needs ${of.join(' and ')}.`)
    const range = after === undefined ? '' : ` AND ${index}sk ${order === 'desc' ? '<' : '>'} :after`
    return {
      IndexName: index,
      KeyConditionExpression: `${index}pk = :list${range}`,
      ExpressionAttributeValues: { ':list': listKey, ...(after === undefined ? {} : { ':after': after }) },
    }
  }

  return {
    name,
    buildKey,
    async get(value: string): Promise<StoredItem | undefined> {
      const item = await getItem(marshallKey(value))
      return item && parseItem(item)
    },
    async getMany(values: readonly string[]): Promise<StoredItem[]> {
      const items = await batchGet([...new Set(values)].map(marshallKey))
      const results = items.map(parseItem)
      const found = new Map(results.map((result) => [readId(result), result]))
      return values.flatMap((value) => found.get(value) ?? [])
    },
    async list(by: List, facets: Record<string, string>, options: ListOptions = {}): Promise<StoredItem[]> {
      const { order, limit = Number.POSITIVE_INFINITY, after } = options
      const results: StoredItem[] = []
      const query = {
        ...buildQuery(by, facets, after, order),
        ScanIndexForward: order !== 'desc',
        ...(options.limit ? { Limit: options.limit } : {}),
      }
      for await (const items of queryPages(query)) {
        for (const item of items) results.push(parse(item))
        if (results.length >= limit) break
      }
      return results.slice(0, limit)
    },
    count(by: List, facets: Record<string, string>, absent: Fields<S>): Promise<number> {
      return countItems({
        ...buildQuery(by, facets),
        FilterExpression: 'attribute_not_exists(#absent)',
        ExpressionAttributeNames: { '#absent': absent },
      })
    },
    create: (item: z.infer<S>): PutWrite => ({
      Put: { TableName: getTableName(), Item: toItem({ ...item, rev: 1 }), ...NEW },
    }),
    /** Fails if another writer changed it since `before`. */
    replace: (before: StoredItem, after: z.infer<S>): PutWrite => ({
      Put: {
        TableName: getTableName(),
        Item: toItem({ ...after, rev: before.rev + 1 }),
        ...buildUnchangedCondition(before),
      },
    }),
    remove: (before: StoredItem): Write => ({
      Delete: { TableName: getTableName(), Key: buildKey(readId(before)), ...buildUnchangedCondition(before) },
    }),
    assertExists: (value: string) => ({
      ConditionCheck: {
        TableName: getTableName(),
        Key: buildKey(value),
        ConditionExpression: 'attribute_exists(pk)',
      },
    }),
    parse,
  }
}

function packItem(fields: Record<string, unknown>, unpacked: readonly string[]): Record<string, unknown> {
  const own = Object.entries(fields).filter(([field]) => unpacked.includes(field))
  const others = Object.entries(fields).filter(([field]) => !unpacked.includes(field))
  return { ...Object.fromEntries(own), packed: compressJson(Object.fromEntries(others)) }
}

const unpackItem = (item: Record<string, unknown>): Record<string, unknown> =>
  item.packed instanceof Uint8Array ? { ...(decompressJson(item.packed) as object), ...item } : item

const NEW = { ConditionExpression: 'attribute_not_exists(pk) AND attribute_not_exists(sk)' }

const buildUnchangedCondition = ({ rev }: { rev: number }) => ({
  ConditionExpression: 'rev = :rev',
  ExpressionAttributeValues: { ':rev': rev },
})
