/**
 * Reading files into rows, nothing stored: beside the parsers of the public extractor plugins, and beside papaparse, csv-parse,
 * yauzl and saxes alone. Each in a process of its own, its processor time and its memory. Generated files and real ones, `BENCH_MB=2048` for
 * other sizes than 10 MB; real files are repeated to that size.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { utils, write } from '@e965/xlsx'
import { parse } from 'csv-parse/sync'
import { largeCsv, largeWorkbook } from '../support/large-files.ts'
import type { BenchRow } from './row.ts'

const SIZES = process.env.BENCH_MB?.split(',').map(Number) ?? [10]
/** Rows of a workbook for each megabyte of CSV asked for, about as many as such a file has. */
const ROWS_PER_MB = 8000
/** A sheet takes no more. */
const MOST_ROWS = 1_000_000
/** The plugins hold the whole file as one text, which can have 512 MB. */
const PLUGIN_MB = 400
const MEMORY = 256
const MB = 1024 * 1024

interface Subject {
  what: string
  path: string
  megabytes: number
  beside: { way: string; name: string; reach: number }[]
}

const CSV = [
  { way: 'papaparse', name: 'papaparse alone', reach: 1 },
  { way: 'csvParse', name: 'csv-parse alone', reach: 1 },
  { way: 'delimiterPlugin', name: 'plugin-delimiter-extractor', reach: 1 },
]
const XLSX = [
  { way: 'saxes', name: 'yauzl and saxes alone', reach: 2 },
  { way: 'excelPlugin', name: 'plugin-xlsx-extractor', reach: 1 },
]

const VEGA = fileURLToPath(new URL('../../node_modules/vega-datasets/data/', import.meta.url))

/** The file's rows again and again under its header, all with the header's line end. */
function* repeated(name: string, megabytes: number): Generator<Buffer> {
  const bytes = readFileSync(join(VEGA, name))
  const headerEnd = bytes.indexOf(10) + 1
  const lineEnd = bytes[headerEnd - 2] === 13 ? '\r\n' : '\n'
  const rows = bytes.subarray(headerEnd)
  const whole = rows.at(-1) === 10 ? rows : Buffer.concat([rows, Buffer.from(lineEnd)])
  yield bytes.subarray(0, headerEnd)
  for (let size = 0; size < megabytes * MB; size += whole.length) yield whole
}

function workbookOf(name: string): Buffer {
  const sheet = utils.aoa_to_sheet(parse(readFileSync(join(VEGA, name)), { cast: true }))
  const book = utils.book_new()
  utils.book_append_sheet(book, sheet, 'Data')
  return write(book, { type: 'buffer', bookType: 'xlsx', bookSST: true, compression: true })
}

async function subjects(folder: string): Promise<Subject[]> {
  const found: Subject[] = []
  const add = async (
    what: string,
    file: string,
    bytes: Iterable<Buffer> | AsyncIterable<Uint8Array>,
    beside: Subject['beside'],
  ) => {
    const path = join(folder, file)
    await pipeline(Readable.from(bytes), createWriteStream(path))
    const megabytes = statSync(path).size / MB
    found.push({ what: `${what}, ${megabytes.toFixed(megabytes < 10 ? 1 : 0)} MB`, path, megabytes, beside })
  }
  for (const size of SIZES) {
    await add('generated CSV of 101 columns', `generated-${size}.csv`, largeCsv(size).bytes(), CSV)
    for (const name of ['birdstrikes.csv', 'zipcodes.csv'])
      await add(`real ${name}`, `${size}-${name}`, repeated(name, size), CSV)
    const rows = Math.min(MOST_ROWS, size * ROWS_PER_MB)
    await add(`generated workbook of ${rows} rows`, `generated-${size}.xlsx`, largeWorkbook(rows).bytes(), XLSX)
  }
  const path = join(folder, 'birdstrikes.xlsx')
  writeFileSync(path, workbookOf('birdstrikes.csv'))
  const megabytes = statSync(path).size / MB
  found.push({ what: `real birdstrikes as a workbook, ${megabytes.toFixed(1)} MB`, path, megabytes, beside: XLSX })
  return found
}

interface Measured {
  ms: number
  peak: number
  rows: number
}

async function measured(way: string, { path }: Subject): Promise<Measured> {
  const loader = new URL('./loader.mjs', import.meta.url).href
  const script = fileURLToPath(new URL('./files-process.ts', import.meta.url))
  const child = fork(script, [way, path, String(statSync(path).size)], { execArgv: ['--import', loader] })
  const [answer] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [Measured | number]
  if (typeof answer !== 'object') throw new Error(`${way} cannot read ${path}.`)
  return answer
}

export async function parserRows(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-files-'))
  try {
    const rows: BenchRow[] = []
    for (const subject of await subjects(folder)) {
      const own = await measured('ours', subject)
      const { what, megabytes } = subject
      rows.push({
        what: `memory: ${what}`,
        rows: own.rows,
        unit: 'MB',
        value: own.peak,
        reference: 'limit',
        referenceValue: MEMORY,
        reach: 1,
      })
      for (const { way, name, reach } of subject.beside) {
        if (/plugin/i.test(way) && megabytes > PLUGIN_MB) continue
        const theirs = await measured(way, subject)
        if (theirs.rows !== own.rows)
          throw new Error(`${what}: ${name} reads ${theirs.rows} rows, we read ${own.rows}.`)
        rows.push({
          what: `read: ${what}`,
          rows: own.rows,
          value: own.ms,
          reference: name,
          referenceValue: theirs.ms,
          reach,
        })
        rows.push({
          what: `memory: ${what}`,
          rows: own.rows,
          unit: 'MB',
          value: own.peak,
          reference: name,
          referenceValue: theirs.peak,
          reach,
        })
      }
    }
    return rows
  } finally {
    rmSync(folder, { recursive: true })
  }
}
