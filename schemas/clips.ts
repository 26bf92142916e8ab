/** Data clips: records of a sheet are given to guests, who see these alone; what they change is taken back after a review. */
import * as z from 'zod'
import { Clip, SharedLinkAccess } from './clip.ts'
import { Empty } from './context.ts'
import { endpoint } from './endpoint.ts'
import { Id, narrowing, scoped, Time } from './ids.ts'
import { maybe } from './optional.ts'
import { data, QueryBoolean, QueryNumber, Success } from './page.ts'
import { meaning } from './selection.ts'
import { topic } from './topic.ts'

/** They are given the clip in one transaction, which holds 100 writes and events. */
export const COLLABORATORS_PER_CLIP = 20
/** Records named in one call. */
export const RECORDS_PER_ADD = 10_000
/** Additions to one clip: each is compared by itself. */
export const ADDITIONS_PER_CLIP = 100
/** Records decided on in one call. */
const RECORDS_PER_PATCH = 1000
/** Decisions kept for a clip. */
export const DECISIONS_PER_CLIP = 5000
/** Resolutions one event tells of. */
export const RESOLUTIONS_PER_EVENT = 200

const Shown = Clip.extend({
  /** For those who may change the clip: of a public clip the link that lets everybody in, else the page where guests come in. */
  guestLinkUrl: z.string().optional(),
})
const details = {
  description: maybe(z.string().max(5000)),
  /** E-mail addresses, or ids of guests of the environment and of users of the account. */
  collaborators: maybe(z.array(z.string().trim().min(1).max(254)).max(COLLABORATORS_PER_CLIP)),
  sharedLinkAccess: maybe(SharedLinkAccess),
}
const Name = z.string().trim().min(1).max(500)

const params = z.object({ dataClipId: Id })
const at = 'params.dataClipId'
const example = { params: { dataClipId: '{dataClipId}' } }

export const create = endpoint({
  id: 'clips.create',
  method: 'POST',
  path: '/data-clips',
  summary: 'Creates a clip of a sheet, without records yet',
  description:
    'The clip is a sheet in a workbook of its own, with the fields, constraints and slug of the source: listeners of the source ' +
    'serve it too. A collaborator named by an e-mail address becomes a guest of the environment.',
  policy: { can: 'clips:write', on: 'sheet', at: 'body.sourceSheetId' },
  body: z.object({ name: Name, sourceSheetId: scoped('sheet'), ...details }),
  reply: Shown,
  errors: ['not-found', 'conflict'],
  example: { body: { name: 'For Grace', sourceSheetId: '{sheetId}', collaborators: ['grace@example.com'] } },
})

export const listed = endpoint({
  id: 'clips.list',
  method: 'GET',
  path: '/data-clips',
  summary: 'Lists clips, newest first',
  policy: { can: 'clips:read', on: 'environments' },
  query: z.object({
    spaceId: scoped('space').optional(),
    sheetId: scoped('sheet').optional(),
    status: z.string().optional(),
  }),
  reply: z.object({ data: z.array(data(Shown)) }),
  errors: ['not-found'],
  example: { query: { sheetId: '{sheetId}' } },
})

export const get = endpoint({
  id: 'clips.get',
  method: 'GET',
  path: '/data-clips/{dataClipId}',
  summary: 'Reads a clip',
  policy: { can: 'clips:read', on: 'clip', at },
  params,
  reply: data(Shown),
  example,
})

export const update = endpoint({
  id: 'clips.update',
  method: 'PATCH',
  path: '/data-clips/{dataClipId}',
  summary: 'Changes a clip',
  description:
    '`collaborators` stands for all of them: who is not named loses the clip at once. The status `merged` merges the clip as ' +
    '`POST /data-clips/{dataClipId}/merge` does; any other word is kept as it is. A merged clip stays merged.',
  policy: { can: 'clips:write', on: 'clip', at },
  params,
  body: z.object({ name: maybe(Name), status: maybe(z.string().trim().min(1).max(100)), ...details }),
  reply: data(Shown),
  errors: ['not-found', 'conflict'],
  example: { ...example, body: { name: 'For Grace and Ada', sharedLinkAccess: 'public' } },
})

