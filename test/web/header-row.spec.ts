/** How a file is read, where it was read otherwise than it is meant: another header row, another sheet. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { workbookByHand } from '../support/xlsx-by-hand.ts'
import { FIELDS, inBrowser, until, violations, withBrowser } from './browser.ts'
import { choose, guestIn } from './guest.ts'

/** The second title fills every column: it is taken for the header. */
const TITLED =
  'Members 2024\nPerson,Contact,Years\nFull name,E-Mail,Age\nAda,ada@example.com,36\nGrace,grace@example.com,85\n'

const dialog = (page: Page) => page.getByRole('dialog')

async function openReading(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: `How it is read: ${name}` }).click({ timeout: 30_000 })
  await dialog(page).getByRole('group', { name: 'The row that names the columns' }).waitFor()
}

async function readAgain(page: Page): Promise<void> {
  await dialog(page).getByRole('button', { name: 'Read again' }).click()
  await dialog(page).getByText('Done', { exact: true }).waitFor({ timeout: 30_000 })
}

inBrowser('how a file is read', () => {
  withBrowser()

  it('is seen and chosen: the row that names the columns, and what parts them', async () => {
    const { page, call, sheet } = await guestIn()
    await choose(page, 'members.csv', TITLED)
    await openReading(page, 'members.csv')
    await until(() => dialog(page).getByLabel('Row 2: Person, Contact, Years').isChecked())
    expect(await dialog(page).getByRole('radio').count()).toBe(6)
    await dialog(page).getByText('Members 2024').waitFor()
    expect(await violations(page)).toEqual([])

    // By keyboard: a radio group's arrows.
    await dialog(page).getByLabel('Row 2: Person, Contact, Years').focus()
    await page.keyboard.press('ArrowDown')
    await until(() => dialog(page).getByLabel('Row 3: Full name, E-Mail, Age').isChecked())
    await readAgain(page)
    expect(await violations(page)).toEqual([])
    await dialog(page).getByRole('button', { name: 'Import…' }).click()
    await dialog(page).getByText('Columns: Full name, E-Mail, Age').waitFor()
    await dialog(page).getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Columns for People' }).waitFor()
    await page.getByLabel('Field for Full name').selectOption('name')
    await page.getByRole('button', { name: 'Confirm and import' }).click()
    await page.waitForURL('**/sheets/**')
    const { records } = (await call('GET', `/sheets/${sheet.id}/records`)).body.data
    expect(records.map(({ values }: { values: Record<string, { value: unknown }> }) => values.name!.value)).toEqual([
      'Ada',
      'Grace',
    ])
  })

  it('goes by a delimiter that is told, keeps what was chosen, and reads files without a header', async () => {
    const { page, call, space } = await guestIn()
    await choose(page, 'odd.csv', 'a;1,b\nc;3,d\n')
    await openReading(page, 'odd.csv')
    await dialog(page).getByLabel('Columns are parted by').selectOption({ label: 'Semicolon' })
    await dialog(page).getByLabel('Row 1: a, 1,b').waitFor()
    // By mouse: anywhere in a row.
    await dialog(page).getByRole('cell', { name: '3,d', exact: true }).click()
    await until(() => dialog(page).getByLabel('Row 2: c, 3,d').isChecked())
    await dialog(page).getByLabel('None: every row is data').check()
    await readAgain(page)
    await dialog(page).getByRole('button', { name: 'Close' }).last().click()
    const workbook = await until(async () => {
      const [file] = (await call('GET', `/files?spaceId=${space.id}`)).body.data
      return file.status === 'complete' && (await call('GET', `/workbooks/${file.workbookId}`)).body.data
    })
    expect(workbook.sheets[0].config.fields).toHaveLength(2)
    const records = (await call('GET', `/sheets/${workbook.sheets[0].id}/records`)).body.data.records
    expect(records).toHaveLength(2)
    await openReading(page, 'odd.csv')
    expect(await dialog(page).getByLabel('Columns are parted by').inputValue()).toBe(';')
    await until(() => dialog(page).getByLabel('None: every row is data').isChecked())
  })

  it('of several sheets: each has its header row, and one is chosen with where it goes', async () => {
    const { page, call, sheet, space, account } = await guestIn()
    const more = { name: 'More', sheets: [{ name: 'Suppliers', slug: 'suppliers', fields: FIELDS }] }
    const { environmentId } = account
    await call('POST', '/workbooks', { spaceId: space.id, environmentId, ...more })
    const row = (at: number, ...cells: string[]) =>
      `<row r="${at}">${cells.map((cell, column) => `<c r="${'ABC'[column]}${at}" t="inlineStr"><is><t>${cell}</t></is></c>`).join('')}</row>`
    const data = row(1, 'x', 'y') + row(2, 'Name', 'E-mail') + row(3, 'Ada', 'ada@example.com')
    const buffer = workbookByHand({
      sheets: [
        { name: 'Notes', data },
        { name: 'people', data },
      ],
    })
    await page.setInputFiles('input[type=file]', { name: 'two.xlsx', mimeType: 'application/zip', buffer })
    await openReading(page, 'two.xlsx')
    await dialog(page).getByLabel('Sheet of the file').selectOption('people')
    await dialog(page).getByLabel('Row 2: Name, E-mail').check()
    expect(await violations(page)).toEqual([])
    await readAgain(page)
    await dialog(page).getByRole('button', { name: 'Import…' }).click()
    const from = dialog(page).getByLabel('From')
    const into = dialog(page).getByLabel('Into')
    await from.waitFor()
    expect(await from.locator('option').allInnerTexts()).toEqual(['Notes · 2 records', 'people · 1 records'])
    expect(await into.locator('option').allInnerTexts()).toEqual(['More · Suppliers', 'Contacts · People'])
    await from.selectOption({ label: 'people · 1 records' })
    await dialog(page).getByText('Columns: Name, E-mail').waitFor()
    // What is called the same is suggested.
    expect(await into.inputValue()).toBe(sheet.id)
    expect(await violations(page)).toEqual([])
    await dialog(page).getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Columns for People' }).waitFor()
    await page.getByRole('button', { name: 'Confirm and import' }).click()
    await page.waitForURL(`**/sheets/${sheet.id}`)
    const { records } = (await call('GET', `/sheets/${sheet.id}/records`)).body.data
    expect(records).toHaveLength(1)

    // The next import begins with what is not imported yet.
    await page.goto(`/s/${space.id}/files`)
    await page.getByRole('button', { name: 'Import…' }).click()
    await until(async () => (await from.locator('option').allInnerTexts())[1] === 'people · 1 records · imported')
    expect(await from.locator('option:checked').innerText()).toBe('Notes · 2 records')
  })
})
