/** Declared shapes as JSON Schema. Pure. */
import * as z from 'zod'
import { documentedShape } from '../../schemas/documented.ts'
import type { maybe } from '../../schemas/optional.ts'

export type Json = { [key: string]: unknown }

/** A query's shape reads text: its schema says which values the text stands for. */
type Side = 'input' | 'output' | 'query'

/** A shape as JSON Schema, everything in place. */
export function schemaOf(shape: z.ZodType, side: Side): Json {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, {
    io: side === 'output' ? 'output' : 'input',
    unrepresentable: 'any',
    reused: 'inline',
    override: (node) => {
      if (side === 'output') describeMaybe(node)
      if (side === 'query') describeParsed(node)
      const documented = documentedShape(node.zodSchema)
      if (documented) replaceBy(node.jsonSchema, schemaOf(documented, side))
      const { discriminator } = node.zodSchema._zod.def as { discriminator?: string }
      if (discriminator) node.jsonSchema.discriminator = { propertyName: discriminator }
    },
  }) as Json
  return schema
}

interface Node {
  zodSchema: z.core.$ZodTypes
  jsonSchema: Json
}

type Maybe = ReturnType<typeof maybe>

/** Is it what `maybe()` makes: of something that may be absent or null? */
function isMaybe(shape: z.core.$ZodType): shape is Maybe {
  const { def } = shape._zod as { def: { type: string; in?: z.core.$ZodType; out?: z.core.$ZodType } }
  if (def.type !== 'pipe' || def.out?._zod.def.type !== 'transform') return false
  const taken = def.in?._zod.def as { type: string; innerType?: z.core.$ZodType }
  return taken.type === 'optional' && taken.innerType?._zod.def.type === 'nullable'
}

/** A transform hides from zod what comes out of it: of `maybe()` it is known. What is absent is not required. */
function describeMaybe({ zodSchema, jsonSchema }: Node): void {
  if (isMaybe(zodSchema)) Object.assign(jsonSchema, schemaOf(zodSchema.in.unwrap().unwrap(), 'output'))
  if (zodSchema._zod.def.type !== 'object' || !Array.isArray(jsonSchema.required)) return
  const { shape } = zodSchema._zod.def as { shape: Record<string, z.core.$ZodType> }
  const required = jsonSchema.required.filter((name: string) => !isMaybe(shape[name]!))
  if (required.length > 0) jsonSchema.required = required
  else delete jsonSchema.required
}

/** The value that a parameter's text is parsed to, and without null: no parameter can have it. */
function describeParsed({ zodSchema, jsonSchema }: Node): void {
  if (isMaybe(zodSchema)) {
    replaceBy(jsonSchema, schemaOf(zodSchema.in.unwrap().unwrap() as z.ZodType, 'query'))
    return
  }
  const { def } = zodSchema._zod
  // Zod leaves out the default of what it parses.
  if (def.type === 'default') jsonSchema.default = def.defaultValue
  if (def.type !== 'pipe') return
  const out = def.out as z.ZodType
  if (out._zod.def.type === 'transform') return
  const parsed = schemaOf(out, 'query')
  if (parsed.type === jsonSchema.type) Object.assign(jsonSchema, parsed)
  else replaceBy(jsonSchema, parsed)
}

/** The description stays where the other schema has none. */
function replaceBy(schema: Json, other: Json): void {
  const { description } = schema
  for (const key of Object.keys(schema)) delete schema[key]
  Object.assign(schema, description === undefined ? {} : { description }, other)
}
