import { readFile } from 'node:fs/promises'
import { build } from 'esbuild'
import { expect, it } from 'vitest'
import { getOrigin, inBrowser, waitUntil, withBrowser } from './browser.ts'
import { addRecords, completeSubmission, getFrame, newShopAccount, withShop } from './shop.ts'

/** The n-th component of the README, for this server and key, in a page with a button that removes it. */
async function buildReadmePage(number: number, publishableKey: string): Promise<string> {
  const readme = await readFile('packages/react/README.md', 'utf8')
  const code = [...readme.matchAll(/```tsx\n([\s\S]*?)```/g)][number]![1]!
  const [, name] = /export function (\w+)/.exec(code)!
  const app = `
    import { StrictMode } from 'react'
    import { createRoot } from 'react-dom/client'
    const root = createRoot(document.getElementById('app'))
    root.render(<StrictMode><${name} /></StrictMode>)
    window.removeApp = () => root.unmount()`
  const { outputFiles } = await build({
    stdin: {
      contents: code.replace('https://wharf.example.com', getOrigin()).replace('pk_...', publishableKey) + app,
      resolveDir: process.cwd(),
      loader: 'tsx',
    },
    alias: { '@wharf/react': './packages/react/src/index.ts' },
    define: { 'process.env.NODE_ENV': '"development"' },
    jsx: 'automatic',
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'silent',
  })
  return outputFiles[0]!.text
}

inBrowser('@wharf/react', () => {
  withBrowser()
  const shop = withShop()

  async function openReadmePage(number: number) {
    const made = await newShopAccount()
    shop.serve('/app.js', await buildReadmePage(number, made.account.publishableKey), {
      'content-type': 'text/javascript',
    })
    const page = await shop.open('<div id="app"></div><script type="module" src="/app.js"></script>')
    const shown: string[] = []
    page.on('console', (message) => message.type() === 'log' && shown.push(message.text()))
    return { ...made, page, shown, frame: getFrame(page), button: page.getByRole('button', { name: 'Import orders' }) }
  }

  it('opens the importer by the hook of the README, and resolves with the submitted records', async () => {
    const { page, button, frame, call, shown } = await openReadmePage(0)
    await button.click()
    const steps = frame.getByRole('navigation', { name: 'Steps' })
    await steps.waitFor()
    const spaceId = await addRecords(call, [{ name: 'Ada' }])
    await steps.getByRole('link', { name: 'Review' }).click()
    await steps.getByRole('button', { name: 'Submit' }).click()
    await completeSubmission(call, spaceId)
    await frame.getByRole('dialog').getByText('Thank you.').waitFor()
    await page.keyboard.press('Escape')
    await waitUntil(async () => shown.length > 1)
    expect(shown[0]).toBe('1 records')
    expect(shown[1]).toContain('people')
  })

  it('shows the importer while the component of the README says so, and reports a submission after its removal', async () => {
    const { page, button, frame, call, shown, listSpaces } = await openReadmePage(1)
    await button.click()
    await frame.getByRole('heading', { name: 'Orders', level: 1 }).waitFor()
    await page.locator('.wharf-importer header button').click()
    await page.locator('.wharf-importer').waitFor({ state: 'detached' })
    await button.click()
    await frame.getByRole('heading', { name: 'Orders', level: 1 }).waitFor()
    expect(await listSpaces()).toHaveLength(1)
    const spaceId = await addRecords(call, [{ name: 'Ada' }])
    await frame.getByRole('button', { name: 'Submit' }).click()
    await frame.getByRole('dialog').waitFor()
    await page.evaluate('removeApp()')
    await page.locator('.wharf-importer dialog').waitFor({ state: 'hidden' })
    await completeSubmission(call, spaceId)
    await waitUntil(async () => shown.length > 0)
    expect(shown).toEqual(['1 records'])
  })

  it('says that the script of the platform cannot be loaded, and loads it when it is opened again', async () => {
    const { page, button, frame } = await openReadmePage(0)
    await page.route('**/wharf-importer.js', (route) => route.abort())
    await page.reload()
    await button.click()
    await page.getByRole('alert').getByText('could not be loaded').waitFor()
    await page.unroute('**/wharf-importer.js')
    await button.click()
    await frame.getByRole('heading', { name: 'Orders', level: 1 }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })
})
