/** Counts the lines that are not records by kind, with their rows and examples. Pure. */
import { message } from '../../../schemas/messages/index.ts'
import {
  LINE_KINDS,
  type LineGroup,
  type LineKind,
  MAX_LINE_EXAMPLES,
  MAX_LISTED_LINES,
} from '../../../schemas/programs/other-lines.ts'
import { toText } from '../rules/cells.ts'

export interface LineCounter {
  add(kind: LineKind, row: number, cells: readonly unknown[]): void
  listGroups(): LineGroup[]
}

const MAX_SHOWN_ROWS = 10
const MAX_SHOWN_CELLS = 20
const MAX_CELL_CHARACTERS = 100

const TEXTS = {
  total: 'mappings.totalsLeftOut',
  'carry-over': 'mappings.carriedOverLeftOut',
  page: 'mappings.pageHeadingsLeftOut',
  text: 'mappings.singleTextsLeftOut',
} as const

export function createLineCounter(): LineCounter {
  const groups = new Map<LineKind, Omit<LineGroup, 'text'>>()
  return {
    add(kind, row, cells) {
      const group = groups.get(kind) ?? { kind, count: 0, rows: [], examples: [] }
      groups.set(kind, group)
      group.count++
      if (group.rows.length < MAX_LISTED_LINES) group.rows.push(row)
      if (group.examples.length < MAX_LINE_EXAMPLES) group.examples.push({ row, cells: listTexts(cells) })
    },
    listGroups: () =>
      LINE_KINDS.flatMap((kind) => {
        const group = groups.get(kind)
        return group ? [{ ...group, text: describeGroup(group) }] : []
      }),
  }
}

const listTexts = (cells: readonly unknown[]): string[] =>
  cells
    .map((cell) => toText(cell).trim().slice(0, MAX_CELL_CHARACTERS))
    .filter((text) => text !== '')
    .slice(0, MAX_SHOWN_CELLS)

function describeGroup({ kind, count, rows }: Omit<LineGroup, 'text'>): string {
  const shown = rows.slice(0, MAX_SHOWN_ROWS).join(', ')
  return message(TEXTS[kind], { count, rows: count > MAX_SHOWN_ROWS ? `${shown}, …` : shown })
}
