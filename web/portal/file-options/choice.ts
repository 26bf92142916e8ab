/** File options as the user sets them, and the extract job's config. Pure functions. */
import type { Job } from '../queries.ts'

export interface FileOptions {
  delimiter: string
  encoding: string
  /** By table index; 0 for no header row. Missing entries use the detected row. */
  headerRows: Record<number, number>
  headerLines: Record<number, number>
}

export interface Table {
  name?: string
  headerRow: number
  headerLines: number
  width: number
  rows: { row: number; cells: string[] }[]
}

export const DELIMITERS = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'bar' } as const

export const ENCODINGS = [
  'utf-8',
  'utf-16le',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1256',
  'shift_jis',
]

interface Config {
  detectedHeaderRow?: number | null
  options?: {
    delimiter?: string | null
    encoding?: string | null
    headerRows?: Record<string, number> | null
    headerLines?: number | Record<string, number> | null
  } | null
}

export function parseFileOptions(
  lastExtraction: Job | undefined,
): Pick<FileOptions, 'delimiter' | 'encoding'> & { config: Config } {
  const config = (lastExtraction?.config ?? {}) as Config
  return { config, delimiter: config.options?.delimiter ?? '', encoding: config.options?.encoding ?? '' }
}

export function resolveHeaderRow(
  tableIndex: number,
  table: Table,
  fileOptions: FileOptions,
  { detectedHeaderRow, options }: Config,
): number {
  const sheetHeaderRow = table.name === undefined ? undefined : options?.headerRows?.[table.name]
  return fileOptions.headerRows[tableIndex] ?? sheetHeaderRow ?? detectedHeaderRow ?? table.headerRow
}

export function resolveHeaderLines(
  tableIndex: number,
  table: Table,
  fileOptions: FileOptions,
  lastExtraction: Config,
): number {
  const row = resolveHeaderRow(tableIndex, table, fileOptions, lastExtraction)
  const last = lastExtraction.options?.headerLines
  const lastLines = typeof last === 'object' ? last?.[table.name ?? ''] : last
  const detectedLines = row === table.headerRow ? table.headerLines : 1
  const lines = fileOptions.headerLines[tableIndex] ?? lastLines ?? detectedLines
  return Math.max(1, Math.min(lines, row))
}

export function buildExtractConfig(
  kind: string,
  tables: readonly Table[],
  fileOptions: FileOptions,
  lastExtraction: Config,
): Record<string, unknown> {
  const rows = tables.map(
    (table, tableIndex) =>
      [table.name ?? '', resolveHeaderRow(tableIndex, table, fileOptions, lastExtraction)] as const,
  )
  const lines = tables.map(
    (table, tableIndex) =>
      [table.name ?? '', resolveHeaderLines(tableIndex, table, fileOptions, lastExtraction)] as const,
  )
  if (kind === 'workbook')
    return { options: { headerRows: Object.fromEntries(rows), headerLines: Object.fromEntries(lines) } }
  const { delimiter, encoding } = fileOptions
  return {
    detectedHeaderRow: rows[0]?.[1],
    options: {
      ...(delimiter ? { delimiter } : {}),
      ...(encoding ? { encoding } : {}),
      headerLines: lines[0]?.[1],
    },
  }
}

const ROW_BASED_EXTENSIONS = new Set(['csv', 'tsv', 'psv', 'tab', 'txt', 'xlsx', 'xlsm', 'xls', 'ods'])

export const isRowBased = ({ ext }: { ext: string }): boolean => ROW_BASED_EXTENSIONS.has(ext)
