/** Snapshots: named versions of a sheet. One is a pointer into the sheet's log; what it shows is kept as long as the sheet. */
import * as z from 'zod'
import { SheetContext } from './context.ts'
import { DiffRecord } from './diff.ts'
import { endpoint } from './endpoint.ts'
import { free, Id, narrowing, scoped, Time } from './ids.ts'
import { maybe } from './optional.ts'
import { data, list, QueryBoolean, QueryNumber, Success } from './page.ts'
import { telling } from './selection.ts'
import { topic } from './topic.ts'

const Section = z.object({
  total: z.number().int(),
  /** Changed cells by field. */
  byField: z.record(z.string(), z.number().int()).optional(),
})
/** What became of the sheet since. */
export const Summary = z.object({
  createdSince: Section,
  updatedSince: Section,
  deletedSince: Section,
  /** By field key. */
  schemaDiff: z.record(z.string(), z.enum(['added', 'removed', 'unchanged'])),
  /** The sheet's configuration as it was. */
  config: z.unknown(),
})

export const Snapshot = z.object({
  id: Id,
  sheetId: Id,
  label: z.string().optional(),
  threadId: z.string().optional(),
  /** The commit it shows the sheet after; absent for a sheet that had none. */
  commitId: Id.optional(),
  counts: z.object({ total: z.number().int(), valid: z.number().int(), error: z.number().int() }),
  summary: Summary.optional(),
  createdAt: Time,
  createdBy: Id,
})
export type Snapshot = z.infer<typeof Snapshot>

const params = z.object({ snapshotId: Id })
const at = 'params.snapshotId'
const example = { params: { snapshotId: '{snapshotId}' } }

export const create = endpoint({
  id: 'snapshots.create',
  method: 'POST',
  path: '/snapshots',
  summary: "Keeps a sheet's present version under a name",
  policy: { can: 'snapshots:write', on: 'sheet', at: 'body.sheetId' },
  body: z.object({
    sheetId: scoped('sheet'),
    label: maybe(z.string().max(500)),
    threadId: maybe(free('a name its client gives: snapshots are listed by it, nothing is looked up')),
  }),
  reply: data(Snapshot),
  example: { body: { sheetId: '{sheetId}', label: 'Before the import' } },
})
export const listed = endpoint({
  id: 'snapshots.list',
  method: 'GET',
  path: '/snapshots',
  summary: "Lists a sheet's snapshots, newest first",
  policy: { can: 'snapshots:read', on: 'sheet', at: 'query.sheetId' },
  query: z.object({ sheetId: scoped('sheet'), threadId: narrowing('thread').optional() }),
  reply: list(Snapshot),
  example: { query: { sheetId: '{sheetId}' } },
})
export const get = endpoint({
  id: 'snapshots.get',
  method: 'GET',
  path: '/snapshots/{snapshotId}',
  summary: 'Reads a snapshot, with `includeSummary` also what changed since',
  policy: { can: 'snapshots:read', on: 'snapshot', at },
  params,
  query: z.object({ includeSummary: QueryBoolean.default(false) }),
  reply: data(Snapshot),
  example: { ...example, query: { includeSummary: 'true' } },
})
export const remove = endpoint({
  id: 'snapshots.remove',
  method: 'DELETE',
  path: '/snapshots/{snapshotId}',
  summary: 'Deletes a snapshot; the records stay as they are',
  policy: { can: 'snapshots:write', on: 'snapshot', at },
  params,
  reply: Success,
  example,
})
export const restore = endpoint({
  id: 'snapshots.restore',
  method: 'POST',
  path: '/snapshots/{snapshotId}/restore',
  summary: "Makes the sheet's records what they were, as one commit",
  description:
    'In part: `created` deletes records created since, `updated` sets changed cells back, `deleted` brings deleted records back. Without a body all three.',
  policy: { can: 'snapshots:write', on: 'snapshot', at },
  params,
  query: z.object(telling),
  body: z.object({ created: z.boolean(), updated: z.boolean(), deleted: z.boolean() }).nullable(),
  bodyOptional: true,
  reply: data(Snapshot),
  errors: ['conflict'],
  example,
})

export const records = endpoint({
  id: 'snapshots.records',
  method: 'GET',
  path: '/snapshots/{snapshotId}/records',
  summary: 'Reads records beside what they were in the snapshot',
  description:
    'With `changeType` only those created, updated or deleted since; without it all records of the snapshot.',
  policy: { can: 'snapshots:read', on: 'snapshot', at },
  params,
  query: z.object({
    changeType: z.enum(['createdSince', 'updatedSince', 'deletedSince']).optional(),
    pageSize: QueryNumber(1, 10_000).default(10_000),
    pageNumber: QueryNumber(1, 1_000_000).default(1),
  }),
  reply: list(DiffRecord),
  also: ['large'],
  example,
})

export const created = topic('snapshot:created', {
  when: 'a snapshot of a sheet is created',
  payload: z.object({ snapshotId: Id, sheetId: Id, workbookId: Id, spaceId: Id }),
  context: SheetContext,
})
