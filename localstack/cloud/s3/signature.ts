/**
 * AWS Signature Version 4 as pure functions: canonical request, string to sign, signing key, and the chain of
 * signatures of a chunked body. Who may do what is decided in authenticate.ts.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-authenticating-requests.html
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

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
  /** Decoded path. */
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

export function signingKey(secretAccessKey: string, scope: CredentialScope): Buffer {
  const start = hmac(`AWS4${secretAccessKey}`, scope.date)
  return [scope.region, scope.service, 'aws4_request'].reduce(hmac, start)
}

/** The signature of a text, in hex. */
export const sign = (key: Buffer, text: string): string => hmac(key, text).toString('hex')

/** Compares in constant time. */
export function sameSignature(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

const EMPTY_HASH = sha256Hex('')

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
