import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import {
  createTestAccount,
  mintSpace,
  newPage,
  type PageOptions,
  type TestAccount,
  typeInCell,
  waitUntil,
} from './browser.ts'

type GuestSession = { account: TestAccount } & Awaited<ReturnType<typeof mintSpace>>

export async function newGuestPage(more: object = {}) {
  const account = await createTestAccount()
  const made = await mintSpace(account, 'Spring import', { guestAuthentication: 'shared_link', ...more })
  return { account, page: await enterAsGuest({ account, ...made }, 'Grace'), ...made }
}

export async function enterAsGuest(
  { account, call, space }: GuestSession,
  name: string,
  options: PageOptions = {},
): Promise<Page> {
  const email = `${name.toLowerCase()}@example.com`
  const guest = { environmentId: account.environmentId, email, name, spaces: [{ id: space.id }] }
  await call('POST', '/guests', [guest])
  const { guestLink } = (await call('GET', `/spaces/${space.id}`)).body.data
  const page = await newPage(options)
  await page.goto(guestLink)
  await page.locator('input[type=email]').fill(email)
  await page.locator('button[type=submit]').click()
  await page.getByRole('heading', { name: 'Spring import' }).waitFor()
  expect(page.url()).toBe(`${new URL(page.url()).origin}/s/${space.id}`)
  return page
}

/** A guest with a verified address, who may invite others. */
export async function newVerifiedGuestPage() {
  const account = await createTestAccount()
  const made = await mintSpace(account)
  const { environmentId } = account
  const guest = { environmentId, email: 'grace@example.com', name: 'Grace', spaces: [{ id: made.space.id }] }
  const [{ id }] = (await made.call('POST', '/guests', [guest])).body.data
  const { token } = (await made.call('GET', `/guests/${id}/token`)).body.data
  const session = {
    token,
    kind: 'guest',
    spaceId: made.space.id,
    email: guest.email,
    expiresAt: Date.now() + 3_600_000,
  }
  const page = await newPage()
  await page.addInitScript(`sessionStorage.setItem('wharf.session', ${JSON.stringify(JSON.stringify(session))})`)
  await page.goto(`/s/${made.space.id}`)
  await page.getByRole('heading', { name: 'Spring import' }).waitFor()
  return { account, page, ...made }
}

export const chooseFile = (page: Page, name: string, text: string) =>
  page.setInputFiles('input[type=file]', { name, mimeType: 'text/csv', buffer: Buffer.from(text) })

/** The grid is a canvas; this reads its accessible twin. */
export const getCellText = (page: Page, column: number, row: number) =>
  page
    .locator(`[role=gridcell][aria-colindex="${column + 1}"]`)
    .nth(row)
    .textContent()

const [WIDTH, HEADER, ROW, MARKS] = [190, 34, 30, 40]

async function getCellPosition(page: Page, column: number, row: number): Promise<{ x: number; y: number }> {
  const box = (await page.getByTestId('data-grid-canvas').boundingBox())!
  return {
    x: box.x + MARKS + WIDTH * column + 40,
    y: box.y + (row < 0 ? HEADER / 2 : HEADER + ROW * row + ROW / 2),
  }
}

export async function clickCell(page: Page, column: number, row: number, button: 'left' | 'right' = 'left') {
  const { x, y } = await getCellPosition(page, column, row)
  await page.mouse.click(x, y, { button })
}

/** Waits until the server has the value. Clicks another cell first, because a click on the selected cell opens it. */
export async function editCell(page: Page, column: number, row: number, text: string): Promise<void> {
  await clickCell(page, column + 1, row)
  await clickCell(page, column, row)
  const confirmed = page.waitForResponse((answer) => answer.request().method() === 'PUT')
  await typeInCell(page, text)
  await confirmed
}

export async function openSheet(page: Page, { space, sheet }: Pick<GuestSession, 'space' | 'sheet'>, first: string) {
  await page.goto(`/s/${space.id}/sheets/${sheet.id}`)
  await waitUntil(async () => (await getCellText(page, 0, 0)) === first)
}
