/** Opens XLS workbooks that are encrypted by a password: the bodies of most records are (MS-XLS 2.2.10). */
import { setImmediate } from 'node:timers/promises'
import type { FileBytes } from '../extract/bytes.ts'
import type { CompoundStream } from '../extract/xls/compound.ts'
import { RECORD_HEADER_BYTES, RECORDS } from '../extract/xls/records.ts'
import {
  createEncryptionDamagedError,
  createEncryptionUnsupportedError,
  createNotProtectedError,
  type Decrypt,
} from './cipher.ts'
import { BLOCK_BYTES, type BlockKeys, createRc4, parseRc4 } from './rc4.ts'

const XOR_METHOD = 0
const RC4_METHOD = 1
const REMOVED = 0
/** Bytes at the start of their bodies that are not encrypted. */
const PLAIN_BYTES: ReadonlyMap<number, number> = new Map([
  [RECORDS.sheet, 4],
  ...[RECORDS.start, RECORDS.password, 0x00e1, 0x0138, 0x0194, 0x0195, 0x0196].map((type) => [type, Infinity] as const),
])
/** Other requests of the process get their turn in between. */
const BLOCKS_PER_TURN = 4096

export async function openProtectedXls(file: FileBytes, stream: CompoundStream): Promise<Decrypt> {
  const workbook = await stream.readAll()
  const password = findPassword(workbook)
  if (!password) throw createNotProtectedError()
  const { deriveKey, getBlockKey } = parseMethod(workbook.subarray(password.from, password.to))
  return async (text) => {
    const key = await deriveKey(text)
    if (!key) return undefined
    const decrypted = await decryptRecords(workbook, key, getBlockKey)
    decrypted.fill(0, password.from, password.to).writeUInt16LE(REMOVED, password.from - RECORD_HEADER_BYTES)
    return stream.replaceIn(await file.range(0, file.size), decrypted)
  }
}

interface RecordRange {
  type: number
  from: number
  to: number
}

function* listRecords(workbook: Buffer): Generator<RecordRange> {
  for (let at = 0; at + RECORD_HEADER_BYTES <= workbook.length; ) {
    const from = at + RECORD_HEADER_BYTES
    const to = from + workbook.readUInt16LE(at + 2)
    if (to > workbook.length) return
    yield { type: workbook.readUInt16LE(at), from, to }
    at = to
  }
}

function findPassword(workbook: Buffer): RecordRange | undefined {
  for (const record of listRecords(workbook)) {
    if (record.type === RECORDS.password) return record
    if (record.type === RECORDS.end) return undefined
  }
  return undefined
}

function parseMethod(body: Buffer) {
  try {
    const method = body.readUInt16LE(0)
    if (method === RC4_METHOD) return parseRc4(body.subarray(2))
    throw createEncryptionUnsupportedError(method === XOR_METHOD ? 'XOR' : String(method))
  } catch (error) {
    throw error instanceof RangeError ? createEncryptionDamagedError() : error
  }
}

async function decryptRecords(workbook: Buffer, key: Buffer, getBlockKey: BlockKeys): Promise<Buffer> {
  const plain = Buffer.from(workbook)
  for (let at = 0, block = 0; at < plain.length; at += BLOCK_BYTES, block++) {
    createRc4(getBlockKey(key, block))(plain.subarray(at, at + BLOCK_BYTES))
    if (block % BLOCKS_PER_TURN === BLOCKS_PER_TURN - 1) await setImmediate()
  }
  const decrypted = Buffer.from(workbook)
  for (const { type, from, to } of listRecords(workbook)) {
    const start = from + (PLAIN_BYTES.get(type) ?? 0)
    if (start < to) plain.copy(decrypted, start, start, to)
  }
  return decrypted
}
