import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DescribeTableCommand, DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'
import {
  EventBridgeClient,
  ListRulesCommand,
  ListTargetsByRuleCommand,
  PutEventsCommand,
} from '@aws-sdk/client-eventbridge'
import { InvokeCommand, LambdaClient, ListFunctionsCommand } from '@aws-sdk/client-lambda'
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { clientConfig } from '../../../test/support/conformance.ts'
import { getCredentials } from '../../../test/support/signed-request.ts'
import { toPortError } from '../src/server/listen.ts'
import { CannotStartError, type Cloud, type CloudOptions, startCloud } from '../src/server.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const scratch = mkdtempSync(join(tmpdir(), 'wharf-cloud-'))
const running: Cloud[] = []

const FUNCTIONS: Record<string, string> = {
  'functions/things.ts': `
    export const handler = async (event: { pathParameters?: { id: string }; routeKey?: string }) => ({
      statusCode: 200,
      body: JSON.stringify({ id: event.pathParameters?.id, route: event.routeKey, baseUrl: process.env.BASE_URL, table: process.env.TABLE_NAME }),
    })`,
  'functions/system/mark.ts': `
    import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb'
    export const handler = async (event: { detail: { id: string } }) => {
      await new DynamoDBClient({}).send(new PutItemCommand({ TableName: process.env.TABLE_NAME, Item: { pk: { S: event.detail.id }, sk: { S: 'mark' } } }))
    }`,
  'functions/system/cron.ts': `
    import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb'
    export const handler = async ({ topic, time }: { topic: string; time: string }) => {
      await new DynamoDBClient({}).send(new PutItemCommand({ TableName: process.env.TABLE_NAME, Item: { pk: { S: topic }, sk: { S: 'mark' }, time: { S: time } } }))
    }`,
  'functions/system/queue-webhooks.ts': 'export const handler = async () => {}',
  'functions/system/retry-webhooks.ts': 'export const handler = async () => {}',
  'functions/http.yml': `
things:
  handler: functions/things.handler
  events:
    - httpApi: { method: GET, path: '/api/v1/things/{id}' }
    - httpApi: { method: POST, path: /api/v1/things }
missing:
  handler: functions/missing.handler
  events:
    - httpApi: { method: GET, path: /api/v1/missing }
`,
}

const SYSTEM = [
  'default-route',
  'publish-pending',
  'collect-orphans',
  'run-job',
  'file-created',
  'removed',
  'agent-finished',
]

function createProject(name: string): string {
  const root = join(scratch, name)
  mkdirSync(join(root, 'functions/system'), { recursive: true })
  for (const file of ['serverless.yml', 'package.json', 'functions/permissions.yml', 'functions/alarms.yml'])
    cpSync(join(ROOT, file), join(root, file))
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  for (const [path, text] of Object.entries(FUNCTIONS)) writeFileSync(join(root, path), text)
  for (const each of SYSTEM)
    writeFileSync(join(root, `functions/system/${each}.ts`), `export { handler } from './mark.ts'`)
  return root
}

async function start(options: Partial<CloudOptions> & { dataDir: string }): Promise<Cloud> {
  const cloud = await startCloud({ cloudPort: 0, apiPort: 0, ...options })
  running.push(cloud)
  return cloud
}

async function waitFor<T>(probe: () => Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + 10_000
  while (Date.now() < deadline) {
    const found = await probe()
    if (found !== undefined) return found
    await sleep(20)
  }
  throw new Error('It did not happen within 10 s.')
}

