import { beforeAll, describe, expect, it } from 'vitest'
import { createCaller, createTestAccount } from '../support/api.ts'
import { call, createFreshSpace, must, spaceId } from '../support/fresh-account.ts'

beforeAll(() => createFreshSpace({ name: 'Values' }))

const interpret = (body: object) => call('POST', '/values/interpret', body)
const columnsOf = async (body: object) => (await must('POST', '/values/interpret', body)).columns

const countries = { key: 'country', type: 'enum', config: { options: [{ value: 'DE' }, { value: 'FR' }] } }

describe('POST /values/interpret', () => {
  it('reads each column as the type of its field', async () => {
    const fields = [
      { key: 'born', type: 'date' },
      { key: 'total', type: 'number' },
      { key: 'paid', type: 'boolean' },
      { key: 'name', type: 'string' },
      countries,
      { ...countries, key: 'visited', type: 'enum-list' },
      { key: 'tags', type: 'string-list' },
    ]
    const columns = [
      { key: 'born', values: ['31.12.20', '1er mars 2021', null] },
      { key: 'total', values: ['1.234,50 €', '1.234', 7] },
      { key: 'paid', values: ['ja', 'Nein', true] },
      { key: 'name', values: [' Ada\u00a0Lovelace '] },
      { key: 'country', values: ['Deutschland', 'france', '', 'n/a'] },
      { key: 'visited', values: ['France; Germany', 'DE'] },
      { key: 'tags', values: ['a|b', 'c'] },
    ]
    const read = await columnsOf({ fields, columns })
    expect(read.map(({ values }: { values: { value: unknown }[] }) => values.map(({ value }) => value))).toEqual([
      ['2020-12-31', '2021-03-01', null],
      [1234.5, 1234, 7],
      [true, false, true],
      ['Ada Lovelace'],
      ['DE', 'FR', null, null],
      [['FR', 'DE'], ['DE']],
      [['a', 'b'], ['c']],
    ])
    expect(read[1].reading).toEqual({ type: 'number', decimalMark: ',', units: ['€'] })
    expect(read[6].delimiter).toBe('|')
  })

  it('asks about a column with two meanings, and takes the chosen reading', async () => {
    const fields = [{ key: 'day', type: 'date' }]
    const column = { key: 'day', values: ['01/02/2021', '03/04/2021'] }
    const [asked] = await columnsOf({ fields, columns: [column] })
    expect(asked.question).toMatchObject({ about: 'day-month-order', examples: column.values })
    expect(asked.values[0]).toEqual({
      value: '01/02/2021',
      problem: 'ambiguous',
      message: 'This text can mean 2021-02-01, 2021-01-02: enter one of them',
      alternatives: ['2021-02-01', '2021-01-02'],
    })
    const reading = asked.question.alternatives[1]
    const [chosen] = await columnsOf({ fields, columns: [{ ...column, reading }] })
    expect(chosen).toEqual({ key: 'day', reading, values: [{ value: '2021-01-02' }, { value: '2021-03-04' }] })
  })

  it('leaves what it cannot read, with the reason', async () => {
    const fields = [{ key: 'day', type: 'date' }, { key: 'total', type: 'number' }, countries]
    const columns = [
      { key: 'day', values: ['30.02.2021', 'soon'] },
      { key: 'total', values: ['many', '5 kg', '3 m²'] },
      { key: 'country', values: ['Atlantis'] },
    ]
    const read = await columnsOf({ fields, columns })
    expect(read.flatMap(({ values }: { values: object[] }) => values)).toMatchObject([
      { value: '30.02.2021', problem: 'impossible' },
      { value: 'soon', problem: 'unreadable' },
      { value: 'many', problem: 'unreadable' },
      { value: '5 kg', problem: 'unit' },
      { value: '3 m²', problem: 'unit' },
      { value: 'Atlantis', problem: 'not-an-option' },
    ])
  })

  it('takes the fields of a sheet that the caller can see', async () => {
    const sheets = [{ name: 'Orders', fields: [{ key: 'total', type: 'number' }] }]
    const { sheets: created } = await must('POST', '/workbooks', { spaceId, name: 'Target', sheets })
    const body = { sheetId: created[0].id, columns: [{ key: 'total', values: ['12,- €'] }] }
    expect((await columnsOf(body))[0].values).toEqual([{ value: 12 }])
    const stranger = createCaller((await createTestAccount()).secretKey)
    expect((await stranger('POST', '/values/interpret', body)).status).toBe(404)
  })

  it('reports all problems of a request together', async () => {
    const fields = [{ key: 'total', type: 'number' }]
    const columns = [
      { key: 'other', values: [] },
      { key: 'total', values: [], reading: { type: 'date' } },
    ]
    const { status, body } = await interpret({ fields, columns })
    expect(status).toBe(400)
    expect(body.errors.map(({ key }: { key: string }) => key)).toEqual(['columns.0.key', 'columns.1.reading'])
    const values = new Array(10_001).fill('1')
    const tooMany = await interpret({ columns: [{ key: 'total', values }] })
    expect(tooMany.body.errors.map(({ key }: { key: string }) => key)).toEqual(['fields', 'columns'])
  })
})
