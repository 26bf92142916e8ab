/**
 * `entity()`: one stored thing in the single table. Attributes derive from its zod shape (zod stays the one source),
 * keys are case-sensitive, and every write is conditional on what was read (`rev`).
 *
 * Layout: pk = `<name>#<id>`, sk = `-`; each `by` index keeps `<facets>#<name>` and the id, so a list is in creation order.
 */
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb'
import { type Attribute, Entity } from 'electrodb'
import * as z from 'zod'
import { batchGet, get, type Item } from './batch.ts'
import { tableName, UNMARSHALL } from './client.ts'
import { counted, queried } from './query.ts'

/** A DynamoDB write, ready for a transaction. */
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
  /** Only ids after (asc) or before (desc) this one. */
  after?: string
}

/** A thing as stored: its shape and the revision that writes are conditional on. */
export type Stored<S extends z.ZodObject> = z.infer<S> & { rev: number }

const attributeType = (shape: z.core.$ZodType): Attribute['type'] => {
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
      return attributeType((definition as z.core.$ZodOptionalDef).innerType)
    default:
      return 'any'
  }
}

/**
 * Declares a stored thing.
 * @param definition.by each list it appears in: the index it uses and the fields whose values select the list.
 * @param definition.id the field that names it; `id` unless told.
 */
export function entity<
  S extends z.ZodObject,
  const B extends Record<string, { index: IndexName; of: readonly Keys<S>[] }>,
>(definition: { name: string; shape: S; id?: Keys<S>; by: B }) {
  type Thing = Stored<S>
  const id = definition.id ?? 'id'
  const shape = definition.shape.extend({ rev: z.number() })
  let made: LooseEntity | undefined
  // A function knows dozens of things and a request uses a few: each is made at its first use, not at a cold start.
  const electro = (): LooseEntity => {
    made ??= electroEntity(definition.name, id, shape.shape, definition.by)
    return made
  }
  const parse = (item: unknown): Thing => shape.parse(item) as Thing
  const options = () => ({ table: tableName() })
  const keyOf = (value: string) => ({ pk: `${definition.name}#${value}`, sk: '-' })
  const itemKeyOf = (value: string): Item => marshall(keyOf(value))
  const thingOf = (item: Item): Thing => parse(unmarshall(item, UNMARSHALL))

  return {
    name: definition.name,
    /** Strongly consistent read by id; one request for all that is read in the same turn of the event loop. */
    async get(value: string): Promise<Thing | undefined> {
      const item = await get(itemKeyOf(value))
      return item && thingOf(item)
    },
    /** In the order asked, each 100 of them in one request; missing ones are left out. */
    async getMany(values: readonly string[]): Promise<Thing[]> {
      const items = await batchGet([...new Set(values)].map(itemKeyOf))
      const things = items.map(thingOf)
      const found = new Map(things.map((thing) => [String(thing[id as keyof Thing]), thing]))
      return values.flatMap((value) => found.get(value) ?? [])
    },
    /** One list in id order; reads on until `limit` are found or the list ends. */
    async list(by: Extract<keyof B, string>, facets: Record<string, string>, list: ListOptions = {}): Promise<Thing[]> {
      const { order = 'asc', limit = Number.POSITIVE_INFINITY, after } = list
      const all = electro().query[by]!(facets)
      const bounded = after === undefined ? all : order === 'desc' ? all.lt({ [id]: after }) : all.gt({ [id]: after })
      const things: Thing[] = []
      const query = bounded.params({ ...options(), order, ...(list.limit ? { limit: list.limit } : {}) })
      for await (const items of queried(query)) {
        for (const item of items) things.push(parse(item))
        if (things.length >= limit) break
      }
      return things.slice(0, limit)
    },
    /** How many one list has whose `absent` is not set; nothing of them leaves the database. */
    count(by: Extract<keyof B, string>, facets: Record<string, string>, absent: Keys<S>): Promise<number> {
      const unset = electro().query[by]!(facets).where((attribute, { notExists }) => notExists(attribute[absent]))
      return counted(unset.params(options()))
    },
    create(item: z.infer<S>): Write {
      const params = electro()
        .create({ ...item, rev: 1 })
        .params(options())
      return { Put: params } as Write
    },
    /** Replaces what was read by `after`; fails when somebody else wrote in between. */
    replace(before: Thing, after: z.infer<S>): Write {
      const params = electro()
        .put({ ...after, rev: before.rev + 1 })
        .where((attribute, { eq }) => eq(attribute.rev, before.rev))
        .params(options())
      return { Put: params } as Write
    },
    remove(before: Thing): Write {
      const params = electro()
        .delete({ [id]: before[id as keyof Thing] })
        .where((attribute, { eq }) => eq(attribute.rev, before.rev))
        .params(options())
      return { Delete: params } as Write
    },
    /** Commits only if the thing is still there, whatever it has become. */
    stays: (value: string): Write => ({
      ConditionCheck: {
        TableName: tableName(),
        Key: keyOf(value),
        ConditionExpression: 'attribute_exists(pk)',
      },
    }),
    parse,
  }
}

/** ElectroDB makes keys, queries and conditions; requests are sent like all others of the table. */
function electroEntity(
  name: string,
  id: string,
  fields: z.core.$ZodShape,
  by: Record<string, { index: IndexName; of: readonly string[] }>,
): LooseEntity {
  const attributes = Object.entries(fields).map(([key, value]) => [key, { type: attributeType(value) }])
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
  // ElectroDB's types come from literal schemas; ours derives at run time, and every item that leaves is parsed by zod.
  const electro = new Entity(model as ConstructorParameters<typeof Entity>[0], { table: 'named-at-call' })
  return electro as unknown as LooseEntity
}

/** The part of ElectroDB's run-time face that is used here. */
interface LooseEntity {
  query: Record<string, (facets: Record<string, string>) => LooseQuery>
  create(item: Record<string, unknown>): Finished
  put(item: Record<string, unknown>): Finished & Conditional
  delete(key: Record<string, unknown>): Finished & Conditional
}
interface LooseQuery extends Finished, Conditional {
  gt(key: Record<string, string>): LooseQuery
  lt(key: Record<string, string>): LooseQuery
}
interface Finished {
  params(options: object): Record<string, unknown>
}
interface Conditional {
  where(
    condition: (
      attribute: Record<string, unknown>,
      operations: { eq(name: unknown, value: unknown): string; notExists(name: unknown): string },
    ) => string,
  ): Finished
}
