/** Renders Markdown pages of the reference as HTML with navigation. */
import { marked } from 'marked'
import { listAnchors } from './anchors.ts'
import { PAGES } from './files.ts'

export function renderNavigation(current?: string): string {
  const basePath = current === undefined ? 'docs/' : ''
  const renderLink = (href: string, title: string, isCurrent: boolean) =>
    `<a href="${href}"${isCurrent ? ' aria-current="page"' : ''}>${title}</a>`
  const links = [...PAGES].map(([name, { title }]) => renderLink(`${basePath}${name}`, title, name === current))
  const apiLink = renderLink(current === undefined ? 'docs' : '../docs', 'API', current === undefined)
  const openApiLink = renderLink(`${current === undefined ? '' : '../'}api/v1/openapi.json`, 'openapi.json', false)
  return `<nav>${[apiLink, ...links, openApiLink, renderLink(`${basePath}events.json`, 'events.json', false)].join('\n')}</nav>`
}

/** The Markdown is from this repository, so its HTML is trusted. */
export async function renderPage(name: string, markdown: string): Promise<string> {
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
${renderNavigation(name)}
<main>
${addAnchors(rewriteLinks(await marked.parse(markdown)), markdown)}</main>
</body>
</html>
`
}

function addAnchors(html: string, markdown: string): string {
  const anchors = [...listAnchors(markdown)]
  return html.replace(/<h([1-6])>/g, (tag, level: string) => {
    const anchor = anchors.shift()
    return anchor ? `<h${level} id="${anchor}">` : tag
  })
}

const rewriteLinks = (html: string): string =>
  html.replace(/<a href="([^":]+)"([^>]*)>(.*?)<\/a>/g, (anchor, href: string, attributes: string, text: string) => {
    if (href.startsWith('#')) return anchor
    const [, file = '', fragment = ''] = /([^/#]+?)(?:\.md)?(#.*)?$/.exec(href) ?? []
    return PAGES.has(file) || file === 'events.json' ? `<a href="${file}${fragment}"${attributes}>${text}</a>` : text
  })
