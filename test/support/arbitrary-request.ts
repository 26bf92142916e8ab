/** Arbitrary requests: shaped by the contract of an endpoint, with errors in some of them. */
import fc from 'fast-check'
import * as z from 'zod'
import type { Contract } from '../../schemas/kit/endpoint.ts'

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
  body: string | undefined
}

const unusualText = fc.constantFrom(
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
const text = fc.oneof(unusualText, fc.string({ maxLength: 12 }), fc.constant('x'.repeat(3000)))
const anyValue = fc.oneof(fc.jsonValue({ maxDepth: 3 }), text, fc.constantFrom(null, 1e308, -0, [], {}, [[[[]]]], true))

function arbitraryValue(schema: Schema, knownTexts: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 12, arbitrary: arbitraryMatching(schema, knownTexts) }, { weight: 1, arbitrary: anyValue })
}

function arbitraryMatching(schema: Schema, knownTexts: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  const members = schema.anyOf ?? schema.oneOf
  if (members) return fc.oneof(...members.map((member) => arbitraryValue(member, knownTexts)))
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  switch (schema.type) {
    case 'string':
      return fc.oneof({ weight: 3, arbitrary: knownTexts }, { weight: 2, arbitrary: text })
    case 'number':
    case 'integer':
      return fc.oneof(fc.integer({ min: -2, max: 200 }), fc.double({ noNaN: true, noDefaultInfinity: true }))
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(arbitraryValue(schema.items ?? {}, knownTexts), { maxLength: 4 })
    case 'object':
      return arbitraryObject(schema, knownTexts)
    default:
      return anyValue
  }
}

function arbitraryObject(schema: Schema, knownTexts: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = schema
  const arbitraryProperties = Object.fromEntries(
    Object.entries(properties).map(([key, of]) => [key, arbitraryValue(of, knownTexts)]),
  )
  const object = fc.record(arbitraryProperties, { requiredKeys: required.filter((key) => key in arbitraryProperties) })
  if (Object.keys(properties).length > 0 || !additionalProperties) return object
  const of = typeof additionalProperties === 'object' ? additionalProperties : {}
  return fc.dictionary(fc.oneof(knownTexts, fc.string({ maxLength: 5 })), arbitraryValue(of, knownTexts), {
    maxKeys: 4,
  })
}

const toSchema = (shape: z.ZodType): Schema =>
  z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as Schema

function formatQuery(values: object): string {
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(values))
    for (const one of Array.isArray(value) ? value : [value])
      query.append(key, typeof one === 'string' ? one : JSON.stringify(one ?? null))
  return query.toString()
}

export function arbitraryRequests(
  contract: Contract,
  ids: Readonly<Record<string, string>>,
  knownTexts: fc.Arbitrary<string>,
): fc.Arbitrary<AnyRequest> {
  const { params, query, body, bodyType, method, id, path, version } = contract
  const arbitraryParams = Object.fromEntries(
    Object.keys(params?.shape ?? {}).map((name) => [
      name,
      fc.oneof(
        { weight: 8, arbitrary: fc.constant(ids[name] ?? 'none') },
        { weight: 1, arbitrary: fc.oneof(knownTexts, fc.string({ minLength: 1, maxLength: 9 })) },
      ),
    ]),
  )
  const matching = body && bodyType !== 'jsonl' ? arbitraryValue(toSchema(body), knownTexts) : fc.jsonValue()
  const line = fc.oneof(fc.dictionary(knownTexts, anyValue, { maxKeys: 4 }), anyValue)
  const bodies =
    bodyType === 'jsonl'
      ? fc.array(line, { maxLength: 5 }).map((lines) => lines.map((one) => JSON.stringify(one)).join('\n'))
      : fc.oneof(
          { weight: 15, arbitrary: matching.map((value) => JSON.stringify(value)) },
          { weight: 1, arbitrary: text },
        )
  return fc
    .record({
      place: fc.record(arbitraryParams),
      asked: query
        ? arbitraryValue(toSchema(query), knownTexts).map((value) => Object(value) as object)
        : fc.constant({}),
      sent: body ? fc.option(bodies, { nil: undefined, freq: 20 }) : fc.constant(undefined),
    })
    .map(({ place: pathParams, asked, sent: request }) => ({
      endpoint: id,
      method,
      path: `${version ? `/${version}` : ''}${path.replace(/\{(\w+)\}/g, (_, name: string) => encodeSegment(pathParams[name] as string))}`,
      query: formatQuery(asked),
      body: request,
    }))
}

/** A path segment. Only dots would be a relative path, and a lone surrogate has no encoding. */
const encodeSegment = (value: string): string =>
  /^\.*$/.test(value) ? 'none' : encodeURIComponent(Buffer.from(value).toString('utf8'))
