/** JSON as stored bytes: u8 format version, then the deflated text. Pure. */
import { deflateRawSync, inflateRawSync } from 'node:zlib'

const FORMAT_VERSION = 1

export const compressJsonText = (json: string): Buffer =>
  Buffer.concat([Buffer.from([FORMAT_VERSION]), deflateRawSync(json, { level: 3 })])

export const compressJson = (value: unknown): Buffer => compressJsonText(JSON.stringify(value))

export function decompressJson(bytes: Uint8Array): unknown {
  if (bytes[0] !== FORMAT_VERSION) throw new Error(`Unknown format version ${bytes[0]} of compressed JSON`)
  return JSON.parse(inflateRawSync(bytes.subarray(1)).toString())
}
