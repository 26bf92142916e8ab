import type { FormatOptions } from '../../lib/files/extract/formats.ts'

export interface TextFormat {
  delimiter: string
  encoding: string
  headerRow: number
}

export interface CorpusFile {
  category: string
  name: string
  bytes: Buffer | Promise<Buffer>
  options?: FormatOptions
  format?: TextFormat
  tables: { name?: string; hidden?: boolean; columns: string[]; rows: (string | null)[][] }[]
}
