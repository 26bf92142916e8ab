import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { findDeadLinks } from '../../../scripts/docs/check-site.ts'

const site = mkdtempSync(join(tmpdir(), 'wharf-site-'))
mkdirSync(join(site, 'guides'))
writeFileSync(join(site, 'index.html'), '<h1>Home</h1>')
writeFileSync(join(site, 'icon.svg'), '<svg/>')
writeFileSync(join(site, 'guides/agents.html'), '<h2 id="limits"></h2><a href="../"></a><img src="../icon.svg">')
afterAll(() => rmSync(site, { recursive: true }))

it('follows the links of a site that is served below a path', () => {
  const links = ['/wharf/guides/agents#limits', 'guides/agents', '#top', 'https://example.com', '/wharf/']
  writeFileSync(join(site, 'all.html'), `<p id="top">${links.map((link) => `<a href="${link}"></a>`).join('')}</p>`)
  expect(findDeadLinks(site, '/wharf/')).toEqual([])
})

it('finds dead pages, headings and images, and links that leave the site', () => {
  const dead =
    '<a href="/wharf/nowhere"></a><a href="guides/agents#x"></a><img src="./x.webp"><a href="/guides/agents"></a>'
  writeFileSync(join(site, 'dead.html'), dead)
  expect(findDeadLinks(site, '/wharf/')).toEqual([
    'dead.html: /wharf/nowhere does not exist',
    'dead.html: guides/agents#x has no such heading',
    'dead.html: ./x.webp does not exist',
    'dead.html: /guides/agents is outside of the site',
  ])
})
