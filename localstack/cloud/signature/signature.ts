/**
 * AWS Signature Version 4 as pure functions: canonical request, string to sign, signing key, presigned URLs, and the chain of
 * signatures of a chunked body. verify.ts decides whether a request carries the right one.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-authenticating-requests.html
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

export interface Credentials {
  accessKeyId: string
  secretAccessKey: string
}

export interface CredentialScope {
  /** yyyymmdd */
  date: string
  region: string
  service: string
}

/** What a signature was made with: everything the signatures of body chunks continue from. */
export interface SigningContext {
  key: Buffer
  scope: CredentialScope
  /** yyyymmddThhmmssZ */
  timestamp: string
  /** The signature of the request itself, in hex. */
  signature: string
}

export interface SignedParts {
  method: string
  /** Each segment is encoded here: S3 signs a path encoded once, so it gives the decoded one; other services give the path as sent. */
  path: string
  /** Decoded parameters, without the signature itself. */
  parameters: [name: string, value: string][]
  /** Signed headers in the order signed. */
  headers: [name: string, value: string][]
  payloadHash: string
}

export const sha256Hex = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex')

const hmac = (key: string | Buffer, data: string): Buffer => createHmac('sha256', key).update(data).digest()

/** Percent-encoding as AWS signs it: everything but A-Z a-z 0-9 - . _ ~ */
export const uriEncode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)

const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

export function canonicalRequest(parts: SignedParts): string {
  const query = parts.parameters
    .map(([name, value]): [string, string] => [uriEncode(name), uriEncode(value)])
    .sort(([a, x], [b, y]) => byCodeUnits(a, b) || byCodeUnits(x, y))
    .map(([name, value]) => `${name}=${value}`)
  return [
    parts.method,
    parts.path.split('/').map(uriEncode).join('/'),
    query.join('&'),
    ...parts.headers.map(([name, value]) => `${name}:${value.replace(/\s+/g, ' ').trim()}`),
    '',
    parts.headers.map(([name]) => name).join(';'),
    parts.payloadHash,
  ].join('\n')
}

const scopeText = (scope: CredentialScope): string => `${scope.date}/${scope.region}/${scope.service}/aws4_request`

export function stringToSign(timestamp: string, scope: CredentialScope, request: string): string {
  return ['AWS4-HMAC-SHA256', timestamp, scopeText(scope), sha256Hex(request)].join('\n')
}

/** Derived keys by secret and scope: four of the five HMACs of a request. Clients choose the region, so the cache is bounded. */
const signingKeys = new Map<string, Buffer>()
const SIGNING_KEYS = 64

export function signingKey(secretAccessKey: string, scope: CredentialScope): Buffer {
  const name = `${secretAccessKey} ${scopeText(scope)}`
  const cached = signingKeys.get(name)
  if (cached) return cached
  const start = hmac(`AWS4${secretAccessKey}`, scope.date)
  const key = [scope.region, scope.service, 'aws4_request'].reduce(hmac, start)
  if (signingKeys.size >= SIGNING_KEYS) signingKeys.clear()
  signingKeys.set(name, key)
  return key
}

/** The signature of a text, in hex. */
export const sign = (key: Buffer, text: string): string => hmac(key, text).toString('hex')

/** Compares in constant time. */
export function sameSignature(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

const EMPTY_HASH = sha256Hex('')

/** A GET of `path` that anybody may send for `expiresSeconds`. `at` is in ms since the epoch; `path` must need no encoding. */
export function presignedUrl(
  origin: string,
  path: string,
  options: { credentials: Credentials; region: string; service: string; expiresSeconds: number; at: number },
): string {
  const { credentials, region, service, expiresSeconds, at } = options
  const timestamp = new Date(at).toISOString().replace(/[-:]|\.\d+/g, '')
  const scope = { date: timestamp.slice(0, 8), region, service }
  const parameters: [string, string][] = [
    ['X-Amz-Algorithm', 'AWS4-HMAC-SHA256'],
    ['X-Amz-Credential', `${credentials.accessKeyId}/${scopeText(scope)}`],
    ['X-Amz-Date', timestamp],
    ['X-Amz-Expires', String(expiresSeconds)],
    ['X-Amz-SignedHeaders', 'host'],
  ]
  const headers: [string, string][] = [['host', new URL(origin).host]]
  const request = canonicalRequest({ method: 'GET', path, parameters, headers, payloadHash: EMPTY_HASH })
  const key = signingKey(credentials.secretAccessKey, scope)
  const signed = [...parameters, ['X-Amz-Signature', sign(key, stringToSign(timestamp, scope, request))] as const]
  return `${origin}${path}?${signed.map(([name, value]) => `${name}=${uriEncode(value)}`).join('&')}`
}

/** The signatures inside an aws-chunked body: each one covers its chunk and the signature before it. */
export class ChunkSignatures {
  readonly #context: SigningContext
  #previous: string

  constructor(context: SigningContext) {
    this.#context = context
    this.#previous = context.signature
  }

  /** True when `claimed` is the signature of the next chunk; `chunkHash` is the SHA-256 of its data, in hex. */
  acceptsChunk(chunkHash: string, claimed: string): boolean {
    return this.#accepts('AWS4-HMAC-SHA256-PAYLOAD', `${EMPTY_HASH}\n${chunkHash}`, claimed)
  }

  /** True when `claimed` is the signature of the trailers, written `name:value\n` each, in the order sent. */
  acceptsTrailers(trailers: string, claimed: string): boolean {
    return this.#accepts('AWS4-HMAC-SHA256-TRAILER', sha256Hex(trailers), claimed)
  }

  #accepts(algorithm: string, hashes: string, claimed: string): boolean {
    const { key, scope, timestamp } = this.#context
    const expected = sign(key, [algorithm, timestamp, scopeText(scope), this.#previous, hashes].join('\n'))
    this.#previous = expected
    return sameSignature(expected, claimed)
  }
}
