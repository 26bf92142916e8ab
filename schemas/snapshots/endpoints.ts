/** Endpoints of snapshots. A snapshot points into the log of a sheet and lives as long as the sheet. */
import * as z from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { Id, narrowing, scoped, unscoped } from '../kit/ids.ts'
import { nullish } from '../kit/nullish.ts'
import { data, list, QueryBoolean, QueryNumber, Success } from '../kit/page.ts'
import { DiffRecord } from '../records/diff.ts'
import { writeParams } from '../records/selection.ts'
import { Snapshot } from './shape.ts'

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
