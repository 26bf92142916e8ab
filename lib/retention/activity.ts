/** Whether something happened in a thing after a time: a change of it, or of its files, jobs, workbooks, sheets, records. */
import { Files, type StoredFile } from '../entities/files.ts'
import { Jobs } from '../entities/jobs.ts'
import { Sheets } from '../entities/sheets.ts'
import type { StoredSpace } from '../entities/spaces.ts'
import { type StoredWorkbook, Workbooks } from '../entities/workbooks.ts'
import { commits } from '../records/index.ts'

/** @param time ISO-8601, as everywhere below */
const changed = (things: { updatedAt: string }[], time: string): boolean =>
  things.some(({ updatedAt }) => updatedAt > time)

export async function spaceUsedSince(space: StoredSpace, time: string): Promise<boolean> {
  if (changed([space], time)) return true
  if (changed(await Jobs.inSpace(space.id), time)) return true
  if (changed(await Files.inSpace(space.id), time)) return true
  for (const workbook of await Workbooks.inSpace(space.id)) if (await workbookUsedSince(workbook, time)) return true
  return false
}

export async function workbookUsedSince(workbook: StoredWorkbook, time: string): Promise<boolean> {
  if (changed([workbook], time)) return true
  const sheets = await Sheets.inWorkbook(workbook.id)
  if (changed(sheets, time)) return true
  for (const { id } of sheets) {
    const [last] = await commits(id, { pageSize: 1 })
    if (last && last.createdAt > time) return true
  }
  return false
}

export const fileUsedSince = async (file: StoredFile, time: string): Promise<boolean> => changed([file], time)
