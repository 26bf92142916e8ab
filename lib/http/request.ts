/** A request as the pipeline sees it: headers, decoded query, and the body's bytes, inflated. */
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { type ApiError, invalidField, tooLarge } from '../core/errors.ts'
import { parseJson } from '../core/json.ts'

export interface Request {
  event: APIGatewayProxyEventV2
  /** Lower-case names. */
  headers: Record<string, string | undefined>
  params: Record<string, string | undefined>
  query: Record<string, string | string[]>
  /** The body's bytes after any Content-Encoding. Throws 413 when there are more than the endpoint takes. */
  bytes(): Promise<Buffer>
  /** The body as JSON; undefined when empty. Throws 400 when it is not JSON, 413 as `bytes` does. */
  json(): Promise<unknown>
}

/** @param bodyBytes how many bytes the body may have, inflated */
export function requestOf(event: APIGatewayProxyEventV2, bodyBytes: number): Request {
  const headers = event.headers ?? {}
  let parsed: Promise<unknown> | undefined
  const bytes = () => decode(rawBody(event), headers['content-encoding'], bodyBytes)
  return {
    event,
    headers,
    params: event.pathParameters ?? {},
    query: queryOf(event.rawQueryString ?? ''),
    bytes,
    json: () => {
      parsed ??= bytes().then((body) => (body.length === 0 ? undefined : parseJson(body)))
      return parsed
    },
  }
}

const rawBody = (event: APIGatewayProxyEventV2): Buffer =>
  Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8')

/** API Gateway joins repeated parameters by commas; values may hold commas, so the raw text is read. */
function queryOf(raw: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null)
  for (const [key, value] of new URLSearchParams(raw)) {
    const before = query[key]
    query[key] = before === undefined ? value : Array.isArray(before) ? [...before, value] : [before, value]
  }
  return query
}

const DECODERS = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const

/** Inflating stops at the limit: what the body would become beyond it is never made. */
async function decode(body: Buffer, encoding: string | undefined, limit: number): Promise<Buffer> {
  if (!encoding || encoding === 'identity' || body.length === 0) {
    if (body.length > limit) throw bodyTooLarge(limit)
    return body
  }
  const decoder = DECODERS[encoding.trim().toLowerCase() as keyof typeof DECODERS]
  if (!decoder) throw invalidField('content-encoding', `${encoding} is not known: use gzip, deflate, br or none`)
  try {
    return await decoder(body, { maxOutputLength: limit })
  } catch (error) {
    if (error instanceof RangeError) throw bodyTooLarge(limit)
    throw invalidField('body', `is not valid ${encoding}`)
  }
}

/** Of a request whose body, inflated, has more bytes than its endpoint takes. */
export const bodyTooLarge = (limit: number): ApiError =>
  tooLarge(`The body of this request may have at most ${limit} bytes after any Content-Encoding.`)
