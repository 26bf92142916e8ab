/**
 * `DYNAMODB_CONFORMANCE=folder npm run test:nightly -- public-suite [cloud ...]`: runs a checkout of the public suite
 * https://github.com/nubo-db/dynamodb-conformance (MIT), after `npm install` there, against the embedded DynamoDB and
 * emulators. Saves the counts, which docs/scores.md shows.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { conformanceTarget } from '../../../test/support/conformance.ts'
import { EmulatorUnavailableError } from '../../../test/support/emulators.ts'
import { startDynamodb } from '../src/dynamodb/index.ts'
import { CLOUDS, type Cloud } from './clouds.ts'

const RESULTS = join(import.meta.dirname, 'public-results.json')
const TIERS = ['tier1', 'tier2', 'tier3']

interface TierResult {
  passed: number
  failed: Record<string, number>
}

const HOW_TO_GET =
  'Set DYNAMODB_CONFORMANCE to a checkout of https://github.com/nubo-db/dynamodb-conformance with its packages installed.'

interface Report {
  testResults: { name: string; assertionResults: { status: string }[] }[]
}

async function startTarget({ start }: Cloud): Promise<{ endpoint: string; stop(): Promise<void> }> {
  if (start) return start()
  const { endpoint, close } = await conformanceTarget(() => startDynamodb({}))
  return { endpoint, stop: close }
}

async function runTier(folder: string, tier: string, endpoint: string): Promise<TierResult> {
  const scratch = mkdtempSync(join(tmpdir(), 'wharf-public-suite-'))
  const output = join(scratch, 'report.json')
  const options = ['--reporter=json', `--outputFile=${output}`]
  const env = {
    ...process.env,
    ...{ DYNAMODB_ENDPOINT: endpoint, AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' },
  }
  const args = [join(folder, 'node_modules/vitest/vitest.mjs'), 'run', `tests/${tier}`, ...options]
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: 'ignore' })
  await new Promise((ended) => child.once('exit', ended))
  const { testResults } = JSON.parse(readFileSync(output, 'utf8')) as Report
  rmSync(scratch, { recursive: true, force: true })
  return countTests(testResults, `/tests/${tier}/`)
}

/** The suite skips the tests of operations that a target does not have, and counts them as failed. */
function countTests(files: Report['testResults'], folder: string): TierResult {
  const failed: Record<string, number> = {}
  let passed = 0
  for (const { name, assertionResults } of files) {
    const file = name.slice(name.lastIndexOf(folder) + folder.length).replace('.test.ts', '')
    const passedHere = assertionResults.filter(({ status }) => status === 'passed').length
    passed += passedHere
    if (passedHere < assertionResults.length) failed[file] = assertionResults.length - passedHere
  }
  return { passed, failed }
}

async function runSuite(folder: string, cloud: Cloud): Promise<Record<string, TierResult>> {
  const target = await startTarget(cloud)
  try {
    const results: Record<string, TierResult> = {}
    for (const tier of TIERS) results[tier] = await runTier(folder, tier, target.endpoint)
    return results
  } finally {
    await target.stop()
  }
}

const folder = process.env.DYNAMODB_CONFORMANCE
if (!folder || !existsSync(join(folder, 'node_modules/vitest'))) throw new Error(HOW_TO_GET)
const names = process.argv.slice(2)
const clouds = CLOUDS.filter(({ name, missing }) => !missing.DynamoDB && (names.length === 0 || names.includes(name)))
const results: Record<string, object> = existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, 'utf8')) : {}
for (const cloud of clouds)
  try {
    const tiers = await runSuite(folder, cloud)
    results[cloud.name] = { version: cloud.version, measuredAt: new Date().toISOString().slice(0, 10), tiers }
    for (const [tier, { passed, failed }] of Object.entries(tiers))
      console.log(`${cloud.name}, ${tier}: ${passed} passed, not passed: ${JSON.stringify(failed)}`)
  } catch (error) {
    if (!(error instanceof EmulatorUnavailableError)) throw error
    console.error(`${cloud.name} DID NOT RUN: ${error.message}`)
    process.exitCode = 1
  }
writeFileSync(RESULTS, `${JSON.stringify(results, null, 2)}\n`)
