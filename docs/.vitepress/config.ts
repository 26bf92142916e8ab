import { readFileSync } from 'node:fs'
import { defineConfig } from 'vitepress'
import { slugify } from '../../lib/reference/anchors.ts'
import { buildSidebar } from '../../scripts/docs/navigation.ts'
import { SITE } from '../../scripts/docs/settings.ts'
import { preparePages } from '../../scripts/docs/stage.ts'

const { description } = JSON.parse(readFileSync('package.json', 'utf8')) as { description: string }

export default defineConfig({
  title: 'Wharf',
  description,
  base: SITE.base,
  srcDir: '.vitepress/pages',
  cleanUrls: true,
  // scripts/docs/check-site.ts checks links, also to headings.
  ignoreDeadLinks: true,
  head: [['link', { rel: 'icon', href: `${SITE.base}icon.svg` }]],
  ...(SITE.url ? { sitemap: { hostname: SITE.url } } : {}),
  // Kilobytes: the search index and the diagrams are loaded when they are used.
  vite: { build: { chunkSizeWarningLimit: 3000 } },
  markdown: {
    anchor: { slugify },
    config: (markdown) => {
      const renderFence = markdown.renderer.rules.fence!
      markdown.renderer.rules.fence = (tokens, index, ...rest) =>
        tokens[index]!.info.trim() === 'mermaid'
          ? `<Diagram source="${encodeURIComponent(tokens[index]!.content)}" />`
          : renderFence(tokens, index, ...rest)
    },
  },
  transformPageData: ({ frontmatter }) => ({ filePath: frontmatter.source }),
  themeConfig: {
    logo: '/icon.svg',
    nav: [
      { text: 'Tutorial', link: '/start/first-import' },
      { text: 'Concepts', link: '/start/concepts' },
      { text: 'API', link: '/api/' },
      { text: 'Changelog', link: '/project/changelog' },
    ],
    sidebar: buildSidebar(preparePages()),
    outline: [2, 3],
    search: { provider: 'local' },
    ...(SITE.repository
      ? {
          socialLinks: [{ icon: 'github', link: SITE.repository }],
          editLink: { pattern: `${SITE.repository}/edit/main/:path`, text: 'Edit this page' },
        }
      : {}),
    footer: { message: 'MIT licence' },
  },
})
