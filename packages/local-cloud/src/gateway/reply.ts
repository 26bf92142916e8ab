/** Replies of the gateway itself, and function results in payload 2.0 format. */
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { exceedsAsJson } from './limits.ts'

export interface Reply {
  statusCode: number
  headers: Record<string, string | string[]>
  body: Buffer
}

const GATEWAY_HEADERS = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

const buildMessage = (statusCode: number, text: string): Reply => ({
  statusCode,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify({ message: text })),
})

export const replies = {
  badRequest: buildMessage(400, 'Bad Request'),
  notFound: buildMessage(404, 'Not Found'),
  entityTooLarge: buildMessage(413, 'Request Entity Too Large'),
  internalError: buildMessage(500, 'Internal Server Error'),
  serviceUnavailable: buildMessage(503, 'Service Unavailable'),
}

export function toReply(result: unknown, limitBytes: number): Reply {
  const reply = isStructured(result) ? toStructuredReply(result) : toInferredReply(result)
  if (exceedsLimit(reply, result, limitBytes))
    throw new Error(`Response payload size exceeded maximum allowed payload size (${limitBytes} bytes).`)
  return reply
}

function isStructured(result: unknown): result is APIGatewayProxyStructuredResultV2 {
  return typeof result === 'object' && result !== null && 'statusCode' in result
}

function toInferredReply(result: unknown): Reply {
  const text = typeof result === 'string' ? result : (JSON.stringify(result) ?? 'null')
  return { statusCode: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(text) }
}

function toStructuredReply(result: APIGatewayProxyStructuredResultV2): Reply {
  const statusCode = Number(result.statusCode)
  if (!Number.isInteger(statusCode) || statusCode < 200 || statusCode > 599)
    throw new Error(`Malformed response: statusCode ${result.statusCode}`)
  const { body = '' } = result
  if (typeof body !== 'string') throw new Error('Malformed response: body must be a string')
  const headers: Reply['headers'] = {}
  for (const [name, value] of Object.entries(result.headers ?? {})) {
    const lowerName = name.toLowerCase()
    if (!GATEWAY_HEADERS.has(lowerName) && value !== undefined) headers[lowerName] = String(value)
  }
  if (result.cookies?.length) headers['set-cookie'] = result.cookies
  if (statusCode !== 204 && statusCode !== 304) headers['content-type'] ??= 'text/plain;charset=UTF-8'
  return { statusCode, headers, body: Buffer.from(body, result.isBase64Encoded ? 'base64' : 'utf8') }
}

/** Lambda counts the JSON it receives: base64 as returned, text with its escapes. */
function exceedsLimit(reply: Reply, result: unknown, limitBytes: number): boolean {
  if (!isStructured(result)) return reply.body.length > limitBytes
  if (result.isBase64Encoded) return (result.body?.length ?? 0) > limitBytes
  return exceedsAsJson(reply.body, limitBytes)
}
