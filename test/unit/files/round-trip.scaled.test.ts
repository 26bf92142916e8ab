/** Records of every field type round-trip through the engine, each writer and the file readers. */
import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import type { ExportedSheet } from '../../../lib/files/export/rows.ts'
import type { FormatOptions } from '../../../lib/files/extract/formats.ts'
import { parseNumber } from '../../../lib/values/scalars.ts'
import {
  EXPORTED_FIELDS as FIELDS,
  NUMBER_KEYS as NUMBERS,
  exportedRow as row,
  storeExportedRows,
} from '../../support/export-rows.ts'
import { collectBytes, readTables } from '../../support/read-tables.ts'
import { startRecordSuite } from '../../support/record-suite.ts'
import { runs, TIMEOUT_MS } from '../../support/runs.ts'

const { importRows } = await startRecordSuite()
const storeRows = (rows: readonly (readonly unknown[])[]) => storeExportedRows(importRows, rows)
const { Sheets } = await import('../../../lib/entities/sheets.ts')
vi.spyOn(Sheets, 'inWorkbook').mockResolvedValue([])

const doNothing = async () => {}

type Bytes = (exported: ExportedSheet) => Promise<AsyncIterable<Uint8Array>>

const writeJson: Bytes = async (exported) =>
  (await import('../../../lib/files/export/json.ts')).writeJson([exported], { messages: false, onRows: doNothing })
const writeJsonl: Bytes = async (exported) =>
  (await import('../../../lib/files/export/json.ts')).writeJsonLines(exported, { messages: false, onRows: doNothing })
const writeCsv =
  (neutralizeFormulas: boolean): Bytes =>
  async ({ sheet, fields }) =>
    (await import('../../../lib/records/index.ts')).streamCsv({ sheetId: sheet.id, fields }, {}, { neutralizeFormulas })
const writeXlsx: Bytes = async (exported) => {
  const { writeXlsx } = await import('../../../lib/files/export/workbook/xlsx.ts')
  const { streamExportRows } = await import('../../../lib/files/export/rows.ts')
  const header = exported.fields.map(({ key, label }) => label ?? key)
  const types = exported.fields.map(({ type }) => type)
  const options = { messages: false, onRows: doNothing }
  return writeXlsx([{ name: 'All', header, types, rows: (format) => streamExportRows(exported, format, options) }])
}

const unchanged = (cell: string): string => cell
const removeGuards = (cell: string): string =>
  cell.replace(/^'(?='*[=+\-@\t\r\n])/, '').replace(/(?<=[;\t\r\n])'(?=['"]*[=+\-@])/g, '')

const toText = (value: unknown, key: string): unknown => {
  if (value === null || value === '') return null
  if (NUMBERS.has(key)) {
    const number = typeof value === 'string' ? parseNumber(value) : (value as number)
    if (number !== undefined) return number + 0
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

it.each<[string, Bytes, FormatOptions, (cell: string) => string]>([
  ['a.csv', writeCsv(false), { delimiter: ',', headerRow: 1, encoding: 'utf-8' }, unchanged],
  ['guarded.csv', writeCsv(true), { delimiter: ',', headerRow: 1, encoding: 'utf-8' }, removeGuards],
  ['a.xlsx', writeXlsx, { headerRow: 1 }, unchanged],
  ['a.json', writeJson, {}, unchanged],
  ['a.jsonl', writeJsonl, {}, unchanged],
])(
  '%s preserves every field type',
  async (name, write, options, restored) => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 8 }), async (rows) => {
        const exported = await storeRows(rows)
        const [table] = await readTables(name, await collectBytes(await write(exported)), options)
        const named = name.startsWith('a.json')
          ? FIELDS.map(({ key }) => key)
          : FIELDS.map(({ key, label }) => label ?? key)
        expect(named.slice(0, table!.columns.length)).toEqual(table!.columns)
        const back = table!.rows.map((cells, at) =>
          FIELDS.map(({ key }, column) => {
            const cell = cells[column] ?? null
            const number = typeof toText(rows[at]?.[column], key) === 'number'
            return cell === null ? null : number ? Number(cell) : restored(cell)
          }),
        )
        expect(back).toEqual(rows.map((values) => values.map((value, column) => toText(value, FIELDS[column]!.key))))
      }),
      { numRuns: runs(40) },
    )
  },
  TIMEOUT_MS,
)
