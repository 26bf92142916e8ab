/** S3's way to have its requests signed: the hash of the payload is a header, and refusals are S3's errors. */
import { isPresigned } from '../signature/request.ts'
import type { Credentials, SigningContext } from '../signature/signature.ts'
import {
  readClaim,
  SignatureError,
  type SignatureProblem,
  type SigningRules,
  verifyClaim,
} from '../signature/verify.ts'
import { type ErrorCode, S3Error } from './errors.ts'
import type { S3Request } from './request.ts'

/** Headers that a presigned URL need not cover. */
const EXEMPT = new Set(['x-amz-content-sha256', 'x-amz-user-agent'])

export const RULES: SigningRules = {
  service: 's3',
  maxSkewMs: 15 * 60 * 1000,
  /** A link could be made to do more by other x-amz- headers sent with it. */
  mustSign: (request) =>
    isPresigned(request)
      ? Object.keys(request.headers).filter((name) => name.startsWith('x-amz-') && !EXEMPT.has(name))
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

/** A verified request: how its payload is protected, and what the signatures of its chunks continue from. */
export interface Authentication {
  /** UNSIGNED-PAYLOAD, STREAMING-..., or the SHA-256 of the body in hex. */
  payload: string
  context: SigningContext
}

/**
 * Verifies the signature of a request, presigned or in its header. `now` is in ms since the epoch.
 * @throws AccessDenied for unsigned or expired requests, SignatureDoesNotMatch for tampered ones, and AWS's errors for malformed ones.
 */
export function authenticate(request: S3Request, credentials: Credentials, now: number): Authentication {
  const { signable } = request
  return inS3(() => {
    const claim = readClaim(signable, RULES, credentials, now)
    const payload = payloadOf(request)
    return { payload, context: verifyClaim(signable, claim, payload, credentials) }
  })
}

/** Runs a verification and turns its refusal into S3's error. */
export function inS3<T>(verify: () => T): T {
  try {
    return verify()
  } catch (error) {
    if (!(error instanceof SignatureError)) throw error
    const { problem, message, details } = error
    throw new S3Error(CODES[problem], problem === 'skewed' ? undefined : message || undefined, details)
  }
}

function payloadOf(request: S3Request): string {
  const given = request.header('x-amz-content-sha256')
  if (given) return given
  if (request.isPresigned) return request.query('X-Amz-Content-Sha256') ?? 'UNSIGNED-PAYLOAD'
  throw new S3Error('InvalidRequest', 'Missing required header for this request: x-amz-content-sha256')
}
