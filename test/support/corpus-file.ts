import type { FormatOptions } from '../../lib/files/extract/formats.ts'

/** How delimited text is written, for those who judge what is found out of it. */
export interface Written {
  delimiter: string
  /** As iconv-lite names it. */
  encoding: string
  /** From 1; 0 without one. */
  headerRow: number
}

/** A small file and the tables it is to be read as. */
export interface CorpusFile {
  category: string
  name: string
  bytes: Buffer | Promise<Buffer>
  options?: FormatOptions
  written?: Written
  tables: { name?: string; hidden?: boolean; columns: string[]; rows: (string | null)[][] }[]
}
