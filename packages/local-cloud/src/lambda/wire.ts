/** AWS's wire format as shared by Lambda, EventBridge and KMS: errors, bodies and input validation. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type * as z from 'zod'
import { readBody } from '../request-body.ts'

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

/** Base64 of Lambda's 50 MB upload limit and the JSON around it, the largest input of all services. */
const MAX_BODY_BYTES = 72_000_000

export async function readInput(req: IncomingMessage): Promise<Buffer> {
  const body = await readBody(req, MAX_BODY_BYTES)
  if (body) return body
  throw new AwsError(413, 'RequestEntityTooLargeException', `Request must be smaller than ${MAX_BODY_BYTES} bytes`)
}

export interface HttpResponse {
  status: number
  headers?: Record<string, string>
  body?: string | Buffer
}

export const toJsonResponse = (status: number, body: unknown): HttpResponse => ({ status, body: JSON.stringify(body) })

export function send(res: ServerResponse, requestId: string, contentType: string, response: HttpResponse): void {
  const body = response.body ?? ''
  res.writeHead(response.status, {
    'content-type': contentType,
    'x-amzn-requestid': requestId,
    ...(response.status === 204 ? {} : { 'content-length': Buffer.byteLength(body) }),
    ...response.headers,
  })
  res.end(body)
}

export function parseJson(body: Buffer): unknown {
  if (!body.length) return {}
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    throw new AwsError(400, 'SerializationException', 'Could not parse request body into json')
  }
}

export function parseInput<S extends z.ZodType>(shape: S, input: unknown): z.output<S> {
  const parsed = shape.safeParse(input)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(
    (issue) => `Value at '${issue.path.join('.') || 'input'}' failed to satisfy constraint: ${issue.message}`,
  )
  const count = `${problems.length} validation error${problems.length > 1 ? 's' : ''} detected`
  throw validationError(`${count}: ${problems.join('; ')}`)
}
