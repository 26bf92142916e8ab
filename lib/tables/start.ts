import { TableUpdates } from '../entities/table-updates.ts'
import { invokePlatformFunction } from '../events/invoke-async.ts'

export async function startTableUpdates(now: Date): Promise<number> {
  let started = 0
  for await (const sheetIds of TableUpdates.listDue(now))
    for (const sheetId of sheetIds) {
      const claim = await TableUpdates.claim(sheetId, now)
      if (claim === undefined) continue
      await invokePlatformFunction('run-job', { tableUpdate: { sheetId, claim } })
      started++
    }
  return started
}
