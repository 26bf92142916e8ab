/** JSON as stored bytes: u8 form version, then the text deflated. Pure. */
import { deflateRawSync, inflateRawSync } from 'node:zlib'

const FORM = 1

export const packText = (json: string): Buffer =>
  Buffer.concat([Buffer.from([FORM]), deflateRawSync(json, { level: 3 })])

export const packJson = (value: unknown): Buffer => packText(JSON.stringify(value))

/** @throws when the bytes were written by a newer form */
export function unpackJson(bytes: Uint8Array): unknown {
  if (bytes[0] !== FORM) throw new Error(`Unknown form ${bytes[0]} of packed JSON`)
  return JSON.parse(inflateRawSync(bytes.subarray(1)).toString())
}
