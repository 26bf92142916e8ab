/** JSON as stored bytes: u8 format version, then the deflated text. Pure. */
import { promisify } from 'node:util'
import { deflateRaw, deflateRawSync, inflateRawSync } from 'node:zlib'

const FORMAT_VERSION = 1
const OPTIONS = { level: 3 }

type Json = string | Buffer

const deflateInPool = promisify<Json, typeof OPTIONS, Buffer>(deflateRaw)

const addVersion = (deflated: Buffer): Buffer => Buffer.concat([Buffer.from([FORMAT_VERSION]), deflated])

export const compressJsonText = (json: Json): Buffer => addVersion(deflateRawSync(json, OPTIONS))

export const compressLargeJsonText = async (json: Json): Promise<Buffer> =>
  addVersion(await deflateInPool(json, OPTIONS))

export const compressJson = (value: unknown): Buffer => compressJsonText(JSON.stringify(value))

export function decompressJson(bytes: Uint8Array): unknown {
  if (bytes[0] !== FORMAT_VERSION) throw new Error(`Unknown format version ${bytes[0]} of compressed JSON`)
  return JSON.parse(inflateRawSync(bytes.subarray(1)).toString())
}
