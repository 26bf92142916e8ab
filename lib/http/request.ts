import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { message } from '../../schemas/messages/index.ts'
import { type ApiError, invalidField, tooLarge } from '../core/errors.ts'
import { parseJson } from '../core/json.ts'

export interface Request {
  event: APIGatewayProxyEventV2
  /** Lower-case names. */
  headers: Record<string, string | undefined>
  params: Record<string, string | undefined>
  query: Record<string, string | string[]>
  /** Throws 413 above the endpoint's limit. */
  bytes(): Promise<Buffer>
  /** Undefined when empty. Throws 400 for malformed JSON, 413 like `bytes`. */
  json(): Promise<unknown>
}

export function parseRequest(event: APIGatewayProxyEventV2, bodyBytes: number): Request {
  const headers = event.headers ?? {}
  let json: Promise<unknown> | undefined
  const bytes = () => decodeBody(getRawBody(event), headers['content-encoding'], bodyBytes)
  return {
    event,
    headers,
    params: event.pathParameters ?? {},
    query: parseQuery(event.rawQueryString ?? ''),
    bytes,
    json: () => {
      json ??= bytes().then((body) => (body.length === 0 ? undefined : parseJson(body)))
      return json
    },
  }
}

/** The text at a place such as `query.spaceId` or `body.context.environmentId`; undefined if it is missing or empty. */
export async function readPath(request: Request, at: string): Promise<string | undefined> {
  const [source, ...path] = at.split('.')
  let value: unknown = source === 'params' ? request.params : source === 'query' ? request.query : await request.json()
  for (const key of path)
    value = value !== null && typeof value === 'object' ? (value as Record<string, unknown>)[key] : undefined
  return typeof value === 'string' && value !== '' ? value : undefined
}

const getRawBody = (event: APIGatewayProxyEventV2): Buffer =>
  Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8')

/** API Gateway joins repeated parameters with commas, so this parses the raw query. */
function parseQuery(raw: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null)
  for (const [key, value] of new URLSearchParams(raw)) {
    const existing = query[key]
    query[key] = existing === undefined ? value : Array.isArray(existing) ? [...existing, value] : [existing, value]
  }
  return query
}

const DECODERS = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const

/** Inflating stops at the limit, so compressed bombs are never expanded. */
async function decodeBody(body: Buffer, encoding: string | undefined, limit: number): Promise<Buffer> {
  if (!encoding || encoding === 'identity' || body.length === 0) {
    if (body.length > limit) throw bodyTooLarge(limit)
    return body
  }
  const decoder = DECODERS[encoding.trim().toLowerCase() as keyof typeof DECODERS]
  if (!decoder) throw invalidField('content-encoding', message('requests.encodingNotSupported', { encoding }))
  try {
    return await decoder(body, { maxOutputLength: limit })
  } catch (error) {
    if (error instanceof RangeError) throw bodyTooLarge(limit)
    throw invalidField('body', message('requests.notEncoded', { encoding }))
  }
}

export const bodyTooLarge = (limit: number): ApiError => tooLarge(message('requests.bodyTooLarge', { limit }))
