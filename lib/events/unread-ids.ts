import { countIds, type IdRange, unpackIds } from './id-ranges.ts'
import { withUnread } from './unread-payload.ts'

const ID_OVERHEAD_BYTES = '"0",'.length

export const withUnreadIds = <P extends { recordIds: string[] }>(payload: P, runs: IdRange[]): P =>
  withUnread(
    payload,
    { recordIds: () => unpackIds({ runs }) },
    {
      recordCount: countIds(runs),
      minJsonBytes: runs.reduce((sum, [prefix, , count]) => sum + count * (prefix.length + ID_OVERHEAD_BYTES), 0),
      storedBytes: JSON.stringify(runs).length,
      serialize: () => Buffer.from(JSON.stringify({ ...payload, recordIds: { runs } })),
    },
  )
