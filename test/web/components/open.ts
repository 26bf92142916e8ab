import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll } from 'vitest'
import { newPage, type PageOptions } from '../browser.ts'

const PAGE = resolve('test/web/components')
const ADDRESS = 'http://components.test'
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

export function withComponents() {
  let dist: string
  beforeAll(async () => {
    dist = mkdtempSync(join(tmpdir(), 'wharf-components-'))
    const configFile = resolve('web/vite.config.ts')
    const output = { outDir: dist, emptyOutDir: true, rolldownOptions: { input: join(PAGE, 'index.html') } }
    await build({ configFile, root: PAGE, logLevel: 'error', build: output })
  })
  afterAll(() => rmSync(dist, { recursive: true, force: true }))
  return async (options?: PageOptions): Promise<Page> => {
    const page = await newPage(options)
    await page.route(`${ADDRESS}/**`, (route) => {
      const path = new URL(route.request().url()).pathname
      const file = join(dist, path === '/' ? 'index.html' : path)
      return route.fulfill({ body: readFileSync(file), contentType: TYPES[extname(file)] ?? 'image/svg+xml' })
    })
    await page.goto(ADDRESS)
    await page.getByRole('heading', { name: 'Components' }).waitFor()
    return page
  }
}
