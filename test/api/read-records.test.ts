import { beforeAll, describe, expect, it } from 'vitest'
import { call, createFreshSpace, must, spaceId } from '../support/fresh-account.ts'
import { api } from '../support/sdk.ts'

beforeAll(() => createFreshSpace({ name: 'Values' }))

const fields = [
  { key: 'day', type: 'date' },
  { key: 'total', type: 'number' },
  { key: 'paid', type: 'boolean' },
]

async function createSheet(config: object = {}): Promise<string> {
  const sheets = [{ name: 'Orders', fields, ...config }]
  return (await must('POST', '/workbooks', { spaceId, name: 'Target', sheets })).sheets[0].id
}

interface Cell {
  value: unknown
  valid: boolean
  messages: { type: string; source: string; message: string; original?: string }[]
}
const cellsOf = (record: { values: Record<string, Cell> }, key: string): Cell => record.values[key]!
const read = async (sheetId: string) => (await must('GET', `/sheets/${sheetId}/records`)).records
const valuesOf = (records: { values: Record<string, Cell> }[]) =>
  records.map((record) => fields.map(({ key }) => cellsOf(record, key).value))

describe('records of a sheet with `interpret`', () => {
  it('have their texts read, with the batch as the only evidence', async () => {
    const sheetId = await createSheet({ interpret: true })
    await must('POST', `/sheets/${sheetId}/records`, [
      { day: '31.12.20', total: '1.234', paid: 'ja' },
      { day: '1. März 2021', total: '12,50 €', paid: 'nein' },
      { day: '2021-03-04', total: 7, paid: true },
    ])
    expect(valuesOf(await read(sheetId))).toEqual([
      ['2020-12-31', 1234, true],
      ['2021-03-01', 12.5, false],
      ['2021-03-04', 7, true],
    ])
    await must('POST', `/sheets/${sheetId}/records`, [{ day: '', total: '1.234', paid: null }])
    expect(cellsOf((await read(sheetId))[3], 'total')).toMatchObject({ value: '1.234', valid: false })
  })

  it('have their texts read as JSON Lines too, with all lines as the evidence', async () => {
    const sheetId = await createSheet({ interpret: true })
    const write = (query: string, ...rows: object[]) => {
      const body = Buffer.from(rows.map((row) => JSON.stringify(row)).join('\n'))
      return call('POST', `/v2-alpha/records.jsonl?sheetId=${sheetId}${query}`, body)
    }
    await write('', { total: '1.234' })
    const [first] = await read(sheetId)
    expect(cellsOf(first, 'total')).toMatchObject({ value: '1.234', valid: false })
    const rows = [{ day: '31.12.20', total: '12,50 €', paid: 'ja' }, { total: 7 }]
    expect((await write('', { __k: first.id, total: '1.234' }, ...rows)).status).toBe(200)
    expect(valuesOf(await read(sheetId))).toEqual([
      [null, 1234, null],
      ['2020-12-31', 12.5, true],
      [null, 7, null],
    ])
    expect(cellsOf((await read(sheetId))[1], 'total').messages[0]).toMatchObject({ type: 'info', original: '12,50 €' })
    await write('&interpret=false', { total: '12,50 €' })
    expect(cellsOf((await read(sheetId))[3], 'total')).toMatchObject({ value: '12,50 €', valid: false })
  })

  it('stay texts with an error that names the meanings, also when they are sent back', async () => {
    const sheetId = await createSheet({ interpret: true })
    await must('POST', `/sheets/${sheetId}/records`, [{ day: '01/02/2021', total: '1.234', paid: 'perhaps' }])
    const [record] = await read(sheetId)
    expect(valuesOf([record])).toEqual([['01/02/2021', '1.234', 'perhaps']])
    expect(cellsOf(record, 'total').messages).toEqual([
      {
        type: 'error',
        source: 'is-artifact',
        message: 'This text can mean 1.2340, 1234: enter one of them',
        field: 'total',
      },
    ])
    expect(cellsOf(record, 'day').messages[0]!.message).toBe(
      'This text can mean 2021-02-01, 2021-01-02: enter one of them',
    )
    await must('PUT', `/sheets/${sheetId}/records?interpret=false`, [record])
    expect(await read(sheetId)).toEqual([record])
    await must('PUT', `/sheets/${sheetId}/records`, [{ id: record.id, values: { total: { value: '1.2340' } } }])
    expect(cellsOf((await read(sheetId))[0], 'total')).toMatchObject({ value: 1.234, valid: true, messages: [] })
  })

  it('show the text they were read from until their value changes', async () => {
    const sheetId = await createSheet({ interpret: true })
    await must('POST', `/sheets/${sheetId}/records`, [{ day: '31.12.20', total: ' 5 ', paid: 'x' }])
    const [record] = await read(sheetId)
    expect(cellsOf(record, 'total').messages).toEqual([])
    expect(cellsOf(record, 'day')).toEqual({
      value: '2020-12-31',
      valid: true,
      messages: [
        { type: 'info', source: 'is-artifact', message: 'was "31.12.20"', field: 'day', original: '31.12.20' },
      ],
    })
    const history = () => must('GET', `/sheets/${sheetId}/records/${record.id}/history`)
    expect((await history())[0].originals).toEqual({ day: '31.12.20', paid: 'x' })
    const hookReply = [{ id: record.id, values: { day: { messages: [{ type: 'warn', message: 'Late' }] } } }]
    await must('PUT', `/sheets/${sheetId}/records`, hookReply)
    expect(cellsOf((await read(sheetId))[0], 'day').messages.map(({ message }) => message)).toEqual([
      'was "31.12.20"',
      'Late',
    ])
    await must('PUT', `/sheets/${sheetId}/records`, [{ id: record.id, values: { day: { value: '1.2.2021' } } }])
    const [changed] = await history()
    expect(changed).toMatchObject({
      changes: [{ fieldKey: 'day', previousValue: '2020-12-31', newValue: '2021-02-01' }],
      originals: { day: '1.2.2021' },
    })
    await must('PUT', `/sheets/${sheetId}/records`, [{ id: record.id, values: { day: { value: '2021-05-06' } } }])
    expect(cellsOf((await read(sheetId))[0], 'day').messages).toEqual([])
  })

  it('are also read by a bulk update', async () => {
    const sheetId = await createSheet({ interpret: true })
    await must('POST', `/sheets/${sheetId}/records`, [{ total: 1 }, { total: 2 }])
    const fieldUpdates = { total: { value: '1.234,5 €' } }
    await must('PATCH', `/sheets/${sheetId}/records/bulk-update?filter=all`, { fieldUpdates })
    expect((await read(sheetId)).map((record: never) => cellsOf(record, 'total').value)).toEqual([1234.5, 1234.5])
  })
})

