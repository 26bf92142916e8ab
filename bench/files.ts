/**
 * Benchmarks files: parsers (see files-parsers.ts), imports from S3 to queryable records (`BENCH_ROWS`, default
 * 200,000), and rejecting hostile files.
 */
import { SaxesParser } from 'saxes'
import { fromBufferPromise } from 'yauzl'
import { newSheetId, startRecordCloudProcess } from '../test/support/records.ts'
import { type Case, measureCase } from './cases.ts'
import { measureParsers } from './files-parsers.ts'
import { measureWorkbookPeak } from './peaks.ts'
import { KEYS } from './records-data.ts'
import { importInto, parse } from './records-import.ts'
import { measureRejections } from './rejections.ts'
import type { BenchRow } from './row.ts'

const SIZES = process.env.BENCH_ROWS?.split(',').map(Number) ?? [200_000]

async function parseWorkbook(bytes: Buffer, rows: number): Promise<void> {
  const zip = await fromBufferPromise(bytes)
  let found = 0
  for await (const entry of zip.eachEntry()) {
    if (!/sheet\.xml|sharedStrings\.xml/.test(entry.fileName)) continue
    const parser = new SaxesParser({ xmlns: false })
    let characters = 0
    parser.on('opentag', ({ name }) => {
      if (name === 'row') found++
    })
    parser.on('text', (text) => {
      characters += text.length
    })
    parser.on('closetag', () => {})
    const stream = await zip.openReadStreamPromise(entry)
    stream.setEncoding('utf8')
    for await (const text of stream) parser.write(text as string)
    parser.close()
    if (characters === 0) throw new Error(`${entry.fileName} has no text`)
  }
  if (found !== rows + 1) throw new Error(`Parsed ${found} rows of ${rows}`)
}

export async function bench(): Promise<BenchRow[]> {
  return [...(await measureParsers()), ...(await measureImports()), ...(await measureRejections())]
}

async function measureImports(): Promise<BenchRow[]> {
  const cloud = await startRecordCloudProcess()
  try {
    const results: BenchRow[] = []
    for (const rows of SIZES) {
      const { storeWorkbook, readWorkbookBytes, readWorkbookRows } = await import('./xlsx-object.ts')
      const { storeFile } = await import('./csv-object.ts')
      const size = await storeWorkbook(rows)
      results.push(await measureWorkbookPeak(rows, size))
      const csv = await storeFile(rows)
      const bytes = await readWorkbookBytes(rows, size)
      const createTextSheet = () => ({ sheetId: newSheetId(), fields: KEYS.map((key) => ({ key, type: 'string' })) })
      const cases: Case[] = [
        {
          ...{ what: 'XLSX in S3 to records', reference: 'parsing only (yauzl and saxes)', target: 2, rounds: 3 },
          work: () => importInto(createTextSheet(), rows, readWorkbookRows(rows, size)),
          runReference: () => parseWorkbook(bytes, rows),
        },
        {
          ...{ what: 'CSV in S3 to records, all text', reference: 'parsing only (uDSV)', target: 2, rounds: 3 },
          work: () => importInto(createTextSheet(), rows),
          runReference: () => parse(csv, rows),
        },
      ]
      for (const benchCase of cases) results.push(await measureCase(benchCase, rows, cloud.meter))
    }
    return results
  } finally {
    await cloud.close()
  }
}
