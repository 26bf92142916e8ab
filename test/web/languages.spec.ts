import type { Page } from 'playwright-core'
import { it } from 'vitest'
import { inBrowser, waitUntil, withBrowser } from './browser.ts'
import { clickCell, editCell, getCellText, newGuestPage, openSheet } from './guest.ts'

/** A script, because a page takes the language from here when it loads. */
const useLanguage = (page: Page, language: string) =>
  page.addInitScript(`localStorage.setItem('wharf.language', '${language}')`)

inBrowser("the API's messages", () => {
  withBrowser()

  it('are shown in German: the messages of a cell, and the problems of a request', async () => {
    const made = await newGuestPage()
    const { page, call, sheet } = made
    await call('POST', `/sheets/${sheet.id}/records`, [{ name: 'Ada', email: 'ada@example.com' }, { age: 85 }])
    await useLanguage(page, 'de')
    await openSheet(page, made, 'Ada')
    await clickCell(page, 0, 1)
    await page.locator('.cell-bar').getByText('Dieses Feld ist erforderlich').waitFor()
    await page.locator('.cell-tip').getByText('Dieses Feld ist erforderlich').waitFor()

    const errors = ['records:write', 'spaces:read'].map((permission) => ({
      key: 'general',
      message: `This token does not have the ${permission} permission.`,
    }))
    await page.route(/\/records(\?|$)/, (route) =>
      route.request().method() === 'PUT' ? route.fulfill({ status: 403, json: { errors } }) : route.fallback(),
    )
    await editCell(page, 0, 0, 'Grace')
    await page
      .locator('.toast.error')
      .getByText(
        'Dieses Token hat die Berechtigung records:write nicht. Dieses Token hat die Berechtigung spaces:read nicht.',
      )
      .waitFor()
    await waitUntil(async () => (await getCellText(page, 0, 0)) === 'Ada')
  })

  it('are shown in Arabic with the plural form of the number, and those of an agent as they are', async () => {
    const made = await newGuestPage({ actions: [{ operation: 'finish', label: 'Finish', mode: 'foreground' }] })
    const { page, call, space } = made
    await useLanguage(page, 'ar')
    await page.goto(`/s/${space.id}`)
    const outcomes = [
      { sent: 'Deleted 2 records', shown: 'حُذف سجلان' },
      { sent: 'All is in.', shown: 'All is in.' },
    ]
    for (const { sent, shown } of outcomes) {
      await page.getByRole('button', { name: 'Finish' }).click()
      const job = await waitUntil(
        async () => (await call('GET', `/jobs?spaceId=${space.id}&status=ready`)).body.data[0],
      )
      await call('POST', `/jobs/${job.id}/ack`, {})
      await call('POST', `/jobs/${job.id}/complete`, { outcome: { message: sent } })
      const dialog = page.getByRole('dialog')
      await dialog.getByText(shown, { exact: true }).waitFor()
      await dialog.getByRole('button', { name: 'إغلاق' }).last().click()
    }
  })
})
