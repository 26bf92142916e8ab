import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { extname } from 'node:path'
import type { FileBytes } from '../lib/files/extract/bytes.ts'
import { readPeakMegabytes } from '../test/support/peak-memory.ts'

type Parser = (path: string, size: number) => Promise<number>

const openLocalFile = (path: string, size: number): FileBytes => ({
  ...{ name: path, ext: extname(path).slice(1), size, isStored: true },
  stream: async () => createReadStream(path),
  range: async (start, end) => {
    const chunks: Buffer[] = []
    for await (const chunk of createReadStream(path, { start, end: end - 1 })) chunks.push(chunk as Buffer)
    return Buffer.concat(chunks)
  },
  rangeStream: async (start, end) => createReadStream(path, { start, end: end - 1 }),
})

const ours: Parser = async (path, size) => {
  const { openSource } = await import('../lib/files/extract/formats.ts')
  const source = await openSource(openLocalFile(path, size))
  let rows = 0
  for await (const part of source.parts()) rows += part.rows.length
  await source.close?.()
  return rows
}

const papaparse: Parser = async (path) => {
  const { default: Papa } = await import('papaparse')
  let rows = -1
  for await (const _ of createReadStream(path).pipe(Papa.parse(Papa.NODE_STREAM_INPUT, { skipEmptyLines: true })))
    rows++
  return rows
}

const csvParse: Parser = async (path) => {
  const { parse } = await import('csv-parse')
  let rows = -1
  for await (const _ of createReadStream(path).pipe(parse({ relax_column_count: true, skip_empty_lines: true }))) rows++
  return rows
}

const countRows = (tables: object): number =>
  Object.values(tables as Record<string, { data: unknown[] }>).reduce((sum, { data }) => sum + data.length, 0)

type PluginParser = (bytes: Buffer, options: object) => Promise<object>
const loadPlugin = createRequire(new URL('../test/published/package.json', import.meta.url)) as (
  name: string,
) => Record<string, PluginParser>

const delimiterPlugin: Parser = async (path) => {
  const { delimiterParser } = loadPlugin('@flatfile/plugin-delimiter-extractor')
  return countRows(await delimiterParser!(await readFile(path), { skipEmptyLines: true }))
}

const excelPlugin: Parser = async (path) => {
  const { excelParser } = loadPlugin('@flatfile/plugin-xlsx-extractor')
  const getHeaders = async (_: unknown, [header = []]: string[][]) => ({ header, headerRow: 1, letters: [] })
  return countRows(await excelParser!(await readFile(path), { getHeaders }))
}

const saxes: Parser = async (path) => {
  const [{ openPromise }, { SaxesParser }] = await Promise.all([import('yauzl'), import('saxes')])
  const zip = await openPromise(path)
  let rows = -1
  for await (const entry of zip.eachEntry()) {
    if (!/sheet\d*\.xml$|sharedStrings\.xml$/.test(entry.fileName)) continue
    const parser = new SaxesParser({ xmlns: false })
    parser.on('opentag', ({ name }) => {
      if (name === 'row') rows++
    })
    parser.on('text', () => {})
    parser.on('closetag', () => {})
    const stream = await zip.openReadStreamPromise(entry)
    stream.setEncoding('utf8')
    for await (const text of stream) parser.write(text as string)
    parser.close()
  }
  return rows
}

const sheetJs: Parser = async (path) => {
  const { read, utils } = await import('@e965/xlsx')
  const { Sheets, SheetNames } = read(await readFile(path), { dense: true })
  return utils.decode_range(Sheets[SheetNames[0]!]!['!ref']!).e.r
}

const hyparquet: Parser = async (path) => {
  const { parquetReadObjects } = await import('hyparquet')
  const bytes = await readFile(path)
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer
  return (await parquetReadObjects({ file })).length
}

const flechette: Parser = async (path) => {
  const { tableFromIPC } = await import('@uwdata/flechette')
  return tableFromIPC(await readFile(path)).toArray().length
}

const jsonLines: Parser = async (path) => {
  const [{ createGunzip }, { createInterface }] = await Promise.all([import('node:zlib'), import('node:readline')])
  let rows = 0
  for await (const line of createInterface({ input: createReadStream(path).pipe(createGunzip()) })) {
    JSON.parse(line)
    rows++
  }
  return rows
}

const PARSERS: Record<string, Parser> = {
  ...{ ours, papaparse, csvParse, delimiterPlugin, excelPlugin, saxes },
  ...{ sheetJs, hyparquet, flechette, jsonLines },
}

const [way, path, size] = process.argv.slice(2) as [string, string, string]
/** CPU time instead of wall time: other work on the machine does not change it. */
const start = process.cpuUsage()
const rows = await PARSERS[way]!(path, Number(size))
const { user, system } = process.cpuUsage(start)
process.send?.({ ms: (user + system) / 1000, peak: readPeakMegabytes(), rows })
process.disconnect()
