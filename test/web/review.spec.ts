import { expect, it } from 'vitest'
import { findViolations, inBrowser, withBrowser } from './browser.ts'
import { getCellText, newGuestPage } from './guest.ts'

inBrowser('the review of errors', () => {
  withBrowser()

  it('fixes a group as previewed, undoes it, and shows records that have no fix', async () => {
    const { page, call, space, sheet } = await newGuestPage()
    const rows = [
      { name: 'Ada', age: '36 years' },
      { name: 'Grace', age: '1.234,5' },
      { name: 'Joan', age: '12,5' },
      { age: 41 },
    ]
    expect((await call('POST', `/sheets/${sheet.id}/records`, rows)).status).toBe(200)
    await page.goto(`/s/${space.id}/sheets/${sheet.id}`)
    await page.getByRole('button', { name: 'Review errors' }).click()
    const dialog = page.getByRole('dialog', { name: 'Review errors' })
    const group = dialog.getByRole('listitem', { name: 'Age' }).filter({ hasText: '12,5' })
    await group.getByRole('button', { name: 'Fix…: Age' }).click()
    await group.getByText('12.5', { exact: true }).waitFor()
    expect(await findViolations(page)).toEqual([])
    await group.getByRole('button', { name: 'Fix 1 record' }).first().click()
    await dialog.getByText('The fix is applied.').waitFor()
    const readAges = async () =>
      (await call('GET', `/sheets/${sheet.id}/records`)).body.data.records.map(
        ({ values }: { values: Record<string, { value: unknown }> }) => values.age!.value,
      )
    expect(await readAges()).toEqual(['36 years', '1.234,5', 12.5, 41])
    await dialog.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(readAges, { timeout: 15_000 }).toEqual(['36 years', '1.234,5', '12,5', 41])

    await dialog.getByRole('button', { name: 'Show: Name' }).click()
    await page.getByRole('button', { name: /^Errors/, pressed: true }).waitFor()
    await expect.poll(() => getCellText(page, 2, 0), { timeout: 15_000 }).toBe('41')
  })

  it('says so when everything is valid', async () => {
    const { page, call, space, sheet } = await newGuestPage()
    await call('POST', `/sheets/${sheet.id}/records`, [{ name: 'Ada', status: 'ACTIVE' }])
    await page.goto(`/s/${space.id}/sheets/${sheet.id}`)
    await page.getByRole('button', { name: 'Review errors' }).click()
    await page.getByRole('button', { name: 'Fix…: Status' }).click()
    await page.getByRole('button', { name: 'Fix 1 record' }).click()
    await page.getByText('Everything is valid.').waitFor()
  })
})
