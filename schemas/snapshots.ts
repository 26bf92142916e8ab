/** Endpoints of snapshots. A snapshot points into the log of a sheet and lives as long as the sheet. */
import * as z from 'zod'
import { SheetContext } from './context.ts'
import { DiffRecord } from './diff.ts'
import { endpoint } from './endpoint.ts'
import { Id, narrowing, scoped, Time, unscoped } from './ids.ts'
import { nullish } from './nullish.ts'
import { data, list, QueryBoolean, QueryNumber, Success } from './page.ts'
import { writeParams } from './record-selection.ts'
import { topic } from './topic.ts'

const Section = z.object({
  total: z.number().int(),
  byField: z.record(z.string(), z.number().int()).optional(),
})
export const Summary = z.object({
  createdSince: Section,
  updatedSince: Section,
  deletedSince: Section,
  schemaDiff: z.record(z.string(), z.enum(['added', 'removed', 'unchanged'])),
  config: z.unknown(),
})

export const Snapshot = z.object({
  id: Id,
  sheetId: Id,
  label: z.string().optional(),
  threadId: z.string().optional(),
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
  summary: 'Creates a named snapshot of the current version of a sheet',
  policy: { can: 'snapshots:write', on: 'sheet', at: 'body.sheetId' },
  body: z.object({
    sheetId: scoped('sheet'),
    label: nullish(z.string().max(500)),
    threadId: nullish(unscoped("the client's name for it; snapshots are listed by it, but nothing is looked up")),
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
  summary: 'Reads a snapshot, with `includeSummary` also the changes since',
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
  summary: 'Deletes a snapshot; the records are unchanged',
  policy: { can: 'snapshots:write', on: 'snapshot', at },
  params,
  reply: Success,
  example,
})
export const restore = endpoint({
  id: 'snapshots.restore',
  method: 'POST',
  path: '/snapshots/{snapshotId}/restore',
  summary: "Restores the sheet's records to the snapshot, as one commit",
  description:
    'You can restore in part: `created` deletes records created since, `updated` reverts changed cells, `deleted` brings back deleted records. Without a body, all three apply.',
  policy: { can: 'snapshots:write', on: 'snapshot', at },
  params,
  query: z.object(writeParams),
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
  summary: 'Compares records with the snapshot',
  description:
    'With `changeType`, only records created, updated or deleted since; without it, all records of the snapshot.',
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
