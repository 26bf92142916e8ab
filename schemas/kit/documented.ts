/** Documents a schema as a different one, for schemas that accept more than the documentation says. */
import * as z from 'zod'

const DOCUMENTED = z.registry<{ as: unknown }>()

export function documentAs<T extends z.ZodType>(shape: T, as: () => z.ZodType): T {
  DOCUMENTED.add(shape, { as })
  return shape
}

export const getDocumentedShape = (shape: z.core.$ZodType): z.ZodType | undefined =>
  (DOCUMENTED.get(shape)?.as as (() => z.ZodType) | undefined)?.()
