/** Ids: the kind's prefix and a ULID, so that ids of one kind sort by creation time. */
import { createHash } from 'node:crypto'
import { monotonicFactory } from 'ulid'
import { ID_PREFIXES, type Kind } from '../../schemas/kit/ids.ts'

const nextUlid = monotonicFactory()

/** E.g. `us_sp_01J9…`; strictly increasing within this process. */
export const newId = (kind: Kind, time: number = Date.now()): string => `${ID_PREFIXES[kind]}_${nextUlid(time)}`

export function parseKind(id: string): Kind | undefined {
  const prefix = id.slice(0, id.lastIndexOf('_'))
  return (Object.keys(ID_PREFIXES) as Kind[]).find((kind) => ID_PREFIXES[kind] === prefix)
}

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const encodeCrockford = (value: bigint, length: number): string => {
  let text = ''
  for (let remaining = value; text.length < length; remaining >>= 5n) text = ALPHABET[Number(remaining & 31n)] + text
  return text
}

/** Every process derives the same id from the same cause; it sorts together with ids of {@link newId}. */
export function deriveId(kind: Kind, cause: { time: number; sequence: number; of: string }): string {
  const hash = createHash('sha256').update(`${cause.of}\n${cause.sequence}`).digest()
  const suffix = encodeCrockford(hash.readBigUInt64BE(0) & ((1n << 50n) - 1n), 10)
  return `${ID_PREFIXES[kind]}_${encodeCrockford(BigInt(cause.time), 10)}${encodeCrockford(BigInt(cause.sequence), 6)}${suffix}`
}

/** The result is stored, so the hash must never change. */
export function getShard(id: string, shards: number): number {
  let hash = 0
  for (let i = 0; i < id.length; i++) hash = (Math.imul(hash, 31) + id.charCodeAt(i)) | 0
  return (hash >>> 0) % shards
}
