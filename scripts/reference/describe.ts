/** Describes every property and parameter of an OpenAPI document. Pure. */
import { COMMON } from './descriptions/common.ts'
import { DOMAINS } from './descriptions/domains.ts'
import { PLACES } from './descriptions/places.ts'
import type { Json } from './json-schema.ts'

type Paths = Record<string, Record<string, { operationId: string; parameters: Json[] } & Json>>

/** @param place a component or operation; some names have a different meaning there */
const findDescription = (scope: string, name: string): string | undefined =>
  PLACES[`${scope}.${name}`] ?? COMMON[name] ?? DOMAINS[name]

export function withDescriptions(document: Json): Json {
  const { paths, webhooks, components } = document as {
    paths: Paths
    webhooks: Record<string, Json>
    components: Record<string, Record<string, Json>>
  }
  return {
    ...document,
    paths: mapValues(paths, (path) =>
      mapValues(path, (operation) => ({
        ...(describeWithin(operation, operation.operationId) as Json),
        parameters: operation.parameters.map((parameter) =>
          withDescription(parameter, operation.operationId, String(parameter.name)),
        ),
      })),
    ),
    webhooks: mapValues(webhooks, describeWithin) as Json,
    components: mapValues(components, (group) => mapValues(group, (each, name) => describeWithin(each, name))),
  }
}

const DATA_KEYS = new Set(['example', 'examples', 'default', 'enum', 'const', 'mapping'])

export function describeWithin(value: unknown, scope: string): unknown {
  if (Array.isArray(value)) return value.map((item) => describeWithin(item, scope))
  if (typeof value !== 'object' || value === null) return value
  return mapValues(value as Json, (part, key) => {
    if (DATA_KEYS.has(key)) return part
    if (key !== 'properties') return describeWithin(part, scope)
    return mapValues(part as Record<string, Json>, (schema, name) =>
      withDescription(describeWithin(schema, scope) as Json, scope, name),
    )
  })
}

function withDescription(schema: Json, scope: string, name: string): Json {
  const description = schema.description ?? findDescription(scope, name)
  return description === undefined ? schema : { ...schema, description }
}

const mapValues = <T, R>(record: Record<string, T>, map: (value: T, key: string) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]))
