import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findViolations, inBrowser, waitUntil, withBrowser } from './browser.ts'
import { clickCell, getCellText, newGuestPage, openSheet } from './guest.ts'

const COLORS = ['Red', 'Green', 'Blue'].map((label) => ({ value: label.toLowerCase(), label }))
const FIELDS = [
  { key: 'name', label: 'Name', type: 'string' },
  {
    key: 'status',
    label: 'Status',
    type: 'enum',
    config: {
      options: [
        { value: 'gone', label: 'Gone', alternativeNames: ['departed'] },
        { value: 'hold', label: 'On hold' },
        { value: 'active', label: 'Active' },
      ],
    },
  },
  { key: 'member', label: 'Member', type: 'boolean' },
  { key: 'born', label: 'Born', type: 'date' },
  { key: 'company', label: 'Company', type: 'reference', config: { ref: 'companies', key: 'code' } },
  { key: 'colors', label: 'Colors', type: 'enum-list', config: { options: COLORS } },
  { key: 'tags', label: 'Tags', type: 'string-list' },
]
const COMPANIES = [
  { code: 'C1', name: 'Acme' },
  { code: 'C2', name: 'Umbrella' },
]
const PEOPLE = [
  { name: 'Ada', status: 'Actve', born: '2024-03-05', colors: ['red'] },
  { name: 'Grace' },
  { name: 'Joan' },
]
const COLUMN = Object.fromEntries(FIELDS.map(({ key }, index) => [key, index]))

async function newTypedSheet() {
  const made = await newGuestPage()
  const { page, call, space } = made
  const text = (key: string) => ({ key, label: key, type: 'string' })
  const sheets = [
    { name: 'Typed', slug: 'typed', fields: FIELDS },
    { name: 'Companies', slug: 'companies', fields: [text('code'), text('name')] },
  ]
  const [sheet, companies] = (await call('POST', '/workbooks', { spaceId: space.id, name: 'Typed', sheets })).body.data
    .sheets
  await call('POST', `/sheets/${companies.id}/records`, COMPANIES)
  await call('POST', `/sheets/${sheet.id}/records`, PEOPLE)
  await openSheet(page, { space, sheet }, 'Ada')
  const getValue = async (row: number, key: string) =>
    (await call('GET', `/sheets/${sheet.id}/records`)).body.data.records[row].values[key].value
  const expectValue = async (row: number, key: string, value: unknown) => {
    const wanted = JSON.stringify(value)
    await waitUntil(async () => JSON.stringify(await getValue(row, key)) === wanted)
  }
  return { page, getValue, expectValue }
}

/** By keyboard, because columns have different widths. */
async function selectCell(page: Page, row: number, key: string): Promise<void> {
  await clickCell(page, 1, row)
  await clickCell(page, 0, row)
  for (let column = 0; column < COLUMN[key]!; column++) await page.keyboard.press('ArrowRight')
}

inBrowser('a cell', () => {
  withBrowser()

  it('is edited by keyboard with the editor of its type: typing filters, Enter takes, Escape keeps', async () => {
    const { page, getValue, expectValue } = await newTypedSheet()
    const options = page.getByRole('listbox').getByRole('option')
    await selectCell(page, 0, 'status')
    await page.keyboard.press('Enter')
    await page.getByText('“Actve” isn’t one of the options.').waitFor()
    expect((await options.allInnerTexts())[0]).toBe('Active\nSuggestion')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expectValue(0, 'status', 'active')

    await selectCell(page, 0, 'status')
    await page.keyboard.type('gone')
    await page.keyboard.press('Escape')
    await page.keyboard.type('departed\nhold\nact\n')
    await expectValue(2, 'status', 'active')
    expect(await Promise.all([0, 1].map((row) => getValue(row, 'status')))).toEqual(['gone', 'hold'])

    await selectCell(page, 1, 'member')
    await page.keyboard.type('ye\n')
    await expectValue(1, 'member', true)

    await selectCell(page, 1, 'born')
    await page.keyboard.type('5 March 2024\n')
    await expectValue(1, 'born', '2024-03-05')
    await selectCell(page, 0, 'born')
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await expectValue(0, 'born', '2024-03-06')

    await selectCell(page, 0, 'company')
    await page.keyboard.type('umbr')
    await options.getByText('Umbrella').waitFor()
    await page.keyboard.press('Enter')
    await expectValue(0, 'company', 'C2')

    await selectCell(page, 0, 'colors')
    await page.keyboard.press('Enter')
    await page.keyboard.type('blu\ngre\n\n')
    await expectValue(0, 'colors', ['red', 'blue', 'green'])
    await selectCell(page, 0, 'tags')
    await page.keyboard.type('vip\nnew\n')
    await page.keyboard.press('Tab')
    await expectValue(0, 'tags', ['vip', 'new'])
  })

  it('is edited by mouse: an option, a day, tags, and a click outside', async () => {
    const { page, getValue, expectValue } = await newTypedSheet()
    const open = async (row: number, key: string) => {
      await selectCell(page, row, key)
      await page.keyboard.press('Enter')
      await page.locator('.editor-frame').waitFor()
    }
    await open(0, 'status')
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('option', { name: 'On hold' }).click()
    await expectValue(0, 'status', 'hold')
    await open(0, 'born')
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('button', { name: /20 March 2024/ }).click()
    await expectValue(0, 'born', '2024-03-20')
    await open(0, 'colors')
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('option', { name: 'Blue' }).click()
    await page.getByRole('row', { name: 'Red' }).getByRole('button').click()
    await clickCell(page, 0, 2)
    await expectValue(0, 'colors', ['blue'])
    await open(1, 'company')
    await page.getByRole('option', { name: 'Acme' }).click()
    await expectValue(1, 'company', 'C1')
    await selectCell(page, 2, 'status')
    await page.keyboard.type('gon')
    await clickCell(page, 0, 0)
    await waitUntil(async () => (await getCellText(page, 0, 0)) === 'Ada')
    expect(await getValue(2, 'status')).toBe(null)
    await open(0, 'status')
    await page.getByRole('option', { name: 'Empty' }).click()
    await expectValue(0, 'status', null)
  })
})
