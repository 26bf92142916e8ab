/** A headless Chromium for tests of the web application. Page errors fail the test that caused them. */
import { existsSync } from 'node:fs'
import axe from 'axe-core'
import { type Browser, type BrowserContext, chromium, type Frame, type Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect } from 'vitest'
import {
  createCaller,
  createTestAccount,
  getAccessToken,
  getServer,
  type TestAccount,
  waitUntil,
} from '../support/api.ts'
import { findRawTexts, recordAnswers } from './raw-texts.ts'

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
const hasChromium = existsSync(executablePath)
if (!hasChromium)
  console.warn(`SKIPPED: the web application is not tested, ${executablePath} is missing. CHROMIUM names another.`)

export const inBrowser = describe.skipIf(!hasChromium)

export const getOrigin = (): string => new URL(getServer().baseUrl).origin

/** Internet names that resolve to this machine, as in DNS rebinding, are for the tests of the local cloud. */
const FLAGS = ['--no-sandbox', '--disable-dev-shm-usage', '--host-resolver-rules=MAP *.evil.example 127.0.0.1']
const worker = globalThis as { browser?: Browser }
const contexts: BrowserContext[] = []
export const pageErrors: string[] = []

export function withBrowser(): void {
  beforeAll(async () => {
    if (!hasChromium || worker.browser?.isConnected()) return
    worker.browser = await chromium.launch({ executablePath, args: FLAGS })
  })
  afterEach(async () => {
    for (const context of contexts.splice(0)) {
      // A handler may still wait for the response that it changes.
      for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' })
      await context.close()
    }
    expect(pageErrors.splice(0)).toEqual([])
  })
}

export interface PageOptions {
  dark?: boolean
  language?: string
  width?: number
}

export async function newPage({ dark = false, language = 'en-GB', width = 1280 }: PageOptions = {}): Promise<Page> {
  const context = await worker.browser!.newContext({
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
  recordAnswers(page)
  countRequests(page)
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

const requests = new WeakMap<Page, { begun: number; ended: number }>()

function countRequests(page: Page): void {
  const count = { begun: 0, ended: 0 }
  requests.set(page, count)
  page.on('request', () => count.begun++)
  page.on('requestfinished', () => count.ended++)
  page.on('requestfailed', () => count.ended++)
}

const STALLED_MS = 1000

export async function waitUntilDrawn(page: Page): Promise<void> {
  const count = requests.get(page)!
  let last = { ...count, at: Date.now() }
  await waitUntil(async () => {
    const { begun } = count
    for (let frames = 0; frames < 3; frames++) await page.evaluate('new Promise(requestAnimationFrame)')
    if (count.begun !== last.begun || count.ended !== last.ended) last = { ...count, at: Date.now() }
    const isStalled = Date.now() - last.at > STALLED_MS
    return begun === count.begun && (begun === count.ended || isStalled)
  }, 20)
}

export async function signIn(page: Page, account: TestAccount): Promise<void> {
  await page.goto('/sign-in')
  await page.getByLabel('Email address').fill(account.email)
  await page.getByLabel('Password').fill(account.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('**/console**')
}

export async function signInWithoutPage(page: Page, { email, password }: TestAccount): Promise<void> {
  const accessToken = await getAccessToken({ email, password })
  const session = JSON.stringify({ token: accessToken, kind: 'user', email, expiresAt: Date.now() + 3_600_000 })
  await page.addInitScript(`sessionStorage.setItem('wharf.session', ${JSON.stringify(session)})`)
}

export async function typeInCell(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Enter')
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type(text)
  await page.keyboard.press('Enter')
}

/** A tooltip describes a control, which is in a landmark. */
const TOOLTIP = '[data-overlay-container]:has(> [role=tooltip])'
const COLOR_RULES = ['color-contrast', 'link-in-text-block']

export async function findViolations(page: Page, { inBothSchemes = false } = {}): Promise<string[]> {
  const found = [...(await runAxe(page)), ...(await findRawTexts(page, getOrigin()))]
  if (!inBothSchemes) return found
  await page.emulateMedia({ colorScheme: 'dark' })
  const inDark = await runAxe(page, COLOR_RULES)
  await page.emulateMedia({ colorScheme: 'light' })
  return [...found, ...inDark.map((violation) => `dark: ${violation}`)]
}

async function runAxe(page: Page, rules?: string[]): Promise<string[]> {
  const frames = page.frames().filter((frame) => frame === page.mainFrame() || frame.url().startsWith(getOrigin()))
  return (await Promise.all(frames.map((frame) => runAxeIn(frame, rules)))).flat()
}

async function runAxeIn(frame: Frame, rules?: string[]): Promise<string[]> {
  if (!(await frame.evaluate("typeof axe === 'object'"))) await frame.evaluate(`{ ${axe.source} }`)
  const options = { resultTypes: ['violations'], iframes: false, ...(rules && { runOnly: rules }) }
  const context = { exclude: [[TOOLTIP]] }
  const run = `axe.run(${JSON.stringify(context)}, ${JSON.stringify(options)})`
  const results = (await frame.evaluate(run)) as axe.AxeResults
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

export async function mintSpace(
  account: TestAccount,
  name = 'Spring import',
  more: object = {},
  actions: object[] = [],
) {
  const call = createCaller(account.secretKey)
  const space = (await call('POST', '/spaces', { name, environmentId: account.environmentId, ...more })).body.data
  const workbook = (
    await call('POST', '/workbooks', {
      spaceId: space.id,
      environmentId: account.environmentId,
      name: 'Contacts',
      actions,
      sheets: [{ name: 'People', slug: 'people', fields: FIELDS }],
    })
  ).body.data
  return { call, space, workbook, sheet: workbook.sheets[0] as { id: string } }
}

export { createCaller, createTestAccount, type TestAccount, waitUntil }
