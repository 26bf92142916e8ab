/** Helpers for fields that clients may omit, send as `null`, or send without effect. */
import * as z from 'zod'

export const nullish = <T extends z.ZodType>(shape: T) => shape.nullish().transform((value) => value ?? undefined)

/** For read-only fields: clients send resources back as they read them, so these are accepted and dropped. */
export const ignored = <T extends z.ZodType>(shape: T) => shape.nullish().transform(() => undefined)

/** For SDK fields Wharf does not support: rejected by name instead of silently ignored. */
export const notSupported = (reason: string) =>
  z
    .null(reason)
    .optional()
    .transform(() => undefined)
