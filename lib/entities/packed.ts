/** Stores large members of an item as compressed text, because they repeat field definitions. */

import { message } from '../../schemas/messages/index.ts'
import { compressJson, decompressJson } from '../core/compressed-json.ts'
import { tooLarge } from '../core/errors.ts'

/** A DynamoDB item holds 400 KB. */
export const MAX_PACKED_BYTES = 350 * 1024

/** @throws ApiError 413 for a value that does not fit */
export function pack(kind: 'plan' | 'program', value: unknown, limit = MAX_PACKED_BYTES): string {
  const packed = compressToBase64(value)
  if (packed.length > limit) throw tooLarge(message(`requests.${kind}TooLarge`, { limit }))
  return packed
}

export function packToFit<T>(value: T, shrink: (value: T) => T): string {
  for (let candidate = value; ; candidate = shrink(candidate)) {
    const packed = compressToBase64(candidate)
    if (packed.length <= MAX_PACKED_BYTES) return packed
  }
}

const compressToBase64 = (value: unknown): string => compressJson(value).toString('base64')

export const unpack = (packed: string): unknown => decompressJson(Buffer.from(packed, 'base64'))
