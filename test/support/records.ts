/** Starts DynamoDB and S3 with a request meter. Import the engine after `startRecordCloud()` set the environment. */
import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CreateTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { startDynamodb } from '../../packages/local-cloud/src/dynamodb/index.ts'
import { startS3 } from '../../packages/local-cloud/src/s3/index.ts'
import { bypassSockets } from './without-sockets.ts'

export interface Meter {
  requests: Map<string, number>
  written: number
  read: number
  reset(): void
  count(operation?: string): number
}

export interface Intercept {
  beforeRequest: ((operation: string) => void | Promise<void>) | undefined
  loseResponse: ((operation: string) => boolean) | undefined
  throttle: ((operation: string) => boolean) | undefined
}

export interface RecordCloud {
  meter: Meter
  intercept: Intercept
  close(): Promise<void>
}

function createMeter(): Meter {
  const requests = new Map<string, number>()
  return {
    requests,
    written: 0,
    read: 0,
    reset() {
      requests.clear()
      this.written = 0
      this.read = 0
    },
    count: (operation) =>
      operation ? (requests.get(operation) ?? 0) : [...requests.values()].reduce((sum, count) => sum + count, 0),
  }
}

export const ENVIRONMENT = {
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
  TABLE_NAME: 'records',
  BUCKET_NAME: 'records',
  BUS_NAME: 'records',
  BASE_URL: 'http://127.0.0.1/api',
  WHARF_SECRET: 'a secret of thirty-two characters or more',
}

const OPERATION = /DynamoDB_20120810\.(\w+)/

interface Servers {
  endpoint: string
  serve?: RequestListener
  close(): Promise<void>
}

export async function startRecordCloud(): Promise<RecordCloud> {
  const meter = createMeter()
  const intercept: Intercept = { beforeRequest: undefined, loseResponse: undefined, throttle: undefined }
  return createRecordCloud(await startServers(meter, intercept), meter, intercept)
}

export async function startRecordCloudProcess(): Promise<RecordCloud> {
  const child = fork(fileURLToPath(new URL('./records-server.ts', import.meta.url)), { execArgv: ['--import', 'tsx'] })
  const endpoint = await new Promise<string>((resolve, reject) => {
    child.once('message', (message) => resolve(String(message)))
    child.once('exit', (code) => reject(new Error(`The cloud ended with ${code}`)))
  })
  const close = async (): Promise<void> => {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.disconnect()
    await ended
  }
  const meter = createMeter()
  const cloud = await createRecordCloud({ endpoint, close }, meter, {
    beforeRequest: undefined,
    loseResponse: undefined,
    throttle: undefined,
  })
  await countCommands(meter)
  return cloud
}

export async function startServers(meter?: Meter, intercept?: Intercept): Promise<Servers> {
  const dataDir = mkdtempSync(join(tmpdir(), 'wharf-records-'))
  const database = await startDynamodb({})
  const objects = await startS3({ dataDir, accessKeyId: 'test', secretAccessKey: 'test' })
  const serve = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const target = OPERATION.exec(String(req.headers['x-amz-target'] ?? ''))?.[1]
    const operation = target ?? String(req.method)
    meter?.requests.set(operation, meter.count(operation) + 1)
    if (target && intercept?.throttle?.(operation)) return sendThrottling(req, res)
    try {
      await intercept?.beforeRequest?.(operation)
    } catch {
      res.destroy()
      return
    }
    if (intercept?.loseResponse) interceptResponse(res, () => intercept.loseResponse?.(operation) === true)
    await (target ? database : objects).handle(req, res)
  }
  const server = createServer(serve)
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    serve,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await Promise.all([database.close(), objects.close()])
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

function interceptResponse(res: ServerResponse, shouldLose: () => boolean): void {
  const end = res.end.bind(res)
  res.end = (...args: unknown[]) => (shouldLose() ? res.destroy() : Reflect.apply(end, res, args))
}

