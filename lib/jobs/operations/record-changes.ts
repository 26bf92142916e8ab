/** Shared steps of the operations that change the records of a sheet. */
import { prepareSnapshot } from '../../commits/snapshots.ts'
import { conflict } from '../../core/errors.ts'
import type { StoredSheet } from '../../entities/sheets.ts'
import type { JobResult, Run } from './operation.ts'

export function assertUnlockedForJob({ name, lockedAt }: StoredSheet): void {
  if (lockedAt) throw conflict(`The sheet ${name} is locked. Unlock it and try again.`)
}

/** Takes the requested snapshot once per round of the job, even if the run is repeated, and returns its id. */
export async function takeSnapshotOnce(
  { job, remember }: Run,
  sheet: StoredSheet,
  label: string | undefined,
): Promise<string | undefined> {
  if (label === undefined || job.snapshotTaken !== undefined) return job.snapshotTaken
  const { id, write } = await prepareSnapshot(sheet, { label })
  await remember({ config: { ...job.config, snapshotId: id }, snapshotTaken: id }, (tx) => void write(tx))
  return id
}

export const formatRecordCount = (count: number): string => `${count} ${count === 1 ? 'record' : 'records'}`

export function buildChangeResult(sheet: StoredSheet, count: number, snapshotId: string | undefined): JobResult {
  const sheetLink = { type: 'id', id: sheet.workbookId, path: 'sheet', query: `sheet=${sheet.id}` } as const
  return {
    info: `Changed ${formatRecordCount(count)}`,
    result: { sheetId: sheet.id, records: count, ...(snapshotId ? { snapshotId } : {}) },
    outcome: {
      acknowledge: true,
      heading: 'Records changed',
      message: `${formatRecordCount(count)} changed in ${sheet.name}.`,
      next: snapshotId
        ? { type: 'snapshot', snapshotId, sheetId: sheet.id }
        : { ...sheetLink, label: `Open ${sheet.name}` },
    },
  }
}
