import type { CorpusFile } from './corpus-file.ts'
import { PAGES } from './corpus-html.ts'
import { NESTED } from './corpus-nested.ts'
import { REAL } from './corpus-real.ts'
import { TEXTS } from './corpus-text.ts'
import { WORKBOOKS } from './corpus-workbooks.ts'

export const CORPUS: CorpusFile[] = [...TEXTS, ...REAL, ...WORKBOOKS, ...NESTED, ...PAGES]
