/** How a file is to be read, as it is chosen: what is sent with the job that reads it again. Pure. */
import type { Job } from '../data.ts'

export interface Choice {
  /** Found by itself where empty, as the encoding. */
  delimiter: string
  encoding: string
  /** The row that names the columns, by place among the tables; 0 for none. Those that nobody chose are as they were found. */
  headerRows: Record<number, number>
}

export interface Table {
  name?: string
  headerRow: number
  width: number
  rows: { row: number; cells: string[] }[]
}

/** Offered by their names in the texts. */
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
  options?: { delimiter?: string | null; encoding?: string | null; headerRows?: Record<string, number> | null } | null
}

/** What the file was last told to be read by. */
export function choiceOf(last: Job | undefined): Pick<Choice, 'delimiter' | 'encoding'> & { config: Config } {
  const config = (last?.config ?? {}) as Config
  return { config, delimiter: config.options?.delimiter ?? '', encoding: config.options?.encoding ?? '' }
}

/** The row that names the columns of a table: as chosen, as last told, as found. */
export function headerRowOf(at: number, table: Table, chosen: Choice, { detectedHeaderRow, options }: Config): number {
  const ofSheet = table.name === undefined ? undefined : options?.headerRows?.[table.name]
  return chosen.headerRows[at] ?? ofSheet ?? detectedHeaderRow ?? table.headerRow
}

/** Of the job: rows of text as the job's own, those of sheets by their names. */
export function configOf(
  kind: string,
  tables: readonly Table[],
  chosen: Choice,
  last: Config,
): Record<string, unknown> {
  const rows = tables.map((table, at) => [table.name ?? '', headerRowOf(at, table, chosen, last)] as const)
  if (kind === 'workbook') return { options: { headerRows: Object.fromEntries(rows) } }
  const { delimiter, encoding } = chosen
  return {
    detectedHeaderRow: rows[0]?.[1],
    options: { ...(delimiter ? { delimiter } : {}), ...(encoding ? { encoding } : {}) },
  }
}

const READ = new Set(['csv', 'tsv', 'psv', 'tab', 'txt', 'xlsx', 'xlsm'])

/** Does the platform read it by rows, one of which may name the columns? */
export const hasRows = ({ ext }: { ext: string }): boolean => READ.has(ext)
