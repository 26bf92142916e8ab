/** A headless Chromium for tests of the web application. Page errors fail the test that caused them. */
import { existsSync } from 'node:fs'
import axe from 'axe-core'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import { createCaller, createTestAccount, getServer, type TestAccount, waitUntil } from '../support/api.ts'

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
const hasChromium = existsSync(executablePath)
if (!hasChromium)
  console.warn(`SKIPPED: the web application is not tested, ${executablePath} is missing. CHROMIUM names another.`)

export const inBrowser = describe.skipIf(!hasChromium)

export const getOrigin = (): string => new URL(getServer().baseUrl).origin

const FLAGS = ['--no-sandbox', '--disable-dev-shm-usage']
let browser: Browser
const contexts: BrowserContext[] = []
export const pageErrors: string[] = []

export function withBrowser(more: string[] = []): void {
  beforeAll(async () => {
    if (hasChromium) browser = await chromium.launch({ executablePath, args: [...FLAGS, ...more] })
  })
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close()
    expect(pageErrors.splice(0)).toEqual([])
  })
  afterAll(async () => browser?.close())
}

export interface PageOptions {
  dark?: boolean
  language?: string
  width?: number
}

export async function newPage({ dark = false, language = 'en-GB', width = 1280 }: PageOptions = {}): Promise<Page> {
  const context = await browser.newContext({
    baseURL: getOrigin(),
    colorScheme: dark ? 'dark' : 'light',
    locale: language,
    reducedMotion: 'reduce',
    viewport: { width, height: 800 },
    acceptDownloads: true,
  })
  contexts.push(context)
  context.setDefaultTimeout(15_000)
  const page = await context.newPage()
  page.on('pageerror', (error) => pageErrors.push(`error: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error' && /content security policy|violat/i.test(message.text()))
      pageErrors.push(message.text())
  })
  page.on('dialog', async (dialog) => {
    pageErrors.push(`dialog: ${dialog.message()}`)
    await dialog.dismiss()
  })
  return page
}

export async function signIn(page: Page, account: TestAccount): Promise<void> {
  await page.goto('/sign-in')
  await page.getByLabel('Email address').fill(account.email)
  await page.getByLabel('Password').fill(account.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('**/console**')
}

export async function signInWithoutPage(page: Page, { email, password }: TestAccount): Promise<void> {
  const { accessToken } = (await createCaller(undefined)('POST', '/auth', { email, password })).body
  const session = JSON.stringify({ token: accessToken, kind: 'user', email, expiresAt: Date.now() + 3_600_000 })
  await page.addInitScript(`sessionStorage.setItem('wharf.session', ${JSON.stringify(session)})`)
}

export async function typeInCell(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Enter')
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type(text)
  await page.keyboard.press('Enter')
}

export async function findViolations(page: Page): Promise<string[]> {
  await page.evaluate(`{ ${axe.source} }`)
  const results = (await page.evaluate('axe.run({ resultTypes: ["violations"] })')) as axe.AxeResults
  return results.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
}

export const FIELDS = [
  { key: 'name', label: 'Name', type: 'string', constraints: [{ type: 'required' }] },
  { key: 'email', label: 'E-mail', type: 'string', constraints: [{ type: 'unique' }] },
  { key: 'age', label: 'Age', type: 'number' },
  {
    key: 'status',
    label: 'Status',
    type: 'enum',
    config: {
      options: [
        { value: 'active', label: 'Active' },
        { value: 'gone', label: 'Gone' },
      ],
    },
  },
]

export async function mintSpace(account: TestAccount, name = 'Spring import', more: object = {}) {
  const call = createCaller(account.secretKey)
  const space = (await call('POST', '/spaces', { name, environmentId: account.environmentId, ...more })).body.data
  const workbook = (
    await call('POST', '/workbooks', {
      spaceId: space.id,
      environmentId: account.environmentId,
      name: 'Contacts',
      sheets: [{ name: 'People', slug: 'people', fields: FIELDS }],
    })
  ).body.data
  return { call, space, workbook, sheet: workbook.sheets[0] as { id: string } }
}

export { createCaller, createTestAccount, type TestAccount, waitUntil }
