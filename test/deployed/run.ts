/**
 * `npm run test:deployed` tests the packaged template on a LocalStack-compatible cloud: deploys it, runs the demo
 * import, agents, cron and the public client, redeploys without a change, upgrades a previous version with its data,
 * and removes everything. Writes `results/deployed.json`.
 * `npm run test:deployed fresh` or `... upgrade` runs one half; `PREVIOUS=<commit>` selects the previous version.
 * Without Python or PyPI it skips, and fails only with DEPLOYED=required.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Emulator, EmulatorUnavailableError } from '../support/emulators.ts'
import { callJson } from './call.ts'
import { buildCommandEnvironment, checkout, Deployment, findPreviousCommit, ROOT } from './deployment.ts'
import { emulator } from './emulator.ts'

interface Step {
  name: string
  seconds: number
  result: string
}
const steps: Step[] = []

async function step(name: string, work: () => Promise<string | undefined>): Promise<void> {
  const startedAt = performance.now()
  process.stdout.write(`${name} ... `)
  const result = (await work()) ?? 'done'
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10
  steps.push({ name, seconds, result })
  console.log(`${result} (${seconds} s)`)
}

function must(holds: boolean, problem: string): void {
  if (!holds) throw new Error(problem)
}

async function fresh(at: Emulator): Promise<void> {
  const deployment = new Deployment(at.endpoint, 'fresh')
  await step('deploy from nothing', async () => {
    await deployment.deploy()
    return `${Object.keys(await deployment.listFunctions()).length} functions`
  })
  await step('first administrator, demo import through a deployed agent', async () => {
    const account = await deployment.createAccount('ada@example.com')
    const output = await deployment.runDemo(account)
    must(/3,?376/.test(output), `The demo did not print its rows:\n${output}`)
    return '3,376 rows'
  })
  await step('agents, cron and the public client', async () => tests(at.endpoint, await deployment.getVariables()))
  await step('deploy again', async () => {
    const before = JSON.stringify([await deployment.getVariables(), await deployment.listFunctions()])
    await deployment.deploy()
    const after = JSON.stringify([await deployment.getVariables(), await deployment.listFunctions()])
    must(before === after, `Something changed:\n${before}\n${after}`)
    return 'nothing changed'
  })
  await step('remove', async () => removeAndCheck(deployment))
}

function tests(endpoint: string, variables: Record<string, string>): string {
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
  const args = [vitest, 'run', '--project', 'deployed', '--reporter=dot']
  const env = buildCommandEnvironment(endpoint, { WHARF_DEPLOYED: JSON.stringify({ endpoint, variables }) })
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, env, encoding: 'utf8' })
  must(status === 0, `${stdout}\n${stderr}`)
  return /Tests\s+(.*)/.exec(plain(stdout))?.[1] ?? 'passed'
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours
const plain = (text: string) => text.replace(/\u001b\[[0-9;]*m/g, '')

async function removeAndCheck(deployment: Deployment): Promise<string> {
  must((await deployment.findLeftovers()).length > 40, 'What is there was not found.')
  await deployment.remove()
  const left = await deployment.findLeftovers()
  must(left.length === 0, `These are left: ${left.join(', ')}`)
  return 'no function, table, bucket, bus or rule is left'
}

interface Previous {
  commit: string
  root: string
  built: Promise<unknown>
}

async function versionBefore(at: Emulator): Promise<Previous | undefined> {
  const commit = await findPreviousCommit()
  const root = commit && (await checkout(commit))
  if (!root) return undefined
  const build = async (): Promise<unknown> => {
    // Workarounds for the local cloud are not part of the upgrade.
    copyFileSync(join(ROOT, 'localstack/deploy-plugin.cjs'), join(root, 'localstack/deploy-plugin.cjs'))
    return new Deployment(at.endpoint, 'upgraded', root).npm('build')
  }
  const built = build()
  built.catch(() => {})
  return { commit, root, built }
}

async function remove({ root, built }: Previous): Promise<void> {
  await built.catch(() => {})
  rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 })
}

async function upgrade(at: Emulator, before: Previous | undefined): Promise<void> {
  if (!before) {
    console.log('NOT RUN: the upgrade. There is no earlier version: a checkout with its history is needed.')
    steps.push({ name: 'upgrade', seconds: 0, result: 'not run: no earlier version' })
    return
  }
  const { commit, root, built } = before
  const previous = new Deployment(at.endpoint, 'upgraded', root)
  let key = ''
  let sheetId = ''
  await step(`deploy the version before (${commit.slice(0, 12)})`, async () => {
    await built
    await previous.deploy()
    return `${Object.keys(await previous.listFunctions()).length} functions`
  })
  await step('put data into it', async () => {
    const account = await previous.asCurrentVersion().createAccount('ada@example.com')
    key = account.environments[0]!.secretKey
    sheetId = await fill((await previous.getVariables()).BASE_URL!, key)
    return 'a sheet of 100 records'
  })
  await step('upgrade it', async () => {
    await previous.asCurrentVersion().deploy()
    const records = await read((await previous.getVariables()).BASE_URL!, key, sheetId)
    must(records === 100, `Of 100 records ${records} are left.`)
    return '100 records, and the key, are still there'
  })
  await step('remove it', async () => removeAndCheck(previous.asCurrentVersion()))
}

async function fill(url: string, key: string): Promise<string> {
  const call = callJson(url, key)
  const space = await call('POST', '/spaces', { name: 'Kept' })
  const fields = [{ key: 'email', type: 'string' }]
  const sheets = [{ name: 'People', slug: 'people', fields }]
  const workbook = await call('POST', '/workbooks', { spaceId: space.id, name: 'People', sheets })
  const rows = Array.from({ length: 100 }, (_, i) => ({ email: { value: `ada${i}@example.com` } }))
  await call('POST', `/sheets/${workbook.sheets[0].id}/records`, rows)
  return workbook.sheets[0].id
}

const read = async (url: string, key: string, sheetId: string): Promise<number> =>
  (await callJson(url, key)('GET', `/sheets/${sheetId}/counts`)).counts.total

function loudly(reason: string): void {
  const line = '!'.repeat(100)
  console.log(`${line}\nNOT RUN: npm run test:deployed. ${reason}\nNothing was proved about deployments.\n${line}`)
}

function write(outcome: object): void {
  mkdirSync(resolve(ROOT, 'results'), { recursive: true })
  writeFileSync(resolve(ROOT, 'results/deployed.json'), `${JSON.stringify({ ...outcome, steps }, null, 2)}\n`)
}

const startedAt = performance.now()
const seconds = () => Math.round((performance.now() - startedAt) / 1000)
let cloud: Emulator | undefined
let before: Previous | undefined
try {
  cloud = await emulator()
  const { endpoint } = cloud
  await step('build', async () => new Deployment(endpoint, 'fresh').npm('build').then(() => 'all functions'))
  const [half] = process.argv.slice(2)
  if (half !== 'fresh') before = await versionBefore(cloud)
  if (half !== 'upgrade') await fresh(cloud)
  if (half !== 'fresh') await upgrade(cloud, before)
  write({ outcome: 'passed', seconds: seconds() })
  console.log(`All of it in ${seconds()} s.`)
} catch (error) {
  const message = error instanceof Error ? error.message : String(error)
  write({ outcome: error instanceof EmulatorUnavailableError ? 'not run' : 'failed', seconds: seconds(), message })
  if (error instanceof EmulatorUnavailableError) {
    loudly(message)
    process.exitCode = process.env.DEPLOYED === 'required' ? 1 : 0
  } else {
    console.error(`\n${message}`)
    process.exitCode = 1
  }
} finally {
  if (before) await remove(before)
  await cloud?.stop()
}
