import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { createTestAccount, inBrowser, mintSpace, newPage, typeInCell, waitUntil, withBrowser } from './browser.ts'

async function tabTo(page: Page, name: RegExp, key = 'Tab'): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    const focused = (await page.evaluate(`(() => {
      const at = document.activeElement
      return at.getAttribute('aria-label') || (at.labels && at.labels[0] && at.labels[0].textContent) || at.textContent || ''
    })()`)) as string
    if (name.test(focused.trim())) return
    await page.keyboard.press(key)
  }
  throw new Error(`The keyboard does not reach ${name}.`)
}

inBrowser('by keyboard alone', () => {
  withBrowser()

  it('a user signs in, imports a file, and corrects the errors', async () => {
    const account = await createTestAccount()
    const { call, space, sheet } = await mintSpace(account)
    const page = await newPage()
    await page.goto('/sign-in')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await tabTo(page, /^Email address/)
    await page.keyboard.type(account.email)
    await page.keyboard.press('Tab')
    await page.keyboard.type(account.password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
    await tabTo(page, /^Spaces$/)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Spring import' }).waitFor()
    await tabTo(page, /^Spring import$/)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Open space' }).waitFor()
    await tabTo(page, /^Open space$/)
    await page.keyboard.press('Enter')

    await page.getByRole('heading', { name: 'Spring import' }).waitFor()
    // Registered early, because the browser has to hand the dialog to the test.
    const chooser = page.waitForEvent('filechooser')
    await tabTo(page, /^Choose files$/)
    await page.keyboard.press('Enter')
    const csv = 'Name,E-Mail,Age\nAda,ada@example.com,36\nGrace,grace@example.com,Paris\n'
    await (await chooser).setFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
    await page.getByRole('button', { name: 'Import…' }).waitFor({ timeout: 30_000 })
    await tabTo(page, /^Import…$/)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).waitFor()
    await tabTo(page, /^Continue$/)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Map columns to People' }).waitFor()
    await tabTo(page, /^Confirm and import$/)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/sheets/**')

    await page.getByRole('button', { name: /^Errors 1/ }).waitFor()
    await tabTo(page, /^Errors/)
    await page.keyboard.press('Enter')
    await waitUntil(async () => (await page.locator('[role=row]').count()) === 2)
    await tabTo(page, /^More/)
    await page.keyboard.press('Tab')
    for (const key of ['ArrowRight', 'ArrowRight']) await page.keyboard.press(key)
    await waitUntil(async () => (await page.locator('.cell-bar').innerText()).includes('Age'))
    await typeInCell(page, '85')
    await page.getByRole('button', { name: /^Errors 0/ }).waitFor()
    const [, grace] = (await call('GET', `/sheets/${sheet.id}/records`)).body.data.records
    expect(grace.values.age).toMatchObject({ value: 85, valid: true })
    expect(space.id).toBeTruthy()
  })
})
