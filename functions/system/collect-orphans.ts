/**
 * By the clock: takes away the objects of records that no version names, left by writers that died before their commit.
 * Sheet by sheet in an order of chance, until the time is up: over the days each has its turn.
 */
import type { Context, ScheduledEvent } from 'aws-lambda'
import { log } from '../../lib/core/log.ts'
import { Sheets } from '../../lib/entities/sheets.ts'
import { firstIdAt } from '../../lib/events/ids.ts'
import { collect, erase, sheetsWithObjects } from '../../lib/records/index.ts'

/** What a sheet may take at most, about: none is begun with less time left. */
const SHEET_MS = 120_000
/** No write takes longer from its first object to its commit. */
const GRACE_MS = 86_400_000

/** `time` is the schedule's own clock. */
export async function handler(
  { time }: Pick<ScheduledEvent, 'time'>,
  context: Pick<Context, 'getRemainingTimeInMillis'>,
): Promise<{ sheets: number; objects: number; bytes: number }> {
  const olderThan = new Date(Date.parse(time) - GRACE_MS)
  const done = { sheets: 0, objects: 0, bytes: 0 }
  for (const sheetId of await shuffledSheets()) {
    if (context.getRemainingTimeInMillis() < SHEET_MS) break
    const { objects, bytes } = await collectOf(sheetId, olderThan)
    done.sheets++
    done.objects += objects
    done.bytes += bytes
  }
  if (done.objects > 0) log.info('Took away objects that no version of a sheet names', done)
  return done
}

/**
 * Of a sheet that is gone everything goes: its removal may not have come to its end. One just being made is not there yet
 * while its records are written.
 */
async function collectOf(sheetId: string, olderThan: Date): Promise<{ objects: number; bytes: number }> {
  const found = await collect(sheetId, { olderThan })
  if (sheetId < firstIdAt(olderThan, 'sheet') && !(await Sheets.get(sheetId))) await erase(sheetId)
  return found
}

async function shuffledSheets(): Promise<string[]> {
  const sheets: string[] = []
  for await (const sheetId of sheetsWithObjects()) sheets.push(sheetId)
  for (let i = sheets.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1))
    ;[sheets[i], sheets[j]] = [sheets[j]!, sheets[i]!]
  }
  return sheets
}
