/** The embedded DynamoDB: its JSON protocol and operations. Acknowledged writes survive the end of the process. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { crc32 } from 'node:zlib'
import { readBody } from '../request-body.ts'
import type { Service } from '../service.ts'
import type { Input } from './dynalite.ts'
import {
  DynamoError,
  isServiceError,
  requestTooLarge,
  serializationError,
  unknownOperation,
  validationError,
} from './errors.ts'
import { query, scan } from './pages.ts'
import { batchGetItem, getItem } from './reads.ts'
import { Store } from './store.ts'
import * as tables from './tables.ts'
import { transactWriteItems } from './transactions.ts'
import { describeTimeToLive, startSweeping, updateTimeToLive } from './ttl.ts'
import { batchWriteItem, deleteItem, putItem, updateItem } from './writes.ts'

const TARGET = /^DynamoDB_20120810\.(\w+)$/
const MAX_BODY_BYTES = 20 * 1024 * 1024
const TTL_SWEEP_MILLISECONDS = 10_000

type OperationHandler = (store: Store, input: Input) => Promise<object | undefined>

const OPERATIONS = new Map<string, OperationHandler>(
  Object.entries({
    BatchGetItem: batchGetItem,
    BatchWriteItem: batchWriteItem,
    CreateTable: tables.createTable,
    DeleteItem: deleteItem,
    DeleteTable: tables.deleteTable,
    DescribeTable: tables.describeTable,
    DescribeTimeToLive: describeTimeToLive,
    GetItem: getItem,
    ListTables: tables.listTables,
    PutItem: putItem,
    Query: query,
    Scan: scan,
    TransactWriteItems: transactWriteItems,
    UpdateItem: updateItem,
    UpdateTimeToLive: updateTimeToLive,
  }),
)

function parseInput(body: string): Input {
  let input: unknown
  try {
    input = JSON.parse(body || '{}')
  } catch {
    throw serializationError('The request body is not JSON')
  }
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw serializationError('The request body is not a JSON object')
  if ((input as Input).ReturnConsumedCapacity === 'INDEXES')
    throw validationError('ReturnConsumedCapacity INDEXES is not supported by the embedded DynamoDB: use TOTAL')
  return input as Input
}

async function runOperation(store: Store, req: IncomingMessage): Promise<object | undefined> {
  const target = String(req.headers['x-amz-target'] ?? '')
  const body = await readBody(req, MAX_BODY_BYTES)
  if (!body) throw requestTooLarge(MAX_BODY_BYTES)
  const handler = OPERATIONS.get(TARGET.exec(target)?.[1] ?? '')
  if (!handler) throw unknownOperation(target)
  return handler(store, parseInput(body.toString()))
}

function toDynamoError(error: unknown): DynamoError {
  if (isServiceError(error)) return error
  console.error('embedded DynamoDB:', error)
  const message = error instanceof Error ? error.message : String(error)
  return new DynamoError('com.amazonaws.dynamodb.v20120810#InternalServerError', message, {}, 500)
}

function send(res: ServerResponse, status: number, payload: object | undefined): void {
  const body = Buffer.from(payload ? JSON.stringify(payload) : '')
  res.writeHead(status, {
    'content-type': 'application/x-amz-json-1.0',
    'content-length': body.length,
    'x-amzn-requestid': randomUUID(),
    'x-amz-crc32': crc32(body),
  })
  res.end(body)
}

async function respond(store: Store, req: IncomingMessage, res: ServerResponse): Promise<void> {
  try {
    send(res, 200, await runOperation(store, req))
  } catch (error) {
    if (req.destroyed && !req.complete) return
    const { statusCode, body } = toDynamoError(error)
    send(res, statusCode, body)
  }
}

/** `dataDir` holds the tables, for one process at a time; without it they are in memory. */
export async function startDynamodb(options: { dataDir?: string; ttlSweepMilliseconds?: number }): Promise<Service> {
  const store = await Store.open(options.dataDir)
  const stopSweeping = startSweeping(store, options.ttlSweepMilliseconds ?? TTL_SWEEP_MILLISECONDS, toDynamoError)
  const pending = new Set<Promise<void>>()
  return {
    async handle(req, res) {
      const response = respond(store, req, res)
      pending.add(response)
      await response.finally(() => pending.delete(response))
    },
    async close() {
      await stopSweeping()
      await Promise.allSettled(pending)
      await store.close()
    },
  }
}
