/** The contexts events share. Every context carries the account and the environment; what a topic does not name is absent. */
import * as z from 'zod'
import { Id } from './ids.ts'

/** An id, or nothing where a topic has the key and there is no such resource. */
export const IdOrEmpty = z.union([Id, z.literal('')])

/** Any topic's context: the field set the public clients know, plus further keys. */
export const Context = z.looseObject({
  accountId: Id,
  environmentId: Id,
  actorId: Id.optional(),
  spaceId: IdOrEmpty.optional(),
  workbookId: IdOrEmpty.optional(),
  sheetId: IdOrEmpty.optional(),
  sheetSlug: z.string().optional(),
  commitId: Id.optional(),
  versionId: Id.optional(),
  jobId: Id.optional(),
  fileId: Id.optional(),
  agentId: Id.optional(),
  /** The event that a write answers (`for`). */
  precedingEventId: Id.optional(),
  /** The deployed agent whose answer to an event a commit is: it is not called for that commit. */
  answeredBy: Id.optional(),
  slugs: z
    .object({ space: z.string().optional(), workbook: z.string().optional(), sheet: z.string().optional() })
    .partial()
    .optional(),
})
export type Context = z.infer<typeof Context>

const base = { accountId: Id, environmentId: Id }
const actor = { actorId: Id }

export const EnvironmentContext = z.looseObject({ ...base, actorId: Id.optional() })
export const SpaceContext = z.looseObject({ ...base, ...actor, spaceId: Id })
export const WorkbookContext = z.looseObject({ ...base, ...actor, spaceId: Id, workbookId: Id })
/** CP of the specification. */
export const SheetContext = z.looseObject({ ...base, ...actor, spaceId: Id, workbookId: Id, sheetId: Id })
/** CF of the specification. */
export const FileContext = z.looseObject({ ...base, ...actor, spaceId: Id, fileId: Id })
/** CJ of the specification. */
export const JobContext = z.looseObject({ ...base, ...actor, spaceId: Id.optional(), jobId: Id })

export const Empty = z.object({})
/** One changed field of a thing, as `*:updated` events carry it. */
export const FieldChange = z.object({ field: z.string(), previousValue: z.unknown(), newValue: z.unknown() })
export type FieldChange = z.infer<typeof FieldChange>
