/** Detects activity in a space, workbook or file, or in its contents, since a time (ISO 8601). */
import { Files, type StoredFile } from '../entities/files.ts'
import { Jobs } from '../entities/jobs.ts'
import { Sheets } from '../entities/sheets.ts'
import type { StoredSpace } from '../entities/spaces.ts'
import { type StoredWorkbook, Workbooks } from '../entities/workbooks.ts'
import { listCommits } from '../records/index.ts'

const anyChangedSince = (resources: { updatedAt: string }[], time: string): boolean =>
  resources.some(({ updatedAt }) => updatedAt > time)

export async function wasSpaceUsedSince(space: StoredSpace, time: string): Promise<boolean> {
  if (anyChangedSince([space], time)) return true
  if (anyChangedSince(await Jobs.inSpace(space.id), time)) return true
  if (anyChangedSince(await Files.inSpace(space.id), time)) return true
  for (const workbook of await Workbooks.inSpace(space.id)) if (await wasWorkbookUsedSince(workbook, time)) return true
  return false
}

export async function wasWorkbookUsedSince(workbook: StoredWorkbook, time: string): Promise<boolean> {
  if (anyChangedSince([workbook], time)) return true
  const sheets = await Sheets.inWorkbook(workbook.id)
  if (anyChangedSince(sheets, time)) return true
  for (const { id } of sheets) {
    const [last] = await listCommits(id, { pageSize: 1 })
    if (last && last.createdAt > time) return true
  }
  return false
}

export const wasFileUsedSince = async (file: StoredFile, time: string): Promise<boolean> =>
  anyChangedSince([file], time)
