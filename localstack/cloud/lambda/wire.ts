/**
 * What the embedded Lambda and EventBridge share of AWS's wire manners: the error a client sees, request bodies,
 * answers and input parsed at the door. Knows no operation of either service.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type * as z from 'zod'
import { readBody } from '../request-body.ts'

/** An error as an AWS client sees it: `type` is the exception's name, the contract; the message is for people. */
export class AwsError extends Error {
  readonly status: number
  readonly type: string

  constructor(status: number, type: string, message: string) {
    super(message)
    this.name = type
    this.status = status
    this.type = type
  }
}

export const validationError = (message: string) => new AwsError(400, 'ValidationException', message)

/** Base64 of Lambda's 50 MB upload limit and the JSON around it; nothing either service accepts is larger. */
const LARGEST_BODY_BYTES = 72_000_000

/** Reads a request's body. A body over the largest that any operation accepts is refused with 413. */
export async function readInput(req: IncomingMessage): Promise<Buffer> {
  const body = await readBody(req, LARGEST_BODY_BYTES)
  if (body) return body
  throw new AwsError(413, 'RequestEntityTooLargeException', `Request must be smaller than ${LARGEST_BODY_BYTES} bytes`)
}

export interface Answer {
  status: number
  headers?: Record<string, string>
  body?: string | Buffer
}

export const json = (status: number, body: unknown): Answer => ({ status, body: JSON.stringify(body) })

export function send(res: ServerResponse, requestId: string, contentType: string, answer: Answer): void {
  const body = answer.body ?? ''
  res.writeHead(answer.status, {
    'content-type': contentType,
    'x-amzn-requestid': requestId,
    ...(answer.status === 204 ? {} : { 'content-length': Buffer.byteLength(body) }),
    ...answer.headers,
  })
  res.end(body)
}

/** Parses JSON, refusing anything else with `SerializationException`; no body is an empty object. */
export function parseJson(body: Buffer): unknown {
  if (!body.length) return {}
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    throw new AwsError(400, 'SerializationException', 'Could not parse request body into json')
  }
}

/** Checks an operation's input against its shape; every fault is named in one ValidationException. */
export function parseInput<S extends z.ZodType>(shape: S, input: unknown): z.output<S> {
  const parsed = shape.safeParse(input)
  if (parsed.success) return parsed.data
  const faults = parsed.error.issues.map(
    (issue) => `Value at '${issue.path.join('.') || 'input'}' failed to satisfy constraint: ${issue.message}`,
  )
  const count = `${faults.length} validation error${faults.length > 1 ? 's' : ''} detected`
  throw validationError(`${count}: ${faults.join('; ')}`)
}
