/** Endpoints for data clips: guests work on a copy of some records, which is merged back after a review. */
import * as z from 'zod'
import { AnyObject } from '../kit/any-object.ts'
import { endpoint } from '../kit/endpoint.ts'
import { Id, narrowing, scoped } from '../kit/ids.ts'
import { nullish } from '../kit/nullish.ts'
import { data, QueryBoolean, QueryNumber, Success } from '../kit/page.ts'
import { selectionParams } from '../records/selection.ts'
import { Clip, MAX_COLLABORATORS_PER_CLIP, MAX_RECORDS_PER_ADDITION, SharedLinkAccess } from './shape.ts'

const MAX_RECORDS_PER_PATCH = 1000

const ClipView = Clip.extend({
  /** Only for callers who can change the clip. */
  guestLinkUrl: z.string().optional(),
})
const details = {
  description: nullish(z.string().max(5000)),
  collaborators: nullish(z.array(z.string().trim().min(1).max(254)).max(MAX_COLLABORATORS_PER_CLIP)),
  sharedLinkAccess: nullish(SharedLinkAccess),
}
const Name = z.string().trim().min(1).max(500)

const params = z.object({ dataClipId: Id })
const idPath = 'params.dataClipId'
const example = { params: { dataClipId: '{dataClipId}' } }

export const create = endpoint({
  id: 'clips.create',
  method: 'POST',
  path: '/data-clips',
  summary: 'Creates an empty data clip of a sheet',
  description:
    'The clip is a sheet in a separate workbook, with the fields, constraints and slug of the source, so that the same listeners ' +
    'handle it. A collaborator given by email address becomes a guest of the environment.',
  policy: { can: 'clips:write', on: 'sheet', at: 'body.sourceSheetId' },
  body: z.object({ name: Name, sourceSheetId: scoped('sheet'), ...details }),
  reply: ClipView,
  errors: ['not-found', 'conflict'],
  example: { body: { name: 'For Grace', sourceSheetId: '{sheetId}', collaborators: ['grace@example.com'] } },
})

export const listed = endpoint({
  id: 'clips.list',
  method: 'GET',
  path: '/data-clips',
  summary: 'Lists data clips, newest first',
  policy: { can: 'clips:read', on: 'environments' },
  query: z.object({
    spaceId: scoped('space').optional(),
    sheetId: scoped('sheet').optional(),
    status: z.string().optional(),
  }),
  reply: z.object({ data: z.array(data(ClipView)) }),
  errors: ['not-found'],
  example: { query: { sheetId: '{sheetId}' } },
})

export const get = endpoint({
  id: 'clips.get',
  method: 'GET',
  path: '/data-clips/{dataClipId}',
  summary: 'Reads a data clip',
  policy: { can: 'clips:read', on: 'clip', at: idPath },
  params,
  reply: data(ClipView),
  example,
})

export const update = endpoint({
  id: 'clips.update',
  method: 'PATCH',
  path: '/data-clips/{dataClipId}',
  summary: 'Updates a data clip',
  description:
    '`collaborators` replaces the whole list: removed collaborators lose access immediately. The status `merged` merges the clip like ' +
    '`POST /data-clips/{dataClipId}/merge`; any other status is stored unchanged. A merged clip cannot be reopened.',
  policy: { can: 'clips:write', on: 'clip', at: idPath },
  params,
  body: z.object({ name: nullish(Name), status: nullish(z.string().trim().min(1).max(100)), ...details }),
  reply: data(ClipView),
  errors: ['not-found', 'conflict'],
  example: { ...example, body: { name: 'For Grace and Ada', sharedLinkAccess: 'public' } },
})

export const remove = endpoint({
  id: 'clips.remove',
  method: 'DELETE',
  path: '/data-clips/{dataClipId}',
  summary: 'Deletes a data clip with its records; the source is unchanged',
  policy: { can: 'clips:write', on: 'clip', at: idPath },
  params,
  reply: Success,
  example,
})

export const addRecords = endpoint({
  id: 'clips.addRecords',
  method: 'POST',
  path: '/data-clips/{dataClipId}/add-records',
  summary: 'Copies records of the source into the clip in one commit',
  description:
    'Copies the records in `recordIds`, or all that the parameters select. Records already in the clip are unchanged. ' +
    'Referenced records are copied into separate locked sheets, where they can be read but not changed.',
  policy: { can: 'clips:write', on: 'clip', at: idPath },
  params,
  query: z.object(selectionParams),
  body: z.object({ recordIds: nullish(z.array(narrowing('record')).max(MAX_RECORDS_PER_ADDITION)) }),
  bodyOptional: true,
  reply: z.object({
    success: z.literal(true),
    counts: z.object({ total: z.number(), valid: z.number(), error: z.number() }),
    added: z.number().int(),
    commitId: Id.optional(),
    versionId: Id.optional(),
  }),
  errors: ['not-found', 'conflict', 'too-large'],
  example: { ...example, query: { filter: 'all' }, body: {} },
})

