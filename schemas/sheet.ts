/** Sheets as they are configured, kept and shown; their endpoints are in sheets.ts. */
import * as z from 'zod'
import { Actions } from './action.ts'
import { Field, SheetConstraint } from './fields.ts'
import { Id, Time } from './ids.ts'
import { maybe } from './optional.ts'

/** A sheet has at most this many fields. */
export const FIELDS_PER_SHEET = 500
/** A sheet's configuration as JSON has at most this many bytes (it is one item of the table). */
export const SHEET_CONFIG_BYTES = 300 * 1024

/** Reported together with what else is wrong with the fields. */
function uniqueKeys({ fields }: { fields?: readonly unknown[] }, context: z.RefinementCtx): void {
  const seen = new Set<unknown>()
  for (const [index, field] of (Array.isArray(fields) ? fields : []).entries()) {
    const key: unknown = field?.key
    if (typeof key === 'string' && seen.has(key))
      context.addIssue({ code: 'custom', path: ['fields', index, 'key'], message: `is the key of two fields: ${key}` })
    seen.add(key)
  }
}

export const SheetConfig = z
  .object({
    name: z.string().min(1).max(500),
    slug: maybe(z.string().min(1).max(500)),
    description: maybe(z.string()),
    readonly: maybe(z.boolean()),
    allowAdditionalFields: maybe(z.boolean()),
    mappingConfidenceThreshold: maybe(z.number().min(0).max(1)),
    access: maybe(z.array(z.enum(['*', 'add', 'edit', 'delete', 'import']))),
    fields: z.array(Field).max(FIELDS_PER_SHEET),
    actions: maybe(Actions),
    metadata: z.unknown().optional(),
    constraints: maybe(z.array(SheetConstraint)),
    treatments: maybe(z.array(z.string())),
    collection: maybe(z.string()),
  })
  .superRefine(uniqueKeys, { when: ({ value }) => typeof value === 'object' && value !== null })
  .superRefine((config, context) => {
    if (JSON.stringify(config).length > SHEET_CONFIG_BYTES) {
      context.addIssue({
        code: 'custom',
        path: [],
        message: `a sheet's configuration may have at most ${SHEET_CONFIG_BYTES} bytes`,
      })
    }
  })
export type SheetConfig = z.infer<typeof SheetConfig>

/** A sheet's configuration as it is answered: as it was written, with its slug. */
export const StoredSheetConfig = z.looseObject({
  name: z.string(),
  slug: z.string().optional(),
  fields: z.array(Field),
  constraints: z.array(SheetConstraint).optional(),
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
  /** Where they are asked for. */
  recordCounts: z.object({ total: z.number().int(), valid: z.number().int(), error: z.number().int() }).optional(),
  lockedBy: z.string().optional(),
  lockedAt: Time.optional(),
  createdAt: Time,
  updatedAt: Time,
})
export type Sheet = z.infer<typeof Sheet>
