import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname } from 'node:path'
import type { Page as BrowserPage } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildSite, OUT_DIR } from '../../scripts/docs/build-site.ts'
import type { Page } from '../../scripts/docs/pages.ts'
import { inBrowser, newPage, type PageOptions, withBrowser } from './browser.ts'

const BUILD_MS = 300_000
const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
}

const serveSite = (): Server =>
  createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://site')
    const file = [pathname, `${pathname}.html`, `${pathname}index.html`]
      .map((path) => OUT_DIR + decodeURIComponent(path))
      .find((path) => existsSync(path) && statSync(path).isFile())
    if (!file) return response.writeHead(404).end()
    return response.setHeader('content-type', TYPES[extname(file)] ?? 'text/plain').end(readFileSync(file))
  })

inBrowser('the documentation site', () => {
  withBrowser()
  const server = serveSite()
  let origin: string
  let pages: Page[]

  beforeAll(async () => {
    pages = buildSite()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }, BUILD_MS)
  afterAll(() => server.close())

  async function open(path: string, options?: PageOptions): Promise<BrowserPage> {
    const page = await newPage(options)
    await page.goto(origin + path, { waitUntil: 'load' })
    return page
  }

  it('finds a heading by its words, and opens the page there', async () => {
    const page = await open('/')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.locator('.VPLocalSearchBox input').fill('fault injection')
    await page
      .getByRole('option', { name: /Fault injection/ })
      .first()
      .click()
    await page.waitForURL('**/packages/local-cloud#fault-injection')
    await page.getByRole('heading', { name: 'Fault injection' }).waitFor()
  })

  it('leads from page to page in its navigation, also to the endpoints of a domain', async () => {
    const page = await open('/start/first-import')
    const navigation = page.getByRole('navigation', { name: 'Sidebar Navigation' })
    await navigation.getByRole('link', { name: 'Agents', exact: true }).first().click()
    await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/guides/agents')
    await page.goto(`${origin}/api/`)
    await page.getByRole('link', { name: 'Creates a space', exact: true }).click()
    await page.waitForURL('**/api/spaces#creates-a-space')
    await page.locator('#creates-a-space').waitFor()
    expect(await page.getByText('POST /api/v1/spaces', { exact: true }).count()).toBe(1)
  })

  it('draws its diagrams, in light and dark', async () => {
    const page = await open('/project/architecture')
    await expect.poll(() => page.locator('.diagram svg').count()).toBe(3)
    const light = await page.locator('.diagram').first().innerHTML()
    await page.getByRole('switch').first().click()
    expect(await page.evaluate("document.documentElement.classList.contains('dark')")).toBe(true)
    await expect.poll(() => page.locator('.diagram').first().innerHTML()).not.toBe(light)
  })

  it.each(['/', '/start/concepts', '/reference/limits', '/api/spaces', '/project/architecture'])(
    '%s fits a phone',
    async (path) => {
      const page = await open(path, { width: 390 })
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
      const broken =
        '[...document.images].filter(({ complete, naturalWidth }) => complete && naturalWidth === 0).length'
      expect(await page.evaluate(broken)).toBe(0)
    },
  )

  it('has the Markdown of each page at its address with .md, and an index of them', async () => {
    const index = await (await fetch(`${origin}/llms.txt`)).text()
    expect(pages.length).toBeGreaterThan(100)
    for (const { path, title } of pages) {
      expect((await fetch(`${origin}/${path}`)).status, path).toBe(200)
      const markdown = await (await fetch(`${origin}/${path}.md`)).text()
      expect(markdown.toLowerCase(), path).toContain(title.toLowerCase())
      expect(index).toContain(`(/${path}.md)`)
    }
  })
})
