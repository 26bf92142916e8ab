import type { Locator, Page } from 'playwright-core'
import { findViolations, type PageOptions, waitUntilDrawn } from './browser.ts'

export const SETTINGS: [string, PageOptions][] = [
  ['light and dark', {}],
  ['from right to left, light and dark', { language: 'ar-EG' }],
  ['on a phone, light and dark', { width: 390 }],
]

type Check = (name: string) => Promise<void>

export function createChecks(page: Page) {
  const found: Record<string, string[]> = {}
  const check: Check = async (name) => {
    await waitUntilDrawn(page)
    const problems = await findViolations(page, { inBothSchemes: true })
    if (problems.length > 0) found[name] = problems
  }
  const visit = async (path: string, name = path) => {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await check(name)
  }
  const checkOpened = async (button: Locator) => {
    const name = (await button.getAttribute('aria-label')) ?? (await button.innerText())
    await button.click()
    await waitUntilDrawn(page)
    await check(name)
    const opened = page.locator('[role=dialog], [role=menu], [role=listbox]').first()
    if (!(await opened.isVisible())) return
    await page.keyboard.press('Escape')
    await opened.waitFor({ state: 'detached' })
  }
  return { found, check, visit, checkOpened }
}
