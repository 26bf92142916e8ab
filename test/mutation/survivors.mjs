/**
 * Runs the API tests of the area against the mutants in `.stryker/mutation.json` that its fast tests did not detect,
 * two at a time, each in a copy of the repository. Prints the score of both. Exits with 1 below 80 %.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { area } from './areas.mjs'

const ROOT = resolve(import.meta.dirname, '../..')
const COPIES = 2
const MIN_SCORE = 80
const LEFT_OUT = /(^|\/)(node_modules|dist|\.git|\.data|\.stryker)$/

const { files } = JSON.parse(readFileSync(join(ROOT, '.stryker/mutation.json'), 'utf8'))
const mutants = Object.entries(files).flatMap(([path, { source, mutants }]) =>
  mutants.map((mutant) => ({ path, source, ...mutant })),
)
const isDetected = ({ status }) => status === 'Killed' || status === 'Timeout'
const isSurvivor = ({ status }) => status === 'Survived' || status === 'NoCoverage'
const survivors = mutants.filter((mutant) => isSurvivor(mutant) && area.listApiTests(mutant.path).length > 0)

function copyRepository() {
  const copy = mkdtempSync(join(tmpdir(), 'wharf-mutant-'))
  cpSync(ROOT, copy, { recursive: true, filter: (path) => !LEFT_OUT.test(path.slice(ROOT.length)) })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

function getOffset(source, { line, column }) {
  const before = source.split('\n').slice(0, line - 1)
  return before.reduce((sum, text) => sum + text.length + 1, 0) + column - 1
}

/** Returns the paths of the test files that fail. */
async function findFailing(copy, tests) {
  const reportPath = join(copy, 'report.json')
  rmSync(reportPath, { force: true })
  const options = [
    ...['--project', 'api', '--no-file-parallelism', '--bail', '1'],
    ...['--reporter', 'json', '--outputFile', reportPath],
  ]
  const args = ['node_modules/vitest/vitest.mjs', 'run', ...options, ...tests]
  const child = spawn(process.execPath, args, { cwd: copy, stdio: 'ignore' })
  const [code] = await once(child, 'exit')
  if (code === 0) return []
  const { testResults } = JSON.parse(readFileSync(reportPath, 'utf8'))
  const failed = testResults.filter(({ status }) => status === 'failed').map(({ name }) => name)
  return failed.length > 0 ? failed : tests
}

/** A test file that fails must fail twice, because two copies at a time can exceed the time limit of a test. */
async function doTestsFail(copy, tests) {
  const failing = await findFailing(copy, tests)
  return failing.length > 0 && (await findFailing(copy, failing)).length > 0
}

async function isDetectedByApiTests(copy, { path, source, location, replacement }) {
  const start = getOffset(source, location.start)
  const mutated = source.slice(0, start) + replacement + source.slice(getOffset(source, location.end))
  writeFileSync(join(copy, path), mutated)
  try {
    return await doTestsFail(copy, area.listApiTests(path))
  } finally {
    writeFileSync(join(copy, path), source)
  }
}

const queue = [...survivors]
let detectedCount = 0

async function work() {
  const copy = copyRepository()
  try {
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
      const isKilled = await isDetectedByApiTests(copy, mutant)
      if (isKilled) detectedCount++
      const { path, location, replacement } = mutant
      console.log(`${isKilled ? 'killed' : 'SURVIVED'} ${path}:${location.start.line}: ${replacement}`)
    }
  } finally {
    rmSync(copy, { recursive: true })
  }
}

if (survivors.length > 0) {
  const unchanged = copyRepository()
  const tests = [...new Set(survivors.flatMap(({ path }) => area.listApiTests(path)))]
  if (await doTestsFail(unchanged, tests)) throw new Error('The API tests fail without a mutant')
  rmSync(unchanged, { recursive: true })
  await Promise.all(Array.from({ length: COPIES }, work))
}

const total = mutants.filter((mutant) => isDetected(mutant) || isSurvivor(mutant)).length
const detected = mutants.filter(isDetected).length + detectedCount
const score = total === 0 ? 100 : (100 * detected) / total
const figures = join(ROOT, 'bench/figures/mutation.json')
const recorded = existsSync(figures) ? JSON.parse(readFileSync(figures, 'utf8')) : {}
const measuredAt = new Date().toISOString().slice(0, 10)
recorded[area.code] = { measuredAt, detected, total, sample: process.env.MUTATION_SAMPLE }
writeFileSync(figures, `${JSON.stringify(recorded, null, 1)}\n`)
console.log(`Mutation score: ${score.toFixed(2)} % (${detected} of ${total})`)
if (score < MIN_SCORE) process.exitCode = 1
