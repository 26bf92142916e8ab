import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import {
  createTestAccount,
  findViolations,
  inBrowser,
  mintSpace,
  newPage,
  signIn,
  waitUntil,
  withBrowser,
} from './browser.ts'
import { editCell, getCellText, openSheet } from './guest.ts'

const PEOPLE = ['Ada', 'Grace', 'Joan'].map((name) => ({ name, email: `${name.toLowerCase()}@example.com` }))
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

async function newAdminPage() {
  const account = await createTestAccount()
  const made = await mintSpace(account)
  const { records } = (await made.call('POST', `/sheets/${made.sheet.id}/records`, PEOPLE)).body.data
  const page = await newPage()
  await signIn(page, account)
  return { ...made, page, ids: records.map(({ id }: { id: string }) => id) as string[] }
}

async function selectTwo(page: Page): Promise<void> {
  for (const row of [0, 1]) {
    const { x, y } = (await page.getByTestId('data-grid-canvas').boundingBox())!
    await page.keyboard.down('Control')
    await page.mouse.click(x + 20, y + 34 + 30 * row + 15)
    await page.keyboard.up('Control')
    await page.getByText(`${row + 1} selected`).waitFor()
  }
}

async function merge(page: Page): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: 'Merge into source' }).click()
  await page.getByText('After that, the clip is read-only').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Merge into source' }).last().click()
}

inBrowser('a data clip', () => {
  withBrowser()

  it('is created from the selection, its conflicts are resolved, and it is merged', async () => {
    const made = await newAdminPage()
    const { page, call, sheet, ids } = made
    await openSheet(page, made, 'Ada')
    await selectTwo(page)
    await button(page, 'Create data clip').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name', { exact: true }).fill('For Grace')
    await dialog.getByLabel('Share with').fill('grace@example.com')
    expect(await findViolations(page)).toEqual([])
    await button(page, /^Create$/).click()
    await dialog.getByText('2 records in the clip').waitFor()
    expect(await dialog.getByLabel('Clip link', { exact: true }).inputValue()).toContain(`/s/${made.space.id}`)
    expect(await findViolations(page)).toEqual([])
    await dialog.getByRole('link', { name: 'Open' }).click()
    await button(page, 'All 2').waitFor()
    const bar = page.getByRole('region', { name: 'Clip', exact: true })
    await bar.getByText('Open', { exact: true }).waitFor()
    await waitUntil(async () => (await getCellText(page, 0, 0)) === 'Ada')
    await button(page, 'Share').click()
    await dialog.getByLabel('Name', { exact: true }).fill('For Grace and Ada')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await bar.getByText('For Grace and Ada', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Close' }).first().click()

    await editCell(page, 0, 0, 'Ada Lovelace')
    await editCell(page, 0, 1, 'Grace Hopper')
    await call('PUT', `/sheets/${sheet.id}/records`, [{ id: ids[0], values: { name: { value: 'Augusta Ada' } } }])
    await bar.getByText('Unresolved: 1').waitFor()
    await button(page, 'Compare with source').click()
    await dialog.getByText('2 records differ').waitFor()
    const [own, theirs] = [button(page, 'Clip Ada Lovelace'), button(page, 'Source Augusta Ada')]
    await button(page, 'Original Ada').waitFor()
    for (const side of [own, theirs]) expect(await side.getAttribute('aria-pressed')).toBe('false')
    expect(await button(page, 'Clip Grace Hopper').getAttribute('aria-pressed')).toBe('true')
    expect(await button(page, 'Merge into source').isDisabled()).toBe(true)
    expect(await findViolations(page)).toEqual([])
    await own.click()
    await dialog.getByText('Unresolved: 1').waitFor({ state: 'detached' })
    expect(await own.getAttribute('aria-pressed')).toBe('true')
    await merge(page)
    await page.locator('.toast').getByText('2 records updated in the source').waitFor()
    await bar.getByText('Merged', { exact: true }).waitFor()
    expect(await button(page, 'Compare with source').count()).toBe(0)
    expect(await findViolations(page)).toEqual([])

    await bar.getByRole('link', { name: 'Go to source' }).click()
    await waitUntil(async () => (await getCellText(page, 0, 0)) === 'Ada Lovelace')
    expect(await getCellText(page, 0, 1)).toBe('Grace Hopper')
    expect(await getCellText(page, 0, 2)).toBe('Joan')
  })

  it('opens only itself to a visitor of its link, whose changes are resolved all together', async () => {
    const made = await newAdminPage()
    const { page, call, space, sheet, ids } = made
    const body = { name: 'For everybody', sourceSheetId: sheet.id, sharedLinkAccess: 'public' }
    const { id, clipSheetId, guestLinkUrl } = (await call('POST', '/data-clips', body)).body
    await call('POST', `/data-clips/${id}/add-records`, { recordIds: ids.slice(0, 2) })

    const guest = await newPage()
    await guest.goto(guestLinkUrl)
    await guest.getByLabel('Email address').fill('stranger@example.com')
    await button(guest, 'Continue').click()
    await guest.waitForURL(`**/s/${space.id}/sheets/${clipSheetId}`)
    await expect.poll(() => getCellText(guest, 0, 0), { timeout: 15_000 }).toBe('Ada')
    const links = guest.getByRole('navigation').getByRole('link')
    expect(await links.allInnerTexts()).toEqual([expect.stringContaining('For everybody')])
    for (const name of ['Compare with source', 'Share', '+ Invite people'])
      expect(await button(guest, name).count()).toBe(0)
    expect(await findViolations(guest)).toEqual([])
    await editCell(guest, 0, 0, 'Ada by a guest')
    await editCell(guest, 0, 1, 'Grace by a guest')
    await guest.goto(`/s/${space.id}/files`)
    await guest.waitForURL(`**/sheets/${clipSheetId}`)
    await guest.goto(`/s/${space.id}/sheets/${sheet.id}`)
    await guest.getByText('Page not found.').waitFor()

    const changes = ids.slice(0, 2).map((id) => ({ id, values: { name: { value: 'By the source' } } }))
    await call('PUT', `/sheets/${sheet.id}/records`, changes)
    await page.goto(`/s/${space.id}`)
    await page
      .getByRole('navigation')
      .getByRole('link', { name: /^For everybody/ })
      .click()
    await button(page, 'Compare with source').click()
    await page.getByRole('dialog').getByText('Unresolved: 2').waitFor()
    await button(page, 'Refresh').click()
    const side = page.getByRole('group', { name: 'Resolve all' })
    await side.getByRole('button', { name: 'Clip' }).click()
    await side.waitFor({ state: 'detached' })
    await merge(page)
    await page.locator('.toast').getByText('2 records updated in the source').waitFor()
    await page.getByRole('link', { name: 'Go to source' }).click()
    await waitUntil(async () => (await getCellText(page, 0, 0)) === 'Ada by a guest')
    await guest.goto(`/s/${space.id}`)
    await guest.getByText('Merged', { exact: true }).first().waitFor()
    await waitUntil(async () => (await getCellText(guest, 0, 0)) === 'Ada by a guest')
  })
})
