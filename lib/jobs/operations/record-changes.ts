import { message } from '../../../schemas/messages/index.ts'
import { createBulkWriter } from '../../commits/bulk.ts'
import { prepareSnapshot } from '../../commits/snapshots.ts'
import { createRecordWriter, type WriteOptions } from '../../commits/write.ts'
import { conflict } from '../../core/errors.ts'
import type { StoredSheet } from '../../entities/sheets.ts'
import type { JobResult, Run } from './operation.ts'

/** @throws ApiError 409 when the sheet is locked */
export async function prepareChange(
  run: Run,
  sheet: StoredSheet,
  snapshotLabel: string | undefined,
  options: Pick<WriteOptions, 'assertUnchanged' | 'change'> = {},
) {
  assertUnlockedForJob(sheet)
  return {
    snapshotId: await takeSnapshotOnce(run, sheet, snapshotLabel),
    writer: createRecordWriter(sheet, run, { op: run.op }),
    bulkWriter: createBulkWriter(sheet, run, { op: run.op, ...options }),
  }
}

export function assertUnlockedForJob({ name, lockedAt }: StoredSheet): void {
  if (lockedAt) throw conflict(message('jobs.sheetLocked', { sheet: name }))
}

/** Takes the requested snapshot once per round of the job, even if the run is repeated, and returns its id. */
async function takeSnapshotOnce(
  { job, remember }: Run,
  sheet: StoredSheet,
  label: string | undefined,
): Promise<string | undefined> {
  if (label === undefined || job.snapshotTaken !== undefined) return job.snapshotTaken
  const { id, write } = await prepareSnapshot(sheet, { label })
  await remember({ config: { ...job.config, snapshotId: id }, snapshotTaken: id }, (tx) => void write(tx))
  return id
}

export function buildChangeResult(
  sheet: StoredSheet,
  { updated: count, commitId }: { updated: number; commitId: string | undefined },
  snapshotId: string | undefined,
): JobResult {
  const sheetLink = { type: 'id', id: sheet.workbookId, path: 'sheet', query: `sheet=${sheet.id}` } as const
  return {
    info: message('jobs.recordsChanged', { count }),
    result: {
      ...{ sheetId: sheet.id, records: count },
      ...(commitId ? { commitId } : {}),
      ...(snapshotId ? { snapshotId } : {}),
    },
    outcome: {
      acknowledge: true,
      heading: message('jobs.changeFinished'),
      message: message('jobs.recordsChangedIn', { count, sheet: sheet.name }),
      next: snapshotId
        ? { type: 'snapshot', snapshotId, sheetId: sheet.id }
        : { ...sheetLink, label: message('jobs.open', { name: sheet.name }) },
    },
  }
}
