import { readCells } from '../lib/files/extract/delimited.ts'
import { SNIFF_BYTES, sniff } from '../lib/files/sniff.ts'
import { getRange, getStream, putObject } from '../lib/objects/store.ts'
import type { CellsPart } from '../lib/records/index.ts'
import { buildCsv, KEYS } from './records-data.ts'

const PIECE_BYTES = 64 * 1024
const buildObjectKey = (rows: number): string => `bench/${rows}.csv`

export async function storeFile(rows: number, bytes = buildCsv(rows)): Promise<Buffer> {
  await putObject(buildObjectKey(rows), bytes)
  return bytes
}

export async function* readStoredCells(rows: number): AsyncGenerator<CellsPart> {
  const sample = await getRange(buildObjectKey(rows), 0, SNIFF_BYTES)
  yield* parseCells(sample, await getStream(buildObjectKey(rows)), rows)
}

export async function* readCellsFromBytes(bytes: Buffer, rows: number): AsyncGenerator<CellsPart> {
  yield* parseCells(bytes.subarray(0, SNIFF_BYTES), splitBytes(bytes), rows)
}

async function* parseCells(sample: Buffer, pieces: AsyncIterable<Uint8Array>, rows: number): AsyncGenerator<CellsPart> {
  const layout = sniff(sample, { isComplete: false })
  for await (const cells of readCells(pieces, layout, KEYS.length, { limit: rows })) yield { ...cells, keys: KEYS }
}

async function* splitBytes(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES)
}
