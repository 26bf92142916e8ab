/**
 * `npm run test:nightly [-- part [argument ...]]`: the long tests, fuzz tests, conformance suites and
 * packages, or one part.
 * `mutation` takes hours and runs only by its name. Exits with 1 on any failure; the output contains the seed for a
 * rerun.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installTools } from '../scripts/install-tools.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const VITEST = 'node_modules/vitest/vitest.mjs'
const STRYKER = 'test/mutation/node_modules/@stryker-mutator/core/bin/stryker.js'
/** Compared with `npm run test:full`, which is 1. */
const LONG_RUNS = '20'

async function run(
  args: readonly string[],
  env: Record<string, string> = {},
  node: string = process.execPath,
): Promise<boolean> {
  const child = spawn(node, args, { cwd: ROOT, env: { ...process.env, ...env }, stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  return code === 0
}

const OTHER_NODES = ['node-22', 'node-24']

async function testPackages(args: string[]): Promise<boolean> {
  installTools('test/packages')
  let hasPassed = true
  for (const name of OTHER_NODES) {
    const bin = join(ROOT, 'test/packages/node_modules', name, 'bin')
    const tests = [VITEST, 'run', '--project', 'full', 'packages/', 'package.test', ...args]
    console.log(`Testing the packages on ${name}`)
    hasPassed = (await run(tests, { PATH: `${bin}:${process.env.PATH}` }, join(bin, 'node'))) && hasPassed
  }
  return hasPassed
}

const PARTS: Record<string, (args: string[]) => Promise<boolean>> = {
  long: (args) => run([VITEST, 'run', '--project', 'full', ...args], { TEST_RUNS: LONG_RUNS }),
  fuzz: (args) => run([VITEST, 'run', '--project', 'fuzz', ...args]),
  conformance: (args) => run(['--import', 'tsx', 'packages/local-cloud/conformance/run.ts', ...args]),
  packages: testPackages,
  'public-suite': (args) => run(['--import', 'tsx', 'packages/local-cloud/conformance/public-suite.ts', ...args]),
  mutation: async (args) => {
    installTools('test/mutation')
    return (
      (await run([STRYKER, 'run', 'test/mutation/stryker.config.mjs', ...args])) && run(['test/mutation/survivors.mjs'])
    )
  },
}
const EVERY_NIGHT = ['long', 'fuzz', 'conformance', 'packages']

const [name, ...args] = process.argv.slice(2)
if (name && !PARTS[name]) throw new Error(`There is no part ${name}: ${Object.keys(PARTS).join(', ')}`)
for (const part of name ? [name] : EVERY_NIGHT) if (!(await PARTS[part]!(args))) process.exitCode = 1
