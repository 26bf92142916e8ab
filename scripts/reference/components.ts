/** Replaces repeated schemas of an OpenAPI document with references. Pure. */
import type * as z from 'zod'
import { pascalCase } from '../../schemas/kit/pascal-case.ts'
import { type Json, toJsonSchema } from './json-schema.ts'

const MIN_COMPONENT_LENGTH = 200

const stringifySchema = ({ description: _, ...schema }: Json): string => JSON.stringify(schema)

function indexNames(shapes: ReadonlyMap<string, z.ZodType>): Map<string, string> {
  const names = new Map<string, string>()
  for (const io of ['output', 'input'] as const)
    for (const [name, shape] of shapes) {
      const schema = toJsonSchema(shape, io)
      const text = stringifySchema(schema)
      if (text.length < MIN_COMPONENT_LENGTH && !schema.title && !isUnionOfObjects(schema)) continue
      if (!names.has(text)) names.set(text, io === 'output' ? name : `${name}Input`)
    }
  return names
}

interface Document extends Json {
  components: { schemas: Json }
}

interface Union extends Json {
  oneOf: Json[]
  discriminator: { propertyName: string }
}

export function withComponents(document: Json, shapes: ReadonlyMap<string, z.ZodType>): Json {
  const names = indexNames(shapes)
  const { components, ...rest } = document as Document
  const schemas: Json = { ...components.schemas }

  const addComponent = (name: string, { title: _, ...schema }: Json): Json => {
    const $ref = `#/components/schemas/${name}`
    if (name in schemas) return { $ref }
    // Set before its parts, so that components are in order of first use.
    schemas[name] = {}
    schemas[name] = isUnionOfObjects(schema) ? convertUnion(name, schema) : convertMembers(schema)
    return { $ref }
  }
  const convertUnion = (name: string, { oneOf, discriminator, ...schemaRest }: Union): Json => {
    const members = oneOf.map((member) => [getDiscriminatorValue(member, discriminator.propertyName), member] as const)
    const mapping = Object.fromEntries(
      members.map(([value, member]) => [value, addComponent(pascalCase(value) + name, member).$ref]),
    )
    const refs = Object.values(mapping).map(($ref) => ({ $ref }))
    return { ...schemaRest, oneOf: refs, discriminator: { ...discriminator, mapping } }
  }
  const convertMembers = (value: Json): Json =>
    Object.fromEntries(Object.entries(value).map(([key, part]) => [key, replaceWithRefs(part)]))
  const replaceWithRefs = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map(replaceWithRefs)
    const { description } = value as Json
    const name = names.get(stringifySchema(value as Json))
    if (name === undefined) return convertMembers(value as Json)
    const { description: ownDescription, ...schema } = value as Json
    return { ...addComponent(name, schema), ...(ownDescription === undefined ? {} : { description }) }
  }
  const converted = replaceWithRefs(rest) as Json
  return { ...converted, components: { ...components, schemas } }
}

const isUnionOfObjects = (schema: Json): schema is Union => 'oneOf' in schema && 'discriminator' in schema

const getDiscriminatorValue = ({ properties }: Json, name: string): string =>
  String((properties as Record<string, { const: unknown }>)[name]!.const)
