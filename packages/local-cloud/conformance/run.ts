/**
 * `npm run test:nightly -- conformance`: runs the suites of packages/local-cloud/test against all clouds and writes packages/local-cloud/conformance/results.md. Exits
 * with 1 if the embedded cloud fails, or if an emulator is missing and CONFORMANCE=required.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { EmulatorUnavailableError } from '../../../test/support/emulators.ts'
import { CLOUDS, type Cloud, type ServiceName, SUITES } from './clouds.ts'
import { type CloudResults, renderPage } from './page.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const RESULTS = join(ROOT, 'packages/local-cloud/conformance/results.json')
const PAGE = join(ROOT, 'packages/local-cloud/conformance/results.md')

interface Report {
  testResults: {
    name: string
    message: string
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
  }[]
}

async function runCloud(cloud: Cloud): Promise<CloudResults> {
  const services = (Object.keys(SUITES) as ServiceName[]).filter((service) => !cloud.missing[service])
  const emulator = await cloud.start?.()
  try {
    const files = services.flatMap((service) => SUITES[service])
    const report = await runSuites(files, createVariables(cloud, emulator?.endpoint))
    return Object.fromEntries(services.map((service) => [service, summarizeResults(report, SUITES[service])]))
  } finally {
    await emulator?.stop()
  }
}

function createVariables({ missing }: Cloud, endpoint: string | undefined): Record<string, string> {
  return endpoint ? { CLOUD: endpoint, ...(missing.DynamoDB && { CLOUD_DYNAMODB: 'off' }) } : {}
}

async function runSuites(files: readonly string[], variables: Record<string, string>): Promise<Report> {
  const scratch = mkdtempSync(join(tmpdir(), 'wharf-conformance-'))
  const output = join(scratch, 'report.json')
  const paths = files.map((file) => `packages/local-cloud/test/${file}.test.ts`)
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
  const options = ['--project', 'local-cloud', '--reporter=json', `--outputFile=${output}`]
  const env = { ...process.env, ...variables }
  const child = spawn(process.execPath, [vitest, 'run', ...options, ...paths], { cwd: ROOT, env, stdio: 'ignore' })
  await new Promise((ended) => child.once('exit', ended))
  const report = JSON.parse(readFileSync(output, 'utf8')) as Report
  rmSync(scratch, { recursive: true, force: true })
  return report
}

function summarizeResults({ testResults }: Report, files: readonly string[]) {
  const suites = testResults.filter(({ name }) => files.includes(basename(name, '.test.ts')))
  const tests = suites.flatMap(({ assertionResults }) => assertionResults)
  const passed = tests.filter(({ status }) => status === 'passed').length
  const failed = tests.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName)
  const broken = suites
    .filter(({ message }) => message !== '')
    .map(({ name, message }) => `${basename(name)}: ${message}`)
  return { passed, failed: [...failed, ...broken.map((text) => text.split('\n')[0]!.slice(0, 200))] }
}

const results: Record<string, CloudResults> = existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, 'utf8')) : {}
const selectedClouds = process.argv.slice(2)
let isComplete = true
for (const cloud of CLOUDS) {
  if (selectedClouds.length > 0 && !selectedClouds.includes(cloud.name)) continue
  console.log(`${cloud.name} ${cloud.version} ...`)
  try {
    results[cloud.name] = await runCloud(cloud)
  } catch (error) {
    if (!(error instanceof EmulatorUnavailableError)) throw error
    isComplete = false
    console.error(`${cloud.name} DID NOT RUN: ${error.message}`)
  }
  for (const [service, { passed, failed }] of Object.entries(results[cloud.name] ?? {}))
    console.log(`  ${service}: ${passed} of ${passed + failed.length}${failed.map((each) => `\n    ${each}`).join('')}`)
}
writeFileSync(RESULTS, `${JSON.stringify(results, null, 2)}\n`)
writeFileSync(PAGE, renderPage(results))
const embedded = Object.values(results.embedded ?? {})
if (embedded.length === 0 || embedded.some(({ failed }) => failed.length > 0)) process.exitCode = 1
if (!isComplete && process.env.CONFORMANCE === 'required') process.exitCode = 1
