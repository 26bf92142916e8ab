/**
 * `npm run test:nightly [histories]`: the record engine's random tests at length. 10,000 histories of the model test, half of
 * them on each of two processes with a seed of its own, then writers killed, raced and broken ten times as often as in
 * `npm test`. Then files: 10,000 generated tables beside the oracles, 2 GB of CSV and a workbook of a million rows extracted with a
 * kill halfway (about 6 GB of disk), jobs over 100,000 records killed, and an agent's first deployment broken at each of its
 * requests. Last the suites of the embedded cloud against other clouds (`npm run conformance`). Ends with 1 when anything failed; the output names the seed to see it again with.
 */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const VITEST = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))
/** What `npm test` goes through, see test/unit/records/model.test.ts. */
const HISTORIES = 500
const PROCESSES = 2
const MODEL = 'test/unit/records/model.test.ts'
const OTHERS = ['concurrency', 'versions', 'write', 'queries', 'ffql'].map(
  (name) => `test/unit/records/${name}.test.ts`,
)

/** @returns whether it ended with 0 */
async function succeeds(args: readonly string[], env: { [name: string]: string } = {}): Promise<boolean> {
  const child = spawn(process.execPath, args, { cwd: ROOT, env: { ...process.env, ...env }, stdio: 'inherit' })
  const code = await new Promise((resolve) => child.once('exit', resolve))
  return code === 0
}

/** @returns whether the tests of these files passed */
const passes = (files: readonly string[], env: { [name: string]: string }) => succeeds([VITEST, 'run', ...files], env)

const total = Number(process.argv[2] ?? 10_000)
const runs = String(Math.ceil(total / PROCESSES / HISTORIES))
const seeds = Array.from({ length: PROCESSES }, () => Math.floor(Math.random() * 1e9))
console.log(`${Number(runs) * HISTORIES * PROCESSES} histories, from seeds ${seeds.join(' and ')}`)
const results = await Promise.all(seeds.map((seed) => passes([MODEL], { MODEL_RUNS: runs, MODEL_SEED: String(seed) })))
const CRASHES = ['records', 'extraction'].map((name) => `test/e2e/${name}-crash.test.ts`)
results.push(await passes([...OTHERS, ...CRASHES], { MODEL_RUNS: '10' }))
results.push(
  await passes(
    ['oracles', 'round-trip'].map((name) => `test/unit/files/${name}.test.ts`),
    { MODEL_RUNS: '34' },
  ),
)
results.push(await passes(['test/e2e/extraction-large.test.ts'], { LARGE_MB: '2048', LARGE_ROWS: '1000000' }))
results.push(
  await passes(
    ['jobs-killed', 'deploy-faults'].map((name) => `test/e2e/${name}.test.ts`),
    { LONG: '1' },
  ),
)
results.push(await succeeds(['--import', 'tsx', 'test/conformance/run.ts']))
if (results.includes(false)) process.exitCode = 1
