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
  /** @param rowsBefore rows above those that were counted */
  addGroup(group: LineGroup, rowsBefore: number): void
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
  const addLines = (kind: LineKind, count: number, rows: number[], examples: LineGroup['examples']): void => {
    const group = groups.get(kind)
    groups.set(kind, {
      kind,
      count: (group?.count ?? 0) + count,
      rows: [...(group?.rows ?? []), ...rows].slice(0, MAX_LISTED_LINES),
      examples: [...(group?.examples ?? []), ...examples].slice(0, MAX_LINE_EXAMPLES),
    })
  }
  return {
    add: (kind, row, cells) => addLines(kind, 1, [row], [{ row, cells: listTexts(cells) }]),
    addGroup: ({ kind, count, rows, examples }, rowsBefore) =>
      addLines(
        kind,
        count,
        rows.map((row) => row + rowsBefore),
        examples.map(({ row, cells }) => ({ row: row + rowsBefore, cells })),
      ),
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
