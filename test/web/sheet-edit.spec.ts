import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findViolations, inBrowser, typeInCell, waitUntil, waitUntilDrawn, withBrowser } from './browser.ts'
import { clickCell, editCell, getCellText, newGuestPage, openSheet } from './guest.ts'

const PEOPLE = [
  { name: 'Ada', email: 'ada@example.com', age: 36 },
  { name: 'Grace', email: 'grace@example.com', age: 85 },
]
const toast = (page: Page, text: string | RegExp) => page.locator('.toast').getByText(text)
const undoButton = (page: Page) => page.getByRole('button', { name: /^Undo/ })
const redoButton = (page: Page) => page.getByRole('button', { name: /^Redo/ })

/** Polls longer than by default, for slow machines. */
const eventually = <T>(read: () => Promise<T>) => expect.poll(read, { timeout: 15_000 })

const paste = (page: Page, text: string) =>
  page.evaluate((pasted) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', pasted)
    const target = document.querySelector('[data-testid=data-grid-canvas]')!
    target.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, text)

async function newSheetPage(records: object[] = PEOPLE) {
  const made = await newGuestPage()
  const path = `/sheets/${made.sheet.id}/records`
  if (records.length > 0) await made.call('POST', path, records)
  const readColumn = async (key: string) =>
    (await made.call('GET', path)).body.data.records.map(
      ({ values }: { values: Record<string, { value: unknown }> }) => values[key]!.value,
    )
  return { ...made, path, readColumn }
}

