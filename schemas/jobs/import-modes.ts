import * as z from 'zod'
import { scoped } from '../kit/ids.ts'
import { nullish } from '../kit/nullish.ts'

const ImportMode = z.enum(['add', 'update', 'upsert', 'replace'])
export type ImportMode = z.infer<typeof ImportMode>

export const KEYED_MODES: readonly ImportMode[] = ['update', 'upsert']
export const MAX_KEY_FIELDS = 10

/** Members of a mapping job's config, or of its input: the public SDK drops unknown members of a config. */
export const importOptions = {
  importMode: nullish(ImportMode),
  keyFields: nullish(z.array(z.string()).max(MAX_KEY_FIELDS)),
  /** Whether totals and other lines that are not records become records. Default: `leave-out`. */
  otherLines: nullish(z.enum(['leave-out', 'keep'])),
}
/** Likewise members of the config or of the input. `recipe: false` turns automatic recipes off. */
export const recipeOptions = {
  recipeId: nullish(scoped('program')),
  recipe: nullish(z.boolean()),
}
