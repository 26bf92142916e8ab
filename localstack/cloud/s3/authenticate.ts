/**
 * Who sent a request: verifies the SigV4 signature of its Authorization header or of its presigned URL.
 * Knows one pair of credentials; there are no policies: whoever signs with it may do everything.
 */
import { S3Error } from './errors.ts'
import type { S3Request } from './request.ts'
import {
  type CredentialScope,
  canonicalRequest,
  type SigningContext,
  sameSignature,
  sign,
  signingKey,
  stringToSign,
} from './signature.ts'

const ALGORITHM = 'AWS4-HMAC-SHA256'
const MAX_SKEW_MS = 15 * 60 * 1000
const MAX_EXPIRES_SECONDS = 7 * 24 * 60 * 60

export interface Credentials {
  accessKeyId: string
  secretAccessKey: string
}

/** A verified request: how its payload is protected, and what the signatures of its chunks continue from. */
export interface Authentication {
  /** UNSIGNED-PAYLOAD, STREAMING-..., or the SHA-256 of the body in hex. */
  payload: string
  context: SigningContext
}

interface Claim {
  credential: string
  timestamp: string
  signedHeaders: string[]
  signature: string
  payload: string
  /** The query as it was signed. */
  parameters: [string, string][]
}

/**
 * Verifies the signature of a request, presigned or in its header. `now` is in ms since the epoch.
 * @throws AccessDenied for unsigned or expired requests, SignatureDoesNotMatch for tampered ones, and AWS's errors for malformed ones.
 */
export function authenticate(request: S3Request, credentials: Credentials, now: number): Authentication {
  const claim = request.isPresigned ? presignedClaim(request, now) : headerClaim(request, now)
  const scope = parseCredential(claim.credential, credentials)
  if (scope.date !== claim.timestamp.slice(0, 8)) {
    throw new S3Error('SignatureDoesNotMatch', 'The date of the credential scope is not the date of the request.')
  }
  const key = signingKey(credentials.secretAccessKey, scope)
  const canonical = canonicalRequest({
    method: request.method,
    path: request.path,
    parameters: claim.parameters,
    headers: claim.signedHeaders.map((name) => [name, signedHeader(request, name)]),
    payloadHash: claim.payload,
  })
  const text = stringToSign(claim.timestamp, scope, canonical)
  if (!sameSignature(sign(key, text), claim.signature)) {
    throw new S3Error('SignatureDoesNotMatch', undefined, { StringToSign: text, CanonicalRequest: canonical })
  }
  return { payload: claim.payload, context: { key, scope, timestamp: claim.timestamp, signature: claim.signature } }
}

/** Splits `accessKeyId/date/region/s3/aws4_request`. @throws InvalidAccessKeyId, AuthorizationHeaderMalformed */
export function parseCredential(credential: string, known: Credentials): CredentialScope {
  const [accessKeyId, date, region, service, end] = credential.split('/')
  if (!date || !region || service !== 's3' || end !== 'aws4_request') {
    throw new S3Error('AuthorizationHeaderMalformed', `The credential "${credential}" is mal-formed.`)
  }
  if (accessKeyId !== known.accessKeyId) {
    throw new S3Error('InvalidAccessKeyId', undefined, { AWSAccessKeyId: accessKeyId ?? '' })
  }
  return { date, region, service }
}

function headerClaim(request: S3Request, now: number): Claim {
  const header = request.header('authorization')
  if (!header) throw new S3Error('AccessDenied')
  if (!header.startsWith(`${ALGORITHM} `)) throw unsupportedMechanism()
  const fields = parseFields(header.slice(ALGORITHM.length))
  const { Credential: credential, SignedHeaders: signed, Signature: signature } = fields
  if (!credential || !signed || !signature) throw new S3Error('AuthorizationHeaderMalformed')
  const timestamp = request.header('x-amz-date') ?? ''
  const signedAt = parseTimestamp(timestamp)
  if (signedAt === undefined)
    throw new S3Error('AccessDenied', 'AWS authentication requires a valid Date or x-amz-date header')
  if (Math.abs(now - signedAt) > MAX_SKEW_MS) throw new S3Error('RequestTimeTooSkewed')
  const payload = request.header('x-amz-content-sha256')
  if (!payload) throw new S3Error('InvalidRequest', 'Missing required header for this request: x-amz-content-sha256')
  const signedHeaders = signed.split(';')
  assertSigned(signedHeaders, ['host'])
  return { credential, timestamp, signedHeaders, signature, payload, parameters: request.parameters }
}

