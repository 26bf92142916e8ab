/** Steps of guests in a space. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { mintAccount, mintSpace, newPage, type TestAccount, typeInCell, until } from './browser.ts'

type Made = { account: TestAccount } & Awaited<ReturnType<typeof mintSpace>>

/** A guest of a new space, signed in by the space's shared link. */
export async function guestIn(more: object = {}) {
  const account = await mintAccount()
  const made = await mintSpace(account, 'Spring import', { guestAuthentication: 'shared_link', ...more })
  return { account, page: await enter({ account, ...made }, 'Grace'), ...made }
}

/** One more guest of the space comes in by its shared link. */
export async function enter({ account, call, space }: Made, name: string): Promise<Page> {
  const email = `${name.toLowerCase()}@example.com`
  const guest = { environmentId: account.environmentId, email, name, spaces: [{ id: space.id }] }
  await call('POST', '/guests', [guest])
  const { guestLink } = (await call('GET', `/spaces/${space.id}`)).body.data
  const page = await newPage()
  await page.goto(guestLink)
  await page.getByLabel('E-mail address').fill(email)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Spring import' }).waitFor()
  expect(page.url()).toBe(`${new URL(page.url()).origin}/s/${space.id}`)
  return page
}

export const choose = (page: Page, name: string, text: string) =>
  page.setInputFiles('input[type=file]', { name, mimeType: 'text/csv', buffer: Buffer.from(text) })

/** The grid is a canvas: its accessible twin says what is in a cell. */
export const cellText = (page: Page, column: number, row: number) =>
  page
    .locator(`[role=gridcell][aria-colindex="${column + 1}"]`)
    .nth(row)
    .textContent()

/** Columns of texts are this wide, after the numbers of rows. */
const [WIDTH, HEADER, ROW, MARKS] = [190, 34, 30, 40]

/** Where a cell of the first three columns is; row -1 is the header. */
async function placeOf(page: Page, column: number, row: number): Promise<{ x: number; y: number }> {
  const box = (await page.getByTestId('data-grid-canvas').boundingBox())!
  return {
    x: box.x + MARKS + WIDTH * column + 40,
    y: box.y + (row < 0 ? HEADER / 2 : HEADER + ROW * row + ROW / 2),
  }
}

export async function clickCell(page: Page, column: number, row: number, button: 'left' | 'right' = 'left') {
  const { x, y } = await placeOf(page, column, row)
  await page.mouse.click(x, y, { button })
}

/** Until the server has it. A click into a cell that is selected would open it: another comes first. */
export async function editCell(page: Page, column: number, row: number, text: string): Promise<void> {
  await clickCell(page, column + 1, row)
  await clickCell(page, column, row)
  const confirmed = page.waitForResponse((answer) => answer.request().method() === 'PUT')
  await typeInCell(page, text)
  await confirmed
}

/** Opens a sheet of the space and waits until its first cell reads so. */
export async function openSheet(page: Page, { space, sheet }: Pick<Made, 'space' | 'sheet'>, first: string) {
  await page.goto(`/s/${space.id}/sheets/${sheet.id}`)
  await until(async () => (await cellText(page, 0, 0)) === first)
}
