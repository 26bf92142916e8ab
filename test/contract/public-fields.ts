/** Property names of the public SDK (public-fields.json), compared with our schemas and responses. */
import { readFileSync } from 'node:fs'
import type * as z from 'zod'
import { type Json, toJsonSchema } from '../../scripts/reference/json-schema.ts'

interface Operation {
  query?: string
  body?: string
  reply?: string
}
type Type = string | { any: string[] } | { '?': string; [variant: string]: string }

const { operations, types } = JSON.parse(readFileSync('test/contract/public-fields.json', 'utf8')) as {
  operations: { [name: string]: Operation }
  types: { [name: string]: Type }
}
export const OPERATIONS: ReadonlyMap<string, Operation> = new Map(Object.entries(operations))

const parseProperty = (property: string): [name: string, type: string] => {
  const at = property.indexOf(':')
  return at < 0 ? [property, ''] : [property.slice(0, at), property.slice(at + 1)]
}
const parseProperties = (fields: string): [name: string, type: string][] =>
  fields.split(' ').filter(Boolean).map(parseProperty)
export const getPropertyNames = (type: string): string[] => {
  const fields = types[type]
  return typeof fields === 'string' ? parseProperties(fields).map(([name]) => name) : []
}

const getItemType = (type: string): string | undefined =>
  type.endsWith('[]') ? type.slice(0, -2) : type.startsWith('{') ? type.slice(1, -1) : undefined

const getVariants = (type: Exclude<Type, string>): string[] =>
  'any' in type
    ? (type.any as string[])
    : Object.entries(type).flatMap(([key, name]) => (key === '?' ? [] : [name as string]))

interface Schema extends Json {
  properties?: { [name: string]: Schema }
  additionalProperties?: Schema | boolean
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}

const isAnything = (schema: Schema): boolean => Object.keys(schema).every((key) => key === 'description')

export const findUnnamedProperties = (
  type: string | undefined,
  shape: z.ZodType | undefined,
  io: 'input' | 'output',
): Set<string> => (type && shape ? findMissing(type, toJsonSchema(shape, io) as Schema, []) : new Set())

function findMissing(type: string, schema: Schema | undefined, above: readonly string[]): Set<string> {
  const none = new Set<string>()
  if (schema === undefined || isAnything(schema)) return none
  const members = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((some) => some ?? [])
  if (members.length > 0) {
    const fitting = members.filter(
      ({ type: kind }) => kind !== 'null' && kind !== 'string' && kind !== 'number' && kind !== 'boolean',
    )
    const [first = none, ...others] = fitting
      .filter(
        (one) =>
          (getItemType(type) !== undefined && type.endsWith('[]')) === (one.type === 'array') ||
          one.anyOf ||
          one.oneOf ||
          isAnything(one),
      )
      .map((one) => findMissing(type, one, above))
    return new Set([...first].filter((name) => others.every((one) => one.has(name))))
  }
  const item = getItemType(type)
  if (item !== undefined) {
    const inner = type.endsWith('[]') ? schema.items : schema.additionalProperties
    return typeof inner === 'object' ? findMissing(item, inner, above) : none
  }
  const known = types[type]
  if (known === undefined || above.includes(type)) return none
  if (typeof known !== 'string')
    return new Set(getVariants(known).flatMap((one) => [...findMissing(one, schema, [...above, type])]))
  const found = new Set<string>()
  for (const [name, own] of parseProperties(known)) {
    const property = schema.properties?.[name]
    const rest = schema.additionalProperties
    if (property) for (const one of findMissing(own, property, [...above, type])) found.add(one)
    else if (!rest && schema.properties) found.add(`${type}.${name}`)
  }
  return found
}

export const findUnnamedParameters = ({ query = '' }: Operation, shape: z.ZodObject | undefined): string[] =>
  query.split(' ').filter((name) => name && !(name in (shape?.shape ?? {})))
