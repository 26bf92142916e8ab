/** Every place where a request names an id, found in the schemas of the endpoints and of the operations of jobs. */
import type * as z from 'zod'
import type { Contract } from '../../schemas/endpoint.ts'
import { ID_SCOPES, Id, type IdScope } from '../../schemas/ids.ts'
import type { Operation } from '../../schemas/operation.ts'

/** Where an id is named: keys, `[]` for the first of a list. */
export interface IdPlace {
  part: 'params' | 'query' | 'body'
  path: readonly string[]
  /** How the schema marks it; undefined where it does not. */
  scope: IdScope | undefined
}

export const nameOfPlace = ({ part, path }: IdPlace): string => [part, ...path].join('.')

type Schema = z.core.$ZodType
interface Found {
  path: readonly string[]
  scope: IdScope | undefined
}

const named = /^ids?$|Ids?$/

/** The wrapped schemas of one that adds nothing to it: what may be absent, has a default, or is transformed. */
function insideOf(schema: Schema): Schema[] {
  const def = schema._zod.def as unknown as Record<string, unknown> & { type: string }
  if (def.type === 'pipe') return [def.in, def.out].filter(isShape)
  if (def.type === 'union') return def.options as Schema[]
  if (def.type === 'intersection') return [def.left, def.right] as Schema[]
  if (def.type === 'lazy') return [(def.getter as () => Schema)()]
  return isShape(def.innerType) ? [def.innerType] : []
}
const isShape = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && '_zod' in value && (value as Schema)._zod.def.type !== 'transform'

const scopeOf = (schema: Schema): IdScope | undefined => ID_SCOPES.get(schema as z.ZodType)

/** The places below a schema; of a list of ids the list itself. */
function* placesIn(schema: Schema, path: readonly string[], seen: readonly Schema[] = []): Generator<Found> {
  if (seen.includes(schema)) return
  const def = schema._zod.def as unknown as { type: string; shape?: Record<string, Schema>; element?: Schema }
  const scope = scopeOf(schema)
  const isKnown = scope !== undefined || schema === Id
  if (isKnown) return yield { path, scope }
  const within = [...seen, schema]
  for (const [key, member] of Object.entries(def.shape ?? {})) {
    const found = [...placesIn(member, [...path, key], within)]
    yield* found
    if (found.length === 0 && named.test(key) && isText(member)) yield { path: [...path, key], scope: undefined }
  }
  if (def.type === 'array') yield* placesIn(def.element!, [...path, '[]'], within)
  for (const inside of insideOf(schema)) yield* placesIn(inside, path, within)
}

/** Is it a text, or a list of them? What clients may say but nothing takes is none. */
function isText(schema: Schema): boolean {
  const def = schema._zod.def as unknown as { type: string; element?: Schema }
  if (def.type === 'string') return true
  if (def.type === 'array') return isText(def.element!)
  return insideOf(schema).some(isText)
}

const unique = (places: IdPlace[]): IdPlace[] => [...new Map(places.map((each) => [nameOfPlace(each), each])).values()]

/** All places of an endpoint but the one its policy loads from the path: the access tests attack that. */
export function placesOf(endpoint: Contract): IdPlace[] {
  const at = 'at' in endpoint.policy ? endpoint.policy.at : undefined
  const places = (['params', 'query', 'body'] as const).flatMap((part) => {
    const schema = endpoint[part]
    return schema ? [...placesIn(schema, [])].map((found) => ({ part, ...found })) : []
  })
  return unique(places.filter((place) => place.part !== 'params' || nameOfPlace(place) !== at))
}

/** The places in the configuration of a job that the platform performs. */
export const placesOfConfig = ({ config }: Operation): IdPlace[] =>
  unique([...placesIn(config, ['config'])].map((found) => ({ part: 'body' as const, ...found })))

/** The value with an id set at the path; what is missing on the way is made. */
export function withAt(value: unknown, [key, ...rest]: readonly string[], id: unknown): unknown {
  if (key === undefined) return id
  if (key === '[]') {
    const [first, ...others] = Array.isArray(value) ? value : []
    return [withAt(first, rest, id), ...others]
  }
  const object = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  return { ...object, [key]: withAt((object as Record<string, unknown>)[key], rest, id) }
}
