import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb'
import { decompressJson } from '../../lib/core/compressed-json.ts'
import { clientConfig } from './conformance.ts'
import { getCredentials } from './signed-request.ts'

export const SECRET_PATTERN =
  /\b(?:(?:sk|pk|pat|agk)_[A-Za-z0-9]{22}_[A-Za-z0-9]{47}|eyJ[\w-]+\.[\w-]+\.[\w-]+|whsec_[A-Za-z0-9+/=]+|us_(?:inv|usr)_[0-9A-Z]{26}_[A-Za-z0-9]{43}|us_(?:sp|clip)_[0-9A-Z]{26}\.[\w-]{43})/g

export async function* scanTable(environment: Record<string, string>): AsyncGenerator<string> {
  const client = new DynamoDBClient(clientConfig(environment.AWS_ENDPOINT_URL!, getCredentials(environment)))
  try {
    for await (const { Items } of paginateScan({ client }, { TableName: 'wharf-dev-table' }))
      yield JSON.stringify(Items, (_, value) => (value instanceof Uint8Array ? decodeText(value) : value))
  } finally {
    client.destroy()
  }
}

function decodeText(bytes: Uint8Array): string {
  try {
    return JSON.stringify(decompressJson(bytes))
  } catch {
    return Buffer.from(bytes).toString('latin1')
  }
}

export function* readFilesBelow(path: string): Generator<string> {
  const found = statSync(path)
  if (found.isDirectory()) {
    for (const name of readdirSync(path)) yield* readFilesBelow(join(path, name))
    return
  }
  if (found.size > PIECE) return yield* readPieces(path)
  const bytes = readFileSync(path)
  yield decompress(bytes).toString('latin1')
}

const PIECE = 64 * 1024 * 1024
const OVERLAP = 4096

function* readPieces(path: string): Generator<string> {
  const file = openSync(path, 'r')
  try {
    const piece = Buffer.alloc(PIECE)
    for (let at = 0, read = PIECE; read === PIECE; at += PIECE - OVERLAP) {
      read = readSync(file, piece, 0, PIECE, at)
      yield piece.toString('latin1', 0, read)
    }
  } finally {
    closeSync(file)
  }
}

function decompress(bytes: Buffer): Buffer {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  try {
    return gunzipSync(bytes)
  } catch {
    return bytes
  }
}
