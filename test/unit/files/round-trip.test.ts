/** Records of every field type leave and come back as they were: through the engine, each format's writer and the readers of files. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { StoredSheet } from '../../../lib/entities/sheets.ts'
import type { ExportedSheet } from '../../../lib/files/export/rows.ts'
import type { FormatOptions } from '../../../lib/files/extract/formats.ts'
import { readTables } from '../../support/read-tables.ts'
import { by, newSheetId, type RecordCloud, recordCloud } from '../../support/records.ts'
import { PATIENCE, RUNS } from '../../support/runs.ts'

let cloud: RecordCloud

beforeAll(async () => {
  cloud = await recordCloud()
  // The records' own cloud has no table of sheets: what references name is not there, which is kept as a message.
  const { Sheets } = await import('../../../lib/entities/sheets.ts')
  vi.spyOn(Sheets, 'inWorkbook').mockResolvedValue([])
})
afterAll(() => cloud.close())

/** `__k` and `__d` mean something in the API's JSON lines, `Messages` in a report. */
const FIELDS = [
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
const NUMBERS = new Set(['__d'])

/** Letters of every kind, and what is special in CSV, JSON, XML and workbooks. */
const SPECIAL = [
  '"',
  "'",
  ',',
  ';',
  '|',
  '\t',
  '\n',
  '\r\n',
  '<',
  '&',
  ']]>',
  '_x0041_',
  '=',
  '+',
  '-',
  '@',
  '\\',
  ' ',
  '0',
]
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
const orNothing = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 6 })

const row = fc.tuple(
  fc.stringMatching(/^[a-z]{1,4}$/),
  orNothing(text),
  // What is no number stays as it came.
  orNothing(fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer(), text)),
  orNothing(fc.oneof(fc.boolean(), text)),
  orNothing(fc.oneof(day, text)),
  orNothing(text),
  orNothing(list),
  orNothing(list),
  orNothing(text),
  orNothing(list),
  orNothing(text),
  orNothing(text),
)

async function stored(rows: readonly (readonly unknown[])[]): Promise<ExportedSheet> {
  const { importRows } = await import('../../../lib/records/index.ts')
  const id = newSheetId()
  const config = { name: 'All', fields: FIELDS }
  async function* once() {
    yield { keys: FIELDS.map(({ key }) => key), rows }
  }
  await importRows({ sheetId: id, fields: FIELDS }, once(), by())
  const sheet = { id, name: 'All', workbookId: 'us_wb_none', config } as unknown as StoredSheet
  return { sheet, fields: sheet.config.fields, query: {} }
}

const nothing = async () => {}

type Bytes = (exported: ExportedSheet) => Promise<AsyncIterable<Uint8Array>>

const json: Bytes = async (exported) =>
  (await import('../../../lib/files/export/json.ts')).jsonOf([exported], { messages: false, onRows: nothing })
const jsonl: Bytes = async (exported) =>
  (await import('../../../lib/files/export/json.ts')).jsonlOf(exported, { messages: false, onRows: nothing })
const csv =
  (neutralizeFormulas: boolean): Bytes =>
  async ({ sheet, fields }) =>
    (await import('../../../lib/records/index.ts')).streamCsv({ sheetId: sheet.id, fields }, {}, { neutralizeFormulas })
const xlsx: Bytes = async (exported) => {
  const { workbookOf } = await import('../../../lib/files/export/xlsx.ts')
  const { rowsOf } = await import('../../../lib/files/export/rows.ts')
  const header = exported.fields.map(({ key, label }) => label ?? key)
  const types = exported.fields.map(({ type }) => type)
  return workbookOf([{ name: 'All', header, types, rows: rowsOf(exported, false) }])
}

async function bytesOf(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const same = (cell: string): string => cell
/** Takes one apostrophe away at the start and after each separator that a spreadsheet may split a cell at. */
const unguarded = (cell: string): string =>
  cell.replace(/^'(?='*[=+\-@\t\r\n])/, '').replace(/(?<=[;\t\r\n])'(?=['"]*[=+\-@])/g, '')

/** Values as a file of texts can tell them. */
const asText = (value: unknown, key: string): unknown => {
  if (value === null || value === '') return null
  if (NUMBERS.has(key) && typeof value === 'number') return value + 0
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

it.each<[string, Bytes, FormatOptions, (cell: string) => string]>([
  ['a.csv', csv(false), { delimiter: ',', headerRow: 1, encoding: 'utf-8' }, same],
  ['guarded.csv', csv(true), { delimiter: ',', headerRow: 1, encoding: 'utf-8' }, unguarded],
  ['a.xlsx', xlsx, { headerRow: 1 }, same],
  ['a.json', json, {}, same],
  ['a.jsonl', jsonl, {}, same],
])(
  '%s holds every field type as it was',
  async (name, write, options, restored) => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 8 }), async (rows) => {
        const exported = await stored(rows)
        const [table] = await readTables(name, await bytesOf(await write(exported)), options)
        const named = name.startsWith('a.json')
          ? FIELDS.map(({ key }) => key)
          : FIELDS.map(({ key, label }) => label ?? key)
        expect(named.slice(0, table!.columns.length)).toEqual(table!.columns)
        const back = table!.rows.map((cells, at) =>
          FIELDS.map(({ key }, column) => {
            const cell = cells[column] ?? null
            const number = typeof rows[at]?.[column] === 'number' && NUMBERS.has(key)
            return cell === null ? null : number ? Number(cell) : restored(cell)
          }),
        )
        expect(back).toEqual(rows.map((values) => values.map((value, column) => asText(value, FIELDS[column]!.key))))
      }),
      { numRuns: 40 * RUNS },
    )
  },
  PATIENCE,
)
