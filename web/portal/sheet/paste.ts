/** Places pasted texts in the cells of a sheet. What has no place is counted, never dropped silently. */
import type { I18n } from '../../shared/texts/texts.tsx'

export interface PasteField {
  key: string
  label?: string | null | undefined
  readonly?: boolean | null | undefined
}

export interface PastePlan {
  /** By row of the grid. */
  updates: Map<number, Record<string, string>>
  added: Record<string, string>[]
  skippedColumns: number
  readonlyFields: string[]
  usedHeader: boolean
}

interface Paste {
  values: readonly (readonly string[])[]
  fields: readonly PasteField[]
  column: number
  row: number
  total: number
}

export function planPaste({ values, fields, column, row, total }: Paste): PastePlan {
  const header = row >= total ? matchHeader(values[0] ?? [], fields) : undefined
  const targets = header ?? fields.slice(column)
  const pasted = header ? values.slice(1) : values
  const width = Math.max(0, ...pasted.map(({ length }) => length))
  const plan: PastePlan = {
    updates: new Map(),
    added: [],
    skippedColumns: header
      ? header.filter((field, i) => !field && pasted.some((cells) => cells[i]?.trim())).length
      : Math.max(0, width - targets.length),
    readonlyFields: targets
      .slice(0, width)
      .filter((field) => field?.readonly)
      .map((field) => field!.label || field!.key),
    usedHeader: header !== undefined,
  }
  for (const [offset, cells] of pasted.entries()) {
    const record: Record<string, string> = {}
    for (const [i, text] of cells.entries()) {
      const field = targets[i]
      if (field && !field.readonly) record[field.key] = text
    }
    if (row + offset < total) plan.updates.set(row + offset, record)
    else if (Object.values(record).some((text) => text.trim())) plan.added.push(record)
  }
  return plan
}

const normalize = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[\s_*-]+/g, ' ')

/** Undefined unless most cells name fields; a cell that names none has no field. */
function matchHeader(cells: readonly string[], fields: readonly PasteField[]): (PasteField | undefined)[] | undefined {
  const matched = cells.map((cell) =>
    fields.find(({ key, label }) => [key, label ?? ''].some((name) => name && normalize(name) === normalize(cell))),
  )
  const found = new Set(matched.filter(Boolean)).size
  return found > 0 && found * 2 >= cells.filter((cell) => cell.trim()).length ? matched : undefined
}

/** Cells of a copied table, or of a text with tabs or commas. */
export function parsePasted(html: string, text: string, width: number): string[][] {
  return parseTable(html) ?? parseCsv(text, width) ?? parseDelimited(text, '\t')
}

function parseTable(html: string): string[][] | undefined {
  const table = html && new DOMParser().parseFromString(html, 'text/html').querySelector('table')
  return table ? [...table.rows].map((row) => [...row.cells].map(readTableCell)) : undefined
}

/** The grid adds the stored value to what it copies. */
function readTableCell(cell: HTMLTableCellElement): string {
  for (const lineBreak of cell.querySelectorAll('br')) lineBreak.replaceWith('\n')
  return cell.getAttribute('gdg-raw-value') ?? cell.textContent?.replaceAll('\u00a0', ' ') ?? ''
}

/** Only if all lines have the same number of cells, and all of them fit: one column may well contain commas. */
function parseCsv(text: string, width: number): string[][] | undefined {
  if (text.includes('\t')) return undefined
  for (const delimiter of [',', ';']) {
    const rows = parseDelimited(text, delimiter)
    const length = rows[0]?.length ?? 0
    if (rows.length > 1 && length > 1 && length <= width && rows.every((cells) => cells.length === length)) return rows
  }
  return undefined
}

export function parseDelimited(text: string, delimiter: string): string[][] {
  const rows: string[][] = [[]]
  let cell = ''
  let isQuoted = false
  const endCell = () => {
    rows.at(-1)!.push(cell)
    cell = ''
  }
  const normalized = text.replace(/\r\n?/g, '\n').replace(/\n$/, '')
  for (let i = 0; i < normalized.length; i++) {
    const character = normalized[i]!
    if (character === '"' && isQuoted && normalized[i + 1] === '"') cell += normalized[++i]
    else if (character === '"' && (isQuoted || cell === '')) isQuoted = !isQuoted
    else if (isQuoted || (character !== delimiter && character !== '\n')) cell += character
    else {
      endCell()
      if (character === '\n') rows.push([])
    }
  }
  endCell()
  return rows
}

export function describePaste(plan: PastePlan, t: I18n['t'], isShown: boolean): string {
  const { updates, added, skippedColumns, readonlyFields } = plan
  return [
    updates.size > 0 && t('pastedRows', { count: updates.size }),
    added.length > 0 && t(isShown ? 'pastedNewRows' : 'pastedHiddenRows', { count: added.length }),
    updates.size + added.length === 0 && t('pastedNothing'),
    plan.usedHeader && t('pastedByHeader'),
    skippedColumns > 0 && t('pasteTooWide', { count: skippedColumns }),
    readonlyFields.length > 0 && t('pasteReadonly', { fields: readonlyFields.join(', ') }),
  ]
    .filter(Boolean)
    .join(' ')
}
