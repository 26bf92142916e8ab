/** The error class of the API. Its code is the contract (schemas/kit/error-codes.ts), its message is for people. */

import { ERROR_STATUS, type ErrorCode, type Problem } from '../../schemas/kit/error-codes.ts'
import { message as writeMessage } from '../../schemas/messages/index.ts'
import type { missingMessages } from '../../schemas/messages/missing.ts'

export class ApiError extends Error {
  readonly code: ErrorCode
  readonly problems: Problem[]
  readonly headers: Record<string, string>

  constructor(
    code: ErrorCode,
    problems: Problem[],
    { headers = {}, ...options }: ErrorOptions & { headers?: Record<string, string> } = {},
  ) {
    super(problems.map((problem) => problem.message).join('; '), options)
    this.name = 'ApiError'
    this.code = code
    this.problems = problems
    this.headers = headers
  }

  get status(): number {
    return ERROR_STATUS[this.code]
  }
}

type MissingKey = keyof typeof missingMessages
export type MissingKind = MissingKey extends `missing.${infer Kind}` ? Kind : never

type Options = ConstructorParameters<typeof ApiError>[2]

const createError = (code: ErrorCode, message: string, options?: Options) =>
  new ApiError(code, [{ key: code, message }], options)

export const invalid = (problems: Problem[]): ApiError => new ApiError('invalid', problems)
export const invalidField = (key: string, message: string): ApiError => invalid([{ key, message }])
export const unauthenticated = (message = writeMessage('access.tokenNotValid'), challenge = 'Bearer'): ApiError =>
  createError('unauthenticated', message, { headers: { 'www-authenticate': challenge } })
export const forbidden = (message: string): ApiError => createError('forbidden', message)
export const missingPermission = (permission: string): ApiError =>
  forbidden(writeMessage('access.missingPermission', { permission }))
/** The same whether the resource is missing or belongs to another account. */
export const notFound = (kind: MissingKind, id: string): ApiError =>
  createError('not-found', writeMessage(`missing.${kind}`, { id }))
export const conflict = (message: string, options?: Options): ApiError => createError('conflict', message, options)
export const tooLarge = (message: string): ApiError => createError('too-large', message)
export const unprocessable = (message: string): ApiError => createError('unprocessable', message)
const PASSWORD_PROBLEM = 'password'
export const unprocessablePassword = (message: string): ApiError =>
  new ApiError('unprocessable', [{ key: PASSWORD_PROBLEM, message }])
export const isPasswordNeeded = (error: unknown): boolean =>
  error instanceof ApiError && error.problems.some(({ key }) => key === PASSWORD_PROBLEM)
export const timedOut = (message: string): ApiError => createError('timed-out', message)
export const tooManyRequests = (message: string, seconds: number, headers: Record<string, string> = {}): ApiError =>
  createError('too-many-requests', message, { headers: { ...headers, 'retry-after': String(seconds) } })
