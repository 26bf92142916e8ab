/**
 * Verifies the SigV4 signature of a request, in its Authorization header or in its presigned URL. Knows one pair of
 * credentials and no policies: the holder of the pair may do everything. Each protocol words the refusals in its own way.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html
 */
import { isPresigned, parameterOf, type SignedRequest } from './request.ts'
import {
  type CredentialScope,
  type Credentials,
  canonicalRequest,
  type SigningContext,
  sameSignature,
  sign,
  signingKey,
  stringToSign,
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

/** A request that is not signed as it must be. */
export class SignatureError extends Error {
  override name = 'SignatureError'
  readonly problem: SignatureProblem
  /** Further elements of S3's error document. */
  readonly details: Record<string, string>

  constructor(problem: SignatureProblem, message = '', details: Record<string, string> = {}) {
    super(message)
    this.problem = problem
    this.details = details
  }
}

/** How a service wants its requests signed. */
export interface SigningRules {
  /** As the scope of a signature names it; any when absent. */
  service?: string
  /** How far the clocks of a client and of the service may differ. */
  maxSkewMs: number
  /** Headers besides `host` that must be signed in a presigned URL, or in a header. */
  mustSign: (request: SignedRequest) => string[]
}

/** What a request claims, plausible in all that can be checked without its body. */
export interface Claim {
  scope: CredentialScope
  /** yyyymmddThhmmssZ */
  timestamp: string
  signedHeaders: string[]
  signature: string
  /** The query as it was signed. */
  parameters: [string, string][]
}

type Unscoped = Omit<Claim, 'scope'> & { credential: string }

/** @param now ms since the epoch. @throws SignatureError */
export function readClaim(request: SignedRequest, rules: SigningRules, credentials: Credentials, now: number): Claim {
  const { credential, ...claim } = isPresigned(request)
    ? presignedClaim(request, rules, now)
    : headerClaim(request, rules, now)
  const scope = parseCredential(credential, rules, credentials)
  if (scope.date !== claim.timestamp.slice(0, 8))
    throw new SignatureError('wrong date', 'The date of the credential scope is not the date of the request.')
  return { ...claim, scope }
}

/**
 * Compares the signature of a claim with the right one.
 * @returns what the signatures of a chunked body continue from
 * @throws SignatureError
 */
export function verifyClaim(
  request: SignedRequest,
  claim: Claim,
  payloadHash: string,
  { secretAccessKey }: Credentials,
): SigningContext {
  const { scope, timestamp, signature } = claim
  const key = signingKey(secretAccessKey, scope)
  const canonical = canonicalRequest({
    method: request.method,
    path: request.path,
    parameters: claim.parameters,
    headers: claim.signedHeaders.map((name) => [name, signedHeader(request, name)]),
    payloadHash,
  })
  const text = stringToSign(timestamp, scope, canonical)
  if (!sameSignature(sign(key, text), signature))
    throw new SignatureError('mismatch', '', { StringToSign: text, CanonicalRequest: canonical })
  return { key, scope, timestamp, signature }
}

/** Splits `accessKeyId/date/region/service/aws4_request`. @throws SignatureError */
export function parseCredential(
  credential: string,
  rules: Pick<SigningRules, 'service'>,
  known: Credentials,
): CredentialScope {
  const [accessKeyId, date, region, service, end] = credential.split('/')
  if (!date || !region || !service || end !== 'aws4_request')
    throw new SignatureError('malformed', `The credential "${credential}" is mal-formed.`)
  if (accessKeyId !== known.accessKeyId)
    throw new SignatureError('unknown key', '', { AWSAccessKeyId: accessKeyId ?? '' })
  if (rules.service !== undefined && service !== rules.service)
    throw new SignatureError('wrong service', `Credential should be scoped to correct service: '${rules.service}'.`)
  return { date, region, service }
}

function headerClaim(request: SignedRequest, { maxSkewMs, mustSign }: SigningRules, now: number): Unscoped {
  const header = request.headers.authorization
  if (!header) throw new SignatureError('unsigned')
  if (!header.startsWith(`${ALGORITHM} `)) throw unsupported()
  const fields = parseFields(header.slice(ALGORITHM.length))
  const { Credential: credential, SignedHeaders: signed, Signature: signature } = fields
  if (!credential || !signed || !signature) throw new SignatureError('malformed')
  const timestamp = String(request.headers['x-amz-date'] ?? '')
  const signedAt = parseTimestamp(timestamp)
  if (signedAt === undefined)
    throw new SignatureError('no date', 'AWS authentication requires a valid Date or x-amz-date header')
  if (Math.abs(now - signedAt) > maxSkewMs) throw new SignatureError('skewed', skewText(signedAt, now, maxSkewMs))
  const signedHeaders = signed.split(';')
  assertSigned(signedHeaders, ['host', ...mustSign(request)])
  return { credential, timestamp, signedHeaders, signature, parameters: request.parameters }
}

function presignedClaim(request: SignedRequest, { maxSkewMs, mustSign }: SigningRules, now: number): Unscoped {
  const required = (name: string): string => {
    const value = parameterOf(request, name)
    if (value) return value
    throw new SignatureError('malformed query', `Query-string authentication requires the ${name} parameter.`)
  }
  if (required('X-Amz-Algorithm') !== ALGORITHM) throw unsupported()
  const timestamp = required('X-Amz-Date')
  assertTimely(timestamp, required('X-Amz-Expires'), now, maxSkewMs)
  const signedHeaders = required('X-Amz-SignedHeaders').split(';')
  assertSigned(signedHeaders, ['host', ...mustSign(request)])
  return {
    credential: required('X-Amz-Credential'),
    timestamp,
    signedHeaders,
    signature: required('X-Amz-Signature'),
    parameters: request.parameters.filter(([name]) => name !== 'X-Amz-Signature'),
  }
}

function assertTimely(timestamp: string, expires: string, now: number, maxSkewMs: number): void {
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

/** Header bytes are signed as UTF-8; node:http reads them one character a byte. */
function signedHeader(request: SignedRequest, name: string): string {
  const value = request.headers[name]
  const text = Array.isArray(value) ? value.join(',') : (value ?? '')
  return /[\x80-\xff]/.test(text) ? Buffer.from(text, 'latin1').toString() : text
}

function parseFields(text: string): Record<string, string | undefined> {
  return Object.fromEntries(text.split(',').map((field) => field.trim().split('=', 2)))
}

/** yyyymmddThhmmssZ to ms since the epoch. */
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

const written = (time: number): string => new Date(time).toISOString().replace(/[-:]|\.\d+/g, '')

function skewText(signedAt: number, now: number, maxSkewMs: number): string {
  const minutes = `${maxSkewMs / 60_000} min.`
  return signedAt < now
    ? `Signature expired: ${written(signedAt)} is now earlier than ${written(now - maxSkewMs)} (${written(now)} - ${minutes})`
    : `Signature not yet current: ${written(signedAt)} is still later than ${written(now + maxSkewMs)} (${written(now)} + ${minutes})`
}

const unsupported = () =>
  new SignatureError(
    'unsupported',
    `The authorization mechanism you have provided is not supported. Please use ${ALGORITHM}.`,
  )
