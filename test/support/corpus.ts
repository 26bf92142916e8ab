/** Small files of every kind with the tables they are to be read as. */

import { NESTED } from './corpus-nested.ts'
import { TEXTS } from './corpus-text.ts'
import { WORKBOOKS } from './corpus-workbooks.ts'

export interface CorpusFile {
  category: string
  name: string
  bytes: Buffer | Promise<Buffer>
  options?: { widths?: number[]; headerRow?: number; delimiter?: string }
  tables: { name?: string; hidden?: boolean; columns: string[]; rows: (string | null)[][] }[]
}

export const CORPUS: CorpusFile[] = [...TEXTS, ...WORKBOOKS, ...NESTED]
