/**
 * `npm run corpus [-- part of a name]`: imports messy files as suggested. Exits with 1 below the targets.
 * `npm run corpus -- --columns [part of a name]`: only compares suggested columns with those meant, also after removing one.
 */
import type { Local } from '../../localstack/seed.ts'
import { createClient } from '../../test/support/large-jobs.ts'
import { formatShare, saveScores } from '../scores.ts'
import { withPlatform } from '../start-server.ts'
import { compareColumns } from './columns.ts'
import { type MessyFile, readMessyFiles } from './files.ts'
import { generateMessyFile, MESSY_LANGUAGES } from './generate.ts'
import { addCounts, type Counts, createCounts, importMessyFile } from './import.ts'

const GENERATED_PER_LANGUAGE = 10
const IMPORTS_AT_A_TIME = 3
const TARGETS = { cells: 0.99, rows: 0.98 }
const FIRST_OF_NEWEST = 328

function formatCounts({ files, cells, asMeant, rows, valid, wrong }: Counts): string {
  return [
    `${files} files`,
    `${formatShare(asMeant, cells)} of ${cells} cells as meant`,
    `${formatShare(valid, rows)} of ${rows} rows valid`,
    `${wrong.length} wrongly converted`,
  ].join(', ')
}

async function importFiles(local: Local, files: readonly MessyFile[]): Promise<Map<MessyFile, Counts>> {
  const client = createClient(local)
  const { id: spaceId } = await client.post('/spaces', { name: 'Messy files' })
  const counts = new Map<MessyFile, Counts>()
  const queue = [...files]
  const work = async () => {
    for (let file = queue.shift(); file; file = queue.shift())
      counts.set(file, await importMessyFile(client, spaceId, file))
  }
  await Promise.all(Array.from({ length: IMPORTS_AT_A_TIME }, work))
  return counts
}

function sumCounts(counts: Iterable<Counts>): Counts {
  const sum = createCounts()
  for (const one of counts) addCounts(sum, one)
  return sum
}

function printDetails(counts: Map<MessyFile, Counts>): void {
  for (const [{ name }, { wrong, missed, cells, asMeant }] of counts) {
    if (asMeant < cells) console.log(`${name}: ${formatShare(asMeant, cells)} of cells as meant`)
    for (const text of wrong) console.log(`  wrong: ${text}`)
    for (const text of missed.slice(0, 5)) console.log(`  missed: ${text}`)
  }
}

async function printColumns(files: readonly MessyFile[]): Promise<void> {
  const { fields, found, wrong, missed, removed, filled } = await compareColumns(files)
  for (const text of wrong) console.log(`wrong: ${text}`)
  for (const text of missed) console.log(`missed: ${text}`)
  console.log(`${formatShare(found, fields)} of ${fields} fields from the column meant, ${wrong.length} from another`)
  if (wrong.length > 0) process.exitCode = 1
  for (const text of filled) console.log(`filled: ${text}`)
  console.log(`${formatShare(filled.length, removed)} of ${removed} fields take another column if theirs is removed`)
}

function printSum(name: string, files: readonly MessyFile[], counts: ReadonlyMap<MessyFile, Counts>): void {
  console.log(`${name}: ${formatCounts(sumCounts(files.flatMap((file) => counts.get(file) ?? [])))}`)
}

const listScores = (name: string, { files, cells, asMeant, rows, valid, wrong }: Counts) => [
  {
    what: `cells as meant, ${name}`,
    of: `${cells} cells, ${files} files`,
    value: formatShare(asMeant, cells),
    other: '',
  },
  { what: `rows valid, ${name}`, of: `${rows} rows`, value: formatShare(valid, rows), other: '' },
  { what: `wrongly converted, ${name}`, of: `${cells} cells`, value: String(wrong.length), other: '' },
]

const COLUMNS_OPTION = '--columns'
const args = process.argv.slice(2)
const part = args.find((arg) => arg !== COLUMNS_OPTION) ?? ''
const readable = readMessyFiles()
const isNewest = ({ name }: MessyFile): boolean => Number.parseInt(name, 10) >= FIRST_OF_NEWEST
const written = readable.filter((file) => !isNewest(file))
const newest = readable.filter(isNewest)
if (args.includes(COLUMNS_OPTION)) {
  await printColumns(readable.filter(({ name }) => name.includes(part)))
  process.exit()
}
const generated = MESSY_LANGUAGES.flatMap((language) =>
  Array.from({ length: GENERATED_PER_LANGUAGE }, (_, i) => generateMessyFile(language, i + 1)),
)
const files = [...readable, ...generated].filter(({ name }) => name.includes(part))
const counts = await withPlatform((local) => importFiles(local, files))
printDetails(counts)
for (const language of new Set(written.map((file) => file.language))) {
  const inLanguage = written.filter((file) => file.language === language)
  printSum(`written, ${language}`, inLanguage, counts)
}
printSum('written', written, counts)
printSum('generated', generated, counts)
printSum('newest', newest, counts)
const known = sumCounts([...written, ...generated].flatMap((file) => counts.get(file) ?? []))
console.log(`all but the newest: ${formatCounts(known)}`)
if (part === '')
  saveScores('messy', [
    ...listScores('all but the newest', known),
    ...listScores('the newest', sumCounts(newest.flatMap((file) => counts.get(file) ?? []))),
  ])
const all = sumCounts(counts.values())
console.log(`all: ${formatCounts(all)}`)
const areTargetsMet = all.asMeant >= TARGETS.cells * all.cells && all.valid >= TARGETS.rows * all.rows
if (!areTargetsMet || all.wrong.length > 0) process.exitCode = 1
