/** Records as JSON lines and CSV, out and in, beside JSON itself; and the memory a million of them take on their way out. */
import type { SheetRef } from '../../lib/records/index.ts'
import { by, newSheetId } from '../support/records.ts'
import { benchSheet, csvOf, KEYS } from './records-data.ts'
import { type BenchRow, medianOf } from './row.ts'

const ROUNDS = 7

/** The benches' sheet without constraints: a million rows are the same few thousand again and again. */
function plainSheet(): SheetRef {
  const sheet = benchSheet(newSheetId())
  return { ...sheet, fields: sheet.fields.map(({ key, type }) => ({ key, type })) }
}

const rowsOf = (count: number): string[][] =>
  csvOf(count)
    .toString()
    .split('\n')
    .slice(1, -1)
    .map((line) => line.split(','))

async function add(sheet: SheetRef, rows: string[][], times: number): Promise<void> {
  const { importRows, newStore } = await import('../../lib/records/index.ts')
  async function* batches() {
    for (let i = 0; i < times; i++) yield { keys: KEYS, rows }
  }
  await importRows(sheet, batches(), by(), newStore())
}

async function collected(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const buffers: Buffer[] = []
  for await (const buffer of stream) buffers.push(buffer)
  return Buffer.concat(buffers)
}

/** Takes works by turns, so that the machine's moods meet all; the first round warms up. */
async function medians(works: readonly (() => unknown)[]): Promise<number[]> {
  const times: number[][] = works.map(() => [])
  for (let round = 0; round <= ROUNDS; round++)
    for (const [i, work] of works.entries()) {
      const start = performance.now()
      await work()
      if (round) times[i]!.push(performance.now() - start)
    }
  return times.map(medianOf)
}

/** Lines and files of 10,000 records at hand, beside what JSON itself takes. */
export async function streamRows(): Promise<BenchRow[]> {
  const { jsonlParts, streamCsv, streamJsonl } = await import('../../lib/records/index.ts')
  const sheet = plainSheet()
  await add(sheet, rowsOf(10_000), 1)
  const text = await collected(streamJsonl(sheet, {}, { includeMessages: true }))
  const parse = (): { [key: string]: unknown }[] =>
    text
      .toString()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
  const values = parse()
  const fresh = Buffer.from(values.map(({ __k, ...line }) => `${JSON.stringify(line)}\n`).join(''))
  const [jsonl, csv, stringify, input, parsed] = await medians([
    () => collected(streamJsonl(sheet, {}, { includeMessages: true })),
    () => collected(streamCsv(sheet)),
    () => Buffer.from(values.map((line) => `${JSON.stringify(line)}\n`).join('')),
    async () => {
      let count = 0
      for await (const part of jsonlParts(fresh, sheet.fields)) if ('inserts' in part) count += part.inserts.rows.length
      if (count !== 10_000) throw new Error(`Read ${count} lines of 10,000`)
    },
    parse,
  ])
  const row = (what: string, reference: string, of: number, to: number, reach: number): BenchRow => ({
    what,
    rows: 10_000,
    value: of,
    reference,
    referenceValue: to,
    reach,
  })
  return [
    row('10,000 records as JSON lines', 'JSON.stringify of the same', jsonl!, stringify!, 1.5),
    row('10,000 records as CSV', 'JSON.stringify of the same', csv!, stringify!, 1.5),
    row('10,000 JSON lines in', 'JSON.parse of the same', input!, parsed!, 3),
  ]
}
