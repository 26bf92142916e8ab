import { existsSync, statSync } from 'node:fs'
import { posix } from 'node:path'
import { listAnchors, mapProse } from '../../lib/reference/anchors.ts'
import type { Page } from './pages.ts'

const LINK = /(!?)\[((?:[^\][]|\[[^\]]*\])*)\]\(([^()\s]+)\)/g
const IS_IMAGE = /\.(webp|svg|png|gif)$/
/** A path that begins with a slash is one of the site, which scripts/docs/check-site.ts checks. */
const UNCHANGED = /^(https?:|mailto:|\/)/

export interface LinkedPage {
  markdown: string
  images: string[]
  problems: string[]
}

/** Without the address of the repository on the web, links to code become plain text. */
export function createLinker(pages: readonly Page[], repository?: string) {
  const bySource = new Map(pages.flatMap((page) => (page.source === undefined ? [] : [[page.source, page] as const])))
  const byPath = new Map(pages.map((page) => [page.path, page]))
  const anchors = new Map(pages.map((page) => [page, listAnchors(page.markdown)]))

  return function linkPage(page: Page): LinkedPage {
    const images: string[] = []
    const problems: string[] = []
    const linkTo = (target: Page, anchor: string | undefined): string => {
      if (anchor !== undefined && !anchors.get(target)!.has(anchor))
        problems.push(`${page.source ?? page.path}: ${target.source ?? target.path} has no heading #${anchor}`)
      if (target === page) return `#${anchor}`
      const path = posix.relative(posix.dirname(page.path), target.path)
      return `${path.startsWith('.') ? path : `./${path}`}.md${anchor === undefined ? '' : `#${anchor}`}`
    }
    const convert = (whole: string, mark: string, text: string, href: string): string => {
      if (UNCHANGED.test(href)) return whole
      const [path = '', anchor] = href.split('#')
      const from = posix.dirname(page.source ?? page.path)
      const file = path === '' ? page.source : posix.join(from, path)
      const target =
        path === '' ? page : page.source === undefined ? byPath.get(file!.replace(/\.md$/, '')) : bySource.get(file!)
      if (target) return `[${text}](${linkTo(target, anchor)})`
      if (file === 'README.md') return `[${text}](/)`
      if (!file || !existsSync(file)) {
        problems.push(`${page.source ?? page.path}: ${href} does not exist`)
        return whole
      }
      if (IS_IMAGE.test(file)) {
        images.push(file)
        return `${mark}[${text}](/images/${file})`
      }
      if (repository === undefined) return text
      return `[${text}](${repository}/${statSync(file).isDirectory() ? 'tree' : 'blob'}/main/${file})`
    }
    const markdown = mapProse(page.markdown, (text) => text.replace(LINK, convert).replace(/<!--[\s\S]*?-->\n*/g, ''))
    return { markdown, images, problems }
  }
}
