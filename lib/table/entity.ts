/**
 * `entity()`: one stored thing in the single table. Attributes derive from its zod shape (zod stays the one source),
 * keys are case-sensitive, and every write is conditional on what was read (`rev`).
 *
 * Layout: pk = `<name>#<id>`, sk = `-`; each `by` index keeps `<facets>#<name>` and the id, so a list is in creation order.
 */
import { type Attribute, Entity } from 'electrodb'
import * as z from 'zod'
import { documents, tableName } from './client.ts'

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
  const attributes = Object.fromEntries(
    Object.entries(shape.shape).map(([key, value]) => [key, { type: attributeType(value) } as Attribute]),
  )
  const lists = Object.entries(definition.by).map(([name, { index, of }]) => [
    name,
    {
      index,
      pk: {
        field: `${index}pk`,
        composite: [...of],
        template: `${of.map((key) => `\${${key}}`).join('#')}#${definition.name}`,
        casing: 'none',
      },
      sk: { field: `${index}sk`, composite: [id], template: `\${${id}}`, casing: 'none' },
    },
  ])
  const electro = new Entity(
    {
      model: { entity: definition.name, version: '1', service: 'wharf' },
      attributes,
      indexes: {
        primary: {
          pk: { field: 'pk', composite: [id], template: `${definition.name}#\${${id}}`, casing: 'none' },
          sk: { field: 'sk', composite: [], template: '-', casing: 'none' },
        },
        ...Object.fromEntries(lists),
      },
    } as ConstructorParameters<typeof Entity>[0],
    { client: documents, table: 'named-at-call' },
  )
  // ElectroDB's types come from literal schemas; ours derives at run time, and every item that leaves is parsed by zod.
  const loose = electro as unknown as LooseEntity
  const parse = (item: unknown): Thing => shape.parse(item) as Thing
  const options = () => ({ table: tableName() })

  return {
    name: definition.name,
    /** Strongly consistent read by id. */
    async get(value: string): Promise<Thing | undefined> {
      const { data } = await loose.get({ [id]: value }).go({ ...options(), consistent: true })
      return data ? parse(data) : undefined
    },
    /** Up to 100 of them in one request, in the order asked; missing ones are left out. */
    async getMany(values: string[]): Promise<Thing[]> {
      if (values.length === 0) return []
      const { data } = await loose.get(values.map((value) => ({ [id]: value }))).go({ ...options(), consistent: true })
      const found = new Map(data.map((item) => [String(item[id]), parse(item)]))
      return values.flatMap((value) => found.get(value) ?? [])
    },
    /** One list in id order; reads on until `limit` are found or the list ends. */
    async list(by: Extract<keyof B, string>, facets: Record<string, string>, list: ListOptions = {}): Promise<Thing[]> {
      const query = loose.query[by]!(facets)
      const bounded =
        list.after === undefined
          ? query
          : list.order === 'desc'
            ? query.lt({ [id]: list.after })
            : query.gt({ [id]: list.after })
      const { data } = await bounded.go({
        ...options(),
        order: list.order ?? 'asc',
        ...(list.limit ? { limit: list.limit, pages: 1 } : { pages: 'all' }),
      })
      return data.map(parse)
    },
    create(item: z.infer<S>): Write {
      const params = loose.create({ ...item, rev: 1 }).params(options())
      return { Put: params } as Write
    },
    /** Replaces what was read by `after`; fails when somebody else wrote in between. */
    replace(before: Thing, after: z.infer<S>): Write {
      const params = loose
        .put({ ...after, rev: before.rev + 1 })
        .where((attribute, { eq }) => eq(attribute.rev, before.rev))
        .params(options())
      return { Put: params } as Write
    },
    remove(before: Thing): Write {
      const params = loose
        .delete({ [id]: before[id as keyof Thing] })
        .where((attribute, { eq }) => eq(attribute.rev, before.rev))
        .params(options())
      return { Delete: params } as Write
    },
    /** Commits only if the thing is still there, whatever it has become. */
    stays: (value: string): Write => ({
      ConditionCheck: {
        TableName: tableName(),
        Key: { pk: `${definition.name}#${value}`, sk: '-' },
        ConditionExpression: 'attribute_exists(pk)',
      },
    }),
    parse,
  }
}

/** The part of ElectroDB's run-time face that is used here. */
interface LooseEntity {
  get(key: Record<string, unknown>): { go(options: object): Promise<{ data: Record<string, unknown> | null }> }
  get(keys: Record<string, unknown>[]): { go(options: object): Promise<{ data: Record<string, unknown>[] }> }
  query: Record<string, (facets: Record<string, string>) => LooseQuery>
  create(item: Record<string, unknown>): Finished
  put(item: Record<string, unknown>): Finished & Conditional
  delete(key: Record<string, unknown>): Finished & Conditional
}
interface LooseQuery {
  go(options: object): Promise<{ data: Record<string, unknown>[] }>
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
      operations: { eq(name: unknown, value: unknown): string },
    ) => string,
  ): Finished
}
