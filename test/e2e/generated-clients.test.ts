/** Clients generated from the OpenAPI document by openapi-typescript and openapi-python-client (PyPI). */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import createClient from 'openapi-fetch'
import { expect, it } from 'vitest'
import type { paths } from '../../web/shared/api/schema.generated.ts'
import { createTestAccount, getServer } from '../support/api.ts'
import { EmulatorUnavailableError, findPython, installPython } from '../support/emulators.ts'

const run = promisify(execFile)
/** Pinned, because versions read documents differently. */
const GENERATOR_VERSION = '0.29.1'
const DOCUMENT = 'schemas/generated/openapi.json'
const SHEET = {
  name: 'People',
  slug: 'people',
  fields: [{ key: 'email', type: 'string' as const, constraints: [{ type: 'required' as const }] }],
}

it('a TypeScript client creates and reads resources, with numbers and booleans in queries', async () => {
  const { secretKey } = await createTestAccount()
  const baseUrl = new URL(getServer().baseUrl).origin
  const api = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${secretKey}` } })
  const space = (await api.POST('/api/v1/spaces', { body: { name: 'Typed' } })).data!.data
  const workbook = await api.POST('/api/v1/workbooks', { body: { spaceId: space.id, name: 'w', sheets: [SHEET] } })
  const sheet = workbook.data!.data.sheets![0]!
  const [field] = sheet.config.fields
  expect(field).toMatchObject({ key: 'email', type: 'string' })
  const path = { sheetId: sheet.id }
  const body = [{ email: { value: 'ada@example.com' } }, { email: { value: null } }]
  await api.POST('/api/v1/sheets/{sheetId}/records', { params: { path }, body })
  const query = { pageSize: 1, pageNumber: 2, includeCounts: true, includeMessages: false }
  const page = (await api.GET('/api/v1/sheets/{sheetId}/records', { params: { path, query } })).data!.data
  expect(page.records.map(({ values }) => values.email!.value)).toEqual([null])
  expect(page.counts).toMatchObject({ total: 2, valid: 1, error: 1 })
  const job = await api.POST('/api/v1/jobs', {
    body: { type: 'workbook', operation: 'submit', source: workbook.data!.data.id, trigger: 'manual' },
  })
  const jobs = await api.GET('/api/v1/jobs', {
    params: { query: { spaceId: space.id, status: ['created'], excludeChildJobs: true } },
  })
  expect(jobs.data!.data.map(({ id }) => id)).toEqual([job.data!.data.id])
})

const CONFIG = {
  content_type_overrides: Object.fromEntries(
    ['application/gzip', 'application/jsonl', '*/*'].map((type) => [type, 'application/octet-stream']),
  ),
  post_hooks: [],
}

it('a Python client is generated without warnings and parses created and read resources', async ({ skip }) => {
  let generator: string
  try {
    const requirement = `openapi-python-client==${GENERATOR_VERSION}`
    generator = await installPython(`openapi-python-client-${GENERATOR_VERSION}`, await findPython(10), [requirement])
  } catch (error) {
    if (!(error instanceof EmulatorUnavailableError)) throw error
    const reason = `NOT RUN: the Python client needs Python 3.10 or newer with venv, and PyPI: ${error.message}`
    console.warn(reason)
    skip(reason)
    return
  }
  const folder = mkdtempSync(join(tmpdir(), 'wharf-python-client-'))
  try {
    const config = join(folder, 'config.json')
    writeFileSync(config, JSON.stringify(CONFIG))
    const generation = await run(join(generator, 'bin/openapi-python-client'), [
      ...['generate', '--path', resolve(DOCUMENT), '--output-path', join(folder, 'client'), '--config', config],
      '--fail-on-warning',
    ])
    expect(generation.stdout).not.toMatch(/warning|unable/i)
    const { secretKey } = await createTestAccount()
    const { stdout } = await run(join(generator, 'bin/python'), [resolve('test/support/generated_client.py')], {
      env: {
        ...process.env,
        PYTHONPATH: join(folder, 'client'),
        URL: new URL(getServer().baseUrl).origin,
        KEY: secretKey,
      },
    })
    expect(JSON.parse(stdout)).toEqual({
      spaces: ['Typed'],
      workbook: 'Contacts',
      fields: ['StringField', 'EnumField'],
      constraints: ['RequiredConstraint'],
      config: 'StoredSheetConfig',
      records: ['ada@example.com', null],
      counts: [2, 1, 1],
      job: ['created', 'submit'],
      rules: ['AssignProgramRule', 'AssignRuleConfig'],
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}, 240_000)
