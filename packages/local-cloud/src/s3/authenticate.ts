/** Request authentication of S3: the payload hash is a header, and errors are S3's. */
import { isPresigned } from '../signature/request.ts'
import type { Credentials } from '../signature/signature.ts'
import {
  readClaim,
  SignatureError,
  type SignatureProblem,
  type SigningRules,
  verifyClaim,
} from '../signature/verify.ts'
import { type ErrorCode, S3Error } from './errors.ts'
import type { S3Request } from './request.ts'

const EXEMPT_HEADERS = new Set(['x-amz-content-sha256', 'x-amz-user-agent'])

const SIGNING_RULES: SigningRules = {
  service: 's3',
  maxSkewMs: 15 * 60 * 1000,
  /** Other x-amz- headers could make a presigned link do more. */
  mustSign: (request) =>
    isPresigned(request)
      ? Object.keys(request.headers).filter((name) => name.startsWith('x-amz-') && !EXEMPT_HEADERS.has(name))
      : [],
}

const CODES: Record<SignatureProblem, ErrorCode> = {
  unsigned: 'AccessDenied',
  unsupported: 'InvalidRequest',
  malformed: 'AuthorizationHeaderMalformed',
  'malformed query': 'AuthorizationQueryParametersError',
  'no date': 'AccessDenied',
  skewed: 'RequestTimeTooSkewed',
  expired: 'AccessDenied',
  'not yet valid': 'AccessDenied',
  'header not signed': 'AccessDenied',
  'wrong service': 'AuthorizationHeaderMalformed',
  'wrong date': 'SignatureDoesNotMatch',
  'unknown key': 'InvalidAccessKeyId',
  mismatch: 'SignatureDoesNotMatch',
}

/** Returns the payload hash that the request signed. `now` is in milliseconds since 1970. @throws S3's errors */
export function authenticate(request: S3Request, credentials: Credentials, now: number): string {
  const { signable } = request
  try {
    const claim = readClaim(signable, SIGNING_RULES, credentials, now)
    const payloadHash = getPayloadHash(request)
    verifyClaim(signable, claim, payloadHash, credentials)
    return payloadHash
  } catch (error) {
    if (!(error instanceof SignatureError)) throw error
    const { problem, message, details } = error
    throw new S3Error(CODES[problem], problem === 'skewed' ? undefined : message || undefined, details)
  }
}

function getPayloadHash(request: S3Request): string {
  const header = request.header('x-amz-content-sha256')
  if (header) return header
  if (request.isPresigned) return request.query('X-Amz-Content-Sha256') ?? 'UNSIGNED-PAYLOAD'
  throw new S3Error('InvalidRequest', 'Missing required header for this request: x-amz-content-sha256')
}
