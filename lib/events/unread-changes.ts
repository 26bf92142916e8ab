/** Payloads of changed records that are stored from JSON: their objects are made only if they are read. */
import { joinElements } from '../core/json-bytes.ts'
import { type IdRange, unpackIds } from './id-ranges.ts'
import { packCounts, unpackChanges } from './packed-changes.ts'

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

const unreadChanges = new WeakMap<object, UnreadChanges>()

export const findUnreadChanges = (payload: unknown): UnreadChanges | undefined =>
  typeof payload === 'object' && payload !== null ? unreadChanges.get(payload) : undefined

export function withUnreadChanges(payload: object, changes: UnreadChanges): object {
  const complete = Object.defineProperties(
    { ...payload },
    {
      recordIds: { enumerable: true, get: () => unpackIds(changes) },
      changes: { enumerable: true, get: () => readChanges(changes) },
    },
  )
  unreadChanges.set(complete, changes)
  return complete
}

const readChanges = (changes: UnreadChanges) =>
  unpackChanges({ ...packShape(changes), previous: parse(changes.previous), next: parse(changes.next) })

const packShape = ({ runs, counts, keys, fields }: UnreadChanges) => ({ runs, ...packCounts(counts, keys, fields) })

const parse = (values: readonly Buffer[]): unknown[] => JSON.parse(`[${values.join(',')}]`)

export function serializeUnread(payload: object, changes: UnreadChanges): Buffer {
  const { recordIds: _ids, changes: _changes, ...others } = Object.getOwnPropertyDescriptors(payload)
  const ids = JSON.stringify({ runs: changes.runs })
  const packed = JSON.stringify(packShape(changes)).slice(0, -1)
  const start = JSON.stringify(Object.defineProperties({}, others)).slice(0, -1)
  return Buffer.concat([
    Buffer.from(`${start},"recordIds":${ids},"changes":${packed},"previous":[`),
    ...joinElements(changes.previous),
    Buffer.from('],"next":['),
    ...joinElements(changes.next),
    Buffer.from(']}}'),
  ])
}
