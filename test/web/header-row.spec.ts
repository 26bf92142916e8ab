import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { buildWorkbookByHand } from '../support/xlsx-by-hand.ts'
import { FIELDS, findViolations, inBrowser, waitUntil, withBrowser } from './browser.ts'
import { chooseFile, newGuestPage } from './guest.ts'

const TITLED =
  'Members 2024\nPerson,Contact,Years\nFull name,E-Mail,Age\nAda,ada@example.com,36\nGrace,grace@example.com,85\n'

const dialog = (page: Page) => page.getByRole('dialog')

async function openReading(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: `File options: ${name}` }).click({ timeout: 30_000 })
  await dialog(page).getByRole('group', { name: 'Header row' }).waitFor()
}

async function readAgain(page: Page): Promise<void> {
  await dialog(page).getByRole('button', { name: 'Re-read file' }).click()
  await dialog(page).getByText('Done', { exact: true }).waitFor({ timeout: 30_000 })
}

inBrowser('how a file is read', () => {
  withBrowser()

  it('is shown and can be changed: the header row and the delimiter', async () => {
    const { page, call, sheet } = await newGuestPage()
    await chooseFile(page, 'members.csv', TITLED)
    await openReading(page, 'members.csv')
    await waitUntil(() => dialog(page).getByLabel('Row 2: Person, Contact, Years').isChecked())
    expect(await dialog(page).getByRole('radio').count()).toBe(6)
    await dialog(page).getByText('Members 2024').waitFor()
    expect(await findViolations(page)).toEqual([])

    await dialog(page).getByLabel('Row 2: Person, Contact, Years').focus()
    await page.keyboard.press('ArrowDown')
    await waitUntil(() => dialog(page).getByLabel('Row 3: Full name, E-Mail, Age').isChecked())
    await readAgain(page)
    expect(await findViolations(page)).toEqual([])
    await dialog(page).getByRole('button', { name: 'Import…' }).click()
    await dialog(page).getByText('Columns: Full name, E-Mail, Age').waitFor()
    await dialog(page).getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Map columns to People' }).waitFor()
    await page.getByLabel('Field for Full name').selectOption('name')
    await page.getByRole('button', { name: 'Confirm and import' }).click()
    await page.waitForURL('**/sheets/**')
    const { records } = (await call('GET', `/sheets/${sheet.id}/records`)).body.data
    expect(records.map(({ values }: { values: Record<string, { value: unknown }> }) => values.name!.value)).toEqual([
      'Ada',
      'Grace',
    ])
  })

  it('can use a given delimiter, remembers the choice, and works without a header', async () => {
    const { page, call, space } = await newGuestPage()
    await chooseFile(page, 'odd.csv', 'a;1,b\nc;3,d\n')
    await openReading(page, 'odd.csv')
    await dialog(page).getByLabel('Delimiter').selectOption({ label: 'Semicolon' })
    await dialog(page).getByLabel('Row 1: a, 1,b').waitFor()
    await dialog(page).getByRole('cell', { name: '3,d', exact: true }).click()
    await waitUntil(() => dialog(page).getByLabel('Row 2: c, 3,d').isChecked())
    await dialog(page).getByLabel('No header row: every row is data').check()
    await readAgain(page)
    await dialog(page).getByRole('button', { name: 'Close' }).last().click()
    const workbook = await waitUntil(async () => {
      const [file] = (await call('GET', `/files?spaceId=${space.id}`)).body.data
      return file.status === 'complete' && (await call('GET', `/workbooks/${file.workbookId}`)).body.data
    })
    expect(workbook.sheets[0].config.fields).toHaveLength(2)
    const records = (await call('GET', `/sheets/${workbook.sheets[0].id}/records`)).body.data.records
    expect(records).toHaveLength(2)
    await openReading(page, 'odd.csv')
    expect(await dialog(page).getByLabel('Delimiter').inputValue()).toBe(';')
    await waitUntil(() => dialog(page).getByLabel('No header row: every row is data').isChecked())
  })

  it('is set per sheet: each has its header row, and one can be imported into a chosen sheet', async () => {
    const { page, call, sheet, space, account } = await newGuestPage()
    const more = { name: 'More', sheets: [{ name: 'Suppliers', slug: 'suppliers', fields: FIELDS }] }
    const { environmentId } = account
    await call('POST', '/workbooks', { spaceId: space.id, environmentId, ...more })
    const row = (at: number, ...cells: string[]) =>
      `<row r="${at}">${cells.map((cell, column) => `<c r="${'ABC'[column]}${at}" t="inlineStr"><is><t>${cell}</t></is></c>`).join('')}</row>`
    const data = row(1, 'x', 'y') + row(2, 'Name', 'E-mail') + row(3, 'Ada', 'ada@example.com')
    const buffer = buildWorkbookByHand({
      sheets: [
        { name: 'Notes', data },
        { name: 'people', data },
      ],
    })
    await page.setInputFiles('input[type=file]', { name: 'two.xlsx', mimeType: 'application/zip', buffer })
    await openReading(page, 'two.xlsx')
    await dialog(page).getByLabel('Sheet in the file').selectOption('people')
    await dialog(page).getByLabel('Row 2: Name, E-mail').check()
    expect(await findViolations(page)).toEqual([])
    await readAgain(page)
    await dialog(page).getByRole('button', { name: 'Import…' }).click()
    const from = dialog(page).getByLabel('From')
    const into = dialog(page).getByLabel('Into')
    await from.waitFor()
    expect(await from.locator('option').allInnerTexts()).toEqual(['Notes · 2 records', 'people · 1 record'])
    expect(await into.locator('option').allInnerTexts()).toEqual(['More · Suppliers', 'Contacts · People'])
    await from.selectOption({ label: 'people · 1 record' })
    await dialog(page).getByText('Columns: Name, E-mail').waitFor()
    expect(await into.inputValue()).toBe(sheet.id)
    expect(await findViolations(page)).toEqual([])
    await dialog(page).getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Map columns to People' }).waitFor()
    await page.getByRole('button', { name: 'Confirm and import' }).click()
    await page.waitForURL(`**/sheets/${sheet.id}`)
    const { records } = (await call('GET', `/sheets/${sheet.id}/records`)).body.data
    expect(records).toHaveLength(1)

    await page.goto(`/s/${space.id}/files`)
    await page.getByRole('button', { name: 'Import…' }).click()
    await waitUntil(async () => (await from.locator('option').allInnerTexts())[1] === 'people · 1 record · imported')
    expect(await from.locator('option:checked').innerText()).toBe('Notes · 2 records')
  })
})
