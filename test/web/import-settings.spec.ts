/** The settings of a mapping: records that are already in the sheet, and lines of the file that are not records. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findViolations, inBrowser, waitUntil, withBrowser } from './browser.ts'
import { chooseFile, newGuestPage } from './guest.ts'

type Made = Awaited<ReturnType<typeof newGuestPage>>

async function matchFile(page: Page, text: string): Promise<void> {
  await chooseFile(page, 'people.csv', text)
  await page.getByRole('button', { name: 'Match columns' }).click({ timeout: 30_000 })
  await page.getByRole('heading', { name: 'Map columns to People' }).waitFor()
}

async function confirm(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Confirm and import' }).click()
  await page.waitForURL('**/sheets/**', { timeout: 30_000 })
}

async function readPeople({ call, sheet }: Made): Promise<unknown[][]> {
  const { records } = (await call('GET', `/sheets/${sheet.id}/records`)).body.data
  return records.map(({ values }: { values: Record<string, { value: unknown }> }) => [
    values.name!.value,
    values.age!.value,
  ])
}

const EXISTING = [
  { name: 'Ada', email: 'ada@example.com', age: 36 },
  { name: 'Grace', email: 'grace@example.com', age: 85 },
]
const FILE = 'Name,E-mail,Age\nAda,ada@example.com,37\nGrace,grace@example.com,85\nJoan,joan@example.com,50\nKay,,20\n'

inBrowser('the settings of an import', () => {
  withBrowser()

  it('update records by a key with exact counts, also after a reload, and add new ones', async () => {
    const made = await newGuestPage()
    const { page, call, sheet } = made
    await call('POST', `/sheets/${sheet.id}/records`, EXISTING)
    await matchFile(page, FILE)
    await page.getByLabel('Records already in the sheet').selectOption({ label: 'Update them and add new ones' })
    const counts = page.locator('.import-counts')
    const expectCounts = async (...texts: string[]) => {
      for (const text of texts) await counts.getByText(text, { exact: true }).waitFor()
    }
    await expectCounts('1 new', '1 updated', '1 unchanged', '1 skipped without a key')
    expect(await findViolations(page)).toEqual([])
    await page.reload()
    await expectCounts('1 new', '1 updated', '1 unchanged')
    await page.getByLabel('Records already in the sheet').selectOption({ label: 'Only update them' })
    await expectCounts('0 new', '1 updated', '1 skipped without a record')
    await page.getByLabel('Records already in the sheet').selectOption({ label: 'Update them and add new ones' })
    await expectCounts('1 new')
    await confirm(page)
    expect(await readPeople(made)).toEqual([
      ['Ada', 37],
      ['Grace', 85],
      ['Joan', 50],
    ])
  })

  it('ask for a key, and say why a key does not tell records apart', async () => {
    const made = await newGuestPage()
    const { page, call, sheet } = made
    await call('POST', `/sheets/${sheet.id}/records`, [EXISTING[0], { ...EXISTING[1], name: 'Ada' }])
    await matchFile(page, 'Name,Age\nAda,37\n')
    const isDisabled = () => page.getByRole('button', { name: 'Confirm and import' }).isDisabled()
    await page.getByLabel('Records already in the sheet').selectOption({ label: 'Only update them' })
    await page.getByText('Choose the field that tells which record').waitFor()
    expect(await isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Select… Find a record by' }).click()
    await page.getByRole('option', { name: 'Name', exact: true }).click()
    await page.keyboard.press('Escape')
    await page.locator('.import-mode').getByRole('alert').waitFor()
    await page.getByLabel('Records already in the sheet').selectOption({ label: 'Replace all of them' })
    await page.getByText('2 records are deleted.').waitFor()
    expect(await isDisabled()).toBe(false)
    await confirm(page)
    expect(await readPeople(made)).toEqual([['Ada', 37]])
  })

  it('show lines that are not records with examples, and import them if the guest wants', async () => {
    const made = await newGuestPage()
    const { page } = made
    const names = ['Ada', 'Grace', 'Joan', 'Alan', 'Edsger', 'Donald', 'Barbara', 'Tony']
    const ages = [31, 31, 45, 20, 52, 38, 45, 29]
    const rows = names.map((name, at) => `${name},${name}@example.com,${ages[at]},${at % 2 ? 'active' : 'closed'}`)
    await matchFile(page, ['Name,E-mail,Age,Status', ...rows, 'Total,,291,'].join('\n'))
    const lines = page.getByRole('region', { name: 'Lines that are not records' })
    await lines.getByText('1 total', { exact: true }).waitFor()
    await lines.getByText('Total · 291').waitFor()
    await page.getByText(/^8 records will be imported/).waitFor()
    expect(await findViolations(page)).toEqual([])
    const toggle = lines.getByRole('switch', { name: 'Leave these lines out' })
    await toggle.uncheck()
    await page.getByText(/^9 records will be imported/).waitFor()
    await page.reload()
    await lines.getByText('They are imported as records.').waitFor()
    expect(await toggle.isChecked()).toBe(false)
    await confirm(page)
    await waitUntil(async () => (await readPeople(made)).length === 9)
  })

  it('name the required fields without a column before an import with errors, but not for mere updates', async () => {
    const made = await newGuestPage()
    const { page, call, sheet } = made
    await call('POST', `/sheets/${sheet.id}/records`, EXISTING)
    await matchFile(page, 'E-mail,Age\nada@example.com,37\n')
    const button = page.getByRole('button', { name: 'Confirm and import' })
    await button.click()
    const dialog = page.getByRole('dialog', { name: 'Import without required fields?' })
    await dialog.getByText('No column fills the required field “Name”.').waitFor()
    expect(await findViolations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    const warning = page.getByText('Required field not mapped: Name')
    expect(await warning.isVisible()).toBe(true)
    await page.getByLabel('Records already in the sheet').selectOption({ label: 'Only update them' })
    await warning.waitFor({ state: 'detached' })
    await page.getByLabel('Records already in the sheet').selectOption({ label: 'Keep them and add all rows' })
    await button.click()
    await dialog.getByRole('button', { name: 'Import with errors' }).click()
    await page.waitForURL('**/sheets/**', { timeout: 30_000 })
    expect(await readPeople(made)).toContainEqual([null, 37])
  })

  it('import exactly what was previewed, and say what changed since', async () => {
    const made = await newGuestPage()
    const { page, call, sheet } = made
    const { records } = (await call('POST', `/sheets/${sheet.id}/records`, EXISTING)).body.data
    await matchFile(page, FILE)
    await page.getByLabel('Records already in the sheet').selectOption({ label: 'Update them and add new ones' })
    const counts = page.locator('.import-counts')
    await counts.getByText('1 updated', { exact: true }).waitFor()
    await call('PUT', `/sheets/${sheet.id}/records`, [{ id: records[1].id, values: { age: { value: 86 } } }])
    await page.getByRole('button', { name: 'Confirm and import' }).click()
    const alert = page.getByRole('alert')
    await alert.getByText('Nothing was imported, because this changed:').waitFor()
    await alert.getByText('Records of People changed since the preview').waitFor()
    await counts.getByText('2 updated', { exact: true }).waitFor()
    expect(await findViolations(page)).toEqual([])
    expect(await readPeople(made)).toHaveLength(2)

    await call('POST', `/sheets/${sheet.id}/records`, [{ name: 'Alan', email: 'alan@example.com', age: 41 }])
    const executed = page.waitForRequest(
      (request) => request.url().endsWith('/execute') && !!request.postDataJSON().preview,
    )
    await confirm(page)
    await executed
    expect(await readPeople(made)).toEqual([
      ['Ada', 37],
      ['Grace', 85],
      ['Alan', 41],
      ['Joan', 50],
    ])
  })
})
