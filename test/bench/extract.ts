/**
 * Delimited text in S3 to queryable records, beside parsing the same bytes with uDSV alone, and beside the same by way of
 * papaparse. All cases run by turns, against an embedded cloud in a process of its own.
 */
import Papa from 'papaparse'
import { inferSchema, initParser } from 'udsv'
import type { ColumnBatch, RowBatch } from '../../lib/records/index.ts'
import { by, newSheetId, recordCloudApart } from '../support/records.ts'
import { csvOf, KEYS } from './records-data.ts'
import { type BenchRow, medianOf } from './row.ts'

const ROWS = 100_000
const ROUNDS = 9
const OBJECT = 'bench/extract.csv'
const SAMPLE_BYTES = 256 * 1024

type Batches = AsyncIterable<ColumnBatch | RowBatch>

/** The product's own path from an object to an import's batches. */
async function* split(sample: Buffer): AsyncGenerator<ColumnBatch> {
  const { getStream } = await import('../../lib/objects/store.ts')
  const { sniff } = await import('../../lib/files/sniff.ts')
  const { readCells } = await import('../../lib/files/extract/delimited.ts')
  const layout = sniff(sample, { whole: false })
  for await (const { length, columns } of readCells(await getStream(OBJECT), layout, KEYS.length))
    yield { length, columns: new Map(KEYS.map((key, column) => [key, columns[column]!])) }
}

interface TextParser {
  parse(text: string, base: number, ignoreLastRow: boolean): { data: string[][]; meta: { cursor: number } }
}

/** papaparse's parser, piece by piece of the same size. */
async function* splitByPapa(): AsyncGenerator<RowBatch> {
  const { getStream } = await import('../../lib/objects/store.ts')
  const Parser = Papa.Parser as unknown as new (config: object) => TextParser
  const decoder = new TextDecoder()
  let text = ''
  let header = 1
  for await (const chunk of (await getStream(OBJECT)) as AsyncIterable<Buffer>) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length < SAMPLE_BYTES) continue
    const { data, meta } = new Parser({ delimiter: ',', newline: '\n' }).parse(text, 0, true)
    text = text.slice(meta.cursor)
    yield { keys: KEYS, rows: data.slice(header) }
    header = 0
  }
  yield { keys: KEYS, rows: new Parser({ delimiter: ',', newline: '\n' }).parse(text, 0, false).data.slice(0, -1) }
}

function parseAlone(bytes: Buffer): number {
  const parser = initParser(inferSchema(bytes.toString('utf8', 0, SAMPLE_BYTES)))
  let rows = 0
  // Its types know this callback only for a text parsed at once.
  const count = ((batch: string[][]): void => {
    rows += batch.length
  }) as never
  for (let at = 0; at < bytes.length; at += 1 << 20)
    parser.chunk(bytes.toString('utf8', at, at + (1 << 20)), parser.stringArrs as never, count)
  parser.end()
  return rows
}

async function drained(batches: Batches): Promise<void> {
  let rows = 0
  for await (const batch of batches) rows += 'columns' in batch ? batch.length : batch.rows.length
  if (rows !== ROWS) throw new Error(`Read ${rows} rows of ${ROWS}`)
}

/** As an extraction writes them: every field a text. */
async function imported(batches: Batches): Promise<void> {
  const { importRows, newStore } = await import('../../lib/records/index.ts')
  const fields = KEYS.map((key) => ({ key, type: 'string' }))
  const { created } = await importRows({ sheetId: newSheetId(), fields }, batches, by(), newStore())
  if (created !== ROWS) throw new Error(`Imported ${created} rows of ${ROWS}`)
}

/** Medians of works run by turns, so that the machine's moods meet all; the first round warms up. */
async function byTurns<Name extends string>(works: Record<Name, () => unknown>): Promise<Record<Name, number>> {
  const entries = Object.entries(works) as [Name, () => unknown][]
  const times = new Map(entries.map(([name]) => [name, [] as number[]]))
  for (let round = 0; round <= ROUNDS; round++)
    for (const [name, work] of entries) {
      const start = performance.now()
      await work()
      if (round) times.get(name)!.push(performance.now() - start)
    }
  return Object.fromEntries([...times].map(([name, list]) => [name, medianOf(list)])) as Record<Name, number>
}

/** Takes about a quarter of a minute. */
export async function bench(): Promise<BenchRow[]> {
  const cloud = await recordCloudApart()
  try {
    const { putObject } = await import('../../lib/objects/store.ts')
    const bytes = Buffer.from(csvOf(ROWS))
    const sample = bytes.subarray(0, SAMPLE_BYTES)
    await putObject(OBJECT, bytes)
    const ready: ColumnBatch[] = []
    for await (const batch of split(sample)) ready.push(batch)
    return rowsOf(
      await byTurns({
        parse: () => parseAlone(bytes),
        split: () => drained(split(sample)),
        write: () => imported(each(ready)),
        extract: () => imported(split(sample)),
        extractByPapa: () => imported(splitByPapa()),
      }),
    )
  } finally {
    await cloud.close()
  }
}

async function* each(batches: readonly ColumnBatch[]): AsyncGenerator<ColumnBatch> {
  yield* batches
}

type Times = Record<'parse' | 'split' | 'write' | 'extract' | 'extractByPapa', number>

function rowsOf({ parse, split, write, extract, extractByPapa }: Times): BenchRow[] {
  const beside = (what: string, milliseconds: number, reach: number): BenchRow => ({
    what,
    milliseconds,
    reference: 'parsing alone (uDSV)',
    referenceMilliseconds: parse,
    reach,
  })
  return [
    beside('file of 100k x 12 in S3, read and split', split, 2),
    beside('100k x 12 texts already split, stored and visible', write, 3),
    beside('file of 100k x 12 in S3, stored and visible', extract, 3.5),
    {
      what: 'the same',
      milliseconds: extract,
      reference: 'the same by papaparse',
      referenceMilliseconds: extractByPapa,
      reach: 1.1,
    },
  ]
}