export const remove = endpoint({
  id: 'clips.remove',
  method: 'DELETE',
  path: '/data-clips/{dataClipId}',
  summary: 'Deletes a clip with its records; the source keeps its own',
  policy: { can: 'clips:write', on: 'clip', at },
  params,
  reply: Success,
  example,
})

export const addRecords = endpoint({
  id: 'clips.addRecords',
  method: 'POST',
  path: '/data-clips/{dataClipId}/add-records',
  summary: 'Copies records of the source into the clip, as one commit',
  description:
    'Records named by `recordIds`, or all that the parameters select. Records that are in the clip already are left as they are. ' +
    'The records that reference fields name come along, in locked sheets of their own: they can be read there, not changed.',
  policy: { can: 'clips:write', on: 'clip', at },
  params,
  query: z.object(meaning),
  body: z.object({ recordIds: maybe(z.array(narrowing('record')).max(RECORDS_PER_ADD)) }),
  bodyOptional: true,
  reply: z.object({
    success: z.literal(true),
    counts: z.object({ total: z.number(), valid: z.number(), error: z.number() }),
    /** Records copied now. */
    added: z.number().int(),
    commitId: Id.optional(),
    versionId: Id.optional(),
  }),
  errors: ['not-found', 'conflict', 'too-large'],
  example: { ...example, query: { filter: 'all' }, body: {} },
})

const ResolveTo = z.enum(['clip', 'main', 'snapshot'])
const Removed = z.enum(['ignore', 'restore'])
/** Of one cell, or of a whole record where there is no field. */
const Resolve = z.object({
  field: z.string().optional(),
  /** `conflict`: both sides changed it and nobody has decided; `resolve`: what will be done is known. */
  type: z.enum(['conflict', 'resolve']),
  resolveTo: ResolveTo.optional(),
  removedFromMainResolution: Removed.optional(),
  /** The values the decision is about, as JSON. */
  clip_value_reference: z.string().optional(),
  main_value_reference: z.string().optional(),
})
export type Resolve = z.infer<typeof Resolve>

const ThreeCell = z.object({
  /** In the source now. */
  value: z.unknown(),
  /** When it was copied. */
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
  metadata: z.record(z.string(), z.unknown()),
  config: z.record(z.string(), z.unknown()),
  resolves: z.array(Resolve),
})
const Summary = z.object({
  /** Records that differ. */
  total: z.number().int(),
  changed: z.number().int(),
  added: z.number().int(),
  removed: z.number().int(),
  /** Cells and records somebody has to decide on. */
  conflicts: z.number().int(),
  /** Differing cells by field. */
  byField: z.record(z.string(), z.number().int()),
})
const shown = { filterColumn: z.string().optional(), filterConflicts: QueryBoolean.optional() }

