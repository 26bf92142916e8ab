import { expect, it } from 'vitest'
import { findViolations, inBrowser, newPage, waitUntil, withBrowser } from './browser.ts'
import { clickCell, editCell, enterAsGuest, getCellText, newGuestPage, openSheet } from './guest.ts'

const eventually = <T>(read: () => Promise<T>) => expect.poll(read, { timeout: 15_000 })
const rows = (wrong: number, count = 6) =>
  Array.from({ length: count }, (_, i) => ({ name: `P${i}`, email: `p${i}@example.com`, age: i < wrong ? 'old' : i }))

inBrowser('filters of a sheet', () => {
  withBrowser()

  it('are in the address: a reload keeps them, and Back undoes them', async () => {
    const made = await newGuestPage()
    const { page, call, sheet } = made
    await call('POST', `/sheets/${sheet.id}/records`, rows(2))
    await openSheet(page, made, 'P0')
    await page.keyboard.press('ControlOrMeta+F')
    await page.keyboard.type('p1')
    await waitUntil(async () => (await getCellText(page, 0, 0)) === 'P1')
    expect(page.url()).toContain('search=p1')
    await page.reload()
    await waitUntil(async () => (await getCellText(page, 0, 0)) === 'P1')
    expect(await page.getByLabel('Search', { exact: true }).inputValue()).toBe('p1')
    await page.getByLabel('Search', { exact: true }).fill('')
    await waitUntil(async () => (await getCellText(page, 0, 0)) === 'P0')
    await page.getByRole('button', { name: /^Valid/ }).click()
    await waitUntil(async () => (await getCellText(page, 0, 0)) === 'P2')
    expect(page.url()).toContain('filter=valid')
    await page.goBack()
    await waitUntil(async () => (await getCellText(page, 0, 0)) === 'P0')
  })

  it('keep fixed rows until the list is updated, then widen to all fields', async () => {
    const made = await newGuestPage()
    const { page, call, sheet } = made
    const path = `/sheets/${sheet.id}/records`
    await call('POST', path, [...rows(3), { email: 'nameless@example.com' }])
    await openSheet(page, made, 'P0')
    await page.getByRole('button', { name: 'Review errors' }).click()
    await page.getByRole('button', { name: 'Show: Age' }).first().click()
    await page.getByRole('button', { name: /^Errors/, pressed: true }).waitFor()
    expect(page.url()).toContain('field=age')
    await page.locator('[aria-selected=true]').filter({ hasText: 'old' }).first().waitFor({ state: 'attached' })
    await editCell(page, 2, 0, '30')
    await page.getByText('Edited rows stay in the list until you update it.').waitFor()
    expect(await getCellText(page, 0, 0)).toBe('P0')
    expect(await getCellText(page, 0, 1)).toBe('P1')
    await editCell(page, 2, 1, '31')
    await editCell(page, 2, 2, '32')
    await eventually(() => getCellText(page, 2, 2)).toBe('32')
    await page.getByRole('button', { name: 'Update list' }).click()
    await waitUntil(async () => (await getCellText(page, 1, 0)) === 'nameless@example.com')
    expect(page.url()).not.toContain('field=')
  })

  it('do not move the grid when rows are selected, and keep to two rows', async () => {
    const made = await newGuestPage()
    const { page, call, sheet } = made
    await call('POST', `/sheets/${sheet.id}/records`, rows(2))
    await openSheet(page, made, 'P0')
    const canvas = page.getByTestId('data-grid-canvas')
    const before = (await canvas.boundingBox())!
    await page.mouse.click(before.x + 20, before.y + 34 + 15)
    await page.getByText('1 selected').waitFor()
    expect(await canvas.boundingBox()).toEqual(before)
    expect(before.y).toBeLessThan(165)
    expect(await findViolations(page)).toEqual([])
  })

  it('come with columns that show what is required, and a sidebar with the number of errors', async () => {
    const made = await newGuestPage()
    const { page, call, sheet } = made
    await call('POST', `/sheets/${sheet.id}/records`, rows(3))
    await openSheet(page, made, 'P0')
    const headers = await page.locator('[role=columnheader]').allTextContents()
    expect(headers.filter(Boolean)).toEqual(['Name *', 'E-mail', 'Age', 'Status'])
    await page
      .getByRole('navigation')
      .getByRole('link', { name: /^People 3 Errors$/ })
      .waitFor()
  })

  it('leave the first column in sight when the others are scrolled', async () => {
    const made = await newGuestPage()
    const { page, call, space } = made
    const fields = Array.from({ length: 20 }, (_, at) => ({ key: `f${at}`, label: `Field ${at}`, type: 'string' }))
    const config = { spaceId: space.id, name: 'Wide', sheets: [{ name: 'Wide', slug: 'wide', fields }] }
    const [sheet] = (await call('POST', '/workbooks', config)).body.data.sheets
    await call('POST', `/sheets/${sheet.id}/records`, [{ f0: 'first', f19: 'last' }])
    await openSheet(page, { space, sheet }, 'first')
    await page.getByRole('button', { name: 'View', exact: true }).click()
    await page.getByLabel('Freeze the first column').check()
    await page.keyboard.press('Escape')
    await page.evaluate("document.querySelector('.dvn-scroller').scrollLeft = 9000")
    await page.locator('[role=gridcell]').filter({ hasText: 'last' }).waitFor({ state: 'attached' })
    expect(await getCellText(page, 0, 0)).toBe('first')
  })

  it('show who else is in the sheet', async () => {
    const made = await newGuestPage()
    await made.call('POST', `/sheets/${made.sheet.id}/records`, rows(0))
    await openSheet(made.page, made, 'P0')
    const joan = await enterAsGuest(made, 'Joan')
    await openSheet(joan, made, 'P0')
    await joan.getByRole('img', { name: 'Also here: Grace' }).waitFor()
  })

  it('give way to cards of errors on a phone, which save a correction', async () => {
    const made = await newGuestPage()
    const { page, call, sheet, space } = made
    const path = `/sheets/${sheet.id}/records`
    await call('POST', path, rows(2))
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`/s/${space.id}/sheets/${sheet.id}?filter=error`)
    const card = page.getByRole('listitem').filter({ hasText: 'P0' })
    await card.getByLabel('Age', { exact: true }).fill('36')
    await card.getByRole('button', { name: 'Save: Age' }).click()
    await card.getByText('Age is saved.').waitFor()
    expect((await call('GET', path)).body.data.records[0].values.age.value).toBe(36)
    expect(await findViolations(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
  })

  it('read from right to left in Arabic', async () => {
    const made = await newGuestPage()
    const { page, call, sheet, space } = made
    await call('POST', `/sheets/${sheet.id}/records`, rows(0))
    const session = await page.evaluate("sessionStorage.getItem('wharf.session')")
    const arabic = await newPage({ language: 'ar' })
    await arabic.addInitScript(`sessionStorage.setItem('wharf.session', ${JSON.stringify(session)})`)
    await arabic.goto(`/s/${space.id}/sheets/${sheet.id}`)
    await waitUntil(async () => (await getCellText(arabic, 3, 0)) === 'P0')
    expect(await getCellText(arabic, 2, 0)).toBe('p0@example.com')
    expect(await getCellText(arabic, 1, 0)).toBe('0')
    await clickCell(arabic, 2, 0)
    await arabic.keyboard.press('Tab')
    await arabic.locator('[aria-colindex="2"][aria-selected=true]').first().waitFor({ state: 'attached' })
  })
})
