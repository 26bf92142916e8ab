/**
 * `entity()` stores one kind of resource in the single table, with writes conditional on `rev`.
 * Layout: pk = `<name>#<id>`, sk = `-`; each `by` index has `<facets>#<name>` and the id, so lists are in creation
 * order.
 */
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb'
import { type Attribute, Entity } from 'electrodb'
import * as z from 'zod'
import { batchGet, getItem, type Item } from './batch.ts'
import { getTableName, UNMARSHALL_OPTIONS } from './client.ts'
import { countItems, queryPages } from './query.ts'

export type Write =
  | { Put: { TableName: string; Item: Record<string, unknown>; [key: string]: unknown } }
  | { Delete: { TableName: string; Key: Record<string, unknown>; [key: string]: unknown } }
  | { Update: { TableName: string; Key: Record<string, unknown>; [key: string]: unknown } }
  | { ConditionCheck: { TableName: string; Key: Record<string, unknown>; [key: string]: unknown } }

type IndexName = 'gsi1' | 'gsi2'
type Keys<S extends z.ZodObject> = Extract<keyof z.infer<S>, string>

export interface ListOptions {
  order?: 'asc' | 'desc'
  limit?: number
  /** Only ids after this one (asc) or before it (desc). */
  after?: string
}

/** `rev` is the revision that writes are conditional on. */
export type Stored<S extends z.ZodObject> = z.infer<S> & { rev: number }

const getAttributeType = (shape: z.core.$ZodType): Attribute['type'] => {
  const definition = shape._zod.def
  switch (definition.type) {
    case 'string':
    case 'enum':
      return 'string'
    case 'number':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'optional':
    case 'default':
    case 'nullable':
      return getAttributeType((definition as z.core.$ZodOptionalDef).innerType)
    default:
      return 'any'
  }
}

/** @param definition.by its lists: the index of each and the fields that select it */
export function entity<
  S extends z.ZodObject,
  const B extends Record<string, { index: IndexName; of: readonly Keys<S>[] }>,
>(definition: { name: string; shape: S; id?: Keys<S>; by: B }) {
  type StoredItem = Stored<S>
  const id = definition.id ?? 'id'
  const shape = definition.shape.extend({ rev: z.number() })
  let electroCache: LooseEntity | undefined
  // Lazy: a function imports dozens of entities, a request uses a few.
  const getElectro = (): LooseEntity => {
    electroCache ??= createElectroEntity(definition.name, id, shape.shape, definition.by)
    return electroCache
  }
  const parse = (item: unknown): StoredItem => shape.parse(item) as StoredItem
  const getOptions = () => ({ table: getTableName() })
  const buildKey = (value: string) => ({ pk: `${definition.name}#${value}`, sk: '-' })
  const buildItemKey = (value: string): Item => marshall(buildKey(value))
  const parseItem = (item: Item): StoredItem => parse(unmarshall(item, UNMARSHALL_OPTIONS))

  return {
    name: definition.name,
    async get(value: string): Promise<StoredItem | undefined> {
      const item = await getItem(buildItemKey(value))
      return item && parseItem(item)
    },
    async getMany(values: readonly string[]): Promise<StoredItem[]> {
      const items = await batchGet([...new Set(values)].map(buildItemKey))
      const results = items.map(parseItem)
      const found = new Map(results.map((result) => [String(result[id as keyof StoredItem]), result]))
      return values.flatMap((value) => found.get(value) ?? [])
    },
    async list(
      by: Extract<keyof B, string>,
      facets: Record<string, string>,
      list: ListOptions = {},
    ): Promise<StoredItem[]> {
      const { order = 'asc', limit = Number.POSITIVE_INFINITY, after } = list
      const fullQuery = getElectro().query[by]!(facets)
      const boundedQuery =
        after === undefined
          ? fullQuery
          : order === 'desc'
            ? fullQuery.lt({ [id]: after })
            : fullQuery.gt({ [id]: after })
      const results: StoredItem[] = []
      const query = boundedQuery.params({ ...getOptions(), order, ...(list.limit ? { limit: list.limit } : {}) })
      for await (const items of queryPages(query)) {
        for (const item of items) results.push(parse(item))
        if (results.length >= limit) break
      }
      return results.slice(0, limit)
    },
    count(by: Extract<keyof B, string>, facets: Record<string, string>, absent: Keys<S>): Promise<number> {
      const withoutField = getElectro().query[by]!(facets).where((attribute, { notExists }) =>
        notExists(attribute[absent]),
      )
      return countItems(withoutField.params(getOptions()))
    },
    create(item: z.infer<S>): Write {
      const params = getElectro()
        .create({ ...item, rev: 1 })
        .params(getOptions())
      return { Put: params } as Write
    },
    /** Fails if another writer changed it since `before`. */
    replace(before: StoredItem, after: z.infer<S>): Write {
      const params = getElectro()
        .put({ ...after, rev: before.rev + 1 })
        .where((attribute, { eq }) => eq(attribute.rev, before.rev))
        .params(getOptions())
      return { Put: params } as Write
    },
    remove(before: StoredItem): Write {
      const params = getElectro()
        .delete({ [id]: before[id as keyof StoredItem] })
        .where((attribute, { eq }) => eq(attribute.rev, before.rev))
        .params(getOptions())
      return { Delete: params } as Write
    },
    assertExists: (value: string): Write => ({
      ConditionCheck: {
        TableName: getTableName(),
        Key: buildKey(value),
        ConditionExpression: 'attribute_exists(pk)',
      },
    }),
    parse,
  }
}

function createElectroEntity(
  name: string,
  id: string,
  fields: z.core.$ZodShape,
  by: Record<string, { index: IndexName; of: readonly string[] }>,
): LooseEntity {
  const attributes = Object.entries(fields).map(([key, value]) => [key, { type: getAttributeType(value) }])
  const lists = Object.entries(by).map(([list, { index, of }]) => [
    list,
    {
      index,
      pk: {
        field: `${index}pk`,
        composite: [...of],
        template: `${of.map((key) => `\${${key}}`).join('#')}#${name}`,
        casing: 'none',
      },
      sk: { field: `${index}sk`, composite: [id], template: `\${${id}}`, casing: 'none' },
    },
  ])
  const model = {
    model: { entity: name, version: '1', service: 'wharf' },
    attributes: Object.fromEntries(attributes),
    indexes: {
      primary: {
        pk: { field: 'pk', composite: [id], template: `${name}#\${${id}}`, casing: 'none' },
        sk: { field: 'sk', composite: [], template: '-', casing: 'none' },
      },
      ...Object.fromEntries(lists),
    },
  }
  // ElectroDB's types need literal schemas; ours is built at run time, and zod parses every item.
  const electro = new Entity(model as ConstructorParameters<typeof Entity>[0], { table: 'named-at-call' })
  return electro as unknown as LooseEntity
}

interface LooseEntity {
  query: Record<string, (facets: Record<string, string>) => LooseQuery>
  create(item: Record<string, unknown>): ParamsBuilder
  put(item: Record<string, unknown>): ParamsBuilder & Conditional
  delete(key: Record<string, unknown>): ParamsBuilder & Conditional
}
interface LooseQuery extends ParamsBuilder, Conditional {
  gt(key: Record<string, string>): LooseQuery
  lt(key: Record<string, string>): LooseQuery
}
interface ParamsBuilder {
  params(options: object): Record<string, unknown>
}
interface Conditional {
  where(
    condition: (
      attribute: Record<string, unknown>,
      operations: { eq(name: unknown, value: unknown): string; notExists(name: unknown): string },
    ) => string,
  ): ParamsBuilder
}
