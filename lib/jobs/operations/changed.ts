/** What operations that change the records of a sheet have in common: their first steps, and how they end. */
import { prepareSnapshot } from '../../commits/snapshots.ts'
import { conflict } from '../../core/errors.ts'
import type { StoredSheet } from '../../entities/sheets.ts'
import type { Ending, Run } from './performer.ts'

/** @throws ApiError conflict, for people */
export function refuseLockedFor({ name, lockedAt }: StoredSheet): void {
  if (lockedAt) throw conflict(`The sheet ${name} is locked: unlock it and try again.`)
}

/** Takes a snapshot if one is asked for, once a round of the job however often it is run. Answers its id. */
export async function snapshotFirst(
  { job, remember }: Run,
  sheet: StoredSheet,
  label: string | undefined,
): Promise<string | undefined> {
  if (label === undefined || job.snapshotTaken !== undefined) return job.snapshotTaken
  const { id, write } = await prepareSnapshot(sheet, { label })
  await remember({ config: { ...job.config, snapshotId: id }, snapshotTaken: id }, (tx) => void write(tx))
  return id
}

export const counted = (count: number): string => `${count} ${count === 1 ? 'record' : 'records'}`

/** Changed, with the way to the snapshot taken before, or to the sheet. */
export function changedRecords(sheet: StoredSheet, count: number, snapshotId: string | undefined): Ending {
  const toSheet = { type: 'id', id: sheet.workbookId, path: 'sheet', query: `sheet=${sheet.id}` } as const
  return {
    info: `Changed ${counted(count)}`,
    result: { sheetId: sheet.id, records: count, ...(snapshotId ? { snapshotId } : {}) },
    outcome: {
      acknowledge: true,
      heading: 'Records changed',
      message: `${counted(count)} changed in ${sheet.name}.`,
      next: snapshotId
        ? { type: 'snapshot', snapshotId, sheetId: sheet.id }
        : { ...toSheet, label: `Open ${sheet.name}` },
    },
  }
}
