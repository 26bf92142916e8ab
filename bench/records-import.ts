/** Imports a CSV file from S3 to queryable records, compared with parsing the same bytes with uDSV, and its cost. */
import { inferSchema, initParser } from 'udsv'
import type { CellsPart, RowBatch, RowsPart, SheetRef } from '../lib/records/index.ts'
import { createWriteContext, newSheetId, type RecordCloud } from '../test/support/records.ts'
import { type Case, toCost, toDollars } from './cases.ts'
import { createBenchSheet, createRulesSheet, KEYS } from './records-data.ts'
import type { BenchRow } from './row.ts'

const SAMPLE_BYTES = 256 * 1024
const CHUNK = 1 << 20
const WARM_ROWS = 300_000

export const PARSING = 'parsing only (uDSV)'

export function* parseBatches(bytes: Buffer): Generator<string[][]> {
  const parser = initParser(inferSchema(bytes.toString('utf8', 0, SAMPLE_BYTES)))
  let rows: string[][] = []
  const collectRow = ((row: string[]): unknown => rows.push(row)) as never
  for (let at = 0; at < bytes.length; at += CHUNK) {
    parser.chunk(bytes.toString('utf8', at, at + CHUNK), parser.stringArrs as never, collectRow)
    yield rows
    rows = []
  }
  parser.end()
  yield rows
}

export function parse(bytes: Buffer, rows: number): void {
  let count = 0
  for (const batch of parseBatches(bytes)) count += batch.length
  if (count !== rows) throw new Error(`Parsed ${count} rows of ${rows}`)
}

async function* createBatches(bytes: Buffer): AsyncGenerator<RowBatch> {
  for (const rows of parseBatches(bytes)) yield { keys: KEYS, rows }
}

async function* loadCells(rows: number): AsyncGenerator<CellsPart> {
  yield* (await import('./csv-object.ts')).readStoredCells(rows)
}

async function encode(bytes: Buffer, rows: number): Promise<void> {
  const { rulesOf } = await import('../lib/records/fields/rules.ts')
  const { countCells } = await import('../lib/records/segments/added-cells.ts')
  const { createSegmentWriter } = await import('../lib/records/segments/segment-writer.ts')
  const { segmentRows } = (await import('../lib/records/index.ts')).createStore()
  const { readCellsFromBytes } = await import('./csv-object.ts')
  const writer = createSegmentWriter(rulesOf(createBenchSheet('us_sh_encode')), segmentRows)
  let encoded = 0
  for await (const batch of readCellsFromBytes(bytes, rows)) {
    const length = countCells(batch)
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

export async function importInto(sheet: SheetRef, rows: number, batches: AsyncIterable<RowsPart> = loadCells(rows)) {
  const { importRows, createStore } = await import('../lib/records/index.ts')
  const result = await importRows(sheet, batches, createWriteContext(), createStore({ sheetRows: rows }))
  if (result.created !== rows) throw new Error(`Imported ${result.created} rows of ${rows}`)
  return result
}

export const createTextSheet = (): SheetRef => ({
  sheetId: newSheetId(),
  fields: KEYS.map((key) => ({ key, type: 'string' })),
})

export function importCases(bytes: Buffer, rows: number): Case[] {
  const reference = PARSING
  const rounds = rows >= 1_000_000 ? 2 : 15
  const runReference = (): void => parse(bytes, rows)
  const warmUp = Math.ceil(WARM_ROWS / rows)
  const createCase = (what: string, target: number, work: () => Promise<unknown>): Case => ({
    ...{ what, reference, target, rounds, warmUp, work, runReference },
    growth: 'linear',
  })
  const cases = [
    createCase('CSV streamed: parsed, validated and encoded', 2, () => encode(bytes, rows)),
    createCase('CSV in S3 to records, 12 typed fields', 3.5, () => importInto(createBenchSheet(newSheetId()), rows)),
    createCase('CSV in S3 to records, 12 text fields', 3.5, () => importInto(createTextSheet(), rows)),
  ]
  if (rows >= 1_000_000) return cases
  const importWithoutRules = () => importInto(createBenchSheet(newSheetId()), rows)
  return [
    ...cases,
    createCase('rows of strings to records', 3.5, () =>
      importInto(createBenchSheet(newSheetId()), rows, createBatches(bytes)),
    ),
    {
      ...createCase('import with ten rules', 1.3, () => importInto(createRulesSheet(newSheetId()), rows)),
      reference: 'the same import without rules',
      runReference: importWithoutRules,
    },
  ]
}

export function computeImportCost(cloud: RecordCloud, rows: number): BenchRow {
  const cost = toCost(cloud.meter)
  return {
    ...{ what: 'AWS cost of the import', rows, cost, unit: '$', target: 0.002 / 0.625 },
    ...{ value: toDollars(cost), reference: 'one item per row', referenceValue: rows * 0.625e-6 },
  }
}
