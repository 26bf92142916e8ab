/** Splits the changes of a commit into the parts that its events carry. */
import { INLINE_IDS_PER_EVENT, INLINE_UPDATE_EVENTS } from '../../schemas/records/limits.ts'
import type { UnreadChanges } from '../events/unread-changes.ts'
import { addToRuns, type ChangeBatch, sliceValues } from '../records/index.ts'

/** The first updates of a commit fit the bus with their payload. Later ones are larger and travel as a claim check. */
const CHANGE_BYTES = { inline: 150 * 1024, claimCheck: 250 * 1024 }

export async function* splitChanges(
  batches: Iterable<ChangeBatch> | AsyncIterable<ChangeBatch>,
): AsyncGenerator<UnreadChanges> {
  let part = createPart()
  let parts = 0
  for await (const batch of batches) {
    let record = 0
    let change = 0
    let added = 0
    for (const [prefix, first, count] of batch.runs)
      for (let number = first; number < first + count; number++) {
        const end = change + batch.counts[record++]!
        const bytes = measureChanges(batch, change, end, prefix.length + countDigits(number))
        const maxBytes = parts < INLINE_UPDATE_EVENTS ? CHANGE_BYTES.inline : CHANGE_BYTES.claimCheck
        const { length } = part.counts
        if (length > 0 && (length >= INLINE_IDS_PER_EVENT || part.bytes + bytes > maxBytes)) {
          addChanges(part, batch, added, change)
          added = change
          yield part
          part = createPart()
          parts++
        }
        addToRuns(part.runs, prefix, number)
        part.counts.push(end - change)
        part.bytes += bytes
        change = end
      }
    addChanges(part, batch, added, change)
  }
  if (part.counts.length > 0) yield part
}

const createPart = (): UnreadChanges => ({
  ...{ runs: [], counts: [], keys: [], fields: [], previous: [], next: [], bytes: 0 },
})

function addChanges(part: UnreadChanges, batch: ChangeBatch, from: number, to: number): void {
  if (from === to) return
  const positions: number[] = []
  for (let i = from; i < to; i++) {
    const field = batch.fields[i]!
    positions[field] ??= findPosition(part.keys, batch.keys[field]!)
    part.fields.push(positions[field])
  }
  part.previous.push(sliceValues(batch.previous, from, to))
  part.next.push(sliceValues(batch.next, from, to))
}

function findPosition(keys: string[], key: string): number {
  const position = keys.indexOf(key)
  return position < 0 ? keys.push(key) - 1 : position
}

const CHANGE_OVERHEAD_BYTES = '{"recordId":"","fieldKey":"","previousValue":,"newValue":},'.length

function measureChanges(batch: ChangeBatch, from: number, to: number, idBytes: number): number {
  const { keys, fields, previous, next } = batch
  let bytes = (to - from) * (CHANGE_OVERHEAD_BYTES + idBytes)
  for (let i = from; i < to; i++) bytes += keys[fields[i]!]!.length + measureValue(previous, i) + measureValue(next, i)
  return bytes
}

const measureValue = ({ ends }: ChangeBatch['next'], at: number): number =>
  at === 0 ? ends[0]! : ends[at]! - ends[at - 1]! - 1

function countDigits(number: number): number {
  let digits = 1
  for (let limit = 10; number >= limit; limit *= 10) digits++
  return digits
}
