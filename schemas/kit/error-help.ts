/** Explanations of errors for the API reference. */

import { message } from '../messages/index.ts'
import type { ErrorCode } from './error-codes.ts'

interface ErrorHelp {
  when: string
  remedy: string
  example: { key?: string; message: string }
}

export const ERROR_HELP: Record<ErrorCode, ErrorHelp> = {
  invalid: {
    when: 'The request is invalid; every problem is listed with its path',
    remedy: 'Correct the value at `key`. Nothing was changed.',
    example: {
      key: 'fields.0.type',
      message: 'must be one of string, number, boolean, date, enum, enum-list, string-list, reference, reference-list',
    },
  },
  unauthenticated: {
    when: 'The token is missing, unknown, expired or revoked',
    remedy: 'Send `Authorization: Bearer <token>`; refresh an access token or sign in again.',
    example: { message: message('access.tokenNotValid') },
  },
  forbidden: {
    when: 'The caller can see the resource but does not have permission for this operation',
    remedy: 'Use a token with the permission that the operation requires.',
    example: { message: message('access.missingPermission', { permission: 'spaces:write' }) },
  },
  'not-found': {
    when: 'The resource does not exist or is hidden from the caller',
    remedy: 'Check the id, and that the token belongs to the same environment.',
    example: { message: message('missing.space', { id: 'us_sp_01KJM5Z8Q4T7W9XA2BCDEFGH3J' }) },
  },
  'method-not-allowed': {
    when: 'The path does not support this method; see the header `Allow`',
    remedy: 'Use a supported method.',
    example: {
      message: message('requests.methodNotAllowed', {
        path: '/api/v1/spaces',
        method: 'PUT',
        allowed: 'GET, POST, DELETE',
      }),
    },
  },
  conflict: {
    when: 'The state of the resource does not allow the operation, or it was changed or is being processed concurrently',
    remedy:
      'Reload the resource and decide whether to retry; if there is a `Retry-After` header, retry after that time.',
    example: { message: message('requests.changedConcurrently') },
  },
  'too-large': {
    when: 'The request or its result exceeds a limit, which the message names',
    remedy: 'Send less per request; upload large files with `POST /files/uploads`.',
    example: { message: 'The file exceeds the limit of 1,073,741,824 bytes.' },
  },
  unprocessable: {
    when: 'The request is well-formed but contradicts an earlier one, for example a different body with the same `Idempotency-Key`',
    remedy: 'Use a new key for each request.',
    example: {
      message: message('requests.idempotencyKeyUsed'),
    },
  },
  'too-many-requests': {
    when: 'The rate limit was exceeded; see the `RateLimit-*` headers',
    remedy: 'Wait for the seconds in `Retry-After`.',
    example: { message: message('requests.rateLimit', { count: 50 }) },
  },
  internal: {
    when: 'An internal error occurred; nothing was changed',
    remedy: 'Retry with the same `Idempotency-Key`. If the error persists, contact the operator of the platform.',
    example: { message: message('requests.internal') },
  },
  unavailable: {
    when: 'A dependency is not responding or the service is overloaded; the operation may still complete',
    remedy: 'Wait for the seconds in `Retry-After`, then retry with the same `Idempotency-Key`.',
    example: { message: message('requests.overloaded') },
  },
  'timed-out': {
    when: 'The request timed out and may still complete',
    remedy: 'Check the result before retrying, or use a job.',
    example: { message: message('requests.timedOut') },
  },
}
