import { readFile } from 'node:fs/promises'
import { read, utils } from '@e965/xlsx'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { createTestAccount, FIELDS, inBrowser, mintSpace, newPage, signIn, waitUntil, withBrowser } from './browser.ts'
import { clickCell, editCell, enterAsGuest, getCellText, newGuestPage, openSheet } from './guest.ts'

const PEOPLE = [
  { name: 'Ada', email: 'ada@example.com', age: 36 },
  { name: 'Grace', email: 'grace@example.com', age: 85 },
]
const toast = (page: Page, text: string | RegExp) => page.locator('.toast').getByText(text)

inBrowser('a sheet', () => {
  withBrowser()

  it("shows two people each other's changes within a second", async () => {
    const made = await newGuestPage()
    await made.call('POST', `/sheets/${made.sheet.id}/records`, PEOPLE)
    const pages = [made.page, await enterAsGuest(made, 'Joan')] as const
    for (const page of pages) {
      await openSheet(page, made, 'Ada')
      await page.getByText('Live', { exact: true }).waitFor()
    }
    const seenAfter: number[] = []
    for (let round = 0; round < 3; round++)
      for (const [at, mine] of pages.entries()) {
        await editCell(mine, 0, at, `Person ${at} ${round}`)
        const since = Date.now()
        await waitUntil(async () => (await getCellText(pages[1 - at]!, 0, at)) === `Person ${at} ${round}`)
        seenAfter.push(Date.now() - since)
      }
    expect(seenAfter.toSorted((a, b) => a - b)[2]).toBeLessThan(1000)
    await clickCell(pages[0], 0, 0)
    await pages[0].keyboard.press('Enter')
    await pages[0].locator('#portal textarea').waitFor()
    await pages[0].keyboard.press('ControlOrMeta+A')
    await pages[0].keyboard.type('Half a w')
    await made.call('POST', `/sheets/${made.sheet.id}/records`, [{ name: 'Late', email: 'late@example.com' }])
    await pages[0].getByRole('button', { name: /^All 3/ }).waitFor()
    await pages[0].keyboard.type('ord')
    await pages[0].keyboard.press('Enter')
    await waitUntil(async () => (await getCellText(pages[1], 0, 0)) === 'Half a word')
  })

  it('reads edited cells like an import, and keeps unchanged numbers', async () => {
    const made = await newGuestPage()
    const { page, call, sheet } = made
    const path = `/sheets/${sheet.id}/records`
    const getAge = async () => (await call('GET', path)).body.data.records[0].values.age
    await call('POST', path, [{ name: 'Ada', email: 'ada@example.com', age: 1.234 }])
    await openSheet(page, made, 'Ada')
    await clickCell(page, 2, 0)
    await page.keyboard.press('Enter')
    await page.locator('#portal textarea').waitFor()
    await page.keyboard.press('Enter')
    await editCell(page, 0, 0, 'Grace')
    await waitUntil(async () => (await call('GET', path)).body.data.records[0].values.name.value === 'Grace')
    expect(await getAge()).toMatchObject({ value: 1.234, messages: [] })
    await editCell(page, 2, 0, '1.234,50 €')
    await waitUntil(async () => (await getAge()).value === 1234.5)
    expect((await getAge()).messages).toMatchObject([{ type: 'info', original: '1.234,50 €' }])
    await editCell(page, 2, 0, '1.234')
    await waitUntil(async () => (await getAge()).value === '1.234')
    expect((await getAge()).messages).toMatchObject([{ type: 'error' }])
  })

  it('is saved as a snapshot, compared with it, and restored', async () => {
    const account = await createTestAccount()
    const made = await mintSpace(account)
    const path = `/sheets/${made.sheet.id}/records`
    const [, { id }] = (await made.call('POST', path, PEOPLE)).body.data.records
    const page = await newPage()
    await signIn(page, account)
    await openSheet(page, made, 'Ada')
    const open = async () => {
      await page.getByRole('button', { name: 'More' }).click()
      await page.getByRole('menuitem', { name: 'Snapshots' }).click()
    }
    await open()
    await page.getByLabel('Name').fill('Before')
    await page.getByRole('button', { name: 'Create snapshot' }).click()
    await page.getByRole('button', { name: 'Compare: Before' }).click()
    await page.getByText('No changes since this snapshot.').waitFor()
    await page.keyboard.press('Escape')
    await made.call('PUT', path, [{ id, values: { name: { value: 'Grace Hopper' } } }])
    await made.call('POST', path, [{ name: 'New', email: 'new@example.com' }])
    const [{ id: first }] = (await made.call('GET', path)).body.data.records
    await made.call('DELETE', `${path}?ids=${first}`)
    await waitUntil(async () => (await getCellText(page, 0, 0)) === 'Grace Hopper')
    await open()
    await page.getByRole('button', { name: 'Compare: Before' }).click()
    const diff = page.locator('.diff')
    for (const text of ['1 record updated', '1 record added', '1 record deleted']) await diff.getByText(text).waitFor()
    const [changed, added, gone] = [
      diff.locator('section').nth(0),
      diff.locator('section').nth(1),
      diff.locator('section').nth(2),
    ]
    for (const part of [changed, added, gone]) await part!.locator('dd').first().waitFor()
    expect(await changed!.locator('dd').allInnerTexts()).toEqual(['Grace Grace Hopper'])
    expect(await added!.locator('ins').allInnerTexts()).toEqual(['New', 'new@example.com'])
    expect(await gone!.locator('del').allInnerTexts()).toEqual(['Ada', 'ada@example.com', '36'])
    await page.getByRole('button', { name: 'Restore: Before' }).click()
    await toast(page, 'Sheet restored.').waitFor()
    await waitUntil(
      async () => (await getCellText(page, 0, 0)) === 'Ada' && (await getCellText(page, 0, 1)) === 'Grace',
    )
  })

  it('downloads an error report', async () => {
    const made = await newGuestPage()
    const { page, call, sheet } = made
    await call('POST', `/sheets/${sheet.id}/records`, [...PEOPLE, { email: 'nobody@example.com', age: 'old' }])
    await openSheet(page, made, 'Ada')
    await page.getByRole('button', { name: 'Download' }).click()
    await page.getByRole('menuitem', { name: /Error report/ }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download', { timeout: 60_000 }),
      page
        .getByRole('dialog')
        .getByRole('button', { name: /xlsx|download/i })
        .click({ timeout: 60_000 }),
    ])
    expect(download.suggestedFilename()).toMatch(/\.xlsx$/)
    const book = read(await readFile((await download.path())!))
    const rows = utils.sheet_to_json<Record<string, unknown>>(book.Sheets[book.SheetNames[0]!]!)
    const text = JSON.stringify(rows)
    expect(text).toContain('nobody@example.com')
    expect(text).not.toContain('ada@example.com')
    const { records } = (await call('GET', `/sheets/${sheet.id}/records?filter=error`)).body.data
    for (const { message } of [...records[0].values.name.messages, ...records[0].values.age.messages])
      expect(text).toContain(message)
  })

  it('hides columns, saves views of its records and columns, and shows them again', async () => {
    const made = await newGuestPage()
    const { page, call, sheet } = made
    await call('POST', `/sheets/${sheet.id}/records`, [...PEOPLE, { email: 'nobody@example.com' }])
    await openSheet(page, made, 'Ada')
    await clickCell(page, 0, -1, 'right')
    await page.getByRole('menuitem', { name: 'Hide column' }).click()
    await waitUntil(async () => (await getCellText(page, 0, 0)) === 'ada@example.com')
    await page.getByRole('button', { name: /^Errors 1/ }).click()
    await waitUntil(async () => (await getCellText(page, 0, 0)) === 'nobody@example.com')
    await page.getByRole('button', { name: 'View 1 hidden column' }).click()
    await page.getByLabel('Name', { exact: true }).last().fill('Nameless')
    await page.getByRole('button', { name: 'Save view' }).click()
    await page.getByRole('button', { name: 'Apply: Nameless' }).waitFor()
    await page.getByRole('button', { name: 'Show all columns' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^All/ }).click()
    await waitUntil(async () => (await getCellText(page, 0, 0)) === 'Ada')
    const [view] = (await call('GET', `/views?sheetId=${sheet.id}`)).body.data
    expect(view).toMatchObject({ name: 'Nameless', config: { filter: 'error', hiddenColumns: ['name'] } })
    await page.getByRole('button', { name: 'View', exact: true }).click()
    await page.getByRole('button', { name: 'Apply: Nameless' }).click()
    await waitUntil(async () => (await getCellText(page, 0, 0)) === 'nobody@example.com')
    expect(await page.getByRole('button', { name: /^Errors/ }).getAttribute('aria-pressed')).toBe('true')
    await page.getByRole('button', { name: /^View/ }).click()
    await page.getByRole('button', { name: 'Delete: Nameless' }).click()
    await page.getByText('No views yet.').waitFor()
  })

  it("starts a column's action for the selected records", async () => {
    const mend = {
      operation: 'mendAges',
      label: 'Mend the ages',
      mode: 'foreground',
      constraints: [{ type: 'hasSelection' }],
    }
    const check = { operation: 'checkMails', label: 'Check addresses', mode: 'background' }
    const made = await newGuestPage({ actions: [{ ...check, mount: { type: 'field', keys: ['email'] } }] })
    const { page, call, space } = made
    const fields = FIELDS.map((field) => (field.key === 'age' ? { ...field, actions: [mend] } : field))
    const config = { spaceId: space.id, name: 'With actions', sheets: [{ name: 'Aged', slug: 'aged', fields }] }
    const [sheet] = (await call('POST', '/workbooks', config)).body.data.sheets
    const { records } = (await call('POST', `/sheets/${sheet.id}/records`, PEOPLE)).body.data
    await openSheet(page, { space, sheet }, 'Ada')
    const jobOf = (operation: string) =>
      waitUntil(async () => (await call('GET', `/jobs?spaceId=${space.id}&operation=${operation}`)).body.data[0])

    await clickCell(page, 1, -1, 'right')
    expect(await page.getByRole('menuitem', { name: 'Mend the ages' }).count()).toBe(0)
    await page.getByRole('menuitem', { name: 'Check addresses' }).click()
    await toast(page, '“Check addresses” started.').waitFor()
    expect(await jobOf('checkMails')).toMatchObject({
      source: sheet.id,
      subject: { type: 'collection', params: { sheetId: sheet.id, columnKey: 'email' } },
    })

    const box = (await page.getByTestId('data-grid-canvas').boundingBox())!
    await page.mouse.click(box.x + 20, box.y + 34 + 45)
    await page.getByText('1 selected').waitFor()
    await page.getByRole('button', { name: /^View/ }).click()
    await page.getByRole('button', { name: 'Mend the ages' }).click()
    expect(await jobOf('mendAges')).toMatchObject({
      source: sheet.id,
      subject: { params: { columnKey: 'age' }, query: { ids: [records[1].id] } },
    })
  })
})