describe('the public SDK', () => {
  it('adds records that are read, and gets their originals as messages', async () => {
    const sheetId = await createSheet({ interpret: true })
    await api.records.insert(sheetId, [{ day: { value: '31.12.20' }, total: { value: '1.234,50 €' } }])
    const { records } = (await api.records.get(sheetId)).data
    expect(records[0]!.values.total).toMatchObject({
      value: 1234.5,
      valid: true,
      messages: [{ type: 'info', message: 'was "1.234,50 €"' }],
    })
    const { id, values } = records[0]!
    await api.records.update(sheetId, [{ id, values }])
    expect((await api.records.get(sheetId)).data.records).toEqual(records)
  })
})

describe('a sheet without `interpret`', () => {
  it('stores texts as they are sent, unless the request asks for it', async () => {
    const sheetId = await createSheet()
    const records = [{ day: '31.12.20', total: '12,50 €', paid: 'ja' }]
    await must('POST', `/sheets/${sheetId}/records`, records)
    await must('POST', `/sheets/${sheetId}/records?interpret=true`, records)
    expect(valuesOf(await read(sheetId))).toEqual([
      ['31.12.20', '12,50 €', 'ja'],
      ['2020-12-31', 12.5, true],
    ])
  })

  it('rejects a setting that is not true or false', async () => {
    const sheets = [{ name: 'Orders', fields, interpret: 'yes' }]
    const { status, body } = await call('POST', '/workbooks', { spaceId, name: 'Target', sheets })
    expect([status, body.errors[0].key]).toEqual([400, 'sheets.0.interpret'])
  })
})

describe('text fields with a format', () => {
  const contacts = [
    { key: 'phone', type: 'string', metadata: { format: 'phone' } },
    { key: 'email', type: 'string', metadata: { format: 'email' } },
    { key: 'site', type: 'string', metadata: { format: 'url' } },
    { key: 'country', type: 'enum', config: { options: [{ value: 'DE' }, { value: 'FR' }] } },
  ]

  it('are read with the country of the row, and reject other texts', async () => {
    const sheetId = await createSheet({ interpret: true, fields: contacts })
    await must('POST', `/sheets/${sheetId}/records`, [
      { phone: '030 901820', email: 'mailto:Ada@Example.ORG', site: 'www.example.org', country: 'Deutschland' },
      { phone: '01 42 76 40 40', email: 'ada', site: 'HTTP://example.org', country: 'France' },
      { phone: '030 901820', email: null, site: null, country: null },
    ])
    const records = await read(sheetId)
    expect(
      records.map((record: { values: Record<string, Cell> }) => contacts.map(({ key }) => cellsOf(record, key).value)),
    ).toEqual([
      ['+4930901820', 'Ada@Example.ORG', 'https://www.example.org', 'DE'],
      ['+33142764040', 'ada', 'http://example.org', 'FR'],
      ['030 901820', null, null, null],
    ])
    const messageOf = (record: { values: Record<string, Cell> }, key: string) =>
      cellsOf(record, key).messages.map(({ type, message }) => `${type}: ${message}`)
    expect(messageOf(records[1], 'email')).toEqual([
      'error: This value is not an email address: use a form such as ada@example.com',
    ])
    expect(messageOf(records[2], 'phone')).toEqual([
      'error: This value is not a phone number, or its country is not known: start it with + and the country code',
    ])
  })
})
