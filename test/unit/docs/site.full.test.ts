import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildSite, OUT_DIR } from '../../../scripts/docs/build-site.ts'
import { findDeadLinks } from '../../../scripts/docs/check-site.ts'
import type { Page } from '../../../scripts/docs/pages.ts'

const BUILD_MS = 300_000

describe('npm run docs', () => {
  let pages: Page[]
  beforeAll(() => {
    pages = buildSite()
  }, BUILD_MS)

  it('writes each page as HTML and as Markdown at its address', () => {
    expect(pages.length).toBeGreaterThan(90)
    for (const { path, title } of pages) {
      expect(readFileSync(`${OUT_DIR}/${path}.html`, 'utf8'), path).toContain('<h1')
      expect(readFileSync(`${OUT_DIR}/${path}.md`, 'utf8').toLowerCase(), path).toContain(title.toLowerCase())
    }
  })

  it('writes the home page, the OpenAPI document and both texts for programs', () => {
    for (const name of ['index.html', 'openapi.json', 'llms.txt', 'llms-full.txt'])
      expect(existsSync(`${OUT_DIR}/${name}`), name).toBe(true)
  })

  it('finds a dead page, heading and image', () => {
    writeFileSync(`${OUT_DIR}/dead.html`, '<a href="/nowhere"></a><a href="/guides/agents#x"></a><img src="./x.webp">')
    const found = findDeadLinks(OUT_DIR, '/').filter((problem) => problem.startsWith('dead.html'))
    rmSync(`${OUT_DIR}/dead.html`)
    expect(found).toEqual([
      'dead.html: /nowhere does not exist',
      'dead.html: /guides/agents#x has no such heading',
      'dead.html: ./x.webp does not exist',
    ])
  })
})
