/** Third-party files: csv-spectrum with its results, and delimited files of packages as csv-parse reads them. */
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'csv-parse/sync'
import { buildColumnNames } from '../../lib/files/extract/columns.ts'
import type { CorpusFile } from './corpus-file.ts'

const emptyToNull = (cell: string | undefined): string | null => (cell === undefined || cell === '' ? null : cell)

const DIFFERS = ['1234567890', '2095257564'] as const

const SPECTRUM = fileURLToPath(new URL('../../node_modules/csv-spectrum/', import.meta.url))
const spectrum = readdirSync(join(SPECTRUM, 'csvs')).map((name): CorpusFile => {
  const answer = readFileSync(join(SPECTRUM, 'json', name.replace('.csv', '.json')), 'utf8')
  const records: Record<string, string>[] = [JSON.parse(answer.replace(...DIFFERS))].flat()
  const columns = Object.keys(records[0]!)
  return {
    ...{ category: 'csv-spectrum', name, bytes: readFileSync(join(SPECTRUM, 'csvs', name)) },
    format: { delimiter: ',', encoding: 'utf-8', headerRow: 1 },
    tables: [{ columns, rows: records.map((record) => columns.map((column) => emptyToNull(record[column]))) }],
  }
})

function createRealFile(folder: string, name: string, headerRow: 0 | 1): CorpusFile {
  const bytes = readFileSync(join(folder, name))
  const delimiter = extname(name) === '.tsv' ? '\t' : ','
  const all: string[][] = parse(bytes, { delimiter, bom: true, relax_column_count: true, skip_empty_lines: true })
  const width = Math.max(...all.map((cells) => cells.length))
  const rows = all.slice(headerRow).map((cells) => Array.from({ length: width }, (_, i) => emptyToNull(cells[i])))
  return {
    ...{ category: 'real files', name, bytes, format: { delimiter, encoding: 'utf-8', headerRow } },
    tables: [
      {
        columns: buildColumnNames(headerRow ? all[0]! : [], width),
        rows: rows.filter((cells) => cells.some((cell) => cell !== null)),
      },
    ],
  }
}

const VEGA = fileURLToPath(new URL('../../node_modules/vega-datasets/data/', import.meta.url))
const PAPA = fileURLToPath(new URL('../../node_modules/papaparse/tests/', import.meta.url))

export const REAL: CorpusFile[] = [
  ...spectrum,
  ...readdirSync(VEGA)
    .filter((name) => /\.[ct]sv$/.test(name))
    .map((name) => createRealFile(VEGA, name, 1)),
  ...readdirSync(PAPA)
    .filter((name) => name.endsWith('.csv'))
    .map((name) => createRealFile(PAPA, name, name === 'long-sample.csv' ? 0 : 1)),
]
