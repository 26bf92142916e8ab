/** A bench's file in S3, and the product's own path from it to an import's batches. */
import { readCells } from '../../lib/files/extract/delimited.ts'
import { sniff } from '../../lib/files/sniff.ts'
import { getRange, getStream, putObject } from '../../lib/objects/store.ts'
import type { RowsPart } from '../../lib/records/index.ts'
import { csvOf, KEYS } from './records-data.ts'

const SAMPLE_BYTES = 256 * 1024
const objectOf = (rows: number): string => `bench/${rows}.csv`

/** Stores the file; answers its bytes. */
export async function storeFile(rows: number): Promise<Buffer> {
  const bytes = csvOf(rows)
  await putObject(objectOf(rows), bytes)
  return bytes
}

export async function* cellsOf(rows: number): AsyncGenerator<RowsPart> {
  const layout = sniff(await getRange(objectOf(rows), 0, SAMPLE_BYTES), { whole: false })
  for await (const cells of readCells(await getStream(objectOf(rows)), layout, KEYS.length, rows))
    yield { ...cells, keys: KEYS }
}
