import fc from 'fast-check'
import type { StoredSheet } from '../../lib/entities/sheets.ts'
import type { ExportedSheet } from '../../lib/files/export/rows.ts'
import { createByteWriter } from '../../lib/records/columns/byte-writer.ts'
import type { CellRange, RowFormat, RowsPart, SheetRef } from '../../lib/records/index.ts'
import { newSheetId } from './records.ts'

const EMPTY_CELL: CellRange = { bytes: Buffer.alloc(0), from: 0, to: 0 }

function toCellRange(value: unknown): CellRange {
  if (value === null) return EMPTY_CELL
  const bytes = Buffer.from(JSON.stringify(value))
  return { bytes, from: 0, to: bytes.length }
}

export const writeRows = (rows: readonly (readonly unknown[])[]) =>
  async function* ({ writeRow }: RowFormat): AsyncGenerator<Buffer> {
    const out = createByteWriter()
    rows.forEach((row, at) => {
      writeRow(out, row.map(toCellRange), at, '', () => '')
    })
    yield out.bytes.subarray(0, out.length)
  }

export const EXPORTED_FIELDS = [
  { key: 'id', type: 'string' },
  { key: '__k', type: 'string', label: 'Text' },
  { key: '__d', type: 'number' },
  { key: 'flag', type: 'boolean' },
  { key: 'day', type: 'date' },
  { key: 'choice', type: 'enum', config: { options: [{ value: 'a' }] } },
  { key: 'choices', type: 'enum-list', config: { options: [{ value: 'a' }] } },
  { key: 'tags', type: 'string-list' },
  { key: 'other', type: 'reference', config: { ref: 'none', key: 'id' } },
  { key: 'others', type: 'reference-list', config: { ref: 'none', key: 'id' } },
  { key: 'Messages', type: 'string' },
  { key: 'constructor', type: 'string' },
]
export const NUMBER_KEYS = new Set(['__d'])

const SPECIAL = [...'"\',;|\t\n', '\r\n', '<', '&', ']]>', '_x0041_', ...'=+-@\\ 0']
const text = fc
  .array(fc.oneof(fc.constantFrom(...SPECIAL), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3 })), {
    minLength: 1,
    maxLength: 6,
  })
  .map((pieces) => pieces.join(''))
const list = fc.array(fc.oneof(text, fc.integer(), fc.boolean()), { minLength: 1, maxLength: 4 })
const day = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))
const orEmpty = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 6 })

export const exportedRow = fc.tuple(
  fc.stringMatching(/^[a-z]{1,4}$/),
  orEmpty(text),
  orEmpty(fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer(), text)),
  orEmpty(fc.oneof(fc.boolean(), text)),
  orEmpty(fc.oneof(day, text)),
  orEmpty(text),
  orEmpty(list),
  orEmpty(list),
  orEmpty(text),
  orEmpty(list),
  orEmpty(text),
  orEmpty(text),
)

type ImportRows = (sheet: SheetRef, parts: AsyncIterable<RowsPart>) => Promise<unknown>

export async function storeExportedRows(
  importRows: ImportRows,
  rows: readonly (readonly unknown[])[],
): Promise<ExportedSheet> {
  const id = newSheetId()
  const config = { name: 'All', fields: EXPORTED_FIELDS }
  async function* yieldOnce() {
    yield { keys: EXPORTED_FIELDS.map(({ key }) => key), rows }
  }
  await importRows({ sheetId: id, fields: EXPORTED_FIELDS }, yieldOnce())
  const sheet = { id, name: 'All', workbookId: 'us_wb_none', config } as unknown as StoredSheet
  return { sheet, fields: sheet.config.fields, query: {} }
}
