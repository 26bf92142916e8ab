/** Pages of the reference as HTML: Markdown of this repository, with the way to the other pages above it. */
import { marked } from 'marked'
import { PAGES } from './files.ts'

/** Links to all pages, seen from `/docs` or from `/docs/<page>`. */
export function navigation(current?: string): string {
  const below = current === undefined ? 'docs/' : ''
  const link = (href: string, title: string, isCurrent: boolean) =>
    `<a href="${href}"${isCurrent ? ' aria-current="page"' : ''}>${title}</a>`
  const links = [...PAGES].map(([name, { title }]) => link(`${below}${name}`, title, name === current))
  const api = link(current === undefined ? 'docs' : '../docs', 'API', current === undefined)
  const document = link(`${current === undefined ? '' : '../'}api/v1/openapi.json`, 'openapi.json', false)
  return `<nav>${[api, ...links, document, link(`${below}events.json`, 'events.json', false)].join('\n')}</nav>`
}

/** The whole page. Its text is this repository's own, so that it may hold HTML. */
export async function htmlOf(name: string, markdown: string): Promise<string> {
  const { title } = PAGES.get(name)!
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} - Wharf</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="page.css">
</head>
<body>
${navigation(name)}
<main>
${withPages(await marked.parse(markdown))}</main>
</body>
</html>
`
}

/** Links between files of the repository become those between pages; what is no page here loses its link. */
const withPages = (html: string): string =>
  html.replace(/<a href="([^":]+)"([^>]*)>(.*?)<\/a>/g, (whole, href: string, rest: string, text: string) => {
    if (href.startsWith('#')) return whole
    const [, file = '', place = ''] = /([^/#]+?)(?:\.md)?(#.*)?$/.exec(href) ?? []
    return PAGES.has(file) || file === 'events.json' ? `<a href="${file}${place}"${rest}>${text}</a>` : text
  })
