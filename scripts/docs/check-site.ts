import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { posix } from 'node:path'
import { Parser } from 'htmlparser2'

interface Html {
  ids: Set<string>
  links: string[]
}

function readHtml(text: string): Html {
  const html: Html = { ids: new Set(), links: [] }
  const parser = new Parser({
    onopentag: (_, { id, href, src }) => {
      if (id) html.ids.add(id)
      for (const link of [href, src]) if (link) html.links.push(link)
    },
  })
  parser.end(text)
  return html
}

const findFile = (outDir: string, path: string): string | undefined =>
  [path, `${path}.html`, posix.join(path, 'index.html')]
    .map((name) => `${outDir}/${name}`)
    .find((file) => existsSync(file) && statSync(file).isFile())

export function findDeadLinks(outDir: string, base: string): string[] {
  const names = readdirSync(outDir, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'))
  const pages = new Map(names.map((name) => [`${outDir}/${name}`, readHtml(readFileSync(`${outDir}/${name}`, 'utf8'))]))
  const check = (name: string, link: string): string[] => {
    if (/^[a-z]+:/.test(link)) return []
    const { pathname, hash } = new URL(link, `http://site${base}${name}`)
    if (!pathname.startsWith(base)) return [`${name}: ${link} is outside of the site`]
    const file = findFile(outDir, decodeURIComponent(pathname.slice(base.length)))
    if (file === undefined) return [`${name}: ${link} does not exist`]
    const id = decodeURIComponent(hash.slice(1))
    return id && pages.has(file) && !pages.get(file)!.ids.has(id) ? [`${name}: ${link} has no such heading`] : []
  }
  return names.flatMap((name) => pages.get(`${outDir}/${name}`)!.links.flatMap((link) => check(name, link)))
}
