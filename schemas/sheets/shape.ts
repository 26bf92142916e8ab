import * as z from 'zod'
import { Actions } from '../actions/shape.ts'
import { Id, Time } from '../kit/ids.ts'
import { nullish } from '../kit/nullish.ts'
import { message } from '../messages/index.ts'
import { Field, SheetConstraint } from './fields.ts'

export const MAX_FIELDS_PER_SHEET = 500
/** Bytes as JSON: a configuration is one item of the table. */
export const MAX_SHEET_CONFIG_BYTES = 300 * 1024
export const MAX_SNAPSHOTS_PER_TABLE = 1000

// A UTF-16 unit takes at most three UTF-8 bytes, so most texts need no counting.
const exceedsBytes = (json: string, limit: number): boolean =>
  json.length * 3 > limit && new TextEncoder().encode(json).length > limit

function checkUniqueKeys({ fields }: { fields?: readonly unknown[] }, context: z.RefinementCtx): void {
  const seenKeys = new Set<unknown>()
  for (const [index, field] of (Array.isArray(fields) ? fields : []).entries()) {
    const key: unknown = field?.key
    if (typeof key === 'string' && seenKeys.has(key))
      context.addIssue({
        code: 'custom',
        path: ['fields', index, 'key'],
        message: message('records.duplicateFieldKey', { key }),
      })
    seenKeys.add(key)
  }
}

export const SheetConfig = z
  .object({
    name: z.string().min(1).max(500),
    slug: nullish(z.string().min(1).max(500)),
    description: nullish(z.string()),
    readonly: nullish(z.boolean()),
    interpret: nullish(z.boolean()),
    allowAdditionalFields: nullish(z.boolean()),
    mappingConfidenceThreshold: nullish(z.number().min(0).max(1)),
    access: nullish(z.array(z.enum(['*', 'add', 'edit', 'delete', 'import']))),
    fields: z.array(Field).max(MAX_FIELDS_PER_SHEET),
    actions: nullish(Actions),
    metadata: z.unknown().optional(),
    constraints: nullish(z.array(SheetConstraint)),
    treatments: nullish(z.array(z.string())),
    collection: nullish(z.string()),
  })
  .superRefine(checkUniqueKeys, { when: ({ value }) => typeof value === 'object' && value !== null })
  .superRefine((config, context) => {
    if (exceedsBytes(JSON.stringify(config), MAX_SHEET_CONFIG_BYTES)) {
      context.addIssue({
        code: 'custom',
        path: [],
        message: message('records.sheetConfigTooLarge', { count: MAX_SHEET_CONFIG_BYTES }),
      })
    }
  })
export type SheetConfig = z.infer<typeof SheetConfig>

export const StoredSheetConfig = z.looseObject({
  name: z.string(),
  slug: z.string().optional(),
  fields: z.array(Field),
  constraints: z.array(SheetConstraint).optional(),
  interpret: z.boolean().optional(),
})

export const Sheet = z.object({
  id: Id,
  workbookId: Id,
  name: z.string(),
  slug: z.string(),
  config: StoredSheetConfig,
  metadata: z.unknown().optional(),
  namespace: z.string().optional(),
  treatments: z.array(z.string()).optional(),
  collection: z.string().optional(),
  table: z.boolean().optional(),
  recordCounts: z.object({ total: z.number().int(), valid: z.number().int(), error: z.number().int() }).optional(),
  lockedBy: z.string().optional(),
  lockedAt: Time.optional(),
  createdAt: Time,
  updatedAt: Time,
})
export type Sheet = z.infer<typeof Sheet>
