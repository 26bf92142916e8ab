import { expect, it } from 'vitest'
import { findViolations, inBrowser, withBrowser } from './browser.ts'
import { chooseFile, editCell, enterAsGuest, newGuestPage, openSheet } from './guest.ts'

inBrowser('the activity of a space', () => {
  withBrowser()

  it('names who did what, newest first, while it happens', async () => {
    const { page, call, account, space, workbook, sheet } = await newGuestPage()
    await page.getByRole('link', { name: 'Activity' }).click()
    await page.getByText('No activity yet.').waitFor()
    await call('POST', `/sheets/${sheet.id}/records`, [{ name: 'Ada' }, { name: 'Alan' }])
    const entries = page
      .getByRole('list')
      .filter({ has: page.locator('time') })
      .getByRole('listitem')
    await entries.filter({ hasText: 'A team member added 2 records to People' }).waitFor()
    const other = await enterAsGuest({ account, call, space, workbook, sheet }, 'Barbara')
    await chooseFile(other, 'people.csv', 'Name\nGrace\n')
    await entries.filter({ hasText: 'Barbara uploaded people.csv' }).waitFor()
    await openSheet(other, { space, sheet }, 'Ada')
    await editCell(other, 0, 0, 'Ada L.')
    await editCell(other, 0, 1, 'Alan T.')
    await entries.filter({ hasText: 'Barbara edited 2 records in People' }).waitFor()
    expect(await entries.first().textContent()).toContain('edited')
    expect(await entries.first().locator('time').getAttribute('title')).toMatch(/\d{4}/)
    expect(await entries.count()).toBe(3)
    await other.getByRole('link', { name: 'Activity' }).click()
    await other.getByText('You edited 2 records in People').waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    expect(await findViolations(page)).toEqual([])
  })
})
