/** Scheduled: deletes record objects left by writers that crashed before their commit, in random order of sheets. */
import type { Context, ScheduledEvent } from 'aws-lambda'
import { log } from '../../lib/core/log.ts'
import { Sheets } from '../../lib/entities/sheets.ts'
import { firstIdAt } from '../../lib/events/id-time.ts'
import { collectGarbage, deleteSheetData, listSheetsWithObjects } from '../../lib/records/index.ts'
import { DAY_MS } from '../../schemas/kit/time.ts'

/** Approximate maximum per sheet; no sheet is started with less time left. */
const SHEET_MS = 120_000
/** No write takes this long from its first object to its commit. */
const GRACE_MS = DAY_MS

export async function handler(
  { time }: Pick<ScheduledEvent, 'time'>,
  context: Pick<Context, 'getRemainingTimeInMillis'>,
): Promise<{ sheets: number; objects: number; bytes: number }> {
  const olderThan = new Date(Date.parse(time) - GRACE_MS)
  const totals = { sheets: 0, objects: 0, bytes: 0 }
  for (const sheetId of await listSheetsShuffled()) {
    if (context.getRemainingTimeInMillis() < SHEET_MS) break
    const { objects, bytes } = await collectSheet(sheetId, olderThan)
    totals.sheets++
    totals.objects += objects
    totals.bytes += bytes
  }
  if (totals.objects > 0) log.info('Deleted objects that no sheet version refers to', totals)
  return totals
}

/** Deletes all objects of a deleted sheet; a new sheet may not exist yet while its records are written. */
async function collectSheet(sheetId: string, olderThan: Date): Promise<{ objects: number; bytes: number }> {
  const collected = await collectGarbage(sheetId, { olderThan })
  if (sheetId < firstIdAt(olderThan, 'sheet') && !(await Sheets.get(sheetId))) await deleteSheetData(sheetId)
  return collected
}

async function listSheetsShuffled(): Promise<string[]> {
  const sheets: string[] = []
  for await (const sheetId of listSheetsWithObjects()) sheets.push(sheetId)
  for (let i = sheets.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1))
    ;[sheets[i], sheets[j]] = [sheets[j]!, sheets[i]!]
  }
  return sheets
}
