/** Requests as a stranger might send them: shaped by an endpoint's contract, with something wrong in some of them. */
import fc from 'fast-check'
import * as z from 'zod'
import type { Contract } from '../../schemas/endpoint.ts'

interface Schema {
  type?: string
  anyOf?: Schema[]
  oneOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  items?: Schema
}

export interface AnyRequest {
  endpoint: string
  method: string
  path: string
  query: string
  /** Sent as it is. */
  body: string | undefined
}

const strange = fc.constantFrom(
  '',
  ' ',
  '0',
  '-1',
  '""',
  '\u0000',
  '\ud800',
  '%',
  '../x',
  "' or 1=1",
  'ß日本',
  '__proto__',
)
const text = fc.oneof(strange, fc.string({ maxLength: 12 }), fc.constant('x'.repeat(3000)))
const junk = fc.oneof(fc.jsonValue({ maxDepth: 3 }), text, fc.constantFrom(null, 1e308, -0, [], {}, [[[[]]]], true))

/**
 * Values that fit a schema, or here and there do not.
 * @param known values for texts that mean something: ids and field keys
 */
function valuesOf(schema: Schema, known: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 12, arbitrary: fitting(schema, known) }, { weight: 1, arbitrary: junk })
}

function fitting(schema: Schema, known: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  const members = schema.anyOf ?? schema.oneOf
  if (members) return fc.oneof(...members.map((member) => valuesOf(member, known)))
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  switch (schema.type) {
    case 'string':
      return fc.oneof({ weight: 3, arbitrary: known }, { weight: 2, arbitrary: text })
    case 'number':
    case 'integer':
      return fc.oneof(fc.integer({ min: -2, max: 200 }), fc.double({ noNaN: true, noDefaultInfinity: true }))
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(valuesOf(schema.items ?? {}, known), { maxLength: 4 })
    case 'object':
      return objectsOf(schema, known)
    default:
      return junk
  }
}

function objectsOf(schema: Schema, known: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = schema
  const named = Object.fromEntries(Object.entries(properties).map(([key, of]) => [key, valuesOf(of, known)]))
  const object = fc.record(named, { requiredKeys: required.filter((key) => key in named) })
  if (Object.keys(properties).length > 0 || !additionalProperties) return object
  const of = typeof additionalProperties === 'object' ? additionalProperties : {}
  return fc.dictionary(fc.oneof(known, fc.string({ maxLength: 5 })), valuesOf(of, known), { maxKeys: 4 })
}

const schemaOf = (shape: z.ZodType): Schema =>
  z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as Schema

/** Query values as text; a list repeats its key. */
function queryOf(values: object): string {
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(values))
    for (const one of Array.isArray(value) ? value : [value])
      query.append(key, typeof one === 'string' ? one : JSON.stringify(one ?? null))
  return query.toString()
}

/**
 * Requests to an endpoint.
 * @param ids what path parameters may be, by name
 * @param known texts that mean something in queries and bodies
 */
export function requestsTo(
  contract: Contract,
  ids: Readonly<Record<string, string>>,
  known: fc.Arbitrary<string>,
): fc.Arbitrary<AnyRequest> {
  const { params, query, body, bodyType, method, id, path, version } = contract
  const places = Object.fromEntries(
    Object.keys(params?.shape ?? {}).map((name) => [
      name,
      fc.oneof(
        { weight: 8, arbitrary: fc.constant(ids[name] ?? 'none') },
        { weight: 1, arbitrary: fc.oneof(known, fc.string({ minLength: 1, maxLength: 9 })) },
      ),
    ]),
  )
  const fitted = body && bodyType !== 'jsonl' ? valuesOf(schemaOf(body), known) : fc.jsonValue()
  const line = fc.oneof(fc.dictionary(known, junk, { maxKeys: 4 }), junk)
  const bodies =
    bodyType === 'jsonl'
      ? fc.array(line, { maxLength: 5 }).map((lines) => lines.map((one) => JSON.stringify(one)).join('\n'))
      : fc.oneof(
          { weight: 15, arbitrary: fitted.map((value) => JSON.stringify(value)) },
          { weight: 1, arbitrary: text },
        )
  return fc
    .record({
      place: fc.record(places),
      asked: query ? valuesOf(schemaOf(query), known).map((value) => Object(value) as object) : fc.constant({}),
      sent: body ? fc.option(bodies, { nil: undefined, freq: 20 }) : fc.constant(undefined),
    })
    .map(({ place, asked, sent }) => ({
      endpoint: id,
      method,
      path: `${version ? `/${version}` : ''}${path.replace(/\{(\w+)\}/g, (_, name: string) => segment(place[name] as string))}`,
      query: queryOf(asked),
      body: sent,
    }))
}

/** A path segment; dots alone would be taken for a way up, a lone surrogate cannot be encoded. */
const segment = (value: string): string =>
  /^\.*$/.test(value) ? 'none' : encodeURIComponent(Buffer.from(value).toString('utf8'))
