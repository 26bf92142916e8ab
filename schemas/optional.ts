/** Fields that may be absent; clients also write `null` for that. */
import * as z from 'zod'

export const maybe = <T extends z.ZodType>(shape: T) => shape.nullish().transform((value) => value ?? undefined)

/** What a thing says of itself: clients send things back as they read them, and this of them is left as it is. */
export const asRead = <T extends z.ZodType>(shape: T) => shape.nullish().transform(() => undefined)

/** What clients know and nothing here heeds: refused by its name, never taken in silence. */
export const refused = (why: string) =>
  z
    .null(why)
    .optional()
    .transform(() => undefined)
