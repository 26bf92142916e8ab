/** How a mapping job writes the rows of its source to its destination. */
import * as z from 'zod'
import { Id } from '../kit/ids.ts'
import { nullish } from '../kit/nullish.ts'

/**
 * `add` adds all rows, `update` changes the records with the same key, `upsert` also adds rows without a record,
 * `replace` deletes all records and adds all rows.
 */
const ImportMode = z.enum(['add', 'update', 'upsert', 'replace'])
export type ImportMode = z.infer<typeof ImportMode>

export const KEYED_MODES: readonly ImportMode[] = ['update', 'upsert']
export const MAX_KEY_FIELDS = 10

/** Members of a mapping job's config, or of its input: the public SDK drops unknown members of a config. */
export const importOptions = {
  importMode: nullish(ImportMode),
  /** Fields of the destination that identify a record together. Only for the keyed modes. */
  keyFields: nullish(z.array(z.string()).max(MAX_KEY_FIELDS)),
}

/** The commit that undid an import, and its records; `created` are records that the import had deleted. */
export const ImportUndone = z.object({
  sheetId: Id,
  commitId: Id.optional(),
  created: z.number().int(),
  updated: z.number().int(),
  deleted: z.number().int(),
})
export type ImportUndone = z.infer<typeof ImportUndone>
