import * as z from 'zod'
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