describe.skipIf(process.env.CLOUD)('the embedded cloud', () => {
  let root: string
  const logged = vi.spyOn(console, 'error')

  beforeAll(() => {
    root = createProject('project')
    logged.mockImplementation(() => {})
  })
  afterEach(async () => {
    await Promise.all(running.splice(0).map((cloud) => cloud.close()))
  })
  afterAll(() => {
    logged.mockRestore()
    rmSync(scratch, { recursive: true, force: true })
  })

  const createConfig = (cloud: Cloud) => clientConfig(cloud.endpoint, getCredentials(cloud.environment))
  const createS3Client = (cloud: Cloud) => new S3Client({ ...createConfig(cloud), forcePathStyle: true })
  const readMark = async (cloud: Cloud, id: string) => {
    const key = { pk: { S: id }, sk: { S: 'mark' } }
    const found = await new DynamoDBClient(createConfig(cloud)).send(
      new GetItemCommand({ TableName: 'wharf-dev-table', Key: key, ConsistentRead: true }),
    )
    return found.Item
  }
  const emit = (cloud: Cloud, topic: string, id: string) =>
    new EventBridgeClient(createConfig(cloud)).send(
      new PutEventsCommand({
        Entries: [{ EventBusName: 'wharf-dev', Source: 'wharf', DetailType: topic, Detail: JSON.stringify({ id }) }],
      }),
    )

  it('serves every service on one address', async () => {
    const cloud = await start({ root, dataDir: join(scratch, 'services') })
    const config = createConfig(cloud)
    const table = await new DynamoDBClient(config).send(new DescribeTableCommand({ TableName: 'wharf-dev-table' }))
    expect(table.Table?.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName).sort()).toEqual([
      'gsi1',
      'gsi2',
      'pending',
    ])
    const s3 = createS3Client(cloud)
    await s3.send(new PutObjectCommand({ Bucket: 'wharf-dev-bucket', Key: '2015-03-31/functions/x', Body: 'kept' }))
    expect(
      await (
        await s3.send(new GetObjectCommand({ Bucket: 'wharf-dev-bucket', Key: '2015-03-31/functions/x' }))
      ).Body!.transformToString(),
    ).toBe('kept')
    const functions = await new LambdaClient(config).send(new ListFunctionsCommand({}))
    expect(functions.Functions?.map(({ FunctionName }) => FunctionName)).toContain('wharf-dev-things')
    const rules = await new EventBridgeClient(config).send(new ListRulesCommand({ EventBusName: 'wharf-dev' }))
    expect(rules.Rules?.map(({ Name }) => Name)).toContain('wharf-dev.run-job.1')
    expect((await new STSClient(config).send(new GetCallerIdentityCommand({}))).Account).toBe('000000000000')
  })

  it('serves the routes of serverless.yml with functions that see their environment', async () => {
    const cloud = await start({ root, dataDir: join(scratch, 'routes') })
    const response = await fetch(`${cloud.apiUrl}/api/v1/things/7`, { headers: { origin: 'https://app.example' } })
    expect(await response.json()).toEqual({
      id: '7',
      route: 'GET /api/v1/things/{id}',
      baseUrl: `${cloud.apiUrl}/api`,
      table: 'wharf-dev-table',
    })
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(cloud.environment).toMatchObject({
      AWS_ENDPOINT_URL: cloud.endpoint,
      STAGE: 'dev',
      BUS_NAME: 'wharf-dev',
      FUNCTION_PREFIX: 'wharf-agents-dev-',
    })
  })

  it('returns 500 for a function that fails to import, without affecting the others', async () => {
    const cloud = await start({ root, dataDir: join(scratch, 'broken') })
    expect((await fetch(`${cloud.apiUrl}/api/v1/missing`)).status).toBe(500)
    await cloud.loaded
    expect(logged.mock.calls.flat().join()).toMatch(
      /The function missing has no code: .*functions\/missing\.ts is missing/,
    )
    expect((await fetch(`${cloud.apiUrl}/api/v1/things/7`)).status).toBe(200)
  })

  it('invokes functions by name through the SDK', async () => {
    const cloud = await start({ root, dataDir: join(scratch, 'invoke') })
    const answer = await new LambdaClient(createConfig(cloud)).send(
      new InvokeCommand({ FunctionName: 'wharf-dev-things', Payload: JSON.stringify({ routeKey: 'GET /x' }) }),
    )
    expect(JSON.parse(Buffer.from(answer.Payload!).toString())).toMatchObject({ statusCode: 200 })
  })

  it('runs functions only for events their rules match', async () => {
    const cloud = await start({ root, dataDir: join(scratch, 'rules') })
    await emit(cloud, 'job:created', 'unwanted')
    await emit(cloud, 'job:ready', 'wanted')
    await waitFor(() => readMark(cloud, 'wanted'))
    expect(await readMark(cloud, 'unwanted')).toBeUndefined()
  })

  it('transforms scheduled events with the input of the schedule', async () => {
    const cloud = await start({ root, dataDir: join(scratch, 'schedules') })
    const before = Math.floor(Date.now() / 1000) * 1000
    await cloud.eventbridge.fire('wharf-dev.cron.2')
    const mark = await waitFor(() => readMark(cloud, 'cron:hourly'))
    expect(Date.parse(mark!.time!.S!)).toBeGreaterThanOrEqual(before)
  })

  it('passes bodies over 6 MB on routes that accept them', async () => {
    const cloud = await start({
      root,
      dataDir: join(scratch, 'large'),
      bodyLimit: (key) => ({
        bytes: (key === 'POST /api/v1/things' ? 8 : 1) * 1024 * 1024,
        tooLarge: Buffer.from('{}'),
      }),
    })
    const post = (path: string) =>
      fetch(cloud.apiUrl + path, {
        method: 'POST',
        headers: { 'content-type': 'text/plain' },
        body: 'x'.repeat(7 * 1024 * 1024),
      })
    expect((await post('/api/v1/things')).status).toBe(200)
    expect((await post('/anything')).status).toBe(413)
  })

  it('accepts URLs longer than 16 KB when the option allows them', async () => {
    const path = `/api/v1/things/7?ids=${'x'.repeat(30 * 1024)}`
    const strict = await start({ root, dataDir: join(scratch, 'short-headers') })
    expect((await fetch(strict.apiUrl + path)).status).toBe(431)
    await strict.close()
    const cloud = await start({ root, dataDir: join(scratch, 'long-headers'), maxHeaderBytes: 64 * 1024 })
    expect((await fetch(cloud.apiUrl + path)).status).toBe(200)
  })

  it('keeps tables, objects, the secret and the rules across a restart', async () => {
    const dataDir = join(scratch, 'restart')
    const first = await start({ root, dataDir })
    const secret = first.environment.WHARF_SECRET
    await new DynamoDBClient(createConfig(first)).send(
      new PutItemCommand({ TableName: 'wharf-dev-table', Item: { pk: { S: 'kept' }, sk: { S: 'mark' } } }),
    )
    await createS3Client(first).send(new PutObjectCommand({ Bucket: 'wharf-dev-bucket', Key: 'kept', Body: 'kept' }))
    await first.close()
    const second = await start({ root, dataDir })
    expect(await readMark(second, 'kept')).toBeDefined()
    expect(
      await (
        await createS3Client(second).send(new GetObjectCommand({ Bucket: 'wharf-dev-bucket', Key: 'kept' }))
      ).Body!.transformToString(),
    ).toBe('kept')
    expect(second.environment.WHARF_SECRET).toBe(secret)
    expect(secret!.length).toBeGreaterThanOrEqual(32)
    await emit(second, 'file:created', 'after')
    await waitFor(() => readMark(second, 'after'))
  })

  it('removes rules that are no longer in serverless.yml', async () => {
    const dataDir = join(scratch, 'stale')
    const changed = createProject('changed')
    await (await start({ root: changed, dataDir })).close()
    const yaml = readFileSync(join(changed, 'serverless.yml'), 'utf8')
    writeFileSync(
      join(changed, 'serverless.yml'),
      yaml
        .replace("detail-type: ['job:ready']", "detail-type: ['job:started']")
        .replace(/ {4}file-created:[\s\S]*?(?= {4}removed:)/, ''),
    )
    const cloud = await start({ root: changed, dataDir })
    const events = new EventBridgeClient(createConfig(cloud))
    const { Rules } = await events.send(new ListRulesCommand({ EventBusName: 'wharf-dev' }))
    expect(Rules!.map(({ Name }) => Name).sort()).toEqual([
      'wharf-dev.job-parts.1',
      'wharf-dev.jobs-due.2',
      'wharf-dev.meter.1',
      'wharf-dev.removed.1',
      'wharf-dev.run-job.1',
      'wharf-dev.webhook-event.1',
    ])
    expect(Rules!.find(({ Name }) => Name === 'wharf-dev.run-job.1')!.EventPattern).toContain('job:started')
    const { Targets } = await events.send(
      new ListTargetsByRuleCommand({ EventBusName: 'wharf-dev', Rule: 'wharf-dev.run-job.1' }),
    )
    expect(Targets).toHaveLength(1)
  })

  it('restores the process environment when it is closed', async () => {
    const before = process.env.TABLE_NAME
    process.env.AWS_PROFILE = 'somebody'
    process.env.AWS_ENDPOINT_URL_S3 = 'https://elsewhere.example'
    try {
      const cloud = await start({ root, dataDir: join(scratch, 'environment') })
      expect([process.env.AWS_PROFILE, process.env.AWS_ENDPOINT_URL_S3]).toEqual([undefined, undefined])
      expect(process.env.AWS_ENDPOINT_URL).toBe(cloud.endpoint)
      await cloud.close()
      expect(process.env.AWS_PROFILE).toBe('somebody')
      expect(process.env.TABLE_NAME).toBe(before)
    } finally {
      delete process.env.AWS_PROFILE
      delete process.env.AWS_ENDPOINT_URL_S3
    }
  })

  it('stops within 2 s, including pending requests', async () => {
    const cloud = await start({ root, dataDir: join(scratch, 'stop') })
    await fetch(`${cloud.apiUrl}/api/v1/things/1`)
    const startedAt = performance.now()
    await cloud.close()
    expect(performance.now() - startedAt).toBeLessThan(2_500)
    await expect(fetch(cloud.apiUrl)).rejects.toThrow()
    await expect(fetch(cloud.endpoint)).rejects.toThrow()
  })

  describe('startup error in one line', () => {
    it('reports a port in use and releases everything', async () => {
      const other = createServer()
      await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
      const { port } = other.address() as AddressInfo
      const dataDir = join(scratch, 'taken')
      const refusal = await start({ root, dataDir, apiPort: port }).catch((error: unknown) => error)
      expect(refusal).toBeInstanceOf(CannotStartError)
      expect((refusal as Error).message).toBe(
        `Port ${port} is taken: set PORT (API) or CLOUD_PORT (cloud) to a free one.`,
      )
      await new Promise((resolve) => other.close(resolve))
      await start({ root, dataDir, apiPort: port })
    })

    it('reports a privileged port with its variable', () => {
      const refusal = toPortError(Object.assign(new Error('listen EACCES'), { code: 'EACCES' }), 80, 'PORT')
      expect(refusal).toBeInstanceOf(CannotStartError)
      expect(refusal!.message).toBe(
        'Port 80 requires privileges this user does not have: set PORT to a port above 1023.',
      )
    })

    it('reports a data folder that is already open', async () => {
      const dataDir = join(scratch, 'shared')
      await start({ root, dataDir })
      const refusal = (await start({ root, dataDir }).catch((error: unknown) => error)) as Error
      expect(refusal).toBeInstanceOf(CannotStartError)
      expect(refusal.message).toContain(`in use by process ${process.pid}`)
      expect(refusal.message).not.toContain('\n')
    })

    it('reports references in serverless.yml that do not exist', async () => {
      const incomplete = createProject('incomplete')
      rmSync(join(incomplete, 'functions/http.yml'))
      const dataDir = join(scratch, 'incomplete-data')
      await expect(start({ root: incomplete, dataDir })).rejects.toThrow(/http\.yml is missing: run "npm run gen"/)
      expect(existsSync(join(dataDir, 'lock.json'))).toBe(false)
    })
  })

  it('takes over the lock of a dead process', async () => {
    const dataDir = join(scratch, 'orphaned')
    const child = spawn(process.execPath, ['-e', ''])
    const { pid } = child
    await new Promise((resolve) => child.once('exit', resolve))
    mkdirSync(dataDir)
    writeFileSync(join(dataDir, 'lock.json'), JSON.stringify({ pid, began: '1' }))
    await start({ root, dataDir })
    expect(JSON.parse(readFileSync(join(dataDir, 'lock.json'), 'utf8'))).toMatchObject({ pid: process.pid })
  })

  it('takes over the lock of a process whose id was reused', async () => {
    const dataDir = join(scratch, 'reused')
    mkdirSync(dataDir)
    writeFileSync(join(dataDir, 'lock.json'), JSON.stringify({ pid: process.ppid, began: '1' }))
    await start({ root, dataDir })
  })
})
