import { type PackedIds, packIds, unpackIds } from './id-ranges.ts'
import { type PackedChanges, packChanges, unpackChanges } from './packed-changes.ts'
import { findUnread } from './unread-payload.ts'

type Payload = Record<string, unknown> | null | undefined

/** A caller's value that looks packed is stored as a literal, so that it is returned unchanged. */
interface Literal {
  runs: []
  literal: unknown
}

const isPacked = (value: unknown): value is { runs: unknown } =>
  typeof value === 'object' && value !== null && 'runs' in value

const toLiteral = (literal: unknown): Literal => ({ runs: [], literal })

const areTexts = (values: unknown): values is string[] =>
  Array.isArray(values) && values.every((value) => typeof value === 'string')

export function packPayload(payload: unknown): unknown {
  if (typeof payload !== 'object' || payload === null) return payload
  const { recordIds, changes } = payload as { recordIds?: unknown; changes?: unknown }
  const ids = areTexts(recordIds) ? recordIds : []
  const packedIds = packIds(ids)
  const packedChanges = Array.isArray(changes) && changes.length > 1 ? packChanges(changes, ids, packedIds) : undefined
  return {
    ...payload,
    ...(isPacked(recordIds) ? { recordIds: toLiteral(recordIds) } : {}),
    ...(ids.length > 1 ? { recordIds: packedIds } : {}),
    ...(isPacked(changes) ? { changes: toLiteral(changes) } : {}),
    ...(packedChanges ? { changes: packedChanges } : {}),
  }
}

export const serializePayload = (payload: unknown): Buffer =>
  findUnread(payload)?.serialize() ?? Buffer.from(JSON.stringify(packPayload(payload)))

export function unpackPayload(payload: unknown): unknown {
  const { recordIds, changes } = (payload as Payload) ?? {}
  if (!isPacked(recordIds) && !isPacked(changes)) return payload
  return {
    ...(payload as object),
    ...(isPacked(recordIds) ? { recordIds: unpack<PackedIds>(recordIds, unpackIds) } : {}),
    ...(isPacked(changes) ? { changes: unpack<PackedChanges>(changes, unpackChanges) } : {}),
  }
}

const unpack = <T>(value: object, unpackValue: (packed: T) => unknown): unknown =>
  'literal' in value ? value.literal : unpackValue(value as T)
