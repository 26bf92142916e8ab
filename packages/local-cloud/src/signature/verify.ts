/** Verifies SigV4 signatures: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html */
import { findParameter, isPresigned, type SignedRequest } from './request.ts'
import {
  buildCanonicalRequest,
  buildStringToSign,
  type CredentialScope,
  type Credentials,
  deriveSigningKey,
  isEqualSignature,
  sign,
} from './signature.ts'

const ALGORITHM = 'AWS4-HMAC-SHA256'
const MAX_EXPIRES_SECONDS = 7 * 24 * 60 * 60

export type SignatureProblem =
  | 'unsigned'
  | 'unsupported'
  | 'malformed'
  | 'malformed query'
  | 'no date'
  | 'skewed'
  | 'expired'
  | 'not yet valid'
  | 'header not signed'
  | 'wrong service'
  | 'wrong date'
  | 'unknown key'
  | 'mismatch'

export class SignatureError extends Error {
  override name = 'SignatureError'
  readonly problem: SignatureProblem
  readonly details: Record<string, string>

  constructor(problem: SignatureProblem, message = '', details: Record<string, string> = {}) {
    super(message)
    this.problem = problem
    this.details = details
  }
}

export interface SigningRules {
  service?: string
  maxSkewMs: number
  mustSign: (request: SignedRequest) => string[]
}

export interface Claim {
  scope: CredentialScope
  timestamp: string
  signedHeaders: string[]
  signature: string
  parameters: [string, string][]
}

type UnscopedClaim = Omit<Claim, 'scope'> & { credential: string }

/** @param now milliseconds since 1970. @throws SignatureError */
export function readClaim(request: SignedRequest, rules: SigningRules, credentials: Credentials, now: number): Claim {
  const { credential, ...claim } = isPresigned(request)
    ? readPresignedClaim(request, rules, now)
    : readHeaderClaim(request, rules, now)
  const scope = parseCredential(credential, rules, credentials)
  if (scope.date !== claim.timestamp.slice(0, 8))
    throw new SignatureError('wrong date', 'The date of the credential scope is not the date of the request.')
  return { ...claim, scope }
}

export function verifyClaim(
  request: SignedRequest,
  claim: Claim,
  payloadHash: string,
  { secretAccessKey }: Credentials,
): void {
  const { scope, timestamp, signature } = claim
  const key = deriveSigningKey(secretAccessKey, scope)
  const canonical = buildCanonicalRequest({
    method: request.method,
    path: request.path,
    parameters: claim.parameters,
    headers: claim.signedHeaders.map((name) => [name, readSignedHeader(request, name)]),
    payloadHash,
  })
  const text = buildStringToSign(timestamp, scope, canonical)
  if (!isEqualSignature(sign(key, text), signature))
    throw new SignatureError('mismatch', '', { StringToSign: text, CanonicalRequest: canonical })
}

function parseCredential(
  credential: string,
  rules: Pick<SigningRules, 'service'>,
  expectedCredentials: Credentials,
): CredentialScope {
  const [accessKeyId, date, region, service, end] = credential.split('/')
  if (!date || !region || !service || end !== 'aws4_request')
    throw new SignatureError('malformed', `The credential "${credential}" is mal-formed.`)
  if (accessKeyId !== expectedCredentials.accessKeyId)
    throw new SignatureError('unknown key', '', { AWSAccessKeyId: accessKeyId ?? '' })
  if (rules.service !== undefined && service !== rules.service)
    throw new SignatureError('wrong service', `Credential should be scoped to correct service: '${rules.service}'.`)
  return { date, region, service }
}

function readHeaderClaim(request: SignedRequest, { maxSkewMs, mustSign }: SigningRules, now: number): UnscopedClaim {
  const header = request.headers.authorization
  if (!header) throw new SignatureError('unsigned')
  if (!header.startsWith(`${ALGORITHM} `)) throw createUnsupportedError()
  const fields = parseFields(header.slice(ALGORITHM.length))
  const { Credential: credential, SignedHeaders: signedHeaderList, Signature: signature } = fields
  if (!credential || !signedHeaderList || !signature) throw new SignatureError('malformed')
  const timestamp = String(request.headers['x-amz-date'] ?? '')
  const signedAt = parseTimestamp(timestamp)
  if (signedAt === undefined)
    throw new SignatureError('no date', 'AWS authentication requires a valid Date or x-amz-date header')
  if (Math.abs(now - signedAt) > maxSkewMs) throw new SignatureError('skewed', describeSkew(signedAt, now, maxSkewMs))
  const signedHeaders = signedHeaderList.split(';')
  assertSigned(signedHeaders, ['host', ...mustSign(request)])
  return { credential, timestamp, signedHeaders, signature, parameters: request.parameters }
}

