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
  const rows = values.length > 1 || row >= total ? splitDelimited(values, fields.length - column) : values
  const header = row >= total ? matchHeader(rows[0] ?? [], fields) : undefined
  const targets = header ?? (rows[0] ? fields.slice(column) : [])
  const pasted = header ? rows.slice(1) : rows
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

const DELIMITERS = [',', ';', '\t'] as const

/** CSV arrives as one column. It is split only if all lines have the same number of cells, and all of them fit. */
function splitDelimited(values: readonly (readonly string[])[], width: number): readonly (readonly string[])[] {
  if (values.length < 2 || values.some(({ length }) => length > 1)) return values
  for (const delimiter of DELIMITERS) {
    const rows = values.map(([line = '']) => splitLine(line, delimiter))
    const length = rows[0]!.length
    if (length > 1 && length <= width && rows.every((cells) => cells.length === length)) return rows
  }
  return values
}

export function splitLine(line: string, delimiter: string): string[] {
  const cells: string[] = []
  let cell = ''
  let isQuoted = false
  for (let i = 0; i < line.length; i++) {
    const character = line[i]!
    if (character === '"' && isQuoted && line[i + 1] === '"') cell += line[++i]
    else if (character === '"' && (isQuoted || cell === '')) isQuoted = !isQuoted
    else if (character === delimiter && !isQuoted) {
      cells.push(cell)
      cell = ''
    } else cell += character
  }
  return [...cells, cell]
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
