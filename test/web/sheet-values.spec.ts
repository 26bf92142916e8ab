/** Values of a sheet in the words of the guest, and what is taken back. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { createCaller, inBrowser, waitUntil, withBrowser } from './browser.ts'
import { clickCell, getCellText, newGuestPage, openSheet } from './guest.ts'

async function newMembers() {
  const made = await newGuestPage()
  const { call, space } = made
  const sheets = [
    {
      name: 'Members',
      slug: 'members',
      fields: [
        { key: 'name', label: 'Name', type: 'string' },
        { key: 'member', label: 'Member', type: 'boolean' },
        { key: 'company', label: 'Company', type: 'reference', config: { ref: 'companies', key: 'code' } },
      ],
    },
    { name: 'Companies', slug: 'companies', fields: ['code', 'name'].map((key) => ({ key, type: 'string' })) },
  ]
  const [sheet, companies] = (await call('POST', '/workbooks', { spaceId: space.id, name: 'Club', sheets })).body.data
    .sheets
  await call('POST', `/sheets/${companies.id}/records`, [
    { code: 'C1', name: 'Acme' },
    { code: 'C2', name: 'Umbrella' },
  ])
  await call('POST', `/sheets/${sheet.id}/records`, [
    { name: 'Ada', member: true },
    { name: 'Grace', member: false },
  ])
  const readValues = async (key: string) =>
    (await call('GET', `/sheets/${sheet.id}/records`)).body.data.records.map(
      ({ values }: { values: Record<string, { value: unknown }> }) => values[key]!.value,
    )
  return { ...made, sheet, readValues }
}

async function chooseLanguage(page: Page, language: string) {
  await page.evaluate(`localStorage.setItem('wharf.language', '${language}')`)
  await page.reload()
}

inBrowser('the values of a sheet', () => {
  withBrowser()

  it('are shown as yes and no in the language of the guest, and stored as such', async () => {
    const { page, space, sheet, readValues } = await newMembers()
    await openSheet(page, { space, sheet }, 'Ada')
    expect(await getCellText(page, 1, 0)).toBe('Yes')
    expect(await getCellText(page, 1, 1)).toBe('No')
    await clickCell(page, 0, 1)
    await clickCell(page, 0, 0)
    await page.keyboard.press('ArrowRight')
    await page.keyboard.type('no\n')
    await waitUntil(async () => (await readValues('member'))[0] === false)
    await waitUntil(async () => (await getCellText(page, 1, 0)) === 'No')
    await chooseLanguage(page, 'de')
    await waitUntil(async () => (await getCellText(page, 1, 0)) === 'Nein')
  })

  it('take the option that a search finds after Enter, not the typed text', async () => {
    const { page, space, sheet, readValues } = await newMembers()
    await openSheet(page, { space, sheet }, 'Ada')
    await page.route('**/records?*searchValue=*', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 500))
      await route.continue()
    })
    await clickCell(page, 0, 1)
    await clickCell(page, 0, 0)
    for (const key of ['ArrowRight', 'ArrowRight']) await page.keyboard.press(key)
    await page.keyboard.type('umbr\n')
    await waitUntil(async () => (await readValues('company'))[0] !== null)
    expect(await readValues('company')).toEqual(['C2', null])
  })

  it('come back by a button right after they were deleted, without the changes made since', async () => {
    const { page, space, sheet, account, readValues } = await newMembers()
    await openSheet(page, { space, sheet }, 'Ada')
    const box = (await page.getByTestId('data-grid-canvas').boundingBox())!
    await page.mouse.click(box.x + 20, box.y + 34 + 15)
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
    const toast = page.locator('.toast').filter({ hasText: '1 record deleted' })
    await toast.waitFor()
    expect(await readValues('name')).toEqual(['Grace'])
    await createCaller(account.secretKey)('POST', `/sheets/${sheet.id}/records`, [{ name: 'Joan' }])
    await toast.getByRole('button', { name: 'Undo' }).click()
    await waitUntil(async () => (await readValues('name')).length === 3)
    await waitUntil(async () => (await getCellText(page, 0, 0)) === 'Ada')
  })
})