function readPresignedClaim(request: SignedRequest, { maxSkewMs, mustSign }: SigningRules, now: number): UnscopedClaim {
  const getRequired = (name: string): string => {
    const value = findParameter(request, name)
    if (value) return value
    throw new SignatureError('malformed query', `Query-string authentication requires the ${name} parameter.`)
  }
  if (getRequired('X-Amz-Algorithm') !== ALGORITHM) throw createUnsupportedError()
  const timestamp = getRequired('X-Amz-Date')
  assertNotExpired(timestamp, getRequired('X-Amz-Expires'), now, maxSkewMs)
  const signedHeaders = getRequired('X-Amz-SignedHeaders').split(';')
  assertSigned(signedHeaders, ['host', ...mustSign(request)])
  return {
    credential: getRequired('X-Amz-Credential'),
    timestamp,
    signedHeaders,
    signature: getRequired('X-Amz-Signature'),
    parameters: request.parameters.filter(([name]) => name !== 'X-Amz-Signature'),
  }
}

function assertNotExpired(timestamp: string, expires: string, now: number, maxSkewMs: number): void {
  const signedAt = parseTimestamp(timestamp)
  if (signedAt === undefined)
    throw new SignatureError(
      'malformed query',
      "X-Amz-Date must be in the ISO8601 Long Format \"yyyyMMdd'T'HHmmss'Z'\"",
    )
  if (!/^\d{1,7}$/.test(expires) || Number(expires) > MAX_EXPIRES_SECONDS)
    throw new SignatureError('malformed query', `X-Amz-Expires must be between 0 and ${MAX_EXPIRES_SECONDS} seconds`)
  if (signedAt > now + maxSkewMs) throw new SignatureError('not yet valid', 'Request is not valid yet')
  const expiresAt = signedAt + Number(expires) * 1000
  if (now < expiresAt) return
  throw new SignatureError('expired', 'Request has expired', {
    Expires: new Date(expiresAt).toISOString(),
    ServerTime: new Date(now).toISOString(),
  })
}

function assertSigned(signedHeaders: string[], required: string[]): void {
  const missing = required.filter((name) => !signedHeaders.includes(name))
  if (missing.length === 0) return
  throw new SignatureError('header not signed', 'There were headers present in the request which were not signed', {
    HeadersNotSigned: missing.join(', '),
  })
}

/** Header bytes are signed as UTF-8, but node:http reads them with one character per byte. */
function readSignedHeader(request: SignedRequest, name: string): string {
  const value = request.headers[name]
  const text = Array.isArray(value) ? value.join(',') : (value ?? '')
  return /[\x80-\xff]/.test(text) ? Buffer.from(text, 'latin1').toString() : text
}

function parseFields(text: string): Record<string, string | undefined> {
  return Object.fromEntries(text.split(',').map((field) => field.trim().split('=', 2)))
}

function parseTimestamp(timestamp: string): number | undefined {
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(timestamp)
  if (!match) return undefined
  const [year, month, day, hour, minute, second] = match.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

const formatTimestamp = (time: number): string => new Date(time).toISOString().replace(/[-:]|\.\d+/g, '')

function describeSkew(signedAt: number, now: number, maxSkewMs: number): string {
  const minutes = `${maxSkewMs / 60_000} min.`
  return signedAt < now
    ? `Signature expired: ${formatTimestamp(signedAt)} is now earlier than ${formatTimestamp(now - maxSkewMs)} (${formatTimestamp(now)} - ${minutes})`
    : `Signature not yet current: ${formatTimestamp(signedAt)} is still later than ${formatTimestamp(now + maxSkewMs)} (${formatTimestamp(now)} + ${minutes})`
}

const createUnsupportedError = () =>
  new SignatureError(
    'unsupported',
    `The authorization mechanism you have provided is not supported. Please use ${ALGORITHM}.`,
  )
