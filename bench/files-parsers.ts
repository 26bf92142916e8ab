/**
 * Parses files into rows and compares CPU time and memory with other parsers, each in its own process. `BENCH_MB=2048`
 * changes the size (default 10 MB); real files are repeated to that size.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { type BookType, utils, write } from '@e965/xlsx'
import { tableFromArrays, tableToIPC } from '@uwdata/flechette'
import { parse } from 'csv-parse/sync'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { installTools } from '../scripts/install-tools.ts'
import { createLargeCsv, createLargeWorkbook } from '../test/support/large-files.ts'
import type { BenchRow } from './row.ts'

const SIZES = process.env.BENCH_MB?.split(',').map(Number) ?? [10]
const ROWS_PER_MB = 8000
const MAX_ROWS = 1_000_000
const MAX_PLUGIN_MB = 400
const MEMORY_LIMIT_MB = 256
const MB = 1024 * 1024

interface Subject {
  what: string
  path: string
  megabytes: number
  references: { way: string; name: string; target: number }[]
}

const CSV = [
  { way: 'papaparse', name: 'papaparse only', target: 1 },
  { way: 'csvParse', name: 'csv-parse only', target: 1 },
  { way: 'delimiterPlugin', name: 'plugin-delimiter-extractor', target: 1 },
]
const XLSX = [
  { way: 'saxes', name: 'yauzl and saxes only', target: 2 },
  { way: 'excelPlugin', name: 'plugin-xlsx-extractor', target: 1 },
]

const SHEETJS = [{ way: 'sheetJs', name: 'SheetJS', target: 1 }]
const TYPED_ROWS = 100_000
const WORKBOOKS: [ext: string, bookType: BookType, rows: number][] = [
  ['xlsb', 'xlsb', 5000],
  ['xls', 'biff8', 5000],
  ['ods', 'ods', 20_000],
  ['html', 'html', 20_000],
]

const VEGA = fileURLToPath(new URL('../node_modules/vega-datasets/data/', import.meta.url))

function* repeatRows(name: string, megabytes: number): Generator<Buffer> {
  const bytes = readFileSync(join(VEGA, name))
  const headerEnd = bytes.indexOf(10) + 1
  const lineEnd = bytes[headerEnd - 2] === 13 ? '\r\n' : '\n'
  const rows = bytes.subarray(headerEnd)
  const body = rows.at(-1) === 10 ? rows : Buffer.concat([rows, Buffer.from(lineEnd)])
  yield bytes.subarray(0, headerEnd)
  for (let size = 0; size < megabytes * MB; size += body.length) yield body
}

type Cell = string | number

function readCells(rows?: number): Cell[][] {
  const [header, ...body] = parse(readFileSync(join(VEGA, 'birdstrikes.csv')), { cast: true }) as Cell[][]
  return [header!, ...(rows === undefined ? body : Array.from({ length: rows }, (_, at) => body[at % body.length]!))]
}

function buildWorkbook(cells: Cell[][], bookType: BookType): Buffer {
  const book = utils.book_new()
  utils.book_append_sheet(book, utils.aoa_to_sheet(cells), 'Data')
  const bytes = write(book, {
    type: bookType === 'html' ? 'string' : 'buffer',
    bookType,
    bookSST: bookType !== 'biff8',
    compression: true,
  })
  return Buffer.from(bytes)
}

const toColumns = ([header, ...rows]: Cell[][]) =>
  header!.map((name, at) => ({ name: String(name), data: rows.map((row) => String(row[at])) }))

const buildParquet = (cells: Cell[][]): Buffer => Buffer.from(parquetWriteBuffer({ columnData: toColumns(cells) }))

function buildArrow(cells: Cell[][]): Buffer {
  const columns = toColumns(cells).map(({ name, data }) => [name, data] as const)
  return Buffer.from(tableToIPC(tableFromArrays(Object.fromEntries(columns)), { format: 'file' })!)
}

function buildJsonLines([header, ...rows]: Cell[][]): Buffer {
  const lines = rows.map((row) => JSON.stringify(Object.fromEntries(row.map((cell, at) => [header![at], cell]))))
  return gzipSync(lines.join('\n'))
}

async function createSubjects(folder: string): Promise<Subject[]> {
  const created: Subject[] = []
  const addSubject = async (
    what: string,
    file: string,
    bytes: Iterable<Buffer> | AsyncIterable<Uint8Array>,
    references: Subject['references'],
  ) => {
    const path = join(folder, file)
    await pipeline(Readable.from(bytes), createWriteStream(path))
    const megabytes = statSync(path).size / MB
    created.push({ what: `${what}, ${megabytes.toFixed(megabytes < 10 ? 1 : 0)} MB`, path, megabytes, references })
  }
  for (const size of SIZES) {
    await addSubject('generated CSV of 101 columns', `generated-${size}.csv`, createLargeCsv(size).bytes(), CSV)
    for (const name of ['birdstrikes.csv', 'zipcodes.csv'])
      await addSubject(`real ${name}`, `${size}-${name}`, repeatRows(name, size), CSV)
    const rows = Math.min(MAX_ROWS, size * ROWS_PER_MB)
    await addSubject(
      `generated workbook of ${rows} rows`,
      `generated-${size}.xlsx`,
      createLargeWorkbook(rows).bytes(),
      XLSX,
    )
  }
  const real = 'real birdstrikes as'
  await addSubject(`${real} a workbook`, 'birdstrikes.xlsx', [buildWorkbook(readCells(), 'xlsx')], XLSX)
  for (const [ext, bookType, rows] of WORKBOOKS)
    await addSubject(
      `${real} ${ext.toUpperCase()}`,
      `birdstrikes.${ext}`,
      [buildWorkbook(readCells(rows), bookType)],
      SHEETJS,
    )
  const typed = readCells(TYPED_ROWS)
  await addSubject(
    `${real} Parquet`,
    'birdstrikes.parquet',
    [buildParquet(typed)],
    [{ way: 'hyparquet', name: 'hyparquet only', target: 2 }],
  )
  await addSubject(
    `${real} Arrow`,
    'birdstrikes.arrow',
    [buildArrow(typed)],
    [{ way: 'flechette', name: 'flechette only', target: 2 }],
  )
  await addSubject(
    `${real} JSON Lines with gzip`,
    'birdstrikes.jsonl.gz',
    [buildJsonLines(typed)],
    [{ way: 'jsonLines', name: 'zlib and JSON.parse only', target: 2 }],
  )
  return created
}

interface Measurement {
  ms: number
  peak: number
  rows: number
}

async function measureParser(way: string, { path }: Subject): Promise<Measurement> {
  const loader = new URL('./loader.mjs', import.meta.url).href
  const script = fileURLToPath(new URL('./files-process.ts', import.meta.url))
  const child = fork(script, [way, path, String(statSync(path).size)], { execArgv: ['--import', loader] })
  const [result] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [Measurement | number]
  if (typeof result !== 'object') throw new Error(`${way} cannot read ${path}.`)
  return result
}

export async function measureParsers(): Promise<BenchRow[]> {
  installTools('test/published')
  const folder = mkdtempSync(join(tmpdir(), 'wharf-files-'))
  try {
    const rows: BenchRow[] = []
    for (const subject of await createSubjects(folder)) {
      const ourResult = await measureParser('ours', subject)
      const { what, megabytes } = subject
      rows.push({
        what: `memory: ${what}`,
        rows: ourResult.rows,
        unit: 'MB',
        value: ourResult.peak,
        reference: 'limit',
        referenceValue: MEMORY_LIMIT_MB,
        target: 1,
      })
      for (const { way, name, target } of subject.references) {
        if (/plugin/i.test(way) && megabytes > MAX_PLUGIN_MB) continue
        const theirs = await measureParser(way, subject)
        if (theirs.rows !== ourResult.rows)
          throw new Error(`${what}: ${name} reads ${theirs.rows} rows, we read ${ourResult.rows}.`)
        rows.push({
          what: `read: ${what}`,
          rows: ourResult.rows,
          value: ourResult.ms,
          reference: name,
          referenceValue: theirs.ms,
          target,
        })
        rows.push({
          what: `memory: ${what}`,
          rows: ourResult.rows,
          unit: 'MB',
          value: ourResult.peak,
          reference: name,
          referenceValue: theirs.peak,
          target,
        })
      }
    }
    return rows
  } finally {
    rmSync(folder, { recursive: true })
  }
}