inBrowser('editing a sheet', () => {
  withBrowser()

  it('undoes and redoes edits, deletions and replacements, by buttons and keys, also after a reload', async () => {
    const { page, readColumn, ...made } = await newSheetPage()
    await openSheet(page, made, 'Ada')
    expect(await undoButton(page).isDisabled()).toBe(true)
    await editCell(page, 0, 0, 'Augusta')
    await editCell(page, 0, 0, 'Lovelace')
    await page.getByRole('button', { name: 'Undo: edit 1 row' }).click()
    await toast(page, 'Undone: edit 1 row').waitFor()
    await eventually(() => readColumn('name')).toEqual(['Augusta', 'Grace'])
    await page.getByRole('button', { name: 'Undo: edit 1 row' }).click()
    await eventually(() => readColumn('name')).toEqual(['Ada', 'Grace'])
    await clickCell(page, 1, 0)
    await page.keyboard.press('ControlOrMeta+Shift+Z')
    await eventually(() => readColumn('name')).toEqual(['Augusta', 'Grace'])
    await page.keyboard.press('ControlOrMeta+Y')
    await eventually(() => readColumn('name')).toEqual(['Lovelace', 'Grace'])
    await waitUntil(async () => redoButton(page).isDisabled())

    await clickCell(page, 0, 1, 'right')
    await page.getByRole('menuitem', { name: 'Delete row…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await eventually(() => readColumn('name')).toEqual(['Lovelace'])
    await page.reload()
    await page.getByRole('button', { name: 'Undo: delete 1 row' }).click()
    await eventually(() => readColumn('name')).toEqual(['Lovelace', 'Grace'])
    await page.getByRole('button', { name: 'Redo: delete 1 row' }).click()
    await eventually(() => readColumn('name')).toEqual(['Lovelace'])
    await undoButton(page).click()
    await eventually(() => readColumn('name')).toEqual(['Lovelace', 'Grace'])
  })

  it('takes the message of a corrected cell away, and keeps the color of an error in a selected row', async () => {
    const { page, ...made } = await newSheetPage([{ name: 'Ada', age: 'old' }, ...PEOPLE])
    await openSheet(page, made, 'Ada')
    const canvas = page.getByTestId('data-grid-canvas')
    const readColor = (column: number) =>
      canvas.evaluate(
        (element, x) => {
          const { data } = (element as HTMLCanvasElement).getContext('2d')!.getImageData(x, 42, 1, 1)
          return [...data].join()
        },
        50 + 190 * column,
      )
    const { x, y } = (await canvas.boundingBox())!
    await page.mouse.click(x + 20, y + 34 + 15)
    await page.getByText('1 selected').waitFor()
    await waitUntilDrawn(page)
    expect(await readColor(2)).not.toBe(await readColor(1))
    await clickCell(page, 2, 0)
    const tip = page.locator('.cell-tip')
    await tip.waitFor()
    await typeInCell(page, '36')
    await tip.waitFor({ state: 'detached' })
  })

  it('says who changed a row since, and goes on with the change before', async () => {
    const { page, readColumn, call, path, ...made } = await newSheetPage()
    await openSheet(page, made, 'Ada')
    await editCell(page, 0, 0, 'First')
    await editCell(page, 0, 1, 'Second')
    const [, { id }] = (await call('GET', path)).body.data.records
    await call('PUT', path, [{ id, values: { name: { value: 'Joan Clarke' } } }])
    await waitUntil(async () => (await getCellText(page, 0, 1)) === 'Joan Clarke')
    await undoButton(page).click()
    await toast(page, /^Nothing was undone\. Ada changed the same records since/).waitFor()
    await undoButton(page).click()
    await eventually(() => readColumn('name')).toEqual(['Ada', 'Joan Clarke'])
  })

  it('pastes below the last row, says what was left out, and takes all of it back', async () => {
    const { page, readColumn, ...made } = await newSheetPage()
    await openSheet(page, made, 'Ada')
    await clickCell(page, 0, 1)
    await paste(page, 'Joan\tjoan@example.com\nJean\tjean@example.com\nMary\tmary@example.com')
    await toast(page, 'Pasted into 1 row. Added 2 rows.').waitFor()
    await eventually(() => readColumn('name')).toEqual(['Ada', 'Joan', 'Jean', 'Mary'])
    await undoButton(page).click()
    await eventually(() => readColumn('name')).toEqual(['Ada', 'Grace'])
    await clickCell(page, 2, 1)
    await paste(page, '44\tactive\tmore\tand more')
    await toast(page, /Left out 2 columns without a field/).waitFor()
    await eventually(() => readColumn('age')).toEqual([36, 44])
    expect(await readColumn('status')).toEqual([null, 'active'])
  })

  it('takes pasted rows and CSV with a header in an empty sheet, and rows that are typed', async () => {
    const { page, readColumn, space, sheet } = await newSheetPage([])
    await page.goto(`/s/${space.id}/sheets/${sheet.id}`)
    await page.getByText(/paste rows from Excel/).waitFor()
    await clickCell(page, 0, 0)
    await paste(page, 'E-mail,Name,Shoe size\nada@example.com,"Lovelace, Ada",38\ngrace@example.com,Grace,40')
    await toast(page, /Added 2 rows\. Columns were matched by their names\. Left out 1 column/).waitFor()
    await eventually(() => readColumn('name')).toEqual(['Lovelace, Ada', 'Grace'])
    await waitUntil(async () => (await getCellText(page, 0, 0)) === 'Lovelace, Ada')
    await clickCell(page, 0, 2)
    await page.keyboard.press('Enter')
    await page.locator('#portal textarea').waitFor()
    await page.keyboard.type('Joan')
    await page.keyboard.press('Enter')
    await eventually(() => readColumn('name')).toEqual(['Lovelace, Ada', 'Grace', 'Joan'])
  })

  it('previews a replacement, in all fields or one, and replaces empty cells only if chosen', async () => {
    const { page, readColumn, ...made } = await newSheetPage([...PEOPLE, { name: 'Joan', email: 'x@example.com' }])
    await openSheet(page, made, 'Ada')
    await page.keyboard.press('ControlOrMeta+H')
    const dialog = page.getByRole('dialog', { name: 'Find and replace' })
    await dialog.getByLabel('Find', { exact: true }).fill('ada')
    await dialog.getByLabel('Replace with').fill('Eva')
    await dialog.getByText('2 cells will change:').waitFor()
    expect(await dialog.getByRole('listitem').allInnerTexts()).toHaveLength(2)
    expect(await findViolations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Replace in 2 cells' }).click()
    await eventually(() => readColumn('email')).toEqual(['Eva@example.com', 'grace@example.com', 'x@example.com'])
    await undoButton(page).click()
    await eventually(() => readColumn('name')).toEqual(['Ada', 'Grace', 'Joan'])
    await clickCell(page, 2, 0, 'right')
    await page.getByRole('menuitem', { name: 'Find and replace in this column…' }).click()
    expect(await dialog.getByRole('button', { name: 'Replace', exact: true }).isDisabled()).toBe(true)
    await dialog.getByLabel('Look for').selectOption('Empty cells')
    await dialog.getByLabel('Replace with').fill('7')
    await dialog.getByRole('button', { name: 'Replace in 1 cell' }).click()
    await eventually(() => readColumn('age')).toEqual([36, 85, 7])
  })

  it('shows who changed a row when, and comments of others', async () => {
    const { page, call, path, sheet, ...made } = await newSheetPage()
    await openSheet(page, { ...made, sheet }, 'Ada')
    await editCell(page, 0, 0, 'Augusta')
    await clickCell(page, 0, 0)
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menuitem', { name: 'Record history' }).click()
    const history = page.getByRole('dialog', { name: 'Record history' })
    await history.getByText('You').waitFor()
    expect(await history.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/^You changed the row now/),
      expect.stringMatching(/^Ada added the row now/),
    ])
    await page.keyboard.press('Escape')
    const [{ id }] = (await call('GET', path)).body.data.records
    await call('POST', `/sheets/${sheet.id}/comments`, { recordId: id, text: 'Is this her name?' })
    await clickCell(page, 0, 0, 'right')
    await page.getByRole('menuitem', { name: 'Comment' }).click()
    const comments = page.getByRole('dialog', { name: 'Comments' })
    await comments.getByText('Is this her name?').waitFor()
    await comments.getByLabel('Comment').fill('Yes, it is.')
    await comments.getByRole('button', { name: 'Add comment' }).click()
    await comments.getByText('Yes, it is.').waitFor()
    expect(await findViolations(page)).toEqual([])
    expect((await call('GET', `/sheets/${sheet.id}/comments?recordId=${id}`)).body.data).toMatchObject([
      { text: 'Is this her name?', createdByName: 'Ada' },
      { text: 'Yes, it is.', createdByName: 'Grace' },
    ])
  })
})
