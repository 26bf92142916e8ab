/** Runs the commands of the example with Next.js in a copy of the checkout, and imports orders in its page. */
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { createTestAccount, getServer, waitUntil } from '../support/api.ts'
import { freePort } from '../support/emulators.ts'
import { type ReadmeRun, startReadme } from '../support/run-readme.ts'
import { inBrowser, newPage, withBrowser } from './browser.ts'
import { getFrame } from './shop.ts'

const EXAMPLE = 'examples/nextjs-embed'
const COPIED = [EXAMPLE, 'packages/sdk', 'packages/react', 'packages/build-library.mjs', 'tsconfig.json']

inBrowser(EXAMPLE, () => {
  withBrowser()
  const root = mkdtempSync(join(tmpdir(), 'wharf-nextjs-'))
  let run: ReadmeRun | undefined
  afterAll(() => {
    run?.stop()
    rmSync(root, { recursive: true, force: true })
  })

  async function runReadme(env: Record<string, string>): Promise<void> {
    const isSource = (path: string) => !/\/(node_modules|dist|\.next)(\/|$)/.test(path)
    for (const path of COPIED) cpSync(path, join(root, path), { recursive: true, filter: isSource })
    symlinkSync(resolve('node_modules'), join(root, 'node_modules'))
    const { PATH, HOME } = process.env
    run = startReadme(`${EXAMPLE}/README.md`, root, { PATH, HOME, NEXT_TELEMETRY_DISABLED: '1', ...env })
    await run.ended
  }

  it('imports the orders of a customer in its page, and lists them from its own storage', async () => {
    const { secretKey } = await createTestAccount()
    const port = await freePort()
    await runReadme({ URL: `${getServer().baseUrl}/v1`, KEY: secretKey, APP_PORT: String(port) })
    const page = await newPage()
    await waitUntil(() => page.goto(`http://127.0.0.1:${port}`).catch(() => undefined))
    await page.getByText('0 orders').waitFor()
    await page.getByRole('button', { name: 'Import orders' }).click()
    const frame = getFrame(page)
    await frame.locator('input[type=file]').setInputFiles(`${EXAMPLE}/orders.csv`)
    await frame.getByRole('button', { name: 'Match columns' }).click({ timeout: 30_000 })
    await frame.getByRole('button', { name: 'Confirm and import' }).click()
    await frame.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name: 'Submit' }).click()
    await frame.getByText('3 orders are saved.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('3 records were submitted.').waitFor()
    await page.getByText('A-1001: Northwind, 2026-11-03, 1250').waitFor()
    expect(await page.getByRole('listitem').allInnerTexts()).toEqual([
      'A-1001: Northwind, 2026-11-03, 1250',
      'A-1002: Fabrikam, 2026-11-14, 89.9',
      'A-1003: Contoso, no date, 2100.5',
    ])
    const forged = await fetch(`http://127.0.0.1:${port}/api/webhooks/wharf`, { method: 'POST', body: '{}' })
    expect(forged.status).toBe(401)
  }, 240_000)
})
