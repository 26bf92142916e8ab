/** `npm run bench -- pollock` writes bench/figures/pollock.md. The benchmark has no license, so it is not in the repository. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import Papa from 'papaparse'
import { ApiError } from '../../lib/core/errors.ts'
import { findPython, installPython, runFile } from '../../test/support/emulators.ts'
import { readTables } from '../../test/support/read-tables.ts'
import { saveScores } from '../scores.ts'
import { type DataSet, type FileScore, listScores, type Run, rankSystems, renderPage } from './page.ts'

const HOW_TO_GET = `Set POLLOCK to a checkout of the benchmark:
  git clone https://github.com/HPI-Information-Systems/Pollock`
const PACKAGES = [
  'chardet==7.7.0',
  'joblib==1.6.0',
  'multiset==3.2.0',
  'numpy==2.4.6',
  'price-parser==0.5.1',
  'python-dateutil==4.0.0',
]

/** Without the names that the platform makes up for a table without a header. */
async function loadFile(path: string, name: string): Promise<string> {
  try {
    const [table] = await readTables(name, readFileSync(path))
    const header = table!.headerRow > 0 ? [table!.labels] : []
    return Papa.unparse([...header, ...table!.rows], { quotes: true, newline: '\n' })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return `Application Error\n${error.message}`
  }
}

async function loadFiles(source: string, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(source))
    writeFileSync(join(folder, `${name}_converted.csv`), await loadFile(join(source, name), name))
}

async function scoreFiles(python: string, checkout: string, dataSet: DataSet, folder: string): Promise<FileScore[]> {
  const script = fileURLToPath(new URL('./score.py', import.meta.url))
  const options = { maxBuffer: 64 * 1024 * 1024 }
  const { stdout } = await runFile(python, ['-W', 'ignore', script, checkout, dataSet, folder], options)
  const scores: Record<string, number[]> = JSON.parse(stdout)
  return Object.entries(scores).map(([file, measures]) => ({
    file,
    isRead: measures[0] === 1,
    score: measures.reduce((sum, measure) => sum + measure, 0),
  }))
}

async function run(checkout: string): Promise<Run> {
  const python = join(await installPython('pollock', await findPython(11), PACKAGES), 'bin/python')
  const folder = mkdtempSync(join(tmpdir(), 'pollock-'))
  const readAndScore = async (dataSet: DataSet): Promise<FileScore[]> => {
    await loadFiles(join(checkout, dataSet, 'csv'), join(folder, dataSet))
    return scoreFiles(python, checkout, dataSet, join(folder, dataSet))
  }
  try {
    return { polluted_files: await readAndScore('polluted_files'), survey_sample: await readAndScore('survey_sample') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const checkout = resolve(process.env.POLLOCK ?? '.data/pollock')
if (!existsSync(join(checkout, 'pollock/metrics.py'))) throw new Error(HOW_TO_GET)
const scores = await run(checkout)
const ranking = rankSystems(checkout, scores)
const page = renderPage(scores, ranking)
writeFileSync(fileURLToPath(new URL('../figures/pollock.md', import.meta.url)), page)
saveScores('pollock', listScores(scores, ranking))
console.log(page)
