/** A messy file of 5,000 rows goes from drop to submitted by mouse, in few clicks, and everything arrives valid. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { createCaller, createTestAccount, inBrowser, waitUntil, withBrowser } from './browser.ts'
import { enterAsGuest } from './guest.ts'
import { FIELDS } from './screens/tour-file.ts'

const ROWS = 5000
const DUPLICATES = 50
const MAX_CLICKS = 12
const MAX_MS = 90_000

const pad = (number: number) => String(number).padStart(2, '0')

const DATES = [
  (year: number, month: number, day: number) => `${pad(day)}/${pad(month)}/${year}`,
  (year: number, month: number, day: number) => `${day}. ${['Januar', 'Februar', 'März', 'April'][month - 1]} ${year}`,
  (year: number, month: number, day: number) => `${year}-${pad(month)}-${pad(day)}`,
  () => '',
]
const AMOUNTS = [
  (row: number) => `1.${String(row % 1000).padStart(3, '0')},50 €`,
  (row: number) => `${row},25`,
  (row: number) => `EUR ${row}`,
  () => 'k. A.',
]
const YES_OR_NO = ['ja', 'nein', 'Ja', 'NEIN', '1', '0', 'x', 'ab Mai', '']
const PLANS = ['Basic', 'premium', 'ENTERPRISE', 'Premuim', 'basic ']

function buildFile(): Buffer {
  const rows = Array.from({ length: ROWS }, (_, at) => {
    const row = at < ROWS - DUPLICATES ? at : at - (ROWS - DUPLICATES)
    const born = DATES[row % DATES.length]!(1950 + (row % 50), 1 + (row % 4), 1 + (row % 12))
    return [
      ` Müller  ${row} `,
      `kunde${row}@example.com`,
      born,
      AMOUNTS[row % AMOUNTS.length]!(row),
      YES_OR_NO[row % YES_OR_NO.length]!,
      PLANS[row % PLANS.length]!,
    ].join(';')
  })
  const text = ['Kundenliste 2024 – vertraulich', '', 'Name;E-Mail-Adresse;Geburtsdatum;Betrag;Aktiv;Tarif', ...rows]
  return Buffer.from(text.join('\r\n').replaceAll('–', '-').replaceAll('€', 'EUR'), 'latin1')
}

async function dropFile(page: Page, buffer: Buffer): Promise<void> {
  const drag = await page.evaluateHandle((bytes) => {
    const transfer = new DataTransfer()
    const content = Uint8Array.from(atob(bytes), (sign) => sign.charCodeAt(0))
    transfer.items.add(new File([content], 'kunden.csv', { type: 'text/csv' }))
    return transfer
  }, buffer.toString('base64'))
  await page.locator('.drop').dispatchEvent('drop', { dataTransfer: drag })
}

inBrowser('a messy file of 5,000 rows', () => {
  withBrowser()

  it('goes from drop to submitted in at most 12 clicks and 90 seconds, everything valid', async () => {
    const account = await createTestAccount()
    const call = createCaller(account.secretKey)
    const { environmentId } = account
    const body = { name: 'Spring import', environmentId, guestAuthentication: 'shared_link' }
    const space = (await call('POST', '/spaces', body)).body.data
    const action = { operation: 'submit', label: 'Submit', mode: 'foreground', primary: true }
    const actions = [{ ...action, constraints: [{ type: 'hasAllValid' }] }]
    const sheets = [{ name: 'Customers', slug: 'customers', fields: FIELDS }]
    const workbook = (
      await call('POST', '/workbooks', { spaceId: space.id, environmentId, name: 'Customers', sheets, actions })
    ).body.data
    const sheet = workbook.sheets[0]
    const page = await enterAsGuest({ account, call, space, workbook, sheet }, 'Grace')
    await page.getByRole('heading', { name: 'What we need' }).waitFor()
    let clicks = 0
    const click = async (locator: ReturnType<Page['locator']>) => {
      await locator.click({ timeout: 30_000 })
      clicks++
    }
    const startedAt = Date.now()
    await dropFile(page, buildFile())
    clicks++
    await click(page.getByRole('button', { name: 'Match columns' }))
    await page.getByText(/records will be imported/).waitFor({ timeout: 30_000 })
    await click(page.getByLabel('Value for ab Mai'))
    await page.getByLabel('Value for ab Mai').selectOption({ label: 'Yes' })
    clicks++
    await click(page.getByRole('button', { name: 'Confirm and import' }))
    await page.waitForURL('**/sheets/**', { timeout: 30_000 })
    await fixErrors(page, click)
    await click(page.getByRole('button', { name: 'Submit' }))
    const job = await waitUntil(
      async () => (await call('GET', `/jobs?source=${workbook.id}&status=ready`)).body.data[0],
    )
    await call('POST', `/jobs/${job.id}/ack`, {})
    await call('POST', `/jobs/${job.id}/complete`, { outcome: { message: 'Thank you.' } })
    await page.getByRole('dialog').getByText('Thank you.').waitFor()
    const elapsedMs = Date.now() - startedAt
    const { counts } = (await call('GET', `/sheets/${sheet.id}/counts`)).body.data
    expect(counts).toMatchObject({ total: ROWS - DUPLICATES, error: 0 })
    expect(clicks).toBeLessThanOrEqual(MAX_CLICKS)
    expect(elapsedMs).toBeLessThan(MAX_MS)
  })
})

type Click = (locator: ReturnType<Page['locator']>) => Promise<void>

async function fixErrors(page: Page, click: Click): Promise<void> {
  await click(page.getByRole('button', { name: 'Review errors' }))
  const review = page.getByRole('dialog', { name: 'Review errors' })
  const dates = review.getByRole('listitem', { name: 'Born' }).first()
  await click(dates.getByRole('button', { name: 'Fix…: Born' }))
  await click(dates.getByRole('button', { name: /^Fix [\d,]+ records$/ }).first())
  await review.getByText('The fix is applied.').waitFor({ timeout: 30_000 })
  await click(review.getByRole('button', { name: 'Close' }))
  await click(page.getByRole('link', { name: 'Overview' }))
  await click(page.getByRole('button', { name: 'Merge duplicates' }))
  await page.getByText(/duplicate rows removed/).waitFor({ timeout: 30_000 })
}
