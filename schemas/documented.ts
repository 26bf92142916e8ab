/** Shapes that read more than the documents say: the document describes another shape in their place. */
import * as z from 'zod'

/** `as` makes the shape that is described; what handles requests never calls it. */
const DOCUMENTED = z.registry<{ as: unknown }>()

/** Describes a shape in documents as another one, which says more of what is valid. */
export function documentedAs<T extends z.ZodType>(shape: T, as: () => z.ZodType): T {
  DOCUMENTED.add(shape, { as })
  return shape
}

/** The shape that documents describe in place of this one. */
export const documentedShape = (shape: z.core.$ZodType): z.ZodType | undefined =>
  (DOCUMENTED.get(shape)?.as as (() => z.ZodType) | undefined)?.()
