import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { createTestAccount, getServer } from '../../../test/support/api.ts'
import { runFile } from '../../../test/support/emulators.ts'
import { installPythonClient, type PythonClient } from '../../../test/support/python-client.ts'

const readme = readFileSync('packages/sdk-python/README.md', 'utf8')

let client: PythonClient | undefined
let reason = ''

beforeAll(async () => {
  const installed = await installPythonClient()
  if (typeof installed === 'string') reason = installed
  else client = installed
}, 300_000)

async function runPython(...args: string[]): Promise<string> {
  const { secretKey } = await createTestAccount()
  const env = { ...process.env, ...client!.env, URL: getServer().baseUrl, KEY: secretKey }
  const { stdout } = await runFile(client!.python, args, { env })
  return stdout
}

describe('the Python package wharf-sdk', () => {
  it('parses created and read resources, reads all pages and raises errors', async ({ skip }) => {
    if (!client) return skip(reason)
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
    if (!client) return skip(reason)
    await runPython(resolve('packages/sdk-python/test/test_retries.py'))
  }, 60_000)

  it('imports files, and explains why it imports others not', async ({ skip }) => {
    if (!client) return skip(reason)
    expect(JSON.parse(await runPython(resolve('packages/sdk-python/test/import_files.py')))).toEqual({
      open: ['born'],
      decided: [{ created: 1, unmapped: ['Shoe size'] }, '1990-02-01'],
      upserted: { created: 0, updated: 1 },
      unknown: expect.stringContaining('notes.xyz cannot be read'),
      tables: 'The option `table` must name one of the tables of people.csv: people',
      waited: ['ready', 'TimeoutError'],
      canceled: 'was canceled: no longer needed',
    })
  }, 120_000)

  it('runs the example of its README', async ({ skip }) => {
    if (!client) return skip(reason)
    const [, example] = /```python\n([\s\S]*?)```/.exec(readme)!
    expect(await runPython('-c', example!)).toBe('Spring import\nNotFound 404\n')
  }, 60_000)
})
