/**
 * `npm run corpus`: how the corpus of files is read, by category, and how well what delimited text is written in is found out.
 * Prints the tables, writes them to lib/files/corpus.md, and ends with 1 where less is right than is to be.
 */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { type CorpusRow, corpusResults, type Detection, detectionResults } from '../support/corpus-report.ts'
import { HOSTILE } from '../support/hostile-files.ts'
import { readTables } from '../support/read-tables.ts'

const GENERATED = 5000
const REACH = { delimiter: 0.99, encoding: 0.99, headerRow: 0.95 }

async function hostileRow(): Promise<CorpusRow> {
  let right = 0
  for (const { name, bytes, options, refusal } of HOSTILE) {
    const message = await readTables(name, bytes(), options).then(
      () => 'read',
      (error: Error) => error.message,
    )
    if (refusal.test(message)) right++
  }
  return { category: 'hostile, refused by name', files: HOSTILE.length, right }
}

const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`
const share = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(2)} %`

function textOf(rows: readonly CorpusRow[], found: readonly Detection[]): string {
  const total = (of: 'files' | 'right') => rows.reduce((sum, row) => sum + row[of], 0)
  return [
    '# The corpus of files',
    '',
    'Made by `npm run corpus`. Files of `test/support/corpus-*.ts`, cell for cell as they are to be read; hostile ones refused with the',
    'place and the reason.',
    '',
    line(['category', 'files', 'read as meant']),
    line(['---', '---', '---']),
    ...rows.map(({ category, files, right }) => line([category, files, right])),
    line(['all', total('files'), total('right')]),
    '',
    `What is found out of how delimited text is written: of the corpus, and of ${GENERATED} generated files of seven languages.`,
    '',
    line(['what', 'files', 'right', 'share', 'reach']),
    line(['---', '---', '---', '---', '---']),
    ...found.map(({ what, of, files, wrong }) =>
      line([
        `${what}, ${of}`,
        files,
        files - wrong.length,
        share(files - wrong.length, files),
        `>= ${100 * REACH[what]} %`,
      ]),
    ),
    '',
  ].join('\n')
}

const rows = [...(await corpusResults(isDeepStrictEqual)), await hostileRow()]
const found = await detectionResults(GENERATED)
const text = textOf(rows, found)
writeFileSync(fileURLToPath(new URL('../../lib/files/corpus.md', import.meta.url)), text)
console.log(text)
for (const { what, of, wrong } of found)
  if (wrong.length > 0) console.log(`${what}, ${of}, not found:\n  ${wrong.join('\n  ')}`)
const isReached = found.every(({ what, files, wrong }) => files - wrong.length >= REACH[what] * files)
if (!isReached || rows.some(({ files, right }) => right < files)) process.exitCode = 1
