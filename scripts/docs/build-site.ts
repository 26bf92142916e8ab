import { execFileSync } from 'node:child_process'
import { installTools } from '../install-tools.ts'
import { findDeadLinks } from './check-site.ts'
import { writePlainTexts } from './plain-text.ts'
import { SITE } from './settings.ts'
import { removeStaged, type StagedPage, stagePages } from './stage.ts'

export const VITEPRESS = 'docs/node_modules/vitepress/bin/vitepress.js'
export const OUT_DIR = 'docs/.vitepress/dist'

export function buildSite(): StagedPage[] {
  installTools('docs')
  removeStaged()
  const pages = stagePages()
  execFileSync(process.execPath, [VITEPRESS, 'build', 'docs'], { stdio: ['ignore', 'ignore', 'inherit'] })
  writePlainTexts(pages, OUT_DIR)
  const problems = findDeadLinks(OUT_DIR, SITE.base)
  if (problems.length > 0) throw new Error(`Dead links:\n${problems.join('\n')}`)
  return pages
}
