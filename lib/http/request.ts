/** A request as the pipeline sees it: headers, decoded query, and the body's bytes, inflated. */
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { invalidField, tooLarge } from '../core/errors.ts'
import { refuseUnusable } from '../core/json.ts'

/** A body may inflate to at most this many bytes. */
export const BODY_BYTES = 128 * 1024 * 1024

export interface Request {
  event: APIGatewayProxyEventV2
  /** Lower-case names. */
  headers: Record<string, string | undefined>
  params: Record<string, string | undefined>
  query: Record<string, string | string[]>
  /** The body's bytes after any Content-Encoding. */
  bytes(): Promise<Buffer>
  /** The body as JSON; undefined when empty. Throws 400 when it is not JSON. */
  json(): Promise<unknown>
}

export function requestOf(event: APIGatewayProxyEventV2): Request {
  const headers = event.headers ?? {}
  let parsed: Promise<unknown> | undefined
  const bytes = () => decode(rawBody(event), headers['content-encoding'])
  return {
    event,
    headers,
    params: event.pathParameters ?? {},
    query: queryOf(event.rawQueryString ?? ''),
    bytes,
    json: () => {
      parsed ??= bytes().then(parseJson)
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

async function decode(body: Buffer, encoding: string | undefined): Promise<Buffer> {
  if (!encoding || encoding === 'identity' || body.length === 0) return body
  const decoder = DECODERS[encoding.trim().toLowerCase() as keyof typeof DECODERS]
  if (!decoder) throw invalidField('content-encoding', `${encoding} is not known: use gzip, deflate, br or none`)
  try {
    return await decoder(body, { maxOutputLength: BODY_BYTES })
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(`The body inflates to more than ${BODY_BYTES} bytes.`)
    throw invalidField('body', `is not valid ${encoding}`)
  }
}

function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  const text = bytes.toString('utf8')
  const value = parsed(text)
  refuseUnusable(text, value)
  return value
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw invalidField('body', `is not JSON: ${(error as Error).message}`)
  }
}
