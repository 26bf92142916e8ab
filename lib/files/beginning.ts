/** How a file begins, row by row as extraction counts them, for who is to say which row names the columns. */
import { BEGINNING, BEGINNING_BYTES } from '../../schemas/files.ts'
import { unprocessable } from '../core/errors.ts'
import type { StoredFile } from '../entities/files.ts'
import { type FileBytes, storedBytes } from './extract/bytes.ts'
import type { Table } from './extract/source.ts'
import { beginningOfText, SNIFF_BYTES } from './sniff.ts'

export interface Beginning {
  kind: 'text' | 'workbook' | 'other'
  encoding?: string
  delimiter?: string
  tables: { name?: string | undefined; headerRow: number; width: number; rows: { row: number; cells: string[] }[] }[]
}

/** What its reader is told in place of what it would find. */
interface Told {
  delimiter?: string | undefined
  encoding?: string | undefined
}

const TEXT = new Set(['csv', 'tsv', 'psv', 'tab', 'txt', ''])
const WORKBOOKS = new Set(['xlsx', 'xlsm'])

/** @throws ApiError unprocessable that says why the file cannot be read */
export async function beginningOf(file: StoredFile, told: Told): Promise<Beginning> {
  const bytes = storedBytes(file)
  if (WORKBOOKS.has(file.ext)) return { kind: 'workbook', tables: await sheetsOf(bytes) }
  return TEXT.has(file.ext) ? ofText(bytes, told) : { kind: 'other', tables: [] }
}

async function ofText(file: FileBytes, told: Told): Promise<Beginning> {
  const sample = await file.range(0, SNIFF_BYTES + 1)
  const { layout, rows } = beginningOfText(sample.subarray(0, SNIFF_BYTES), {
    whole: sample.length <= SNIFF_BYTES,
    declared: told.encoding ?? file.declared,
    ext: file.ext,
    delimiter: told.delimiter,
  })
  const { headerRow, width, encoding, dialect } = layout
  return {
    kind: 'text',
    encoding: encoding.name,
    delimiter: dialect.delimiter,
    tables: [shown({ headerRow, width, first: rows })],
  }
}

async function sheetsOf(file: FileBytes): Promise<Beginning['tables']> {
  if (file.size > BEGINNING_BYTES)
    throw unprocessable(`Workbooks of more than ${BEGINNING_BYTES} bytes are not shown before they are read.`)
  const { openSource } = await import('./extract/formats.ts')
  const source = await openSource(file)
  await source.close?.()
  return source.tables.map(shown)
}

const shown = ({ name, headerRow, width, first = [] }: Omit<Table, 'header'>): Beginning['tables'][number] => ({
  ...(name === undefined ? {} : { name }),
  headerRow,
  width,
  rows: first.slice(0, BEGINNING.rows).map(({ row, cells }) => ({
    row,
    cells: cells.slice(0, BEGINNING.columns).map((cell) => cell.slice(0, BEGINNING.characters)),
  })),
})
