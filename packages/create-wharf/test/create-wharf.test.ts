import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createCaller,
  createDataCaller,
  createTestAccount,
  getServer,
  type TestAccount,
  waitUntil,
} from '../../../test/support/api.ts'
import { installPackages, runNpm } from '../../../test/support/install-packages.ts'

let root: string
let starter: string
let project: string
let dependencies: string[]
let remove: () => void
const PACKAGES = ['sdk', 'listener', 'record-hook', 'platform', 'testing', 'cli', 'create-wharf']
const readme = readFileSync('packages/create-wharf/README.md', 'utf8')

let account: TestAccount
let must: ReturnType<typeof createDataCaller>

beforeAll(async () => {
  ;({ root, project: starter, dependencies, remove } = await installPackages(PACKAGES))
  project = join(root, 'my-import')
  account = await createTestAccount()
  must = createDataCaller(() => createCaller(account.secretKey))
}, 300_000)
afterAll(() => remove?.())

const OTHERS = { '@types/node': '^20.19.0', typescript: '^6.0.0', vitest: '^4.1.0' }
const readPackage = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
const matchesRange = (version: string, range: string) => {
  const [major, minor] = version.split('.').map(Number)
  const [rangeMajor, rangeMinor] = range.slice(1).split('.').map(Number)
  return major === rangeMajor && minor! >= rangeMinor!
}

function createWharf(...args: string[]) {
  const bin = join(starter, 'node_modules/.bin/create-wharf')
  const { status, stdout, stderr } = spawnSync(bin, args, { cwd: root, encoding: 'utf8' })
  return { status, stdout, stderr }
}

const getEnvironment = () => ({
  PATH: `${join(project, 'node_modules/.bin')}:${process.env.PATH}`,
  HOME: root,
})

