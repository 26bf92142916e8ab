/** `operation()` declares a job operation that the platform itself runs. */
import type * as z from 'zod'

export interface Operation {
  /** `<job type>:<operation>`; a trailing `*` matches any suffix (public plugins use `extract-...`). */
  name: `${string}:${string}`
  aliases?: readonly `${string}:${string}`[]
  summary: string
  config: z.ZodType
}

export const operation = <const O extends Operation>(definition: O): O => definition
