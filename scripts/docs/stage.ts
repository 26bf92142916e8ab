import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { renderApiPages } from './api-pages.ts'
import { createLinker } from './links.ts'
import { type Page, readPages } from './pages.ts'
import { SITE } from './settings.ts'

const STAGED = 'docs/.vitepress/pages'
const HOME = 'docs/.vitepress/home.md'
const TOUR = 'docs/screens/tour.webp'
const OPENAPI = 'schemas/generated/openapi.json'
const ASYNCAPI = 'schemas/generated/asyncapi.json'

export interface StagedPage extends Page {
  images: string[]
}

export function preparePages(): StagedPage[] {
  const pages = [...readPages(), ...renderApiPages(JSON.parse(readFileSync(OPENAPI, 'utf8')))]
  const linkPage = createLinker(pages, SITE.repository)
  const linked = pages.map((page) => ({ page, ...linkPage(page) }))
  const problems = linked.flatMap((each) => each.problems)
  if (problems.length > 0) throw new Error(`Dead links:\n${problems.join('\n')}`)
  return linked.map(({ page, markdown, images }) => ({ ...page, markdown, images }))
}

/** Leaves an equal file, which the server of `npm run docs -- dev` would load again. */
function write(path: string, text: string): void {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

export const removeStaged = (): void => rmSync(STAGED, { recursive: true, force: true })

export function stagePages(): StagedPage[] {
  const pages = preparePages()
  for (const { path, source, markdown } of pages)
    write(`${STAGED}/${path}.md`, `---\nsource: ${source ?? ''}\neditLink: ${source !== undefined}\n---\n\n${markdown}`)
  for (const file of new Set(pages.flatMap(({ images }) => images))) cpSync(file, `${STAGED}/public/images/${file}`)
  cpSync(HOME, `${STAGED}/index.md`)
  cpSync(TOUR, `${STAGED}/public/images/${TOUR}`)
  cpSync(OPENAPI, `${STAGED}/public/openapi.json`)
  cpSync(ASYNCAPI, `${STAGED}/public/asyncapi.json`)
  cpSync('web/public/icon.svg', `${STAGED}/public/icon.svg`)
  return pages
}
