/** `npm run bench -- messy`: imports generated messy files as suggested. Exits with 1 below the targets. */
import { MESSY_LANGUAGES } from './generate.ts'
import { type Counts, importMessyFiles } from './import.ts'

const FILES_PER_LANGUAGE = 20
const TARGETS = { cells: 0.99, rows: 0.98 }

const formatShare = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(2)} %`

function print(name: string, { cells, asMeant, rows, valid, wrong }: Counts): void {
  const shares = `${formatShare(asMeant, cells)} of cells as meant, ${formatShare(valid, rows)} of rows valid`
  console.log(`${name}: ${shares}, ${wrong.length} wrongly converted`)
}

const all: Counts = { cells: 0, asMeant: 0, rows: 0, valid: 0, wrong: [] }
for (const language of MESSY_LANGUAGES) {
  const counts = importMessyFiles(language, FILES_PER_LANGUAGE)
  print(language, counts)
  for (const key of ['cells', 'asMeant', 'rows', 'valid'] as const) all[key] += counts[key]
  all.wrong.push(...counts.wrong)
}
print(`all ${MESSY_LANGUAGES.length * FILES_PER_LANGUAGE} files`, all)
for (const text of all.wrong.slice(0, 20)) console.log(`  ${text}`)
const areTargetsMet = all.asMeant >= TARGETS.cells * all.cells && all.valid >= TARGETS.rows * all.rows
if (!areTargetsMet || all.wrong.length > 0) process.exitCode = 1
