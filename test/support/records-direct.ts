/**
 * The embedded DynamoDB without a network between: the client's commands are handed to the service in this process as their
 * JSON. For tests of very many requests, where the client and its sockets would be most of the time.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import * as sdk from '@aws-sdk/client-dynamodb'
import { dynamodb } from '../../localstack/cloud/dynamodb/index.ts'
import type { Service } from '../../localstack/cloud/service.ts'
import { createTable, type RecordCloud } from './records.ts'

type Send = sdk.DynamoDBClient['send']
interface Command {
  constructor: { name: string }
  input: object
}
interface Answer {
  status: number
  body: { __type?: string; message?: string; [key: string]: unknown }
}

/**
 * Has DynamoDB requests of this process answered at once; the cloud's intercept troubles them as it does others. With
 * `sendsAgain` a request whose answer was lost is sent again, as the client does on its own, but without its pauses.
 */
export async function withoutNetwork(
  { intercept, meter }: RecordCloud,
  trouble: { sendsAgain: boolean },
): Promise<{ close(): Promise<void> }> {
  const { dynamo } = await import('../../lib/table/client.ts')
  const database = await dynamodb({})
  dynamo.send = (async (command: Command): Promise<unknown> => {
    const operation = command.constructor.name.replace(/Command$/, '')
    meter.requests.set(operation, meter.count(operation) + 1)
    if (intercept.refuse?.(operation)) throw errorOf({ status: 400, body: THROTTLED })
    await intercept.before?.(operation)
    const body = JSON.stringify(command.input, bytesAsText)
    let answer = await answerOf(database, operation, body)
    if (intercept.after?.(operation)) {
      if (!trouble.sendsAgain) throw new Error('socket hang up')
      answer = await answerOf(database, operation, body)
    }
    if (answer.status !== 200) throw errorOf(answer)
    return answer.body
  }) as unknown as Send
  await createTable(dynamo)
  return database
}

const THROTTLED = { __type: 'ProvisionedThroughputExceededException', message: 'slow down' }

const bytesAsText = (_: string, value: unknown): unknown =>
  value instanceof Uint8Array
    ? Buffer.from(value).toString('base64')
    : isBuffer(value)
      ? Buffer.from(value.data).toString('base64')
      : value

/** What JSON makes of a Buffer before it asks. */
const isBuffer = (value: unknown): value is { type: 'Buffer'; data: number[] } =>
  typeof value === 'object' && value !== null && (value as { type?: unknown }).type === 'Buffer'

/** Binary attributes are the only ones named `B` with a text as their value. */
const textAsBytes = (key: string, value: unknown): unknown =>
  key === 'B' && typeof value === 'string' ? new Uint8Array(Buffer.from(value, 'base64')) : value

async function answerOf(database: Service, operation: string, text: string): Promise<Answer> {
  const headers = { 'x-amz-target': `DynamoDB_20120810.${operation}` }
  const req = Object.assign(Readable.from([Buffer.from(text)]), { headers, complete: true })
  const answer: Answer = { status: 0, body: {} }
  const res = {
    writeHead(status: number) {
      answer.status = status
    },
    end(bytes: Buffer) {
      if (bytes.length) answer.body = JSON.parse(bytes.toString(), textAsBytes)
    },
  }
  await database.handle(req as unknown as IncomingMessage, res as unknown as ServerResponse)
  return answer
}

/** The error the client would throw: of the exception's own class. */
function errorOf({ status, body: { __type = '', message, ...rest } }: Answer): Error {
  const name = __type.slice(__type.indexOf('#') + 1)
  const found = (sdk as unknown as { [name: string]: unknown })[name]
  const Exception = (found ?? sdk.DynamoDBServiceException) as new (options: object) => Error
  return new Exception({ name, $fault: 'client', message, $metadata: { httpStatusCode: status }, ...rest })
}
