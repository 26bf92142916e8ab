/** Exports records to a file by a job. */
import * as SheetJS from '@e965/xlsx'
import { unzipSync } from 'fflate'
import { beforeAll, describe, expect, it } from 'vitest'
import { waitForJob } from '../support/activity.ts'
import { getServer, pluck } from '../support/api.ts'
import { account, call, createFreshSpace, must, spaceId } from '../support/fresh-account.ts'
import { readTables } from '../support/read-tables.ts'

let workbookId: string
let sheetId: string
let otherId: string

const option = (value: string) => ({ value, label: value })
const FIELDS = [
  { key: 'name', type: 'string', label: 'Full name', constraints: [{ type: 'required' }] },
  { key: 'age', type: 'number', label: 'Age' },
  { key: 'vip', type: 'boolean', label: 'VIP' },
  { key: 'born', type: 'date', label: 'Born' },
  { key: 'state', type: 'enum', label: 'State', config: { options: [option('new'), option('old')] } },
  { key: 'tags', type: 'string-list', label: 'Tags' },
]
const ROWS = [
  { name: '=1+1', age: 36.5, vip: true, born: '2020-02-29', state: 'new', tags: ['a', 'b,c'] },
  { name: 'Zoë "Z" <x>\nline', age: -7, vip: false, born: '1899-01-01', state: 'odd', tags: null },
  { name: null, age: 'many', vip: null, born: 'soon', state: null, tags: ['x'] },
]
const COLUMNS = FIELDS.map(({ label }) => label)
const TEXTS = [
  ['=1+1', '36.5', 'true', '2020-02-29', 'new', '["a","b,c"]'],
  ['Zoë "Z" <x>\nline', '-7', 'false', '1899-01-01', 'odd', null],
  [null, 'many', null, 'soon', null, '["x"]'],
]

beforeAll(async () => {
  await createFreshSpace({ name: 'Export' })
  const sheets = [
    { name: 'People: all', slug: 'people', fields: FIELDS },
    { name: 'Cities', slug: 'cities', fields: [{ key: 'city', type: 'string', label: 'City' }] },
  ]
  const workbook = await must('POST', '/workbooks', { spaceId, name: 'Team/2026', sheets })
  workbookId = workbook.id
  ;[sheetId, otherId] = pluck(workbook.sheets, 'id')
  await call('POST', `/sheets/${sheetId}/records`, ROWS)
  await call('POST', `/sheets/${otherId}/records`, [{ city: 'London' }])
})

const start = (type: 'sheet' | 'workbook', source: string, options: object, more: object = {}) =>
  call('POST', '/jobs', {
    type,
    operation: 'export',
    source,
    trigger: 'immediate',
    managed: true,
    config: { options, ...more },
  })