function presignedClaim(request: S3Request, now: number): Claim {
  const required = (name: string): string => {
    const value = request.query(name)
    if (value) return value
    throw new S3Error(
      'AuthorizationQueryParametersError',
      `Query-string authentication requires the ${name} parameter.`,
    )
  }
  if (required('X-Amz-Algorithm') !== ALGORITHM) throw unsupportedMechanism()
  const timestamp = required('X-Amz-Date')
  assertTimely(timestamp, required('X-Amz-Expires'), now)
  const signedHeaders = required('X-Amz-SignedHeaders').split(';')
  assertSigned(signedHeaders, ['host', ...unsignedExtras(request)])
  return {
    credential: required('X-Amz-Credential'),
    timestamp,
    signedHeaders,
    signature: required('X-Amz-Signature'),
    payload: request.header('x-amz-content-sha256') ?? request.query('X-Amz-Content-Sha256') ?? 'UNSIGNED-PAYLOAD',
    parameters: request.parameters.filter(([name]) => name !== 'X-Amz-Signature'),
  }
}

/** @throws AccessDenied before or after its time, AuthorizationQueryParametersError for nonsense. */
function assertTimely(timestamp: string, expires: string, now: number): void {
  const signedAt = parseTimestamp(timestamp)
  if (signedAt === undefined) {
    throw new S3Error(
      'AuthorizationQueryParametersError',
      "X-Amz-Date must be in the ISO8601 Long Format \"yyyyMMdd'T'HHmmss'Z'\"",
    )
  }
  if (!/^\d{1,7}$/.test(expires) || Number(expires) > MAX_EXPIRES_SECONDS) {
    throw new S3Error(
      'AuthorizationQueryParametersError',
      `X-Amz-Expires must be between 0 and ${MAX_EXPIRES_SECONDS} seconds`,
    )
  }
  if (signedAt > now + MAX_SKEW_MS) throw new S3Error('AccessDenied', 'Request is not valid yet')
  const expiresAt = signedAt + Number(expires) * 1000
  if (now < expiresAt) return
  throw new S3Error('AccessDenied', 'Request has expired', {
    Expires: new Date(expiresAt).toISOString(),
    ServerTime: new Date(now).toISOString(),
  })
}

/** The x-amz- headers sent beside a presigned URL: each must be signed, or a link could be made to do more. */
function unsignedExtras(request: S3Request): string[] {
  const exempt = new Set(['x-amz-content-sha256', 'x-amz-user-agent'])
  return Object.keys(request.incoming.headers).filter((name) => name.startsWith('x-amz-') && !exempt.has(name))
}

function assertSigned(signedHeaders: string[], required: string[]): void {
  const missing = required.filter((name) => !signedHeaders.includes(name))
  if (missing.length === 0) return
  throw new S3Error('AccessDenied', 'There were headers present in the request which were not signed', {
    HeadersNotSigned: missing.join(', '),
  })
}

/** Header bytes are signed as UTF-8; node:http reads them one character a byte. */
function signedHeader(request: S3Request, name: string): string {
  const value = request.incoming.headers[name]
  return Buffer.from(Array.isArray(value) ? value.join(',') : (value ?? ''), 'latin1').toString()
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

const unsupportedMechanism = () =>
  new S3Error(
    'InvalidRequest',
    `The authorization mechanism you have provided is not supported. Please use ${ALGORITHM}.`,
  )
