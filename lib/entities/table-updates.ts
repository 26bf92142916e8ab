/** Requests to bring the tables of sheets in the bucket up to date. An item exists only until a run has done it. */
import { MINUTE_MS } from '../../schemas/kit/time.ts'
import { getTableName } from '../table/client.ts'
import { claimDue, completeDue, dueBefore, enqueueAt, postponeDue } from '../table/due-queue.ts'
import { buildItemKey } from '../table/keys.ts'
import type { PutWrite } from '../table/write.ts'

const NAME = 'table-update'
/** A run ends within 15 minutes, so after this time its process is dead. */
const RETRY_MS = 16 * MINUTE_MS

export const TableUpdates = {
  /** Also during a run, which then leaves it to another one. */
  request: (sheetId: string): PutWrite => {
    const put = { Put: { TableName: getTableName(), Item: { ...buildItemKey(NAME, sheetId) } } }
    return enqueueAt(put, NAME, sheetId, new Date().toISOString())
  },
  listDue: (now: Date): AsyncGenerator<string[]> => dueBefore(NAME, now),
  claim: (sheetId: string, now: Date): Promise<string | undefined> =>
    claimDue(buildItemKey(NAME, sheetId), sheetId, now, RETRY_MS),
  postpone: (sheetId: string, claim: string, at: Date): Promise<void> =>
    postponeDue(buildItemKey(NAME, sheetId), sheetId, claim, at),
  complete: (sheetId: string, claim: string): Promise<void> => completeDue(buildItemKey(NAME, sheetId), claim),
}
