/** Has an OpenAPI document refer to named shapes instead of repeating them. Pure. */
import type * as z from 'zod'
import { pascalCase } from '../../schemas/pascal-case.ts'
import { type Json, schemaOf } from './json-schema.ts'

/** Smaller ones are shorter than a reader's jump. */
const LEAST_CHARACTERS = 200

/** A schema without what is said of it at one place. */
const textOf = ({ description: _, ...schema }: Json): string => JSON.stringify(schema)

/** JSON texts of the shapes with their names; what differs as input has a name of its own. */
function namesOf(shapes: ReadonlyMap<string, z.ZodType>): Map<string, string> {
  const names = new Map<string, string>()
  for (const io of ['output', 'input'] as const)
    for (const [name, shape] of shapes) {
      const schema = schemaOf(shape, io)
      const text = textOf(schema)
      if (text.length < LEAST_CHARACTERS && !schema.title && !isUnionOfObjects(schema)) continue
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

/** The same document with its repeated shapes, and the members of their unions, under `components.schemas`. */
export function withComponents(document: Json, shapes: ReadonlyMap<string, z.ZodType>): Json {
  const names = namesOf(shapes)
  const { components, ...rest } = document as Document
  const schemas: Json = { ...components.schemas }

  // The name takes the place of a title, which would be the same for what is written and what is read.
  const add = (name: string, { title: _, ...schema }: Json): Json => {
    const $ref = `#/components/schemas/${name}`
    if (name in schemas) return { $ref }
    // Set before its parts are looked at: the order of the components is that of their first use.
    schemas[name] = {}
    schemas[name] = isUnionOfObjects(schema) ? unionOf(name, schema) : partsOf(schema)
    return { $ref }
  }
  const unionOf = (name: string, { oneOf, discriminator, ...others }: Union): Json => {
    const members = oneOf.map((member) => [constantOf(member, discriminator.propertyName), member] as const)
    const mapping = Object.fromEntries(
      members.map(([value, member]) => [value, add(pascalCase(value) + name, member).$ref]),
    )
    const refs = Object.values(mapping).map(($ref) => ({ $ref }))
    return { ...others, oneOf: refs, discriminator: { ...discriminator, mapping } }
  }
  const partsOf = (value: Json): Json =>
    Object.fromEntries(Object.entries(value).map(([key, part]) => [key, referred(part)]))
  const referred = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map(referred)
    const { description } = value as Json
    const name = names.get(textOf(value as Json))
    if (name === undefined) return partsOf(value as Json)
    const { description: own, ...schema } = value as Json
    return { ...add(name, schema), ...(own === undefined ? {} : { description }) }
  }
  const named = referred(rest) as Json
  return { ...named, components: { ...components, schemas } }
}

const isUnionOfObjects = (schema: Json): schema is Union => 'oneOf' in schema && 'discriminator' in schema

/** The one value of the property that tells the members of a union apart. */
const constantOf = ({ properties }: Json, name: string): string =>
  String((properties as Record<string, { const: unknown }>)[name]!.const)
