/** Declared shapes as JSON Schema. Pure. */
import * as z from 'zod'
import type { maybe } from '../../schemas/optional.ts'

export type Json = { [key: string]: unknown }

/** A shape as JSON Schema, everything in place. */
export function schemaOf(shape: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, {
    io,
    unrepresentable: 'any',
    reused: 'inline',
    ...(io === 'output' ? { override: withMaybe } : {}),
  }) as Json
  return schema
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
function withMaybe({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: Json }): void {
  if (isMaybe(zodSchema)) Object.assign(jsonSchema, schemaOf(zodSchema.in.unwrap().unwrap(), 'output'))
  if (zodSchema._zod.def.type !== 'object' || !Array.isArray(jsonSchema.required)) return
  const { shape } = zodSchema._zod.def as { shape: Record<string, z.core.$ZodType> }
  const required = jsonSchema.required.filter((name: string) => !isMaybe(shape[name]!))
  if (required.length > 0) jsonSchema.required = required
  else delete jsonSchema.required
}
