/** Large members of stored things, kept as one compressed text: they repeat the definitions of fields. */
import { gunzipSync, gzipSync } from 'node:zlib'
import { tooLarge } from '../core/errors.ts'

/** An item of the table holds 400 KB. */
export const PACKED_BYTES = 350 * 1024

/** @param what names the thing in the error. Throws 413 for a value that does not fit. */
export function pack(what: string, value: unknown, limit = PACKED_BYTES): string {
  const packed = packed64(value)
  if (packed.length > limit) throw tooLarge(`The ${what} is too large: compressed it may have at most ${limit} bytes.`)
  return packed
}

/** The largest of ever smaller values that fits. */
export function packFitting<T>(value: T, smaller: (value: T) => T): string {
  for (let fitting = value; ; fitting = smaller(fitting)) {
    const packed = packed64(fitting)
    if (packed.length <= PACKED_BYTES) return packed
  }
}

const packed64 = (value: unknown): string => gzipSync(JSON.stringify(value)).toString('base64')

export const unpack = (packed: string): unknown => JSON.parse(gunzipSync(Buffer.from(packed, 'base64')).toString())
