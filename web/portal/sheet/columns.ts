/** The columns of the grid, with the type of each field, whether it is required, and its errors. */
import { type DrawHeaderCallback, type GridColumn, GridColumnIcon } from '@glideapps/glide-data-grid'
import type { SheetField } from '../queries.ts'
import { getColumnWidth } from './cells.ts'
import type { Query } from './pages.ts'

const ICONS: Record<string, GridColumnIcon> = {
  number: GridColumnIcon.HeaderNumber,
  boolean: GridColumnIcon.HeaderBoolean,
  date: GridColumnIcon.HeaderDate,
  enum: GridColumnIcon.HeaderSingleValue,
  'enum-list': GridColumnIcon.HeaderArray,
  'string-list': GridColumnIcon.HeaderArray,
  'reference-list': GridColumnIcon.HeaderArray,
  reference: GridColumnIcon.HeaderReference,
}

/** Room for the icon, a short name and a count of errors. */
const MIN_WIDTH = 120

const isRequired = ({ constraints }: SheetField): boolean =>
  constraints?.some(({ type }) => type === 'required') ?? false

export function buildColumns(
  fields: readonly SheetField[],
  { widths, query }: { widths: Record<string, number>; query: Query },
): GridColumn[] {
  return fields.map((field) => ({
    id: field.key,
    title: `${field.label || field.key}${isRequired(field) ? ' *' : ''}${getSortMark(query, field.key)}`,
    icon: ICONS[field.type] ?? GridColumnIcon.HeaderString,
    width: widths[field.key] ?? Math.max(MIN_WIDTH, getColumnWidth(field)),
    hasMenu: true,
  }))
}

const getSortMark = ({ sortField, sortDirection }: Query, key: string): string =>
  sortField === key ? (sortDirection === 'desc' ? ' ↓' : ' ↑') : ''

interface BadgeColors {
  text: string
  background: string
}

const MENU_WIDTH = 34
const MARGIN = 6
const BADGE_HEIGHT = 16

export const createHeaderDrawer =
  (
    errors: Readonly<Record<string, number>>,
    colors: BadgeColors,
    format: (count: number) => string,
  ): DrawHeaderCallback =>
  ({ ctx, column, rect, theme, isHovered }, drawContent) => {
    drawContent()
    const count = errors[column.id ?? '']
    if (!count) return
    const text = format(count)
    ctx.save()
    ctx.font = `600 11px ${theme.fontFamily}`
    const width = ctx.measureText(text).width + 10
    const x = rect.x + rect.width - (isHovered ? MENU_WIDTH : MARGIN) - width
    const y = rect.y + (rect.height - BADGE_HEIGHT) / 2
    ctx.fillStyle = colors.background
    ctx.beginPath()
    ctx.roundRect(x, y, width, BADGE_HEIGHT, BADGE_HEIGHT / 2)
    ctx.fill()
    ctx.fillStyle = colors.text
    ctx.textBaseline = 'middle'
    ctx.textAlign = 'center'
    ctx.fillText(text, x + width / 2, rect.y + rect.height / 2 + 1)
    ctx.restore()
  }
