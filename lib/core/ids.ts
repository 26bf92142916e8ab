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

interface IdCause {
  time: number
  sequence: number
  of: string
}

/** Every process derives the same id from the same cause; it sorts together with ids of {@link newId}. */
export const deriveId = (kind: Kind, cause: IdCause): string =>
  formatDerivedId(kind, cause, `${cause.of}\n${cause.sequence}`)

function formatDerivedId(kind: Kind, { time, sequence }: IdCause, hashed: string): string {
  const hash = createHash('sha256').update(hashed).digest()
  const suffix = encodeCrockford(hash.readBigUInt64BE(0) & ((1n << 50n) - 1n), 10)
  return `${ID_PREFIXES[kind]}_${encodeCrockford(BigInt(time), 10)}${encodeCrockford(BigInt(sequence), 6)}${suffix}`
}

export const IDS_PER_GROUP = 4096

export const deriveGroupId = (kind: Kind, group: IdCause, index: number): string =>
  formatDerivedId(kind, { ...group, sequence: group.sequence * IDS_PER_GROUP + index }, group.of)

const SEQUENCE = { start: -16, end: -10 }

const parseSequence = (id: string): bigint =>
  [...id.slice(SEQUENCE.start, SEQUENCE.end)].reduce((sum, digit) => sum * 32n + BigInt(ALPHABET.indexOf(digit)), 0n)

export const getGroupIndex = (id: string): number => Number(parseSequence(id) & BigInt(IDS_PER_GROUP - 1))

export const withGroupIndex = (id: string, index: number): string =>
  withSequence(id, (parseSequence(id) & ~BigInt(IDS_PER_GROUP - 1)) | BigInt(index))

const withSequence = (id: string, sequence: bigint): string =>
  `${id.slice(0, SEQUENCE.start)}${encodeCrockford(sequence, 6)}${id.slice(SEQUENCE.end)}`

const FIRST_SEQUENCES = 1n << 29n
const lastGroups = new Map<Kind, string>()

/** The first id of a group: all ids of later groups of this process sort after those of earlier ones. */
export function newGroupId(kind: Kind): string {
  const id = newId(kind)
  const last = lastGroups.get(kind)
  const isSameTime = last?.slice(0, SEQUENCE.start) === id.slice(0, SEQUENCE.start)
  const sequence = isSameTime ? parseSequence(last!) + BigInt(IDS_PER_GROUP) : parseSequence(id) % FIRST_SEQUENCES
  const first = withGroupIndex(withSequence(id, sequence), 0)
  lastGroups.set(kind, first)
  return first
}

/** The result is stored, so the hash must never change. */
export function getShard(id: string, shards: number): number {
  let hash = 0
  for (let i = 0; i < id.length; i++) hash = (Math.imul(hash, 31) + id.charCodeAt(i)) | 0
  return (hash >>> 0) % shards
}
