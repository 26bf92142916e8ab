/**
 * `npm run test:nightly [histories]`: long random tests of the record engine, large files, killed jobs and deployments,
 * then the conformance suites. Exits with 1 on any failure; the output contains the seed for a rerun.
 */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const VITEST = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))
const HISTORIES = 500
const PROCESSES = 2
const MODEL = 'test/unit/records/model.test.ts'
const OTHERS = ['concurrency', 'versions', 'write', 'queries', 'ffql'].map(
  (name) => `test/unit/records/${name}.test.ts`,
)

async function runProcess(args: readonly string[], env: { [name: string]: string } = {}): Promise<boolean> {
  const child = spawn(process.execPath, args, { cwd: ROOT, env: { ...process.env, ...env }, stdio: 'inherit' })
  const code = await new Promise((resolve) => child.once('exit', resolve))
  return code === 0
}

const runTests = (files: readonly string[], env: { [name: string]: string }) =>
  runProcess([VITEST, 'run', ...files], env)

const total = Number(process.argv[2] ?? 10_000)
const runs = String(Math.ceil(total / PROCESSES / HISTORIES))
const seeds = Array.from({ length: PROCESSES }, () => Math.floor(Math.random() * 1e9))
console.log(`${Number(runs) * HISTORIES * PROCESSES} histories, from seeds ${seeds.join(' and ')}`)
const results = await Promise.all(
  seeds.map((seed) => runTests([MODEL], { MODEL_RUNS: runs, MODEL_SEED: String(seed) })),
)
const CRASHES = ['records', 'extraction'].map((name) => `test/e2e/${name}-crash.test.ts`)
results.push(await runTests([...OTHERS, ...CRASHES], { MODEL_RUNS: '10' }))
results.push(
  await runTests(
    ['oracles', 'round-trip'].map((name) => `test/unit/files/${name}.test.ts`),
    { MODEL_RUNS: '34' },
  ),
)
results.push(await runTests(['test/e2e/extraction-large.test.ts'], { LARGE_MB: '2048', LARGE_ROWS: '1000000' }))
results.push(
  await runTests(
    ['jobs-killed', 'deploy-faults'].map((name) => `test/e2e/${name}.test.ts`),
    { LONG: '1' },
  ),
)
results.push(await runProcess(['--import', 'tsx', 'test/conformance/run.ts']))
if (results.includes(false)) process.exitCode = 1
