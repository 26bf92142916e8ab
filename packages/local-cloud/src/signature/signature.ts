/** AWS Signature Version 4: https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-authenticating-requests.html */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

export interface Credentials {
  accessKeyId: string
  secretAccessKey: string
}

export interface CredentialScope {
  date: string
  region: string
  service: string
}

export interface SignedParts {
  method: string
  /** Decoded for S3, as sent for other services; the segments are encoded here. */
  path: string
  parameters: [name: string, value: string][]
  headers: [name: string, value: string][]
  payloadHash: string
}

export const sha256Hex = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex')

const hmac = (key: string | Buffer, data: string): Buffer => createHmac('sha256', key).update(data).digest()

export const uriEncode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)

const compareCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

export function buildCanonicalRequest(signedParts: SignedParts): string {
  const query = signedParts.parameters
    .map(([name, value]): [string, string] => [uriEncode(name), uriEncode(value)])
    .sort(([a, x], [b, y]) => compareCodeUnits(a, b) || compareCodeUnits(x, y))
    .map(([name, value]) => `${name}=${value}`)
  return [
    signedParts.method,
    signedParts.path.split('/').map(uriEncode).join('/'),
    query.join('&'),
    ...signedParts.headers.map(([name, value]) => `${name}:${value.replace(/\s+/g, ' ').trim()}`),
    '',
    signedParts.headers.map(([name]) => name).join(';'),
    signedParts.payloadHash,
  ].join('\n')
}

const formatScope = (scope: CredentialScope): string => `${scope.date}/${scope.region}/${scope.service}/aws4_request`

export function buildStringToSign(timestamp: string, scope: CredentialScope, request: string): string {
  return ['AWS4-HMAC-SHA256', timestamp, formatScope(scope), sha256Hex(request)].join('\n')
}

/** Saves four of the five HMACs of a request. Bounded, because clients choose the region. */
const signingKeys = new Map<string, Buffer>()
const MAX_CACHED_KEYS = 64

export function deriveSigningKey(secretAccessKey: string, scope: CredentialScope): Buffer {
  const name = `${secretAccessKey} ${formatScope(scope)}`
  const cached = signingKeys.get(name)
  if (cached) return cached
  const start = hmac(`AWS4${secretAccessKey}`, scope.date)
  const key = [scope.region, scope.service, 'aws4_request'].reduce(hmac, start)
  if (signingKeys.size >= MAX_CACHED_KEYS) signingKeys.clear()
  signingKeys.set(name, key)
  return key
}

export const sign = (key: Buffer, text: string): string => hmac(key, text).toString('hex')

export function isEqualSignature(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

const EMPTY_HASH = sha256Hex('')

/** A presigned GET. `path` must need no encoding. */
export function createPresignedUrl(
  origin: string,
  path: string,
  options: { credentials: Credentials; region: string; service: string; expiresSeconds: number; at: number },
): string {
  const { credentials, region, service, expiresSeconds, at } = options
  const timestamp = new Date(at).toISOString().replace(/[-:]|\.\d+/g, '')
  const scope = { date: timestamp.slice(0, 8), region, service }
  const parameters: [string, string][] = [
    ['X-Amz-Algorithm', 'AWS4-HMAC-SHA256'],
    ['X-Amz-Credential', `${credentials.accessKeyId}/${formatScope(scope)}`],
    ['X-Amz-Date', timestamp],
    ['X-Amz-Expires', String(expiresSeconds)],
    ['X-Amz-SignedHeaders', 'host'],
  ]
  const headers: [string, string][] = [['host', new URL(origin).host]]
  const request = buildCanonicalRequest({ method: 'GET', path, parameters, headers, payloadHash: EMPTY_HASH })
  const key = deriveSigningKey(credentials.secretAccessKey, scope)
  const signedParameters = [
    ...parameters,
    ['X-Amz-Signature', sign(key, buildStringToSign(timestamp, scope, request))] as const,
  ]
  return `${origin}${path}?${signedParameters.map(([name, value]) => `${name}=${uriEncode(value)}`).join('&')}`
}
