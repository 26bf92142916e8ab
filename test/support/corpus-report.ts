/** How the corpus is read: by category, and what is found out of how delimited text is written. */
import { sniff } from '../../lib/files/sniff.ts'
import { CORPUS } from './corpus.ts'
import type { CorpusFile, Written } from './corpus-file.ts'
import { generatedFiles } from './corpus-generated.ts'
import { readTables } from './read-tables.ts'

export interface CorpusRow {
  category: string
  files: number
  right: number
}

/** The tables a file is read as, and those it is to be read as, in one form. */
export async function readAndMeant({ name, bytes, options, tables }: CorpusFile) {
  const read = await readTables(name, await bytes, options)
  return {
    read: read.map(({ name, hidden, columns, rows }) => ({ name, hidden, columns, rows })),
    meant: tables.map((table) => ({ name: undefined, hidden: false, ...table })),
  }
}

/** A row for each category. */
export async function corpusResults(isAlike: (read: unknown, meant: unknown) => boolean): Promise<CorpusRow[]> {
  const rows = new Map<string, CorpusRow>()
  for (const file of CORPUS) {
    const { category } = file
    const row = rows.get(category) ?? { category, files: 0, right: 0 }
    const { read, meant } = await readAndMeant(file)
    rows.set(category, { category, files: row.files + 1, right: row.right + (isAlike(read, meant) ? 1 : 0) })
  }
  return [...rows.values()]
}

type Judged = Pick<CorpusFile, 'name'> & { bytes: Buffer; written: Written }

/** Names of the files in which something else was found than they are written with. */
export interface Detection {
  what: keyof Written
  of: string
  files: number
  wrong: string[]
}

/** Over the delimited text of the corpus, and over so many generated files. */
export async function detectionResults(generated: number): Promise<Detection[]> {
  const known = await Promise.all(
    CORPUS.flatMap(({ name, bytes, written, options }) =>
      written && !options ? [Promise.resolve(bytes).then((all): Judged => ({ name, bytes: all, written }))] : [],
    ),
  )
  return [...judged('of the corpus', known), ...judged('generated', generatedFiles(generated))]
}

function judged(of: string, files: readonly Judged[]): Detection[] {
  const found = files.map(({ name, bytes, written }) => {
    const { dialect, encoding, headerRow } = sniff(bytes, { ext: /[^.]+$/.exec(name)?.[0] ?? '' })
    // Text of ASCII alone is the same in each encoding.
    const isAscii = bytes.every((byte) => byte < 0x80)
    return { delimiter: dialect.delimiter, encoding: isAscii ? written.encoding : encoding.name, headerRow }
  })
  return (['delimiter', 'encoding', 'headerRow'] as const).map((what) => ({
    ...{ what, of, files: files.length },
    wrong: files.flatMap(({ name, written }, i) => (found[i]![what] === written[what] ? [] : [name])),
  }))
}
