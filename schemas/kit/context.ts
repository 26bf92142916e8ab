/** Event contexts. All have the account and environment; other keys depend on the topic. */
import * as z from 'zod'
import { Id } from './ids.ts'

/** Empty if the topic has the key but there is no such resource. */
export const IdOrEmpty = z.union([Id, z.literal('')])

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
  precedingEventId: Id.optional(),
  /** The agent whose reply this commit is; it is not invoked for it. */
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
export const SheetContext = z.looseObject({ ...base, ...actor, spaceId: Id, workbookId: Id, sheetId: Id })
export const FileContext = z.looseObject({ ...base, ...actor, spaceId: Id, fileId: Id })
export const JobContext = z.looseObject({ ...base, ...actor, spaceId: Id.optional(), jobId: Id })

export const Empty = z.object({})
export const FieldChange = z.object({ field: z.string(), previousValue: z.unknown(), newValue: z.unknown() })
export type FieldChange = z.infer<typeof FieldChange>
