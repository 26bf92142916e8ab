/** The preview of a file before its header row is chosen, and the re-import with that choice. */
import { beforeAll, describe, expect, it } from 'vitest'
import { PREVIEW_LIMITS } from '../../schemas/files/shape.ts'
import { waitForFileJob } from '../support/activity.ts'
import { account, call, createFreshSpace, must, spaceId } from '../support/fresh-account.ts'
import { uploadFile } from '../support/upload.ts'
import { buildWorkbookByHand } from '../support/xlsx-by-hand.ts'

beforeAll(() => createFreshSpace({ name: 'Previews' }))

const upload = (name: string, content: string | Uint8Array) => uploadFile(account, spaceId, name, content)
const getPreview = async (fileId: string, query = '') => call('GET', `/files/${fileId}/preview${query}`)

async function columnsOf(fileId: string): Promise<Record<string, string[]>> {
  const { workbookId } = await must('GET', `/files/${fileId}`)
  const { sheets } = await must('GET', `/workbooks/${workbookId}`)
  return Object.fromEntries(
    sheets.map(({ name, config }: { name: string; config: { fields: { label: string }[] } }) => [
      name,
      config.fields.map(({ label }) => label),
    ]),
  )
}

const text = (ref: string, value: string) => `<c r="${ref}" t="inlineStr"><is><t>${value}</t></is></c>`

describe('the preview of a file', () => {
  it('has the rows of a text file as numbered there, and the detected settings', async () => {
    const fileId = await upload('prices.csv', 'sep=;\nPrices\n\nItem;Price;Stock\nTea, green;"1,20";3\nCoffee;2;4\n')
    const { status, body } = await getPreview(fileId)
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body.data).toMatchObject({ kind: 'text', delimiter: ';', encoding: 'utf-8' })
    expect(body.data.tables).toEqual([
      {
        headerRow: 4,
        headerLines: 1,
        width: 3,
        rows: [
          { row: 2, cells: ['Prices'] },
          { row: 3, cells: [''] },
          { row: 4, cells: ['Item', 'Price', 'Stock'] },
          { row: 5, cells: ['Tea, green', '1,20', '3'] },
          { row: 6, cells: ['Coffee', '2', '4'] },
        ],
      },
    ])
    const told = (await getPreview(fileId, '?delimiter=,')).body.data
    expect(told.delimiter).toBe(',')
    expect(told.tables[0].rows.at(-2).cells[0]).toBe('Tea')
    expect((await getPreview(fileId, '?delimiter=ab')).status).toBe(400)
  })

  it('has all lines of a header; a re-import uses as many as chosen', { timeout: 60_000 }, async () => {
    const content =
      'Loan,,Return,,Fee,\nDay,Desk,Day,Desk,Sum,Paid\n01/02/24,1,02/02/24,2,3,4\n01/03/24,2,02/03/24,1,5,6\n'
    const fileId = await upload('loans.csv', content)
    await waitForFileJob(fileId)
    expect((await getPreview(fileId)).body.data.tables[0]).toMatchObject({ headerRow: 2, headerLines: 2 })
    expect(await columnsOf(fileId)).toEqual({
      loans: ['Loan Day', 'Loan Desk', 'Return Day', 'Return Desk', 'Fee Sum', 'Paid'],
    })
    const again = { type: 'file', operation: 'extract', source: fileId, fileId, trigger: 'immediate' }
    await call('POST', '/jobs', { ...again, config: { options: { headerLines: 1 } } })
    expect(await waitForFileJob(fileId, 2)).toMatchObject({ status: 'completed' })
    expect(await columnsOf(fileId)).toEqual({ loans: ['Day', 'Desk', 'Day', 'Desk', 'Sum', 'Paid'] })
    await call('POST', '/jobs', { ...again, config: { detectedHeaderRow: 1, options: { headerLines: 2 } } })
    expect(await waitForFileJob(fileId, 3)).toMatchObject({ status: 'failed' })
    const { status } = await call('POST', '/jobs', { ...again, config: { options: { headerLines: 0 } } })
    expect(status).toBe(400)
  })

  it('is short however long the file is', async () => {
    const row = `${Array.from({ length: 40 }, (_, at) => `${at} ${'x'.repeat(100)}`).join(',')}\n`
    const { tables } = (await getPreview(await upload('long.csv', row.repeat(100)))).body.data
    expect(tables[0]).toMatchObject({ width: 40 })
    expect(tables[0].rows).toHaveLength(PREVIEW_LIMITS.rows)
    expect(tables[0].rows[0].cells).toHaveLength(PREVIEW_LIMITS.columns)
    expect(tables[0].rows[0].cells[0]).toHaveLength(PREVIEW_LIMITS.characters)
  })

  it('explains why there is none, and is empty for files that name their columns', async () => {
    const { status, body } = await getPreview(await upload('bad.xlsx', 'PK no'))
    expect(status).toBe(422)
    expect(body.errors[0].message).toContain('not a valid workbook')
    const json = await upload('people.json', '[{"name":"Ada"}]')
    expect((await getPreview(json)).body.data).toEqual({ kind: 'other', tables: [] })
  })

  it('has each sheet of a workbook; a re-import uses the header rows chosen for them', {
    timeout: 60_000,
  }, async () => {
    const sheet = (one: string, two: string) =>
      `<row r="1">${text('A1', `${one} 1`)}${text('B1', `${two} 1`)}</row>` +
      `<row r="3">${text('A3', `${one} 3`)}${text('B3', `${two} 3`)}</row><row r="4">${text('A4', 'x')}</row>`
    const sheets = [
      { name: 'First', data: sheet('a', 'b') },
      { name: 'Second', data: sheet('c', 'd') },
    ]
    const fileId = await upload('two.xlsx', buildWorkbookByHand({ sheets }))
    await waitForFileJob(fileId)
    const { kind, tables } = (await getPreview(fileId)).body.data
    expect(kind).toBe('workbook')
    expect(tables[1]).toMatchObject({ name: 'Second', headerRow: 1, headerLines: 1, width: 2 })
    expect(tables[1].rows[2]).toEqual({ row: 3, cells: ['c 3', 'd 3'] })
    const again = { type: 'file', operation: 'extract', source: fileId, fileId, trigger: 'immediate' }
    await call('POST', '/jobs', { ...again, config: { options: { headerRows: { Second: 3 } } } })
    expect(await waitForFileJob(fileId, 2)).toMatchObject({ status: 'completed' })
    expect(await columnsOf(fileId)).toEqual({ First: ['a 1', 'b 1'], Second: ['c 3', 'd 3'] })
    await call('POST', '/jobs', { ...again, config: { detectedHeaderRow: 3, options: { headerRows: { First: 0 } } } })
    expect(await waitForFileJob(fileId, 3)).toMatchObject({ status: 'completed' })
    expect(Object.keys(await columnsOf(fileId))).toEqual(['First', 'Second'])
    expect((await columnsOf(fileId)).Second).toEqual(['c 3', 'd 3'])
    expect((await columnsOf(fileId)).First).not.toContain('a 1')
  })
})
