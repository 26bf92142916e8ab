/** What each error of the table means, for people: the reference tells it, no answer does. */
import type { ErrorCode } from './errors.ts'

interface ErrorKind {
  /** When it is answered. */
  when: string
  /** What to do about it. */
  remedy: string
  /** `key` where it is not the code. */
  example: { key?: string; message: string }
}

/** What each error means, for people. */
export const ERRORS: Record<ErrorCode, ErrorKind> = {
  invalid: {
    when: 'Something of the request cannot be: each problem is named by its path, all of them at once',
    remedy: 'Correct what `key` names. Nothing was changed.',
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
    when: 'The caller knows of the thing and may not do this with it',
    remedy: 'Use a token with the permission the operation names.',
    example: { message: 'This token may not do spaces:write.' },
  },
  'not-found': {
    when: 'There is no such thing, or it is hidden from the caller: both look the same',
    remedy: 'Check the id, and that the token is of the same environment.',
    example: { message: 'There is no space us_sp_01KJM5Z8Q4T7W9XA2BCDEFGH3J.' },
  },
  'method-not-allowed': {
    when: 'The path takes other methods: the header `Allow` names them',
    remedy: 'Use one of them.',
    example: { message: '/api/v1/spaces does not take PUT, but GET, POST, DELETE.' },
  },
  conflict: {
    when: 'The thing is in a state in which this cannot be done, was changed meanwhile, or is being worked on',
    remedy: 'Read it again and decide; after `Retry-After` repeat the request where it is told.',
    example: { message: 'It was changed by somebody else meanwhile: read it again.' },
  },
  'too-large': {
    when: 'The request, or what it would make, is beyond a limit: the message names the limit',
    remedy: 'Send less at once; large files go by `POST /files/uploads`.',
    example: { message: 'A file may have at most 1073741824 bytes.' },
  },
  unprocessable: {
    when: 'The request is well formed and contradicts an earlier one, such as another body under the same `Idempotency-Key`',
    remedy: 'Use a new key for each request.',
    example: { message: 'This Idempotency-Key was used for another request: use a new one for each.' },
  },
  'too-many-requests': {
    when: 'There were more requests than the limit: `RateLimit-*` headers tell it',
    remedy: 'Wait the seconds of `Retry-After`.',
    example: { message: 'There may be 50 requests a second: wait.' },
  },
  internal: {
    when: 'Something went wrong on our side; nothing was changed',
    remedy: 'Repeat the request with the same `Idempotency-Key`; when it stays, tell who runs the platform.',
    example: { message: 'Something went wrong on our side; nothing was changed.' },
  },
  unavailable: {
    when: 'What the platform stands on does not answer or is asked for too much; what was begun may be done all the same',
    remedy: 'Wait the seconds of `Retry-After` and repeat the request with the same `Idempotency-Key`.',
    example: { message: 'The platform is asked for too much right now.' },
  },
  'timed-out': {
    when: 'The request took longer than a request may; what it had begun may be done all the same',
    remedy: 'See what became of it before you repeat it, or have it done by a job.',
    example: { message: 'The request took longer than a request may.' },
  },
}
