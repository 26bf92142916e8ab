import { parquetMetadata, parquetSchema } from 'hyparquet'
import { beforeAll, describe, expect, it } from 'vitest'
import { waitForJob } from '../support/activity.ts'
import { getServer } from '../support/api.ts'
import { account, call, createFreshSpace, must, spaceId } from '../support/fresh-account.ts'
import { readTables } from '../support/read-tables.ts'

const option = (value: string) => ({ value, label: value })
const FIELDS = [
  { key: 'name', type: 'string', label: 'Full name' },
  { key: 'age', type: 'number' },
  { key: 'vip', type: 'boolean' },
  { key: 'born', type: 'date' },
  { key: 'seen', type: 'date' },
  { key: 'state', type: 'enum', config: { options: [option('new'), option('old')] } },
  { key: 'tags', type: 'string-list' },
]
const ROWS = [
  { name: 'Zoë "Z"\n', age: 36.5, vip: true, born: '2020-02-29', seen: '2024-01-01', state: 'new', tags: ['a'] },
  { name: null, age: -7, vip: false, born: '1899-01-01', seen: null, state: 'odd', tags: null },
]
const MANY = 25_000

beforeAll(() => createFreshSpace({ name: 'Parquet' }))

async function createSheet(
  name: string,
  fields: object[],
  rows: object[],
): Promise<{ sheetId: string; bookId: string }> {
  const sheets = [name, 'Other'].map((name) => ({ name, slug: name.toLowerCase(), fields }))
  const book = await must('POST', '/workbooks', { spaceId, name: 'Book', sheets })
  for (let at = 0; at < rows.length; at += 10_000)
    await call('POST', `/sheets/${book.sheets[0].id}/records`, rows.slice(at, at + 10_000))
  return { sheetId: book.sheets[0].id, bookId: book.id }
}

async function runExport(type: 'sheet' | 'workbook', source: string, options: object = {}) {
  const config = { options: { format: 'parquet', ...options } }
  const { body } = await call('POST', '/jobs', { type, operation: 'export', source, trigger: 'immediate', config })
  const job = await waitForJob(body.data.id)
  expect(job.status, job.info).toBe('completed')
  const file = await must('GET', `/files/${job.result.fileId}`)
  const response = await fetch(`${getServer().baseUrl}/v1/files/${file.id}/download`, {
    headers: { authorization: `Bearer ${account.secretKey}` },
  })
  return { file, bytes: Buffer.from(await response.arrayBuffer()) }
}

function readFooter(bytes: Buffer) {
  const metadata = parquetMetadata(new Uint8Array(bytes).buffer)
  const types = parquetSchema(metadata).children.map(({ element }) => [
    element.name,
    element.logical_type?.type ?? element.converted_type ?? element.type,
  ])
  return { types: Object.fromEntries(types), groupRows: metadata.row_groups.map(({ num_rows }) => Number(num_rows)) }
}

describe('a sheet exported as Parquet', () => {
  it('has columns of the types of its fields, by key', async () => {
    const { sheetId } = await createSheet('Typed', FIELDS, ROWS)
    const { file, bytes } = await runExport('sheet', sheetId)
    expect([file.name, file.mimetype]).toEqual(['Typed.parquet', 'application/vnd.apache.parquet'])
    expect(readFooter(bytes).types).toEqual({
      name: 'UTF8',
      age: 'DOUBLE',
      vip: 'BOOLEAN',
      born: 'DATE',
      seen: 'DATE',
      state: 'UTF8',
      tags: 'JSON',
      _invalid: 'UTF8',
    })
    expect((await readTables(file.name, bytes))[0]!.rows).toEqual([
      ['Zoë "Z"\n', '36.5', 'true', '2020-02-29', '2024-01-01', 'new', '["a"]', null],
      [null, '-7', 'false', '1899-01-01', null, 'odd', null, null],
    ])
  })

  it('stores values that do not fit their columns as JSON in the column _invalid', async () => {
    const { sheetId } = await createSheet('Invalid', FIELDS, [
      { name: 'a', age: 'many', vip: 'perhaps', born: 'soon', seen: '2020-01-01T12:30' },
      { name: 'b', age: 1, born: '2020-01-01' },
    ])
    const { bytes } = await runExport('sheet', sheetId)
    const [table] = await readTables('a.parquet', bytes)
    expect(table!.columns.at(-1)).toBe('_invalid')
    expect(table!.rows.map((row) => row.at(-1))).toEqual([
      '{"age":"many","vip":"perhaps","born":"soon","seen":"2020-01-01T12:30"}',
      null,
    ])
  })

  it('types texts that were stored before their fields had a type', async () => {
    const toFields = (type: string, other: string) => [
      { key: 'n', type },
      { key: 'b', type: other },
    ]
    const { sheetId, bookId } = await createSheet('Retyped', toFields('string', 'string'), [
      { n: '42', b: 'true' },
      { n: 'x', b: 'y' },
    ])
    const sheet = { id: sheetId, slug: 'retyped', name: 'Retyped', fields: toFields('number', 'boolean') }
    await must('PATCH', `/workbooks/${bookId}`, { sheets: [sheet] })
    const { bytes } = await runExport('sheet', sheetId)
    expect((await readTables('a.parquet', bytes))[0]!.rows).toEqual([
      ['42', 'true', null],
      [null, null, '{"n":"x","b":"y"}'],
    ])
  })

  it('without typed fields has only their columns', async () => {
    const { sheetId } = await createSheet('Texts', [{ key: 'name', type: 'string' }], [{ name: 'a' }])
    expect(readFooter((await runExport('sheet', sheetId)).bytes).types).toEqual({ name: 'UTF8' })
  })

  it('is written in groups of 10,000 rows, in the order requested', async () => {
    const rows = Array.from({ length: MANY }, (_, n) => ({ n }))
    const { sheetId } = await createSheet('Many', [{ key: 'n', type: 'number' }], rows)
    const { bytes } = await runExport('sheet', sheetId, { sortField: 'n', sortDirection: 'desc' })
    expect(readFooter(bytes).groupRows).toEqual([10_000, 10_000, 5_000])
    const [table] = await readTables('a.parquet', bytes)
    expect(table!.rows.map(([n]) => Number(n))).toEqual(rows.map(({ n }) => MANY - 1 - n))
  })

  it('has the messages of an error report', async () => {
    const { sheetId } = await createSheet('Report', FIELDS, ROWS)
    for (const options of [{ errors: true }, { errors: true, sortField: 'age' }]) {
      const { bytes } = await runExport('sheet', sheetId, options)
      const [table] = await readTables('a.parquet', bytes)
      expect(table!.columns.at(-1)).toBe('Messages')
      expect(table!.rows.map((row) => row.at(-1))).toEqual(['state: This value is not one of the options'])
    }
  })

  it('without records has its columns', async () => {
    const { sheetId } = await createSheet('Empty', FIELDS, [])
    const { bytes } = await runExport('sheet', sheetId)
    expect(Object.keys(readFooter(bytes).types)).toEqual([...FIELDS.map(({ key }) => key), '_invalid'])
  })
})

describe('a workbook exported as Parquet', () => {
  it('is a ZIP archive with a file for each sheet', async () => {
    const { bookId } = await createSheet('First', FIELDS, ROWS)
    const { file, bytes } = await runExport('workbook', bookId)
    expect(file.name).toBe('Book.zip')
    expect((await readTables('a.zip', bytes)).map(({ name, rows }) => [name, rows.length])).toEqual([
      ['First', 2],
      ['Other', 0],
    ])
  })
})
