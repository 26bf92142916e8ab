/** All error codes with their status, and the common response body. */
import * as z from 'zod'

export const ERROR_STATUS = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  'method-not-allowed': 405,
  conflict: 409,
  'too-large': 413,
  unprocessable: 422,
  'too-many-requests': 429,
  internal: 500,
  unavailable: 503,
  'timed-out': 504,
} as const

export type ErrorCode = keyof typeof ERROR_STATUS

export const findErrorCode = (status: number | undefined): ErrorCode | undefined =>
  (Object.keys(ERROR_STATUS) as ErrorCode[]).find((code) => ERROR_STATUS[code] === status)

/** `key` is the path of invalid input, otherwise the error code. */
export const Problem = z.object({ key: z.string(), message: z.string() })
export type Problem = z.infer<typeof Problem>

export const ErrorBody = z.object({ errors: z.array(Problem).min(1) })

/** The body for clients that accept `application/problem+json` (RFC 9457). */
export const ProblemDetails = ErrorBody.extend({
  type: z.string(),
  title: z.string(),
  status: z.int().min(400).max(599),
  detail: z.string(),
  instance: z.string().optional(),
})
export type ProblemDetails = z.infer<typeof ProblemDetails>
