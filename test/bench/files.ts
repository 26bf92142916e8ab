/**
 * Files into rows beside other parsers (`BENCH_MB`, see files-parsers.ts); files in S3 to queryable records beside parsing the same
 * bytes alone (`BENCH_ROWS=1000000` for other sizes than 200,000); and what refusing a hostile file takes.
 */
import { SaxesParser } from 'saxes'
import { fromBufferPromise } from 'yauzl'
import { newSheetId, recordCloudApart } from '../support/records.ts'
import { type Case, measured } from './cases.ts'
import { parserRows } from './files-parsers.ts'
import { workbookPeak } from './peaks.ts'
import { KEYS } from './records-data.ts'
import { importInto, parse } from './records-import.ts'
import { refusalRows } from './refusals.ts'
import type { BenchRow } from './row.ts'

const SIZES = process.env.BENCH_ROWS?.split(',').map(Number) ?? [200_000]

/** Every tag, attribute and text of the parts with data. */
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

/** A few minutes on an idle machine. */
export async function bench(): Promise<BenchRow[]> {
  return [...(await parserRows()), ...(await importRows()), ...(await refusalRows())]
}

async function importRows(): Promise<BenchRow[]> {
  const cloud = await recordCloudApart()
  try {
    const found: BenchRow[] = []
    for (const rows of SIZES) {
      const { storeWorkbook, workbookBytes, workbookRows } = await import('./xlsx-object.ts')
      const { storeFile } = await import('./csv-object.ts')
      const size = await storeWorkbook(rows)
      found.push(await workbookPeak(rows, size))
      const csv = await storeFile(rows)
      const bytes = await workbookBytes(rows, size)
      const texts = () => ({ sheetId: newSheetId(), fields: KEYS.map((key) => ({ key, type: 'string' })) })
      const cases: Case[] = [
        {
          ...{ what: 'XLSX in S3 to records', reference: 'parsing alone (yauzl and saxes)', reach: 2, rounds: 3 },
          work: () => importInto(texts(), rows, workbookRows(rows, size)),
          beside: () => parseWorkbook(bytes, rows),
        },
        {
          ...{ what: 'CSV in S3 to records, all text', reference: 'parsing alone (uDSV)', reach: 2, rounds: 3 },
          work: () => importInto(texts(), rows),
          beside: () => parse(csv, rows),
        },
      ]
      for (const one of cases) found.push(await measured(one, rows, cloud.meter))
    }
    return found
  } finally {
    await cloud.close()
  }
}
