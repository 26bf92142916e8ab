/** A bench's file in S3, and the product's own path from it to an import's batches. */
import { readCells } from '../../lib/files/extract/delimited.ts'
import { SNIFF_BYTES, sniff } from '../../lib/files/sniff.ts'
import { getRange, getStream, putObject } from '../../lib/objects/store.ts'
import type { RowsPart } from '../../lib/records/index.ts'
import { csvOf, KEYS } from './records-data.ts'

/** As a stream of S3 yields them. */
const PIECE_BYTES = 64 * 1024
const objectOf = (rows: number): string => `bench/${rows}.csv`

/** Stores the file; answers its bytes. */
export async function storeFile(rows: number): Promise<Buffer> {
  const bytes = csvOf(rows)
  await putObject(objectOf(rows), bytes)
  return bytes
}

export async function* cellsOf(rows: number): AsyncGenerator<RowsPart> {
  const sample = await getRange(objectOf(rows), 0, SNIFF_BYTES)
  yield* cellsIn(sample, await getStream(objectOf(rows)), rows)
}

/** The same of bytes that are at hand. */
export async function* cellsOfBytes(bytes: Buffer, rows: number): AsyncGenerator<RowsPart> {
  yield* cellsIn(bytes.subarray(0, SNIFF_BYTES), piecesOf(bytes), rows)
}

async function* cellsIn(sample: Buffer, pieces: AsyncIterable<Uint8Array>, rows: number): AsyncGenerator<RowsPart> {
  const layout = sniff(sample, { whole: false })
  for await (const cells of readCells(pieces, layout, KEYS.length, rows)) yield { ...cells, keys: KEYS }
}

async function* piecesOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES)
}