export const resolutions = endpoint({
  id: 'clips.resolutions',
  method: 'GET',
  path: '/data-clips/{dataClipId}/resolutions',
  summary: 'Reads in what the clip and its source differ, and what merging will do about it',
  description:
    'A record of the clip is listed where one of its cells was changed in the clip and is not what the source has, where it was ' +
    'made in the clip, and where it is gone from the source. A cell only the clip changed goes to `clip`; one that both changed ' +
    'differently is a conflict. A record made in the clip is added; one gone from the source is left out (`ignore`) unless the ' +
    'clip changed it: then that is a conflict. A record deleted in the clip stays in the source.',
  policy: { can: 'clips:write', on: 'clip', at },
  params,
  query: z.object({
    ...shown,
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
  summary: 'Tells at which place of the list a record stands, from 0',
  policy: { can: 'clips:write', on: 'clip', at },
  params,
  query: z.object({ ...shown, id: narrowing('record') }),
  reply: z.object({ index: z.number().int() }),
  errors: ['not-found', 'conflict'],
  example: { ...example, query: { id: '{clipRecordId}', filterConflicts: 'false' } },
})

const Decision = z.object({
  field: maybe(z.string()),
  type: maybe(z.string()),
  resolveTo: maybe(ResolveTo),
  removedFromMainResolution: maybe(Removed),
  clip_value_reference: maybe(z.string()),
  main_value_reference: maybe(z.string()),
})

export const resolve = endpoint({
  id: 'clips.resolve',
  method: 'PATCH',
  path: '/data-clips/{dataClipId}/resolutions',
  summary: 'Decides on differences',
  description:
    'For each record, named by its id in the clip, what becomes of its cells: `resolveTo` the value of the `clip`, of `main` (the ' +
    'source), or the `snapshot` (as it was copied). Without a `field` the record: `main` leaves out one made in the clip, ' +
    '`removedFromMainResolution` says what becomes of one gone from the source. A decision holds as long as the values do that it ' +
    'was made on; one with references to other values is refused.',
  policy: { can: 'clips:write', on: 'clip', at },
  params,
  body: z.object({
    resolvedRecords: z
      .array(z.object({ recordId: narrowing('record'), resolves: z.array(Decision).max(500) }))
      .min(1)
      .max(RECORDS_PER_PATCH),
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
  summary: 'Forgets decisions whose values have changed since, and brings referenced records up to date',
  policy: { can: 'clips:write', on: 'clip', at },
  params,
  reply: Success,
  errors: ['conflict'],
  example,
})

export const merge = endpoint({
  id: 'clips.merge',
  method: 'POST',
  path: '/data-clips/{dataClipId}/merge',
  summary: 'Takes the changes over into the source, as one commit',
  description:
    'Refused while there are conflicts. The clip can be read afterwards, not changed. Merging a merged clip does nothing.',
  policy: { can: 'clips:write', on: 'clip', at },
  params,
  reply: data(Shown),
  errors: ['conflict'],
  example,
})

/** CD of the specification. */
const ClipContext = z.looseObject({
  accountId: Id,
  environmentId: Id,
  spaceId: Id,
  dataClipId: Id,
  actorId: Id.optional(),
})
const told = { payload: z.object({ dataClipId: Id, accountId: Id, status: z.string() }), context: ClipContext }

export const created = topic('data-clip:created', { when: 'a data clip is created', ...told })
export const updated = topic('data-clip:updated', {
  when: 'details of a data clip are changed, or it is merged',
  ...told,
})
export const deleted = topic('data-clip:deleted', { when: 'a data clip is deleted', ...told })
export const collaboratorUpdated = topic('data-clip:collaborator-updated', {
  when: 'collaborators are added to or removed from a data clip',
  payload: z.object({
    dataClipId: Id,
    collaborators: z.array(z.string()),
    changes: z.array(z.object({ action: z.enum(['added', 'removed']), userId: z.string() })),
  }),
  context: ClipContext,
})

const resolution = { conflictId: z.string(), resolution: z.unknown(), resolvedBy: z.string() }
export const resolutionsCreated = topic('data-clip:resolutions-created', {
  when: 'it is decided on conflicts of a data clip',
  payload: z.object({ dataClipId: Id, resolutions: z.array(z.object(resolution)) }),
  context: ClipContext,
})
export const resolutionsUpdated = topic('data-clip:resolutions-updated', {
  when: 'decisions on conflicts of a data clip are changed',
  payload: z.object({
    dataClipId: Id,
    resolutions: z.array(z.object({ ...resolution, updatedAt: Time })),
    changes: z.array(z.object({ conflictId: z.string(), previousResolution: z.unknown(), newResolution: z.unknown() })),
  }),
  context: ClipContext,
})
export const resolutionsRefreshed = topic('data-clip:resolutions-refreshed', {
  when: 'the decisions of a data clip are compared anew with the values of clip and source',
  payload: Empty,
  context: ClipContext,
})
