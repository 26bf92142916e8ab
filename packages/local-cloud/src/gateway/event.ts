/** Builds payload 2.0 events from HTTP requests, in the format that an HTTP API passes to Lambda. */
import type { IncomingMessage } from 'node:http'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { ACCOUNT_ID } from '../service.ts'

export const API_ID = 'local'
export const WEBSOCKET_API_ID = 'local-websockets'

export interface RequestFacts {
  requestId: string
  receivedAt: number
  routeKey: string
  path: string
  rawQueryString: string
  pathParameters?: Record<string, string>
  body?: Buffer
  isText: boolean
}

const CONNECTION_HEADERS = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Delivered as text, as observed on AWS; forms, `+json` types and missing types arrive as base64. */
const TEXT_TYPES = /^(text\/|application\/(json|xml|javascript)\s*(;|$))/i

export function isTextBody(headers: IncomingMessage['headers']): boolean {
  if (headers['content-encoding'] && headers['content-encoding'] !== 'identity') return false
  return TEXT_TYPES.test(headers['content-type'] ?? '')
}

export function buildEvent(req: IncomingMessage, facts: RequestFacts): APIGatewayProxyEventV2 {
  const { headers, cookies } = readHeaders(req)
  const { rawQueryString, body } = facts
  const event: APIGatewayProxyEventV2 = {
    version: '2.0',
    routeKey: facts.routeKey,
    rawPath: facts.path,
    rawQueryString,
    headers,
    requestContext: buildRequestContext(req, facts, headers),
    isBase64Encoded: body !== undefined && !facts.isText,
  }
  if (cookies) event.cookies = cookies
  if (rawQueryString) event.queryStringParameters = readQuery(rawQueryString)
  if (facts.pathParameters) event.pathParameters = facts.pathParameters
  if (body) event.body = body.toString(facts.isText ? 'utf8' : 'base64')
  return event
}

function buildRequestContext(
  req: IncomingMessage,
  facts: RequestFacts,
  headers: Record<string, string>,
): APIGatewayProxyEventV2['requestContext'] {
  const host = headers.host ?? 'localhost'
  return {
    accountId: ACCOUNT_ID,
    apiId: API_ID,
    domainName: host,
    domainPrefix: host.split('.', 1)[0]!,
    http: {
      method: req.method!,
      path: facts.path,
      protocol: `HTTP/${req.httpVersion}`,
      sourceIp: req.socket.remoteAddress ?? '127.0.0.1',
      userAgent: headers['user-agent'] ?? '',
    },
    requestId: facts.requestId,
    routeKey: facts.routeKey,
    stage: '$default',
    time: formatCommonLogTime(facts.receivedAt),
    timeEpoch: facts.receivedAt,
  }
}

function readHeaders(req: IncomingMessage) {
  const headers: Record<string, string> = {}
  let cookies: string[] | undefined
  const raw = req.rawHeaders
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i]!.toLowerCase()
    if (name === 'cookie') cookies = [...(cookies ?? []), ...raw[i + 1]!.split(/; */)]
    else if (!CONNECTION_HEADERS.has(name)) appendValue(headers, name, raw[i + 1]!)
  }
  appendValue(headers, 'x-forwarded-for', req.socket.remoteAddress ?? '127.0.0.1')
  headers['x-forwarded-port'] = String(req.socket.localPort ?? 80)
  headers['x-forwarded-proto'] = 'http'
  return { headers, cookies }
}

function readQuery(rawQueryString: string): Record<string, string> {
  const parameters: Record<string, string> = {}
  for (const [name, value] of new URLSearchParams(rawQueryString)) appendValue(parameters, name, value)
  return parameters
}

/** Names are user input: `__proto__` has to become a plain entry, as when AWS parses the event from JSON. */
function appendValue(target: Record<string, string>, name: string, value: string): void {
  const combined = Object.hasOwn(target, name) ? `${target[name]},${value}` : value
  if (name !== '__proto__') target[name] = combined
  else Object.defineProperty(target, name, { value: combined, enumerable: true, configurable: true, writable: true })
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
let cachedSecond = -1
let cachedText = ''

function formatCommonLogTime(epochMilliseconds: number): string {
  const second = Math.floor(epochMilliseconds / 1000)
  if (second !== cachedSecond) {
    const iso = new Date(epochMilliseconds).toISOString()
    cachedText = `${iso.slice(8, 10)}/${MONTHS[Number(iso.slice(5, 7)) - 1]}/${iso.slice(0, 4)}:${iso.slice(11, 19)} +0000`
    cachedSecond = second
  }
  return cachedText
}
