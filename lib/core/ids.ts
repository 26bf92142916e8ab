/** New ids: the kind's prefix and a ULID, so that ids of one kind sort by creation time. */
import { createHash } from 'node:crypto'
import { monotonicFactory } from 'ulid'
import { ID_PREFIXES, type Kind } from '../../schemas/ids.ts'

const next = monotonicFactory()

/** A new id, e.g. `us_sp_01J9…`; strictly increasing within this process. */
export const newId = (kind: Kind, time: number = Date.now()): string => `${ID_PREFIXES[kind]}_${next(time)}`

/** Which kind an id names, or undefined for an id of none. */
export function kindOf(id: string): Kind | undefined {
  const prefix = id.slice(0, id.lastIndexOf('_'))
  return (Object.keys(ID_PREFIXES) as Kind[]).find((kind) => ID_PREFIXES[kind] === prefix)
}

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const crockford = (value: bigint, length: number): string => {
  let text = ''
  for (let rest = value; text.length < length; rest >>= 5n) text = ALPHABET[Number(rest & 31n)] + text
  return text
}

/**
 * An event id that any process derives alike from the same cause: 10 characters of time, 6 of sequence (so that events
 * of one cause sort in order), 10 of hash. Sorts together with ids made by {@link newId}.
 */
export function derivedId(kind: Kind, cause: { time: number; sequence: number; of: string }): string {
  const hash = createHash('sha256').update(`${cause.of}\n${cause.sequence}`).digest()
  const tail = crockford(hash.readBigUInt64BE(0) & ((1n << 50n) - 1n), 10)
  return `${ID_PREFIXES[kind]}_${crockford(BigInt(cause.time), 10)}${crockford(BigInt(cause.sequence), 6)}${tail}`
}

/** The last digits of the sequence a derived id was made with. */
export const sequenceIn = (id: string): number =>
  [...id.slice(-16, -10)].reduce((sum, digit) => sum * 32 + ALPHABET.indexOf(digit), 0)

/** Which of `shards` an id belongs to, where one item or list for all would be too busy; the same always, for it is stored. */
export function shardOf(id: string, shards: number): number {
  let hash = 0
  for (let i = 0; i < id.length; i++) hash = (Math.imul(hash, 31) + id.charCodeAt(i)) | 0
  return (hash >>> 0) % shards
}