function wharf(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(join(project, 'node_modules/.bin/wharf'), args, {
    cwd: project,
    env: getEnvironment(),
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

describe('create-wharf', () => {
  it('packs what its page names', () => expect(readme).toContain(`npm pack ./packages/{${PACKAGES}}\n`))

  it('refuses a wrong name, a missing package and existing files, and writes nothing', () => {
    expect(createWharf()).toMatchObject({ status: 2, stderr: expect.stringContaining('Usage') })
    expect(createWharf('x', '--unknown')).toMatchObject({ status: 2, stderr: expect.stringContaining('--unknown') })
    expect(createWharf('x', '--name', 'Not Valid')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('Not Valid'),
    })
    expect(createWharf('x', '--packages', 'nowhere')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('npm pack'),
    })
    expect(existsSync(join(root, 'x'))).toBe(false)
    mkdirSync(join(root, 'taken'))
    writeFileSync(join(root, 'taken/tsconfig.json'), '{}')
    expect(createWharf('taken')).toMatchObject({ status: 1, stderr: expect.stringContaining('tsconfig.json') })
    expect(existsSync(join(root, 'taken/package.json'))).toBe(false)
  })

  it('creates a project whose types and tests pass', () => {
    expect(createWharf('my-import', '--packages', '.')).toMatchObject({ status: 0, stderr: '' })
    // Those of this repository are found above the project, as there may be no registry.
    for (const [name, range] of Object.entries(OTHERS)) {
      expect(readPackage(project).devDependencies[name]).toBe(range)
      expect(matchesRange(readPackage(`node_modules/${name}`).version, range), name).toBe(true)
    }
    runNpm(project, 'pkg', 'delete', ...Object.keys(OTHERS).map((name) => `devDependencies.${name}`))
    runNpm(project, 'install', '--no-save', ...dependencies)
    writeFileSync(
      join(project, '.env'),
      `WHARF_URL=${new URL(getServer().baseUrl).origin}\nWHARF_TOKEN=${account.secretKey}\n`,
    )
    runNpm(project, 'run', 'check')
    expect(runNpm(project, 'test')).toMatch(/1 passed/)
    expect(readFileSync(join(project, '.gitignore'), 'utf8')).toContain('.env')
  }, 300_000)

  it('is the same as wharf init', () => {
    const folder = join(root, 'by-init')
    mkdirSync(folder)
    const bin = join(project, 'node_modules/.bin/wharf')
    const run = () =>
      spawnSync(bin, ['init', '--packages', '..', '--name', 'my-import', '--json'], { cwd: folder, encoding: 'utf8' })
    const { files } = JSON.parse(run().stdout) as { files: string[] }
    expect(files).toContain('test/listener.test.ts')
    for (const file of files.filter((name) => name !== 'package.json'))
      expect(readFileSync(join(folder, file), 'utf8')).toBe(readFileSync(join(project, file), 'utf8'))
    expect(run()).toMatchObject({ status: 2, stderr: expect.stringContaining('package.json') })
  })
})

describe('a created project', () => {
  const getSource = () => join(project, 'src/listener.ts')
  let dev: ChildProcess
  let output = ''

  beforeAll(async () => {
    dev = spawn(join(project, 'node_modules/.bin/wharf'), ['dev'], { cwd: project, env: getEnvironment() })
    for (const stream of [dev.stdout!, dev.stderr!]) stream.on('data', (chunk) => (output += chunk))
    await waitForOutput(/Following/)
  }, 60_000)
  afterAll(() => dev?.kill('SIGKILL'))

  const waitForOutput = (pattern: RegExp) =>
    waitUntil(async () => {
      if (dev.exitCode !== null) throw new Error(`wharf dev ended with ${dev.exitCode}:\n${output}`)
      return pattern.test(output)
    }, 40).catch((error: Error) => {
      throw new Error(`${error.message}: ${pattern}\n${output}`)
    })
  const edit = (from: string, to: string) =>
    writeFileSync(getSource(), readFileSync(getSource(), 'utf8').replace(from, to))
  const insert = (sheetId: string, email: string) =>
    must('POST', `/sheets/${sheetId}/records`, [{ email: { value: email } }])
  const listEmails = async (sheetId: string) =>
    (await must('GET', `/sheets/${sheetId}/records`)).records.map(
      (record: { values: { email: { value: string } } }) => record.values.email.value,
    )

  async function configureSpace() {
    const space = await must('POST', '/spaces', { name: 'Created', autoConfigure: true })
    const workbook = await waitUntil(async () => (await must('GET', `/workbooks?spaceId=${space.id}`))[0], 40)
    return { spaceId: space.id as string, workbookId: workbook.id as string, sheetId: workbook.sheets[0].id as string }
  }

  it('configures spaces, corrects records and submits them with wharf dev, reloads and is deployed', async () => {
    const { workbookId, sheetId } = await configureSpace()
    await waitForOutput(/job:ready +space:configure \(src\/listener\.ts:6\) +\d+ ms +ok/)
    await insert(sheetId, ' ADA@example.com')
    await waitUntil(async () => (await listEmails(sheetId))[0] === 'ada@example.com', 40)
    const job = await must('POST', '/jobs', {
      type: 'workbook',
      operation: 'submit',
      source: workbookId,
      trigger: 'immediate',
    })
    const readJob = () => must('GET', `/jobs/${job.id}`)
    await waitUntil(async () => (await readJob()).status === 'completed', 40)
    expect((await readJob()).outcome.message).toBe('1 records were submitted.')

    edit('.toLowerCase()', '.toUpperCase(')
    await waitForOutput(/cannot be bundled[\s\S]*listener\.ts:\d+/)
    await insert(sheetId, ' still@example.com')
    await waitUntil(async () => (await listEmails(sheetId)).includes('still@example.com'), 40)

    edit('.toUpperCase(', '.toUpperCase()')
    // Some arrive before the reload and some after it; each is corrected, by the old or the new version.
    const added = Array.from({ length: 12 }, (_, index) => `Mixed${index}@example.com `)
    for (const email of added) await insert(sheetId, email)
    await waitForOutput(/Reloaded src\/listener\.ts/)
    await waitUntil(async () => (await listEmails(sheetId)).every((email: string) => email.trim() === email), 40)
    await insert(sheetId, 'grace@example.com')
    await waitUntil(async () => (await listEmails(sheetId)).includes('GRACE@EXAMPLE.COM'), 40)

    edit('let count = 0', "throw new Error('not connected')")
    await waitUntil(async () => (output.match(/Reloaded/g) ?? []).length === 2, 40)
    await must('POST', '/jobs', { type: 'workbook', operation: 'submit', source: workbookId, trigger: 'immediate' })
    await waitForOutput(/workbook:submit [\s\S]* failed[\s\S]*not connected[\s\S]*> \d+ \| +throw new Error/)
    edit("throw new Error('not connected')", 'let count = 0')

    dev.kill('SIGINT')
    expect((await once(dev, 'exit'))[0]).toBe(0)

    const deployed = wharf('deploy', '--json')
    expect(deployed, deployed.stderr).toMatchObject({ status: 0 })
    const agent = JSON.parse(deployed.stdout)
    expect(agent).toMatchObject({ slug: 'my-import', version: 1, status: 'active', isNew: true })
    expect(agent.topics).toEqual(['commit:created', 'job:ready'])
    const { sheetId: secondSheetId } = await configureSpace()
    await insert(secondSheetId, 'agent@example.com')
    await waitUntil(async () => (await listEmails(secondSheetId)).includes('AGENT@EXAMPLE.COM'), 40)

    edit(
      'export default createListener((on) => {',
      "export default createListener((on) => {\n  on('space:created', () => {})",
    )
    const refused = wharf('deploy')
    expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining('+ space:created') })
    const replaced = JSON.parse(wharf('deploy', '--yes', '--json').stdout)
    expect(replaced).toMatchObject({ id: agent.id, version: 2, isNew: false })
  }, 300_000)
})
