/** A small file and the tables it is to be read as. */
export interface CorpusFile {
  category: string
  name: string
  bytes: Buffer | Promise<Buffer>
  options?: { widths?: number[]; headerRow?: number; delimiter?: string }
  tables: { name?: string; hidden?: boolean; columns: string[]; rows: (string | null)[][] }[]
}
