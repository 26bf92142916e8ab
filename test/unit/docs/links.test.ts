import { describe, expect, it } from 'vitest'
import { listAnchors, slugify } from '../../../lib/reference/anchors.ts'
import { createLinker } from '../../../scripts/docs/links.ts'
import { buildSidebar } from '../../../scripts/docs/navigation.ts'
import type { Page } from '../../../scripts/docs/pages.ts'
import { renderAll, renderIndex } from '../../../scripts/docs/plain-text.ts'
import { preparePages } from '../../../scripts/docs/stage.ts'

const page = (source: string, path: string, markdown: string): Page => ({ source, path, title: path, markdown })

const AGENTS = page(
  'docs/guides/agents.md',
  'guides/agents',
  '# Agents\n\n## Limits and `permissions`\n\n## Limits and permissions',
)

const link = (markdown: string, repository?: string) => {
  const linking = page('docs/reference/platform.md', 'reference/platform', `# Platform\n\n${markdown}`)
  const { problems, images, ...linked } = createLinker([linking, AGENTS], repository)(linking)
  return { problems, images, text: linked.markdown.replace('# Platform\n\n', '') }
}

describe('a link of a documentation page', () => {
  it('leads to the page of the site that shows the same file', () => {
    const { text, problems } = link('[a](../guides/agents.md#limits-and-permissions-1)')
    expect(text).toBe('[a](../guides/agents.md#limits-and-permissions-1)')
    expect(problems).toEqual([])
  })

  it('is dead if the page lacks the heading, or the file does not exist', () => {
    expect(link('[a](../guides/agents.md#limit)').problems).toEqual([
      'docs/reference/platform.md: docs/guides/agents.md has no heading #limit',
    ])
    expect(link('[a](../guides/agent.md) [b](#nowhere)').problems).toHaveLength(2)
  })

  it('leads to the repository where the file is not a page, and is plain text where its address is unknown', () => {
    const markdown = 'See [the code](../../lib/tx.ts) and [lib](../../lib).'
    expect(link(markdown).text).toBe('See the code and lib.')
    expect(link(markdown, 'https://example.com/wharf').text).toBe(
      'See [the code](https://example.com/wharf/blob/main/lib/tx.ts) and [lib](https://example.com/wharf/tree/main/lib).',
    )
  })

  it('stays as it is in code, on the web and on the site', () => {
    const markdown = '```sh\n[a](nowhere.md)\n```\n\n[b](https://example.com) [c](/openapi.json)'
    expect(link(markdown)).toEqual({ text: markdown, problems: [], images: [] })
  })

  it('takes the image that it shows with it', () => {
    const { text, images } = link('![Sheet](../screens/sheet.webp)')
    expect(text).toBe('![Sheet](/images/docs/screens/sheet.webp)')
    expect(images).toEqual(['docs/screens/sheet.webp'])
  })
})

describe('the anchor of a heading', () => {
  it.each([
    ['What is promised', 'what-is-promised'],
    ['10,000,000 rows in a sheet', '10000000-rows-in-a-sheet'],
    ['400 invalid', '400-invalid'],
    ["Users' code – größer", 'users-code--größer'],
    ['`PATCH /spaces/{id}`', 'patch-spacesid'],
  ])('for the heading %s is %s, as on GitHub', (heading, anchor) => expect(slugify(heading)).toBe(anchor))

  it('has a number if the heading repeats, and code has no headings', () => {
    const anchors = listAnchors('# A\n\n## [B](b.md)\n\n```sh\n# not a heading\n```\n\n## B')
    expect([...anchors]).toEqual(['a', 'b', 'b-1'])
  })
})

describe('the documentation', () => {
  const pages = preparePages()

  it('has every page in its navigation exactly once', () => {
    const links = buildSidebar(pages).flatMap(({ items }) => items.map((item) => item.link))
    expect(links.sort()).toEqual(pages.map(({ path }) => `/${path.replace(/index$/, '')}`).sort())
    expect(new Set(links).size).toBe(links.length)
  })

  it('rejects a page that belongs to no section', () => {
    const lost = page('docs/lost.md', 'lost', '# Lost')
    expect(() => buildSidebar([...pages, lost])).toThrow('No section of scripts/docs/sections.ts has lost')
  })

  it('shows every endpoint with its example', () => {
    const api = pages.filter(({ path }) => path.startsWith('api/'))
    const spaces = api.find(({ path }) => path === 'api/spaces')!.markdown
    expect(spaces).toContain('## Creates a space\n\n`POST /api/v1/spaces`')
    expect(spaces).toContain('"name": "Spring import"')
    const all = api.find(({ path }) => path === 'api/index')!.markdown
    const listed = [...all.matchAll(/^\| `(\w+ \S+)` \|/gm)].map(([, endpoint]) => endpoint!)
    expect(listed.length).toBeGreaterThan(250)
    const described = api.map(({ markdown }) => markdown).join('\n')
    expect(listed.filter((endpoint) => !described.includes(`\n\n\`${endpoint}\`\n`))).toEqual([])
  })

  it('is available to programs as an index with a line for each page, and as one text', () => {
    const index = renderIndex(pages)
    for (const { path } of pages) expect(index).toContain(`(/${path}.md)`)
    expect(index).toContain('[Agents](/guides/agents.md): An agent is a listener that Wharf runs for you.\n')
    expect(renderAll(pages)).toContain('# A first import')
  })
})