async function createRecordCloud(servers: Servers, meter: Meter, intercept: Intercept): Promise<RecordCloud> {
  const { endpoint, serve } = servers
  Object.assign(process.env, ENVIRONMENT, { AWS_ENDPOINT_URL: endpoint })
  const { dynamo } = await import('../../lib/table/client.ts')
  if (serve) bypassSockets(dynamo, serve)
  await createTable(dynamo)
  meterCapacity(dynamo, meter)
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' }
  const client = new S3Client({ endpoint, region: 'us-east-1', credentials, forcePathStyle: true })
  await client.send(new CreateBucketCommand({ Bucket: ENVIRONMENT.BUCKET_NAME }))
  client.destroy()
  meter.reset()
  return { meter, intercept, close: servers.close }
}

function sendThrottling(req: IncomingMessage, res: ServerResponse): void {
  req.resume()
  res.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' })
  res.end('{"__type":"com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException","message":"slow down"}')
}

export async function createTable(dynamo: DynamoDBClient, lists: string[] = []): Promise<void> {
  const keySchema = (prefix: string) => [
    { AttributeName: `${prefix}pk`, KeyType: 'HASH' as const },
    { AttributeName: `${prefix}sk`, KeyType: 'RANGE' as const },
  ]
  const projected = [['pending', 'KEYS_ONLY'] as const, ...lists.map((IndexName) => [IndexName, 'ALL'] as const)]
  await dynamo.send(
    new CreateTableCommand({
      TableName: ENVIRONMENT.TABLE_NAME,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: ['', 'pending', ...lists]
        .flatMap(keySchema)
        .map(({ AttributeName }) => ({ AttributeName, AttributeType: 'S' })),
      KeySchema: keySchema(''),
      GlobalSecondaryIndexes: projected.map(([IndexName, ProjectionType]) => ({
        IndexName,
        KeySchema: keySchema(IndexName),
        Projection: { ProjectionType },
      })),
    }),
  )
}

interface Capacity {
  CapacityUnits?: number
}

const READS = /^(?:Get|BatchGet|Query)/

function meterCapacity(dynamo: DynamoDBClient, meter: Meter): void {
  dynamo.middlewareStack.add(
    (next, context) => async (args) => {
      Object.assign(args.input, { ReturnConsumedCapacity: 'TOTAL' })
      const result = await next(args)
      const { ConsumedCapacity } = result.output as { ConsumedCapacity?: Capacity | Capacity[] }
      const units = [ConsumedCapacity ?? []].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0)
      if (READS.test(String(context.commandName))) meter.read += units
      else meter.written += units
      return result
    },
    { step: 'initialize', name: 'meterCapacity' },
  )
}

async function countCommands(meter: Meter): Promise<void> {
  const { dynamo } = await import('../../lib/table/client.ts')
  const count = (operation: string): unknown => meter.requests.set(operation, meter.count(operation) + 1)
  dynamo.middlewareStack.add(
    (next, context) => (args) => {
      count(String(context.commandName).replace(/Command$/, ''))
      return next(args)
    },
    { step: 'finalizeRequest', name: 'countCommands', priority: 'low' },
  )
  // The engine does not expose its S3 client, but every client sends through this method.
  const { send } = S3Client.prototype
  S3Client.prototype.send = function (this: S3Client, ...args: unknown[]) {
    const name = (args[0] as object).constructor.name
    count(name.startsWith('Put') ? 'PUT' : name.startsWith('Get') ? 'GET' : name)
    return Reflect.apply(send, this, args)
  } as typeof send
}

let made = 0
export const newSheetId = (): string => `us_sh_${process.pid}x${String(++made).padStart(6, '0')}`

let operations = 0
export const createWriteContext = (actorId = 'us_usr_test', more: object = {}) => ({
  op: `op-${process.pid}-${++operations}`,
  actorId,
  at: new Date('2026-01-02T03:04:05.678Z'),
  ...more,
})

export async function collect<T>(batches: AsyncIterable<Iterable<T>>): Promise<T[]> {
  const list: T[] = []
  for await (const batch of batches) list.push(...batch)
  return list
}