async function runExport(type: 'sheet' | 'workbook', source: string, options: object, more: object = {}) {
  const { body } = await start(type, source, options, more)
  const job = await waitForJob(body.data.id)
  expect(job.status, job.info).toBe('completed')
  const file = await must('GET', `/files/${job.result.fileId}`)
  const response = await fetch(`${getServer().baseUrl}/v1/files/${file.id}/download`, {
    headers: { authorization: `Bearer ${account.secretKey}` },
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  return { job, file, bytes }
}

describe('a sheet', () => {
  it('becomes a workbook file with typed cells, named by the job', async () => {
    const { job, file, bytes } = await runExport('sheet', sheetId, {})
    expect(file).toMatchObject({
      name: 'People: all.xlsx',
      mode: 'export',
      status: 'complete',
      size: bytes.length,
      spaceId,
    })
    expect(job).toMatchObject({
      info: 'Exported 3 records',
      result: { records: 3 },
      outcome: { next: { type: 'files', files: [{ fileId: file.id, label: file.name }] } },
    })
    expect(await readTables('a.xlsx', bytes)).toMatchObject([{ name: 'People  all', columns: COLUMNS, rows: TEXTS }])
    const sheet = SheetJS.read(bytes, { cellFormula: true, cellNF: true }).Sheets['People  all']!
    expect([sheet.A2, sheet.B2, sheet.C2, sheet.D2].map(({ t, f }) => [t, f])).toEqual([
      ['s', undefined],
      ['n', undefined],
      ['b', undefined],
      ['n', undefined],
    ])
    const xml = Buffer.from(unzipSync(bytes)['xl/worksheets/sheet1.xml']!).toString()
    expect(xml).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>')
    expect(xml).toContain('<col min="1" max="1" width=')
    const events = await must('GET', `/events?spaceId=${spaceId}&topic=file:created&pageSize=100`)
    expect(events.some(({ context }: { context: { fileId: string } }) => context.fileId === file.id)).toBe(true)
    expect(await must('GET', `/jobs?fileId=${file.id}`)).toEqual([])
    expect((await must('GET', `/files?spaceId=${spaceId}&mode=export`))[0].id).toBe(file.id)
  })

  it('writes dates that spreadsheets would misread as text', async () => {
    // Spreadsheets count a 29 February 1900, so their numbers for earlier dates are one less.
    const fields = [{ key: 'day', type: 'date', label: 'Day' }]
    const sheets = [{ name: 'Days', slug: 'days', fields }]
    const { id } = (await must('POST', '/workbooks', { spaceId, name: 'Days', sheets })).sheets[0]
    const days = ['1900-02-27', '1900-02-28', '1900-03-01', '1900-03-02']
    await call(
      'POST',
      `/sheets/${id}/records`,
      days.map((day) => ({ day })),
    )
    const { bytes } = await runExport('sheet', id, {})
    const sheet = SheetJS.read(bytes).Sheets.Days!
    expect(['A2', 'A3', 'A4', 'A5'].map((cell) => sheet[cell]!.v)).toEqual(['1900-02-27', '1900-02-28', 61, 62])
    expect((await readTables('a.xlsx', bytes))[0]!.rows).toEqual(days.map((day) => [day]))
  })

  it('exported as CSV prevents formulas from running, like its download', async () => {
    const { bytes } = await runExport('sheet', sheetId, { format: 'csv' })
    expect(bytes.toString()).toContain("\r\n'=1+1,36.5,true,")
    expect((await call('GET', `/sheets/${sheetId}/download`)).body).toBe(bytes.toString())
  })

  it('is exported with the given selection, sort order and columns', async () => {
    const names = async (options: object) => {
      const [table] = await readTables(
        'a.json',
        (await runExport('sheet', sheetId, { format: 'json', ...options })).bytes,
      )
      return table!.rows.map(([name]) => name)
    }
    expect(await names({ filter: 'valid' })).toEqual(['=1+1'])
    expect(await names({ q: 'age eq 36.5' })).toEqual(['=1+1'])
    expect(
      await names({ sortField: 'age', sortDirection: 'asc', filter: 'all', searchValue: '-7', searchField: 'age' }),
    ).toEqual([TEXTS[1]![0]])
    const { body } = await call('GET', `/sheets/${sheetId}/records`)
    const ids = [body.data.records[1].id]
    expect(await names({ ids })).toEqual([TEXTS[1]![0]])
    const { bytes } = await runExport('sheet', sheetId, {
      format: 'csv',
      excludeFields: ['age', 'born', 'tags', 'state'],
    })
    expect(bytes.toString().split('\r\n')[0]).toBe('Full name,VIP')
  })

  it.each(['csv', 'xlsx', 'ods', 'json'])('produces an error report as %s', async (format) => {
    const { bytes, job } = await runExport('sheet', sheetId, { format, errors: true })
    expect(job.info).toBe('Exported 2 records')
    const [table] = await readTables(`a.${format}`, bytes)
    expect(table!.columns.at(-1)).toBe('Messages')
    expect(table!.rows.map((row) => row.slice(0, -1))).toEqual(
      format === 'csv' ? TEXTS.slice(1).map((row) => row.map((cell) => (cell === '-7' ? '-7' : cell))) : TEXTS.slice(1),
    )
    const [odd, empty] = table!.rows.map((row) => row.at(-1)!.split('\n'))
    expect(odd).toEqual(['State: This value is not one of the options'])
    expect(empty).toHaveLength(3)
    expect(empty!.map((line) => line.split(':')[0])).toEqual(['Full name', 'Age', 'Born'])
  })

  it('has the messages of cells as comments, in XLSX and ODS', async () => {
    const getComments = ({ bytes }: { bytes: Buffer }) => {
      const sheet = SheetJS.read(bytes).Sheets['People  all']!
      const cells = Object.entries(sheet).filter(([, cell]) => cell.c)
      return Object.fromEntries(cells.map(([name, { c }]) => [name, c.map(({ t }: { t: string }) => t.trim()).join()]))
    }
    const xlsx = await runExport('sheet', sheetId, { comments: true })
    const comments = getComments(xlsx)
    expect(Object.keys(comments).sort()).toEqual(['A4', 'B4', 'D4', 'E3'])
    expect(comments.E3).toBe('This value is not one of the options')
    expect((await readTables('a.xlsx', xlsx.bytes))[0]!.rows).toEqual(TEXTS)
    const sorted = await runExport('sheet', sheetId, { comments: true, sortField: 'age', sortDirection: 'desc' })
    expect(getComments(sorted)).toHaveProperty('E4', comments.E3)
    const ods = await runExport('sheet', sheetId, { comments: true, format: 'ods' })
    expect((await readTables('a.ods', ods.bytes))[0]!.rows).toEqual(TEXTS)
    const xml = Buffer.from(unzipSync(ods.bytes)['content.xml']!).toString()
    expect(xml.match(/<office:annotation>/g)).toHaveLength(4)
    expect(xml).toContain(`<office:annotation><text:p>${comments.E3}</text:p></office:annotation><text:p>odd</text:p>`)
    const { status, body } = await start('sheet', sheetId, { comments: true, format: 'csv' })
    expect([status, body.errors]).toEqual([400, [{ key: 'config.options.comments', message: expect.any(String) }]])
  })

  it('exported by a repeated run is the same file, stored once', async () => {
    const { job, file } = await runExport('sheet', sheetId, { format: 'csv', fileName: 'again' })
    const { Jobs } = await import('../../lib/entities/jobs.ts')
    const { exportSheet } = await import('../../lib/jobs/operations/export.ts')
    const stored = (await Jobs.get(job.id))!
    const actor = { accountId: account.accountId, actorId: account.userId }
    const noop = async () => {}
    const run = { job: stored, actor, op: stored.id, progress: noop, assertHeld: noop, remember: noop }
    const ending = await exportSheet.run(run)
    expect(ending.result).toMatchObject({ fileId: file.id })
    const { data } = (await call('GET', `/files?spaceId=${spaceId}&mode=export&pageSize=100`)).body
    expect(data.filter(({ name }: { name: string }) => name === 'again.csv')).toHaveLength(1)
  })

  it('that cannot be exported as requested is rejected with the reason', async () => {
    const getRejection = async (options: object, type: 'sheet' | 'workbook' = 'sheet', more = {}) => {
      const { status, body } = await start(type, type === 'sheet' ? sheetId : workbookId, options, more)
      return [status, body.errors?.[0]?.key]
    }
    expect(await getRejection({ format: 'pdf' })).toEqual([400, 'config.options.format'])
    expect(await getRejection({ sortField: 'none' })).toEqual([400, 'config.options.sortField'])
    expect(await getRejection({ excludeFields: ['none'] })).toEqual([400, 'config.options.excludeFields'])
    expect((await getRejection({}, 'workbook', { sheets: ['us_sh_none'] }))[0]).toBe(404)
    const long = (
      await must('POST', '/workbooks', {
        spaceId,
        name: 'Long',
        sheets: [{ name: 'L', fields: [{ key: 'a', type: 'string' }] }],
      })
    ).sheets[0].id
    await call('POST', `/sheets/${long}/records`, [{ a: 'x'.repeat(40_000) }])
    const { body } = await start('sheet', long, {})
    const job = await waitForJob(body.data.id)
    expect(job.info).toBe(
      'Sheet L, row 2: a exceeds the spreadsheet limit of 32,767 characters per cell. Export as CSV or JSON.',
    )
    expect(pluck(await must('GET', `/files?spaceId=${spaceId}&mode=export&pageSize=100`), 'name')).not.toContain(
      'L.xlsx',
    )
  })
})

describe('a workbook', () => {
  it('becomes one file with all its sheets', async () => {
    const { file, bytes } = await runExport('workbook', workbookId, {})
    expect(file.name).toBe('Team 2026.xlsx')
    expect((await readTables('a.xlsx', bytes)).map(({ name, rows }) => [name, rows.length])).toEqual([
      ['People  all', 3],
      ['Cities', 1],
    ])
    const json = await runExport('workbook', workbookId, { format: 'json' })
    expect((await readTables('a.json', json.bytes)).map(({ name, rows }) => [name, rows.length])).toEqual([
      ['People: all', 3],
      ['Cities', 1],
    ])
    const zip = await runExport('workbook', workbookId, { format: 'csv' })
    expect(zip.file.name).toBe('Team 2026.zip')
    expect((await readTables('a.zip', zip.bytes)).map(({ name, rows }) => [name, rows.length])).toEqual([
      ['People  all', 3],
      ['Cities', 1],
    ])
    const lines = await runExport('workbook', workbookId, { format: 'jsonl.gz' })
    expect(Object.keys(unzipSync(lines.bytes))).toEqual(['People  all.jsonl', 'Cities.jsonl'])
    const one = await runExport('workbook', workbookId, { format: 'csv' }, { sheets: [otherId] })
    expect([one.file.name, one.bytes.toString()]).toEqual(['Team 2026.csv', 'City\r\nLondon\r\n'])
  })
})
