/** Calls the embedded DynamoDB in this process without the network, for tests with very many requests. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import * as sdk from '@aws-sdk/client-dynamodb'
import { startDynamodb } from '../../packages/local-cloud/src/dynamodb/index.ts'
import type { Service } from '../../packages/local-cloud/src/server.ts'
import { createTable, type RecordCloud } from './records.ts'

type Send = sdk.DynamoDBClient['send']
interface Command {
  constructor: { name: string }
  input: object
}
interface RawReply {
  status: number
  body: { __type?: string; message?: string; [key: string]: unknown }
}

export async function bypassNetwork(
  { intercept, meter }: RecordCloud,
  applyIntercept: { sendsAgain: boolean },
): Promise<{ close(): Promise<void> }> {
  const { dynamo } = await import('../../lib/table/client.ts')
  const database = await startDynamodb({})
  dynamo.send = (async (command: Command): Promise<unknown> => {
    const operation = command.constructor.name.replace(/Command$/, '')
    meter.requests.set(operation, meter.count(operation) + 1)
    if (intercept.throttle?.(operation)) throw createError({ status: 400, body: THROTTLED })
    await intercept.beforeRequest?.(operation)
    const body = JSON.stringify(command.input, encodeBytes)
    let reply = await callService(database, operation, body)
    if (intercept.loseResponse?.(operation)) {
      if (!applyIntercept.sendsAgain) throw new Error('socket hang up')
      reply = await callService(database, operation, body)
    }
    if (reply.status !== 200) throw createError(reply)
    return reply.body
  }) as unknown as Send
  await createTable(dynamo)
  return database
}

const THROTTLED = { __type: 'ProvisionedThroughputExceededException', message: 'slow down' }

const encodeBytes = (_: string, value: unknown): unknown =>
  value instanceof Uint8Array
    ? Buffer.from(value).toString('base64')
    : isBuffer(value)
      ? Buffer.from(value.data).toString('base64')
      : value

const isBuffer = (value: unknown): value is { type: 'Buffer'; data: number[] } =>
  typeof value === 'object' && value !== null && (value as { type?: unknown }).type === 'Buffer'

const decodeBytes = (key: string, value: unknown): unknown =>
  key === 'B' && typeof value === 'string' ? new Uint8Array(Buffer.from(value, 'base64')) : value

async function callService(database: Service, operation: string, text: string): Promise<RawReply> {
  const headers = { 'x-amz-target': `DynamoDB_20120810.${operation}` }
  const req = Object.assign(Readable.from([Buffer.from(text)]), { headers, complete: true })
  const reply: RawReply = { status: 0, body: {} }
  const res = {
    writeHead(status: number) {
      reply.status = status
    },
    end(bytes: Buffer) {
      if (bytes.length) reply.body = JSON.parse(bytes.toString(), decodeBytes)
    },
  }
  await database.handle(req as unknown as IncomingMessage, res as unknown as ServerResponse)
  return reply
}

function createError({ status, body: { __type = '', message, ...details } }: RawReply): Error {
  const name = __type.slice(__type.indexOf('#') + 1)
  const exceptionClass = (sdk as unknown as { [name: string]: unknown })[name]
  const Exception = (exceptionClass ?? sdk.DynamoDBServiceException) as new (options: object) => Error
  return new Exception({ name, $fault: 'client', message, $metadata: { httpStatusCode: status }, ...details })
}
