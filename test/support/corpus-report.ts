import { sniff } from '../../lib/files/sniff.ts'
import { CORPUS } from './corpus.ts'
import type { CorpusFile, TextFormat } from './corpus-file.ts'
import { generateFiles } from './corpus-generated.ts'
import { readTables } from './read-tables.ts'

export interface CorpusRow {
  category: string
  files: number
  right: number
}

export async function readAndExpected({ name, bytes, options, tables }: CorpusFile) {
  const read = await readTables(name, await bytes, options)
  return {
    read: read.map(({ name, hidden, columns, rows }) => ({ name, hidden, columns, rows })),
    meant: tables.map((table) => ({ name: undefined, hidden: false, ...table })),
  }
}

export async function runCorpus(isAlike: (read: unknown, expected: unknown) => boolean): Promise<CorpusRow[]> {
  const rows = new Map<string, CorpusRow>()
  for (const file of CORPUS) {
    const { category } = file
    const row = rows.get(category) ?? { category, files: 0, right: 0 }
    const { read, meant: expected } = await readAndExpected(file)
    rows.set(category, { category, files: row.files + 1, right: row.right + (isAlike(read, expected) ? 1 : 0) })
  }
  return [...rows.values()]
}

type DetectionCase = Pick<CorpusFile, 'name'> & { bytes: Buffer; format: TextFormat }

export interface Detection {
  what: keyof TextFormat
  of: string
  files: number
  wrong: string[]
}

export async function runDetection(generatedCount: number): Promise<Detection[]> {
  const known = await Promise.all(
    CORPUS.flatMap(({ name, bytes, format, options }) =>
      format && !options ? [Promise.resolve(bytes).then((all): DetectionCase => ({ name, bytes: all, format }))] : [],
    ),
  )
  return [...evaluateDetection('corpus', known), ...evaluateDetection('generated', generateFiles(generatedCount))]
}

function evaluateDetection(of: string, files: readonly DetectionCase[]): Detection[] {
  const detected = files.map(({ name, bytes, format }) => {
    const { dialect, encoding, headerRow } = sniff(bytes, { ext: /[^.]+$/.exec(name)?.[0] ?? '' })
    const isAscii = bytes.every((byte) => byte < 0x80)
    return { delimiter: dialect.delimiter, encoding: isAscii ? format.encoding : encoding.name, headerRow }
  })
  return (['delimiter', 'encoding', 'headerRow'] as const).map((what) => ({
    ...{ what, of, files: files.length },
    wrong: files.flatMap(({ name, format }, i) => (detected[i]![what] === format[what] ? [] : [name])),
  }))
}
