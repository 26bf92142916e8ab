/** What lets somebody in, and whether a cloud keeps any of it as it is. */
import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb'
import { unpackJson } from '../../lib/core/packed.ts'
import { clientConfig } from './conformance.ts'
import { credentialsOf } from './signed-request.ts'

/** Keys, tokens of every kind, links and webhooks' secrets, wherever they stand in a text. */
export const LETS_IN =
  /\b(?:(?:sk|pk|pat|agk)_[A-Za-z0-9]{22}_[A-Za-z0-9]{47}|eyJ[\w-]+\.[\w-]+\.[\w-]+|whsec_[A-Za-z0-9+/=]+|us_(?:inv|usr)_[0-9A-Z]{26}_[A-Za-z0-9]{43}|us_(?:sp|clip)_[0-9A-Z]{26}\.[\w-]{43})/g

/** Everything the table holds, page by page as JSON. */
export async function* tableOf(environment: Record<string, string>): AsyncGenerator<string> {
  const client = new DynamoDBClient(clientConfig(environment.AWS_ENDPOINT_URL!, credentialsOf(environment)))
  try {
    for await (const { Items } of paginateScan({ client }, { TableName: 'wharf-dev-table' }))
      yield JSON.stringify(Items, (_, value) => (value instanceof Uint8Array ? textOf(value) : value))
  } finally {
    client.destroy()
  }
}

/** What is packed (long payloads of events, bodies of the log) is looked into. */
function textOf(bytes: Uint8Array): string {
  try {
    return JSON.stringify(unpackJson(bytes))
  } catch {
    return Buffer.from(bytes).toString('latin1')
  }
}

/** Every file below a folder, unpacked where it is packed. */
export function* filesBelow(path: string): Generator<string> {
  const found = statSync(path)
  if (found.isDirectory()) {
    for (const name of readdirSync(path)) yield* filesBelow(join(path, name))
    return
  }
  if (found.size > PIECE) return yield* piecesOf(path)
  const bytes = readFileSync(path)
  yield unpacked(bytes).toString('latin1')
}

/** A text has at most half a gigabyte: what is larger is read in pieces, each with the end of the one before. */
const PIECE = 64 * 1024 * 1024
const OVERLAP = 4096

function* piecesOf(path: string): Generator<string> {
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

/** Tests also store what only begins as if it were packed. */
function unpacked(bytes: Buffer): Buffer {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  try {
    return gunzipSync(bytes)
  } catch {
    return bytes
  }
}
