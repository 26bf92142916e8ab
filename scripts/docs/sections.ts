import type { Page } from './pages.ts'

export interface Section {
  folder: string
  title: string
  first?: string[]
  isCollapsed?: boolean
}

export const SECTIONS: readonly Section[] = [
  { folder: 'start', title: 'Start', first: ['first-import', 'concepts'] },
  { folder: 'guides', title: 'Guides', first: ['clients', 'sdk'] },
  { folder: 'reference', title: 'Reference', first: ['features', 'platform', 'guarantees'] },
  { folder: 'api', title: 'API', first: ['index'], isCollapsed: true },
  { folder: 'packages', title: 'Packages' },
  { folder: 'examples', title: 'Examples' },
  { folder: 'operations', title: 'Operations', first: ['self-hosting', 'runbook'] },
  { folder: 'measured', title: 'Measured', first: ['scores', 'figures'], isCollapsed: true },
  { folder: 'decisions', title: 'Decisions', first: ['index'], isCollapsed: true },
  { folder: 'screens', title: 'Screens', isCollapsed: true },
  { folder: 'project', title: 'Project', first: ['contributing', 'architecture', 'changelog'], isCollapsed: true },
]

export function sortIntoSections(pages: readonly Page[]): { section: Section; pages: Page[] }[] {
  const lost = pages.filter(({ path }) => !SECTIONS.some(({ folder }) => path.startsWith(`${folder}/`)))
  if (lost.length > 0)
    throw new Error(`No section of scripts/docs/sections.ts has ${lost.map(({ path }) => path).join(', ')}`)
  return SECTIONS.map((section) => ({ section, pages: sortPages(section, pages) }))
}

function sortPages({ folder, first = [] }: Section, pages: readonly Page[]): Page[] {
  const rank = ({ path }: Page) => {
    const at = first.indexOf(path.slice(folder.length + 1))
    return at < 0 ? first.length : at
  }
  return pages
    .filter(({ path }) => path.startsWith(`${folder}/`))
    .sort((one, other) => rank(one) - rank(other) || one.title.localeCompare(other.title, 'en'))
}
