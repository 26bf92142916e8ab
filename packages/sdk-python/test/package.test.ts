import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestAccount, getServer } from '../../../test/support/api.ts'
import { EmulatorUnavailableError, findPython, installPython } from '../../../test/support/emulators.ts'

const run = promisify(execFile)
const root = mkdtempSync(join(tmpdir(), 'wharf-python-'))
const installed = join(root, 'installed')
const project = readFileSync('packages/sdk-python/pyproject.toml', 'utf8')
const readme = readFileSync('packages/sdk-python/README.md', 'utf8')

const listRequirements = (name: string): string[] =>
  JSON.parse(new RegExp(`^${name} = (\\[.*\\])$`, 'm').exec(project)![1]!)

let python: string | undefined
let reason = ''

async function findTools(): Promise<string | undefined> {
  try {
    const requirements = [...listRequirements('requires'), ...listRequirements('dependencies')]
    const version = /openapi-python-client==([\d.]+)/.exec(project)![1]
    return join(await installPython(`wharf-sdk-python-${version}`, await findPython(10), requirements), 'bin/python')
  } catch (error) {
    if (!(error instanceof EmulatorUnavailableError)) throw error
    reason = `NOT RUN: the Python client needs Python 3.10 or newer with venv, and PyPI: ${error.message}`
    console.warn(reason)
    return undefined
  }
}

beforeAll(async () => {
  python = await findTools()
  if (!python) return
  const folder = join(root, 'packages/sdk-python')
  cpSync('packages/sdk-python', folder, { recursive: true, filter: (path) => !path.endsWith('/rest') })
  cpSync('schemas/generated/openapi.json', join(root, 'schemas/generated/openapi.json'))
  const pip = ['-m', 'pip', '-q', '--disable-pip-version-check']
  await run(python, [...pip, 'wheel', '--no-build-isolation', '--no-deps', '-w', join(root, 'wheels'), folder])
  const [wheel] = readdirSync(join(root, 'wheels'))
  await run(python, [...pip, 'install', '--no-deps', '--target', installed, join(root, 'wheels', wheel!)])
}, 300_000)
afterAll(() => rmSync(root, { recursive: true, force: true }))

async function runPython(...args: string[]): Promise<string> {
  const { secretKey } = await createTestAccount()
  const env = { ...process.env, PYTHONPATH: installed, URL: getServer().baseUrl, KEY: secretKey }
  const { stdout } = await run(python!, args, { env })
  return stdout
}

describe('the Python package wharf-sdk', () => {
  it('parses created and read resources, reads all pages and raises errors', async ({ skip }) => {
    if (!python) return skip(reason)
    expect(JSON.parse(await runPython(resolve('packages/sdk-python/test/use_client.py')))).toEqual({
      spaces: ['e', 'd', 'c', 'b', 'Typed'],
      workbook: 'Contacts',
      fields: ['StringField', 'EnumField'],
      constraints: ['RequiredConstraint'],
      config: 'StoredSheetConfig',
      records: ['ada@example.com', null],
      counts: [2, 1, 1],
      job: ['created', 'submit'],
      rules: ['AssignProgramRule', 'AssignRuleConfig'],
      missing: ['NotFound', 404, ['not-found']],
      invalid: ['ValidationFailed', 400, ['name']],
    })
  }, 60_000)

  it('repeats temporary failures, and a POST under one Idempotency-Key', async ({ skip }) => {
    if (!python) return skip(reason)
    await runPython(resolve('packages/sdk-python/test/test_retries.py'))
  }, 60_000)

  it('runs the example of its README', async ({ skip }) => {
    if (!python) return skip(reason)
    const [, example] = /```python\n([\s\S]*?)```/.exec(readme)!
    expect(await runPython('-c', example!)).toBe('Spring import\nNotFound 404\n')
  }, 60_000)
})
