/** Explanations of errors for the API reference. */
import type { ErrorCode } from './errors.ts'

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
    example: { message: 'The access token is missing, unknown, expired or revoked.' },
  },
  forbidden: {
    when: 'The caller can see the resource but does not have permission for this operation',
    remedy: 'Use a token with the permission that the operation requires.',
    example: { message: 'This token does not have the spaces:write permission.' },
  },
  'not-found': {
    when: 'The resource does not exist or is hidden from the caller',
    remedy: 'Check the id, and that the token belongs to the same environment.',
    example: { message: 'There is no space us_sp_01KJM5Z8Q4T7W9XA2BCDEFGH3J.' },
  },
  'method-not-allowed': {
    when: 'The path does not support this method; see the header `Allow`',
    remedy: 'Use a supported method.',
    example: { message: '/api/v1/spaces does not support PUT. Use GET, POST or DELETE.' },
  },
  conflict: {
    when: 'The state of the resource does not allow the operation, or it was changed or is being processed concurrently',
    remedy:
      'Reload the resource and decide whether to retry; if there is a `Retry-After` header, retry after that time.',
    example: { message: 'The resource was changed concurrently. Reload it and retry.' },
  },
  'too-large': {
    when: 'The request or its result exceeds a limit, which the message names',
    remedy: 'Send less per request; upload large files with `POST /files/uploads`.',
    example: { message: 'The file exceeds the limit of 1073741824 bytes.' },
  },
  unprocessable: {
    when: 'The request is well-formed but contradicts an earlier one, for example a different body with the same `Idempotency-Key`',
    remedy: 'Use a new key for each request.',
    example: {
      message: 'This Idempotency-Key was already used for a different request. Use a new key for each request.',
    },
  },
  'too-many-requests': {
    when: 'The rate limit was exceeded; see the `RateLimit-*` headers',
    remedy: 'Wait for the seconds in `Retry-After`.',
    example: { message: 'Rate limit of 50 requests per second exceeded.' },
  },
  internal: {
    when: 'An internal error occurred; nothing was changed',
    remedy: 'Retry with the same `Idempotency-Key`. If the error persists, contact the operator of the platform.',
    example: { message: 'An internal error occurred; nothing was changed.' },
  },
  unavailable: {
    when: 'A dependency is not responding or the service is overloaded; the operation may still complete',
    remedy: 'Wait for the seconds in `Retry-After`, then retry with the same `Idempotency-Key`.',
    example: { message: 'The service is overloaded.' },
  },
  'timed-out': {
    when: 'The request timed out and may still complete',
    remedy: 'Check the result before retrying, or use a job.',
    example: { message: 'The request timed out and may still complete. Check before retrying, or use a job.' },
  },
}
