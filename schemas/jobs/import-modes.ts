import * as z from 'zod'
import { Id, scoped } from '../kit/ids.ts'
import { nullish } from '../kit/nullish.ts'

const ImportMode = z.enum(['add', 'update', 'upsert', 'replace'])
export type ImportMode = z.infer<typeof ImportMode>

export const KEYED_MODES: readonly ImportMode[] = ['update', 'upsert']
export const MAX_KEY_FIELDS = 10

/** Members of a mapping job's config, or of its input: the public SDK drops unknown members of a config. */
export const importOptions = {
  importMode: nullish(ImportMode),
  keyFields: nullish(z.array(z.string()).max(MAX_KEY_FIELDS)),
}

/** Likewise members of the config or of the input. `recipe: false` turns automatic recipes off. */
export const recipeOptions = {
  recipeId: nullish(scoped('program')),
  recipe: nullish(z.boolean()),
}

/** `created` are records that the import had deleted. */
export const ImportUndone = z.object({
  sheetId: Id,
  commitId: Id.optional(),
  created: z.number().int(),
  updated: z.number().int(),
  deleted: z.number().int(),
})
export type ImportUndone = z.infer<typeof ImportUndone>
