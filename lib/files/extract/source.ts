/** What every format makes of a file: tables, each to become a sheet, and their rows as they come. */
import type { CellBytes } from '../../records/index.ts'

export interface Table {
  /** What the file calls it; undefined where it has no name but the file's. */
  name?: string | undefined
  /** What the columns are called; undefined when nothing says so. */
  header: readonly string[] | undefined
  /** The row that named them, from 1; 0 when there is none. */
  headerRow: number
  /** Columns. */
  width: number
  /** The file hides it from those who open it. */
  hidden?: boolean
  /** Its first rows with what stands above it, where they are kept; numbered from 1 as in the file. */
  first?: readonly { row: number; cells: readonly string[] }[]
}

/** Some rows of a table; they hold until the next part is asked for. */
export interface Part {
  /** Its place among the tables. */
  table: number
  rows: Omit<CellBytes, 'keys'>
  /** How much of the file is read, 0 to 1. */
  done: number
}

export interface Source {
  tables: readonly Table[]
  /** The encoding of its text, for formats that do not say it themselves. */
  encoding?: string | undefined
  /** Names of what was found in it and is no table. */
  leftOut?: readonly string[]
  /** All rows, in any order of the tables. Can be read once. @throws Relearn */
  parts(): AsyncGenerator<Part>
  /** Gives up what can be had again: `parts` gets it again when it is asked for them. */
  rest?(): void
  /** Gives up what is kept for reading. */
  close?(): Promise<void>
}

/** Reading showed that the file is another than its beginning looked like: it must be read again, so. */
export class Relearn extends Error {
  readonly source: Source

  constructor(source: Source) {
    super('The file is to be read again.')
    this.name = 'Relearn'
    this.source = source
  }
}
