/** Payloads of changed records, stored from the JSON of the values. */
import { joinElements } from '../core/json-bytes.ts'
import { type IdRange, unpackIds } from './id-ranges.ts'
import { packCounts, unpackChanges } from './packed-changes.ts'
import { withUnread } from './unread-payload.ts'

export interface UnreadChanges {
  runs: IdRange[]
  counts: number[]
  keys: string[]
  fields: number[]
  /** JSON of the values, separated by commas. */
  previous: Buffer[]
  next: Buffer[]
  bytes: number
}

interface ChangesPayload {
  recordIds: string[]
  changes: unknown[]
}

export const withUnreadChanges = (payload: ChangesPayload, changes: UnreadChanges): object =>
  withUnread(
    payload,
    { recordIds: () => unpackIds(changes), changes: () => readChanges(changes) },
    {
      recordCount: changes.counts.length,
      minJsonBytes: changes.bytes,
      storedBytes: changes.bytes,
      serialize: () => serialize(payload, changes),
    },
  )

const readChanges = (changes: UnreadChanges) =>
  unpackChanges({ ...packShape(changes), previous: parse(changes.previous), next: parse(changes.next) })

const packShape = ({ runs, counts, keys, fields }: UnreadChanges) => ({ runs, ...packCounts(counts, keys, fields) })

const parse = (values: readonly Buffer[]): unknown[] => JSON.parse(`[${values.join(',')}]`)

function serialize({ recordIds: _ids, changes: _changes, ...others }: ChangesPayload, changes: UnreadChanges): Buffer {
  const ids = JSON.stringify({ runs: changes.runs })
  const packed = JSON.stringify(packShape(changes)).slice(0, -1)
  const start = JSON.stringify(others).slice(0, -1)
  return Buffer.concat([
    Buffer.from(`${start},"recordIds":${ids},"changes":${packed},"previous":[`),
    ...joinElements(changes.previous),
    Buffer.from('],"next":['),
    ...joinElements(changes.next),
    Buffer.from(']}}'),
  ])
}
