/** The interface every format implements: tables, each of which becomes a sheet, and their streamed rows. */
import type { CellBytes } from '../../records/index.ts'
import type { RangeReader, TextRange } from './text-range.ts'

export interface Table {
  name?: string | undefined
  header: readonly string[] | undefined
  labels?: readonly string[] | undefined
  /** Its last line, one-based; 0 without a header. */
  headerRow: number
  headerLines: number
  width: number
  hidden?: boolean
  /** First rows of the table and those above, numbered from 1 as in the file. Not every format provides them. */
  firstRows?: readonly { row: number; cells: readonly string[] }[]
}

/** Valid until the next part is requested. */
export interface Part {
  table: number
  rows: Omit<CellBytes, 'keys'>
  /** Fraction of the file that is read, 0 to 1. */
  done: number
}

export interface MixedLines {
  count: number
  encoding: string
  /** The encoding of the other lines. */
  main: string
}

export interface Source {
  tables: readonly Table[]
  encoding?: string | undefined
  isDelimited?: boolean
  skipped?: readonly string[]
  splitSheets?: readonly string[]
  /** All rows, with tables in any order; can be read once. @throws ReopenWith */
  parts(): AsyncGenerator<Part>
  /** Lines in another encoding than most, known after the last part. */
  getMixedLines?(): MixedLines | undefined
  /** Rows that repeat the header, known after the last part. */
  countOmitted?(): number
  /** Undefined if a function cannot read a part of the file. */
  ranges?: SourceRanges | undefined
  releaseCaches?(): void
  close?(): Promise<void>
}

export interface SourceRanges {
  /** Position in the file, and rows above it. */
  start: number
  rowsBefore: number
  open(range: TextRange): RangeReader
  widen(width: number): Source
}

/** Reading contradicted what the sample suggested: the file must be read again from `source`. */
export class ReopenWith extends Error {
  readonly source: Source

  constructor(source: Source) {
    super('The file must be read again.')
    this.name = 'Relearn'
    this.source = source
  }
}
