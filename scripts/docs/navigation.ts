import type { Page } from './pages.ts'
import { sortIntoSections } from './sections.ts'

interface Link {
  text: string
  link: string
}

export interface Group {
  text: string
  collapsed?: boolean
  items: Link[]
}

export const buildSidebar = (pages: readonly Page[]): Group[] =>
  sortIntoSections(pages).map(({ section, pages: own }) => ({
    text: section.title,
    ...(section.isCollapsed ? { collapsed: true } : {}),
    items: own.map(({ title, path }) => ({ text: title, link: `/${path.replace(/index$/, '')}` })),
  }))
