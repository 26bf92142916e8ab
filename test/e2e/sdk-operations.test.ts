/** Every served operation of the public SDK, called through the unmodified SDK. */
import { FlatfileClient, FlatfileError } from '@flatfile/api'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { endpoints } from '../../schemas/index.ts'
import type { Contract } from '../../schemas/kit/endpoint.ts'
import { type PublicOperation, publicOperations } from '../../schemas/public-operations.ts'
import { buildEndpointLookup } from '../../scripts/reference/coverage.ts'
import { getServer } from '../support/api.ts'
import { createFixture, type Fixture, fillExample } from '../support/fixture.ts'

/** Streams and chained requests: sdk-records, sdk-mapping and test/api/files.test.ts call these. */
const ELSEWHERE = ['records.v2.', 'files.upload', 'files.download', 'mapping.updateRules']

const served = buildEndpointLookup(endpoints)
const operations = publicOperations.filter(
  (operation) => served(operation) && !ELSEWHERE.some((name) => operation.name.startsWith(name)),
)
const CASCADING = ['environments', 'spaces', 'workbooks', 'sheets', 'apps', 'threads', 'agents']
const isRemoval = ({ method }: PublicOperation): boolean => method === 'DELETE'
const isCascading = ({ name }: PublicOperation): boolean => CASCADING.includes(name.slice(0, name.lastIndexOf('.')))

const REQUIRED_BY_SDK: Record<string, object> = {
  'auth.createAccessToken': { type: 'userCredentials', email: '{email}', password: '{password}' },
  'dataClips.addRecordsToClip': { recordIds: ['{recordId}'] },
  'documents.update': { title: 'Fixture', body: '# Hello again' },
  'events.create': {
    topic: 'space:updated',
    domain: 'space',
    context: { accountId: '{accountId}', environmentId: '{environmentId}', spaceId: '{spaceId}' },
    payload: {},
  },
  'jobs.updateExecutionPlan': {
    fileId: '{fileId}',
    jobId: '{jobId}',
    fieldMapping: [],
    unmappedSourceFields: [],
    unmappedDestinationFields: [],
  },
  'jobs.updateExecutionPlanFields': { fileId: '{fileId}', jobId: '{jobId}', fieldMapping: [] },
  'mapping.updateMappingProgram': {
    source: { name: 'File', fields: ['E-Mail', 'Mail'].map((key) => ({ key, type: 'string' })) },
    destination: { name: 'Sheet', fields: [{ key: 'email', type: 'string' }] },
    save: true,
  },
  'mapping.updateRule': {
    name: 'The address',
    type: 'assign',
    config: { sourceField: 'E-Mail', destinationField: 'email' },
  },
  'snapshots.restoreSnapshot': { created: true, updated: true, deleted: true },
}

let mine: Fixture
beforeAll(async () => {
  mine = await createFixture()
})

type Method = (...parameters: unknown[]) => PromiseLike<unknown>

const complaints = vi.spyOn(console, 'warn')
beforeEach(() => void complaints.mockReset())
afterEach(() => {
  const told = complaints.mock.calls.map((words) => words.join(' ')).filter((text) => text.includes('validate'))
  expect(told).toEqual([])
})

function formsOf({ example }: Contract, ids: Record<string, string>): unknown[][] {
  const { query = {}, body } = fillExample(example, ids)
  const values = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, typed(value)]))
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
  return [
    ...(isObject ? [[{ ...values, ...body }]] : []),
    ...(body === undefined ? [[values]] : [[body], [{ ...values, body }], [body, values]]),
    [],
  ]
}

const typed = (value: string | string[]): unknown =>
  value === 'true' ? true : value === 'false' ? false : /^\d+$/.test(String(value)) ? Number(value) : value

async function callBySdk(operation: PublicOperation, { token, ids }: Fixture): Promise<unknown> {
  const contract = served(operation)!
  const client = new FlatfileClient({ token, environment: `${getServer().baseUrl}/v1` })
  const path = operation.name.split('.')
  const verb = path.pop()!
  const resource = path.reduce((value, key) => (value as Record<string, unknown>)[key], client as unknown) as Record<
    string,
    Method
  >
  const { params = {} } = fillExample(contract.example, ids)
  const placed = [...contract.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => typedId(params[name!]!))
  let refused: unknown
  const demanded = REQUIRED_BY_SDK[operation.name]
  for (const form of demanded ? [[fillExample(demanded, ids)]] : formsOf(contract, ids)) {
    const sent = vi.spyOn(globalThis, 'fetch')
    try {
      return await resource[verb]!(...placed, ...form, { maxRetries: 0 })
    } catch (error) {
      if (sent.mock.calls.length > 0) throw error
      refused = error
    } finally {
      sent.mockRestore()
    }
  }
  throw refused
}

const typedId = (text: string): unknown => (/^\d+$/.test(text) ? Number(text) : text)

async function expectUnderstood(operation: PublicOperation, own: Fixture): Promise<void> {
  try {
    const reply = await callBySdk(operation, own)
    expect(reply, operation.name).toBeDefined()
  } catch (error) {
    if (!(error instanceof FlatfileError)) throw error
    expect([409], `${operation.name}: ${error.statusCode} ${JSON.stringify(error.body)}`).toContain(error.statusCode)
    expect(error.body).toMatchObject({ errors: [{ message: expect.any(String) }] })
  }
}

describe('through the unmodified public SDK', () => {
  const plain = operations.filter((operation) => !isRemoval(operation))
  it.each(plain.map((operation) => [operation.name, operation] as const))('%s', (_name, operation) =>
    expectUnderstood(operation, mine),
  )
  const depth = (operation: PublicOperation): number => served(operation)!.path.split('/').length
  const removals = operations.filter(isRemoval).sort((a, b) => depth(b) - depth(a))
  it.each(removals.map((operation) => [operation.name, operation] as const))('%s', async (_name, operation) =>
    expectUnderstood(operation, isCascading(operation) ? await createFixture() : mine),
  )
})
