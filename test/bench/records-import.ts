/** A CSV file in S3 to queryable records, beside parsing the same bytes with uDSV alone, and what it costs. */
import { inferSchema, initParser } from 'udsv'
import type { RowBatch, RowsPart, SheetRef } from '../../lib/records/index.ts'
import { by, newSheetId, type RecordCloud } from '../support/records.ts'
import { type Case, costOf, dollarsOf } from './cases.ts'
import { benchSheet, KEYS } from './records-data.ts'
import type { BenchRow } from './row.ts'

const SAMPLE_BYTES = 256 * 1024
const CHUNK = 1 << 20
/** Rows imported before time is taken: a sheet of any size meets compiled code. */
const WARM_ROWS = 300_000

/** The reference of imports. */
export const PARSING = 'parsing alone (uDSV)'

/** Rows of strings by uDSV, a batch for each MB; none is kept. */
export function* parsed(bytes: Buffer): Generator<string[][]> {
  const parser = initParser(inferSchema(bytes.toString('utf8', 0, SAMPLE_BYTES)))
  let rows: string[][] = []
  // Its types know the callback only for a text parsed at once.
  const keep = ((row: string[]): unknown => rows.push(row)) as never
  for (let at = 0; at < bytes.length; at += CHUNK) {
    parser.chunk(bytes.toString('utf8', at, at + CHUNK), parser.stringArrs as never, keep)
    yield rows
    rows = []
  }
  parser.end()
  yield rows
}

export function parse(bytes: Buffer, rows: number): void {
  let count = 0
  for (const batch of parsed(bytes)) count += batch.length
  if (count !== rows) throw new Error(`Parsed ${count} rows of ${rows}`)
}

async function* readyRows(bytes: Buffer): AsyncGenerator<RowBatch> {
  for (const rows of parsed(bytes)) yield { keys: KEYS, rows }
}

/** Loaded once the cloud is up: the engine's clients read its address. */
async function* cellsOf(rows: number): AsyncGenerator<RowsPart> {
  yield* (await import('./csv-object.ts')).cellsOf(rows)
}

/** Judged and encoded, but neither read from S3 nor stored, as the reference. */
async function encode(bytes: Buffer, rows: number): Promise<void> {
  const { rulesOf } = await import('../../lib/records/rules/rules.ts')
  const { cellsLength, segmentWriter } = await import('../../lib/records/write/segment.ts')
  const { segmentRows } = (await import('../../lib/records/index.ts')).newStore()
  const { cellsOfBytes } = await import('./csv-object.ts')
  const writer = segmentWriter(rulesOf(benchSheet('us_sh_encode')), segmentRows)
  let encoded = 0
  for await (const batch of cellsOfBytes(bytes, rows)) {
    const length = cellsLength(batch)
    for (let from = 0; from < length; ) {
      if (writer.rows === segmentRows) encoded += writer.take().rows
      const to = Math.min(length, from + segmentRows - writer.rows)
      writer.add(batch, from, to)
      from = to
    }
  }
  encoded += writer.take().rows
  if (encoded !== rows) throw new Error(`Encoded ${encoded} rows of ${rows}`)
}

export async function importInto(sheet: SheetRef, rows: number, batches: AsyncIterable<RowsPart> = cellsOf(rows)) {
  const { importRows, newStore } = await import('../../lib/records/index.ts')
  const result = await importRows(sheet, batches, by(), newStore({ sheetRows: rows }))
  if (result.created !== rows) throw new Error(`Imported ${result.created} rows of ${rows}`)
  return result
}

/** As an extraction writes them: every field a text. */
const texts = (): SheetRef => ({ sheetId: newSheetId(), fields: KEYS.map((key) => ({ key, type: 'string' })) })

export function importCases(bytes: Buffer, rows: number): Case[] {
  const reference = PARSING
  const rounds = rows >= 1_000_000 ? 2 : 15
  const beside = (): void => parse(bytes, rows)
  const warmUp = Math.ceil(WARM_ROWS / rows)
  const of = (what: string, reach: number, work: () => Promise<unknown>): Case => ({
    ...{ what, reference, reach, rounds, warmUp, work, beside },
    growth: 'linear',
  })
  const cases = [
    of('CSV streamed: parsed, judged and encoded', 2, () => encode(bytes, rows)),
    of('CSV in S3 to records, 12 typed fields', 3.5, () => importInto(benchSheet(newSheetId()), rows)),
    of('CSV in S3 to records, 12 text fields', 3.5, () => importInto(texts(), rows)),
  ]
  if (rows >= 1_000_000) return cases
  return [
    ...cases,
    of('rows of strings to records', 3.5, () => importInto(benchSheet(newSheetId()), rows, readyRows(bytes))),
  ]
}

/** Dollars an import costs, beside an item for each row. */
export function importCost(cloud: RecordCloud, rows: number): BenchRow {
  const cost = costOf(cloud.meter)
  return {
    ...{ what: 'AWS cost of the import', rows, cost, unit: '$', reach: 0.002 / 0.625 },
    ...{ value: dollarsOf(cost), reference: 'an item for each row', referenceValue: rows * 0.625e-6 },
  }
}
