import type { SheetRef } from '../lib/records/index.ts'
import { createWriteContext, newSheetId } from '../test/support/records.ts'
import { buildCsv, createBenchSheet, KEYS } from './records-data.ts'
import { type BenchRow, median } from './row.ts'

const ROUNDS = 7

function createPlainSheet(): SheetRef {
  const sheet = createBenchSheet(newSheetId())
  return { ...sheet, fields: sheet.fields.map(({ key, type }) => ({ key, type })) }
}

const createRows = (count: number): string[][] =>
  buildCsv(count)
    .toString()
    .split('\n')
    .slice(1, -1)
    .map((line) => line.split(','))

async function addRows(sheet: SheetRef, rows: string[][], times: number): Promise<void> {
  const { importRows, createStore } = await import('../lib/records/index.ts')
  async function* batches() {
    for (let i = 0; i < times; i++) yield { keys: KEYS, rows }
  }
  await importRows(sheet, batches(), createWriteContext(), createStore())
}

async function collect(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const buffers: Buffer[] = []
  for await (const buffer of stream) buffers.push(buffer)
  return Buffer.concat(buffers)
}

async function measureMedians(works: readonly (() => unknown)[]): Promise<number[]> {
  const times: number[][] = works.map(() => [])
  for (let round = 0; round <= ROUNDS; round++)
    for (const [i, work] of works.entries()) {
      const start = performance.now()
      await work()
      if (round) times[i]!.push(performance.now() - start)
    }
  return times.map(median)
}

export async function measureStreams(): Promise<BenchRow[]> {
  const { parseJsonl, streamCsv, streamJsonl } = await import('../lib/records/index.ts')
  const sheet = createPlainSheet()
  await addRows(sheet, createRows(10_000), 1)
  const text = await collect(streamJsonl(sheet, {}, { includeMessages: true }))
  const parse = (): { [key: string]: unknown }[] =>
    text
      .toString()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
  const values = parse()
  const fresh = Buffer.from(values.map(({ __k, ...line }) => `${JSON.stringify(line)}\n`).join(''))
  const [jsonl, csv, stringify, input, parsed] = await measureMedians([
    () => collect(streamJsonl(sheet, {}, { includeMessages: true })),
    () => collect(streamCsv(sheet)),
    () => Buffer.from(values.map((line) => `${JSON.stringify(line)}\n`).join('')),
    async () => {
      let count = 0
      for await (const part of parseJsonl(fresh, sheet.fields)) if ('inserts' in part) count += part.inserts.rows.length
      if (count !== 10_000) throw new Error(`Read ${count} lines of 10,000`)
    },
    parse,
  ])
  const createRow = (what: string, reference: string, of: number, to: number, target: number): BenchRow => ({
    what,
    rows: 10_000,
    value: of,
    reference,
    referenceValue: to,
    target,
  })
  return [
    createRow('10,000 records as JSON lines', 'JSON.stringify of the same', jsonl!, stringify!, 1.5),
    createRow('10,000 records as CSV', 'JSON.stringify of the same', csv!, stringify!, 1.5),
    createRow('inserting 10,000 JSON lines', 'JSON.parse of the same', input!, parsed!, 3),
  ]
}
