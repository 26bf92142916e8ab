import { forEachSettled } from '../core/concurrency.ts'
import { log } from '../core/log.ts'
import { TableUpdates } from '../entities/table-updates.ts'
import { invokePlatformFunction } from '../events/invoke-async.ts'

const CONCURRENCY = 10

/** A sheet whose update cannot be started holds up neither the others nor the caller. */
export async function startTableUpdates(now: Date): Promise<number> {
  let started = 0
  for await (const sheetIds of TableUpdates.listDue(now)) {
    const failed = await forEachSettled(CONCURRENCY, sheetIds, async (sheetId) => {
      const claim = await TableUpdates.claim(sheetId, now)
      if (claim === undefined) return
      await invokePlatformFunction('run-job', { tableUpdate: { sheetId, claim } })
      started++
    })
    for (const error of failed) log.error('Could not start the update of a table', { error: error as Error })
  }
  return started
}
