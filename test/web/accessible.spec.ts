import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import { newActiveAccount } from './active-account.ts'
import {
  findViolations,
  inBrowser,
  newPage,
  type PageOptions,
  signInWithoutPage,
  waitUntil,
  withBrowser,
} from './browser.ts'

const CONSOLE = [
  ...[
    'home',
    'start',
    'builder',
    'spaces',
    'files',
    'guests',
    'jobs',
    'events',
    'agents',
    'webhooks',
    'secrets',
    'retention',
    'keys',
  ],
  ...['environments', 'users', 'tokens', 'usage', 'audit'],
]

inBrowser('the application', () => {
  withBrowser()

  it.each<[string, PageOptions]>([
    ['light', {}],
    ['dark', { dark: true }],
    ['from right to left', { language: 'ar-EG' }],
    ['from right to left, dark', { language: 'ar-EG', dark: true }],
    ['on a phone', { width: 390 }],
  ])('has no violation known to axe-core on any page: %s', { timeout: 300_000 }, async (_name, options) => {
    const { account, clip, space, sheet, document, job } = await newActiveAccount()
    const page = await newPage(options)
    await signInWithoutPage(page, account)
    const found: Record<string, string[]> = {}
    const checkPage = async (name: string) => {
      const problems = await findViolations(page)
      if (problems.length > 0) found[name] = problems
    }
    for (const name of CONSOLE) {
      await page.goto(`/console/${account.environmentId}/${name}`)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await page.waitForLoadState('networkidle')
      await checkPage(name)
      const opens = page.locator('.page-head button.primary:not(:disabled)')
      if ((await opens.count()) > 0 && name !== 'keys') {
        await opens.first().click()
        await page.getByRole('dialog').waitFor()
        await checkPage(`${name}, its dialog`)
        await page.keyboard.press('Escape')
      }
      const row = page.locator('tr.linked a').first()
      if ((await row.count()) === 0 || name === 'home') continue
      await row.click()
      await page.waitForURL(`**/${name}/us_*`)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await page.waitForLoadState('networkidle')
      await checkPage(`${name}, the first of them`)
    }
    for (const tab of ['guests', 'files', 'jobs', 'events', 'settings']) {
      await page.goto(`/console/${account.environmentId}/spaces/${space.id}/${tab}`)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await page.waitForLoadState('networkidle')
      await checkPage(`a space, ${tab}`)
    }
    const at = `/s/${space.id}`
    const visit = async (path: string) => {
      await page.goto(at + path)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await page.waitForLoadState('networkidle')
      await checkPage(path)
    }
    const checkDialog = async (button: Locator) => {
      const name = (await button.getAttribute('aria-label')) ?? (await button.innerText())
      await button.click()
      await page.getByRole('dialog').waitFor()
      await page.waitForLoadState('networkidle')
      await checkPage(name)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    for (const path of ['', `/documents/${document.id}`, `/map/${job.id}`, '/files']) await visit(path)
    const ofFile = page.locator('button[aria-label$=": people.csv"]')
    await waitUntil(async () => (await ofFile.count()) === 2)
    await checkDialog(ofFile.first())
    await visit(`/sheets/${clip.clipSheetId}`)
    for (const button of await page.locator('.clip-bar button').all()) await checkDialog(button)
    await visit(`/sheets/${sheet.id}`)
    const tools = page.locator('.toolbar .button')
    for (const tool of await tools.all()) {
      if (await tool.isDisabled()) continue
      const name = await tool.innerText()
      await tool.click()
      await page
        .locator('[role=dialog], [role=menu]')
        .first()
        .waitFor({ timeout: 2000 })
        .catch(() => undefined)
      await checkPage(`sheet, ${name}`)
      await page.keyboard.press('Escape')
      await page.locator('[role=dialog], [role=menu]').first().waitFor({ state: 'detached' })
    }
    expect(found).toEqual({})
  })
})