const ResolveTo = z.enum(['clip', 'main', 'snapshot'])
const DeletedRecordResolution = z.enum(['ignore', 'restore'])
const Resolve = z.object({
  field: z.string().optional(),
  /** `conflict`: changed on both sides without a decision. `resolve`: the result is decided. */
  type: z.enum(['conflict', 'resolve']),
  resolveTo: ResolveTo.optional(),
  removedFromMainResolution: DeletedRecordResolution.optional(),
  clip_value_reference: z.string().optional(),
  main_value_reference: z.string().optional(),
})
export type Resolve = z.infer<typeof Resolve>

const ThreeCell = z.object({
  value: z.unknown(),
  snapshotValue: z.unknown(),
  clipValue: z.unknown(),
  valid: z.boolean(),
  messages: z.array(z.unknown()),
})
const Difference = z.object({
  id: Id,
  sourceRecordId: Id.optional(),
  values: z.record(z.string(), ThreeCell),
  valid: z.boolean(),
  metadata: AnyObject,
  config: AnyObject,
  resolves: z.array(Resolve),
})
const Summary = z.object({
  total: z.number().int(),
  changed: z.number().int(),
  added: z.number().int(),
  removed: z.number().int(),
  conflicts: z.number().int(),
  byField: z.record(z.string(), z.number().int()),
})
const resolutionFilters = { filterColumn: z.string().optional(), filterConflicts: QueryBoolean.optional() }

export const resolutions = endpoint({
  id: 'clips.resolutions',
  method: 'GET',
  path: '/data-clips/{dataClipId}/resolutions',
  summary: 'Lists the differences between a clip and its source, and how merging resolves them',
  description:
    'A record is listed if one of its cells was changed in the clip and differs from the source, if it was created ' +
    'in the clip, or if it was deleted in the source. A cell changed only in the clip resolves to `clip`; a cell changed differently ' +
    'on both sides is a conflict. A record created in the clip is added. One deleted in the source is ignored (`ignore`), unless it was ' +
    'changed in the clip, which is a conflict. A record deleted in the clip remains in the source.',
  policy: { can: 'clips:write', on: 'clip', at: idPath },
  params,
  query: z.object({
    ...resolutionFilters,
    includeRecords: QueryBoolean.default(true),
    includeSummary: QueryBoolean.default(false),
    pageSize: QueryNumber(1, 1000).default(1000),
    pageNumber: QueryNumber(1, 1_000_000).default(1),
  }),
  reply: z.object({ data: z.array(Difference), summary: Summary.optional() }),
  also: ['large'],
  example: { ...example, query: { includeSummary: 'true' } },
})

export const resolutionIndex = endpoint({
  id: 'clips.resolutionIndex',
  method: 'GET',
  path: '/data-clips/{dataClipId}/resolutions/index',
  summary: 'Returns the zero-based position of a record in the list of differences',
  policy: { can: 'clips:write', on: 'clip', at: idPath },
  params,
  query: z.object({ ...resolutionFilters, id: narrowing('record') }),
  reply: z.object({ index: z.number().int() }),
  errors: ['not-found', 'conflict'],
  example: { ...example, query: { id: '{clipRecordId}', filterConflicts: 'false' } },
})

const Decision = z.object({
  field: nullish(z.string()),
  type: nullish(z.string()),
  resolveTo: nullish(ResolveTo),
  removedFromMainResolution: nullish(DeletedRecordResolution),
  clip_value_reference: nullish(z.string()),
  main_value_reference: nullish(z.string()),
})

export const resolve = endpoint({
  id: 'clips.resolve',
  method: 'PATCH',
  path: '/data-clips/{dataClipId}/resolutions',
  summary: 'Resolves differences',
  description:
    'For each record, given by its id in the clip, `resolveTo` sets the value of a cell: `clip`, `main` (the ' +
    'source) or `snapshot` (the original copy). Without a `field` it applies to the record: `main` discards a record created in the clip, ' +
    '`removedFromMainResolution` handles a record deleted in the source. A decision is valid only while its values ' +
    'are unchanged; a decision that refers to outdated values is rejected.',
  policy: { can: 'clips:write', on: 'clip', at: idPath },
  params,
  body: z.object({
    resolvedRecords: z
      .array(z.object({ recordId: narrowing('record'), resolves: z.array(Decision).max(500) }))
      .min(1)
      .max(MAX_RECORDS_PER_PATCH),
  }),
  reply: Success,
  errors: ['conflict', 'too-large'],
  example: {
    ...example,
    body: { resolvedRecords: [{ recordId: '{clipRecordId}', resolves: [{ field: 'email', resolveTo: 'clip' }] }] },
  },
})

export const refresh = endpoint({
  id: 'clips.refresh',
  method: 'PATCH',
  path: '/data-clips/{dataClipId}/refresh-resolutions',
  summary: 'Discards outdated decisions and updates referenced records',
  policy: { can: 'clips:write', on: 'clip', at: idPath },
  params,
  reply: Success,
  errors: ['conflict'],
  example,
})

export const merge = endpoint({
  id: 'clips.merge',
  method: 'POST',
  path: '/data-clips/{dataClipId}/merge',
  summary: 'Merges the changes into the source in one commit',
  description:
    'Rejected while there are conflicts. Afterwards the clip is read-only. Merging a merged clip has no effect.',
  policy: { can: 'clips:write', on: 'clip', at: idPath },
  params,
  reply: data(ClipView),
  errors: ['conflict'],
  example,
})
