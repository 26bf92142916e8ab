/** A field that may be absent; clients also write `null` for that. */
import type * as z from 'zod'

export const maybe = <T extends z.ZodType>(shape: T) => shape.nullish().transform((value) => value ?? undefined)
