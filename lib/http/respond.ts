/** Replies: JSON by the contract's shape, or bytes made by the handler; compressed when the caller takes it. */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import type { ErrorCode, Problem } from '../../schemas/errors.ts'
import { ERROR_STATUS } from '../../schemas/errors.ts'
import { PROBLEMS_NAMED } from '../../schemas/sizes.ts'

/** Replies at least this large are compressed; Lambda sends at most 6 MB. */
const COMPRESS_BYTES = 64 * 1024

/** A reply whose bytes are ready: a page of records, a file. */
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

/** On every answer. It is data: no browser shows it as a page, keeps it, or tells where it came from. */
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
  jsonReply({ errors: named(problems) }, ERROR_STATUS[code])

/** Lambda sends at most 6 MB: a body can have more wrong with it than fits. */
function named(problems: Problem[]): Problem[] {
  const more = problems.length - PROBLEMS_NAMED
  if (more <= 0) return problems
  return [...problems.slice(0, PROBLEMS_NAMED), { key: 'body', message: `has ${more} more problems` }]
}

const isJson = (type: string): boolean => type.startsWith('application/json')
const isText = (type: string): boolean => /^(text\/|application\/(json|xml|javascript|x-ndjson|jsonl))/.test(type)
const zip = promisify(gzip)
/** Fast rather than small: the caller waits. */
export const compress = (body: Buffer): Promise<Buffer> => zip(body, { level: 1 })

/** The reply as Lambda's payload 2.0. */
export async function structured(
  reply: Bytes,
  acceptEncoding: string | undefined,
): Promise<APIGatewayProxyStructuredResultV2> {
  const { body, status: statusCode } = reply
  const { 'set-cookie': cookie, ...named } = reply.headers
  const headers: Record<string, string> = { ...SAFE_HEADERS, ...named }
  const head = { statusCode, headers, ...(cookie ? { cookies: [cookie] } : {}) }
  const type = headers['content-type'] ?? ''
  if (headers['content-encoding']) return { ...head, body: body.toString('base64'), isBase64Encoded: true }
  if (isText(type) && body.length >= COMPRESS_BYTES && /\bgzip\b/.test(acceptEncoding ?? '')) {
    const zipped = await compress(body)
    return {
      ...head,
      headers: { ...headers, 'content-encoding': 'gzip', vary: 'accept-encoding' },
      body: zipped.toString('base64'),
      isBase64Encoded: true,
    }
  }
  // A file's text may be in any encoding: only our own JSON is surely UTF-8.
  return isJson(type)
    ? { ...head, body: body.toString('utf8') }
    : { ...head, body: body.toString('base64'), isBase64Encoded: true }
}
