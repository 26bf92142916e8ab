import * as z from 'zod'
import { getDocumentedShape } from '../../schemas/kit/documented.ts'
import type { nullish } from '../../schemas/kit/nullish.ts'

export type Json = { [key: string]: unknown }

type Side = 'input' | 'output' | 'query'

export function toJsonSchema(shape: z.ZodType, side: Side): Json {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, {
    io: side === 'output' ? 'output' : 'input',
    unrepresentable: 'any',
    reused: 'inline',
    override: (node) => {
      if (side === 'output') describeNullish(node)
      if (side === 'query') describeParsed(node)
      const documented = getDocumentedShape(node.zodSchema)
      if (documented) replaceSchema(node.jsonSchema, toJsonSchema(documented, side))
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

type Nullish = ReturnType<typeof nullish>

function isNullish(shape: z.core.$ZodType): shape is Nullish {
  const { def } = shape._zod as { def: { type: string; in?: z.core.$ZodType; out?: z.core.$ZodType } }
  if (def.type !== 'pipe' || def.out?._zod.def.type !== 'transform') return false
  const inner = def.in?._zod.def as { type: string; innerType?: z.core.$ZodType }
  return inner.type === 'optional' && inner.innerType?._zod.def.type === 'nullable'
}

/** Zod cannot see the output of a transform, but that of `nullish()` is known. Optional values are not required. */
function describeNullish({ zodSchema, jsonSchema }: Node): void {
  if (isNullish(zodSchema)) Object.assign(jsonSchema, toJsonSchema(zodSchema.in.unwrap().unwrap(), 'output'))
  if (zodSchema._zod.def.type !== 'object' || !Array.isArray(jsonSchema.required)) return
  const { shape } = zodSchema._zod.def as { shape: Record<string, z.core.$ZodType> }
  const required = jsonSchema.required.filter((name: string) => !isNullish(shape[name]!))
  if (required.length > 0) jsonSchema.required = required
  else delete jsonSchema.required
}

function describeParsed({ zodSchema, jsonSchema }: Node): void {
  if (isNullish(zodSchema)) {
    replaceSchema(jsonSchema, toJsonSchema(zodSchema.in.unwrap().unwrap() as z.ZodType, 'query'))
    return
  }
  const { def } = zodSchema._zod
  // Zod omits the default of a parsed value.
  if (def.type === 'default') jsonSchema.default = def.defaultValue
  if (def.type !== 'pipe') return
  const out = def.out as z.ZodType
  if (out._zod.def.type === 'transform') return
  const parsed = toJsonSchema(out, 'query')
  if (parsed.type === jsonSchema.type) Object.assign(jsonSchema, parsed)
  else replaceSchema(jsonSchema, parsed)
}

function replaceSchema(schema: Json, replacement: Json): void {
  const { description } = schema
  for (const key of Object.keys(schema)) delete schema[key]
  Object.assign(schema, description === undefined ? {} : { description }, replacement)
}
