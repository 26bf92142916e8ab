/**
 * `npm run corpus`: reports how the file corpus is read and how well formats are detected. Writes lib/files/corpus.md;
 * exits with 1 below the targets.
 */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { type CorpusRow, type Detection, runCorpus, runDetection } from '../support/corpus-report.ts'
import { HOSTILE } from '../support/hostile-files.ts'
import { readTables } from '../support/read-tables.ts'

const GENERATED = 5000
const TARGETS = { delimiter: 0.99, encoding: 0.99, headerRow: 0.95 }

async function countHostileFiles(): Promise<CorpusRow> {
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

const renderRow = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`
const formatShare = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(2)} %`

function renderReport(rows: readonly CorpusRow[], detections: readonly Detection[]): string {
  const sumColumn = (of: 'files' | 'right') => rows.reduce((sum, row) => sum + row[of], 0)
  return [
    '# The corpus of files',
    '',
    'Made by `npm run corpus`. Files of `test/support/corpus-*.ts`, cell for cell as they are to be read; hostile ones refused with the',
    'place and the reason.',
    '',
    renderRow(['category', 'files', 'read as meant']),
    renderRow(['---', '---', '---']),
    ...rows.map(({ category, files, right }) => renderRow([category, files, right])),
    renderRow(['all', sumColumn('files'), sumColumn('right')]),
    '',
    `What is found out of how delimited text is written: of the corpus, and of ${GENERATED} generated files of seven languages.`,
    '',
    renderRow(['what', 'files', 'right', 'share', 'reach']),
    renderRow(['---', '---', '---', '---', '---']),
    ...detections.map(({ what, of, files, wrong }) =>
      renderRow([
        `${what}, ${of}`,
        files,
        files - wrong.length,
        formatShare(files - wrong.length, files),
        `>= ${100 * TARGETS[what]} %`,
      ]),
    ),
    '',
  ].join('\n')
}

const rows = [...(await runCorpus(isDeepStrictEqual)), await countHostileFiles()]
const detections = await runDetection(GENERATED)
const report = renderReport(rows, detections)
writeFileSync(fileURLToPath(new URL('../../lib/files/corpus.md', import.meta.url)), report)
console.log(report)
for (const { what, of, wrong } of detections)
  if (wrong.length > 0) console.log(`${what}, ${of}, not found:\n  ${wrong.join('\n  ')}`)
const isReached = detections.every(({ what, files, wrong }) => files - wrong.length >= TARGETS[what] * files)
if (!isReached || rows.some(({ files, right }) => right < files)) process.exitCode = 1
