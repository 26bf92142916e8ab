/** `operation()`: a job operation the platform itself performs (others are performed by listeners). */
import type * as z from 'zod'

export interface Operation {
  /** `<job type>:<operation>`, a trailing `*` matches any ending (the public plugins name theirs `extract-...`). */
  name: `${string}:${string}`
  /** Further names of the same. */
  also?: readonly `${string}:${string}`[]
  summary: string
  config: z.ZodType
}

export const operation = <const O extends Operation>(definition: O): O => definition
