/** Describes every property and parameter of an OpenAPI document. Pure. */
import { COMMON } from './descriptions/common.ts'
import { DOMAINS } from './descriptions/domains.ts'
import { PLACES } from './descriptions/places.ts'
import type { Json } from './json-schema.ts'

type Paths = Record<string, Record<string, { operationId: string; parameters: Json[] } & Json>>

/** @param place a component or an operation: some names mean something else there */
const descriptionOf = (place: string, name: string): string | undefined =>
  PLACES[`${place}.${name}`] ?? COMMON[name] ?? DOMAINS[name]

/** The same document with a description wherever a property or parameter has none of its own and its name is known. */
export function withDescriptions(document: Json): Json {
  const { paths, components } = document as { paths: Paths; components: Record<string, Record<string, Json>> }
  return {
    ...document,
    paths: mapValues(paths, (path) =>
      mapValues(path, (operation) => ({
        ...(describeWithin(operation, operation.operationId) as Json),
        parameters: operation.parameters.map((each) => describe(each, operation.operationId, String(each.name))),
      })),
    ),
    components: mapValues(components, (group) => mapValues(group, (each, name) => describeWithin(each, name))),
  }
}

/** Examples hold data, whose names may be those of schemas. */
const DATA = new Set(['example', 'examples', 'default', 'enum', 'const', 'mapping'])

function describeWithin(value: unknown, place: string): unknown {
  if (Array.isArray(value)) return value.map((each) => describeWithin(each, place))
  if (typeof value !== 'object' || value === null) return value
  return mapValues(value as Json, (part, key) => {
    if (DATA.has(key)) return part
    if (key !== 'properties') return describeWithin(part, place)
    return mapValues(part as Record<string, Json>, (schema, name) =>
      describe(describeWithin(schema, place) as Json, place, name),
    )
  })
}

function describe(schema: Json, place: string, name: string): Json {
  const description = schema.description ?? descriptionOf(place, name)
  return description === undefined ? schema : { ...schema, description }
}

const mapValues = <T, R>(all: Record<string, T>, map: (value: T, key: string) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(all).map(([key, value]) => [key, map(value, key)]))
