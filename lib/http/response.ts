/** Builds replies: JSON or bytes, compressed if the caller accepts it. */

import { createGzip } from 'node:zlib'
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { MAX_PROBLEMS_PER_ERROR } from '../../schemas/kit/byte-limits.ts'
import { ERROR_STATUS, type ErrorCode, type Problem } from '../../schemas/kit/error-codes.ts'
import { message } from '../../schemas/messages/index.ts'

/** Larger replies are compressed; Lambda sends at most 6 MB. */
const COMPRESS_BYTES = 64 * 1024

export class Bytes {
  readonly body: Buffer
  readonly headers: Record<string, string>
  readonly status: number
  constructor(body: Buffer, headers: Record<string, string> = { 'content-type': 'application/json' }, status = 200) {
    this.body = body
    this.headers = headers
    this.status = status
  }
}

/** On every response: browsers must not render, cache or attribute it. */
const SAFE_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
}

const JSON_HEADERS = { 'content-type': 'application/json' }

export const jsonReply = (body: unknown, status = 200): Bytes =>
  new Bytes(Buffer.from(JSON.stringify(body)), JSON_HEADERS, status)

export const errorReply = (code: ErrorCode, problems: Problem[]): Bytes =>
  jsonReply({ errors: limitProblems(problems) }, ERROR_STATUS[code])

export const addVary = (headers: Record<string, string>, name: string): Record<string, string> => ({
  ...headers,
  vary: headers.vary ? `${headers.vary}, ${name}` : name,
})

/** A body can have more problems than fit into 6 MB. */
function limitProblems(problems: Problem[]): Problem[] {
  const remaining = problems.length - MAX_PROBLEMS_PER_ERROR
  if (remaining <= 0) return problems
  return [
    ...problems.slice(0, MAX_PROBLEMS_PER_ERROR),
    { key: 'body', message: message('shape.moreProblems', { count: remaining }) },
  ]
}

const isJson = (type: string): boolean => /^application\/(problem\+)?json/.test(type)
const isText = (type: string): boolean =>
  /^(text\/|application\/((problem\+)?json|xml|javascript|x-ndjson|jsonl))/.test(type)

const MIN_GZIP_CHUNK_BYTES = 16 * 1024

export async function compress(...parts: Buffer[]): Promise<Buffer> {
  const bytes = parts.reduce((sum, { length }) => sum + length, 0)
  // A chunk for most of the result, because each one is a turn of the thread pool.
  const stream = createGzip({ level: 1, chunkSize: Math.max(MIN_GZIP_CHUNK_BYTES, bytes >> 3) })
  for (const part of parts) stream.write(part)
  stream.end()
  const compressed: Buffer[] = []
  for await (const chunk of stream) compressed.push(chunk as Buffer)
  return compressed.length === 1 ? compressed[0]! : Buffer.concat(compressed)
}

export async function toLambdaResult(
  reply: Bytes,
  acceptEncoding: string | undefined,
): Promise<APIGatewayProxyStructuredResultV2> {
  const { body, status: statusCode } = reply
  const { 'set-cookie': cookie, ...otherHeaders } = reply.headers
  const headers: Record<string, string> = { ...SAFE_HEADERS, ...otherHeaders }
  const base = { statusCode, headers, ...(cookie ? { cookies: [cookie] } : {}) }
  const type = headers['content-type'] ?? ''
  if (headers['content-encoding']) return { ...base, body: body.toString('base64'), isBase64Encoded: true }
  if (isText(type) && body.length >= COMPRESS_BYTES && /\bgzip\b/.test(acceptEncoding ?? '')) {
    const compressed = await compress(body)
    return {
      ...base,
      headers: { ...addVary(headers, 'accept-encoding'), 'content-encoding': 'gzip' },
      body: compressed.toString('base64'),
      isBase64Encoded: true,
    }
  }
  // Files may have any encoding; only our own JSON is certainly UTF-8.
  return isJson(type)
    ? { ...base, body: body.toString('utf8') }
    : { ...base, body: body.toString('base64'), isBase64Encoded: true }
}
