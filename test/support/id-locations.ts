/** Finds every location of an id in a request, in the schemas of endpoints and job operations. */
import type * as z from 'zod'
import type { Contract } from '../../schemas/kit/endpoint.ts'
import { ID_SCOPES, Id, type IdScope } from '../../schemas/kit/ids.ts'
import type { Operation } from '../../schemas/kit/operation.ts'

export interface IdLocation {
  part: 'params' | 'query' | 'body'
  path: readonly string[]
  scope: IdScope | undefined
}

export const formatLocation = ({ part, path }: IdLocation): string => [part, ...path].join('.')

type Schema = z.core.$ZodType
interface Found {
  path: readonly string[]
  scope: IdScope | undefined
}

const named = /^ids?$|Ids?$/

function getInnerSchemas(schema: Schema): Schema[] {
  const def = schema._zod.def as unknown as Record<string, unknown> & { type: string }
  if (def.type === 'pipe') return [def.in, def.out].filter(isShape)
  if (def.type === 'union') return def.options as Schema[]
  if (def.type === 'intersection') return [def.left, def.right] as Schema[]
  if (def.type === 'lazy') return [(def.getter as () => Schema)()]
  return isShape(def.innerType) ? [def.innerType] : []
}
const isShape = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && '_zod' in value && (value as Schema)._zod.def.type !== 'transform'

const getIdScope = (schema: Schema): IdScope | undefined => ID_SCOPES.get(schema as z.ZodType)

function* findLocations(schema: Schema, path: readonly string[], seen: readonly Schema[] = []): Generator<Found> {
  if (seen.includes(schema)) return
  const def = schema._zod.def as unknown as { type: string; shape?: Record<string, Schema>; element?: Schema }
  const scope = getIdScope(schema)
  const isKnown = scope !== undefined || schema === Id
  if (isKnown) return yield { path, scope }
  const within = [...seen, schema]
  for (const [key, member] of Object.entries(def.shape ?? {})) {
    const found = [...findLocations(member, [...path, key], within)]
    yield* found
    if (found.length === 0 && named.test(key) && isStringOrList(member))
      yield { path: [...path, key], scope: undefined }
  }
  if (def.type === 'array') yield* findLocations(def.element!, [...path, '[]'], within)
  for (const inside of getInnerSchemas(schema)) yield* findLocations(inside, path, within)
}

function isStringOrList(schema: Schema): boolean {
  const def = schema._zod.def as unknown as { type: string; element?: Schema }
  if (def.type === 'string') return true
  if (def.type === 'array') return isStringOrList(def.element!)
  return getInnerSchemas(schema).some(isStringOrList)
}

const uniqueLocations = (locations: IdLocation[]): IdLocation[] => [
  ...new Map(locations.map((each) => [formatLocation(each), each])).values(),
]

export function getIdLocations(endpoint: Contract): IdLocation[] {
  const at = 'at' in endpoint.policy ? endpoint.policy.at : undefined
  const locations = (['params', 'query', 'body'] as const).flatMap((part) => {
    const schema = endpoint[part]
    return schema ? [...findLocations(schema, [])].map((found) => ({ part, ...found })) : []
  })
  return uniqueLocations(locations.filter((place) => place.part !== 'params' || formatLocation(place) !== at))
}

export const getConfigIdLocations = ({ config }: Operation): IdLocation[] =>
  uniqueLocations([...findLocations(config, ['config'])].map((found) => ({ part: 'body' as const, ...found })))

export function setAt(value: unknown, [key, ...rest]: readonly string[], id: unknown): unknown {
  if (key === undefined) return id
  if (key === '[]') {
    const [first, ...others] = Array.isArray(value) ? value : []
    return [setAt(first, rest, id), ...others]
  }
  const object = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  return { ...object, [key]: setAt((object as Record<string, unknown>)[key], rest, id) }
}
