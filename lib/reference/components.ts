/** Has an OpenAPI document refer to named shapes instead of repeating them. Pure. */
import type * as z from 'zod'
import { type Json, schemaOf } from './json-schema.ts'

/** Smaller ones are shorter than a reader's jump. */
const LEAST_CHARACTERS = 200

/** JSON texts of the shapes with their names; what differs as input has a name of its own. */
function namesOf(shapes: ReadonlyMap<string, z.ZodType>): Map<string, string> {
  const names = new Map<string, string>()
  for (const io of ['output', 'input'] as const)
    for (const [name, shape] of shapes) {
      const text = JSON.stringify(schemaOf(shape, io))
      if (text.length >= LEAST_CHARACTERS && !names.has(text)) names.set(text, io === 'output' ? name : `${name}Input`)
    }
  return names
}

interface Document extends Json {
  components: { schemas: Json }
}

/** The same document with its repeated shapes under `components.schemas`. */
export function withComponents(document: Json, shapes: ReadonlyMap<string, z.ZodType>): Json {
  const names = namesOf(shapes)
  const { components, ...rest } = document as Document
  const schemas: Json = { ...components.schemas }
  const referred = (value: unknown, isRoot = false): unknown => {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map((item) => referred(item))
    const name = isRoot ? undefined : names.get(JSON.stringify(value))
    if (name === undefined) return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, referred(part)]))
    // Set before its parts are looked at: the order of the components is that of their first use.
    schemas[name] ??= {}
    if (Object.keys(schemas[name] as Json).length === 0) schemas[name] = referred(value, true)
    return { $ref: `#/components/schemas/${name}` }
  }
  const told = referred(rest) as Json
  return { ...told, components: { ...components, schemas } }
}
