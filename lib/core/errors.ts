/** The one error class a caller ever sees. Its code is the contract (schemas/errors.ts); its messages are for people. */
import { ERROR_STATUS, type ErrorCode, type Problem } from '../../schemas/errors.ts'

export class ApiError extends Error {
  readonly code: ErrorCode
  readonly problems: Problem[]
  /** What the answer tells beside them. */
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

type Options = ConstructorParameters<typeof ApiError>[2]

const single = (code: ErrorCode, message: string, options?: Options) =>
  new ApiError(code, [{ key: code, message }], options)

/** 400 with every problem at once; `key` is the path of the input that is wrong. */
export const invalid = (problems: Problem[]): ApiError => new ApiError('invalid', problems)
export const invalidField = (key: string, message: string): ApiError => invalid([{ key, message }])
export const unauthenticated = (message = 'The access token is missing, unknown, expired or revoked.'): ApiError =>
  single('unauthenticated', message, { headers: { 'www-authenticate': 'Bearer' } })
export const forbidden = (message: string): ApiError => single('forbidden', message)
export const forbiddenTo = (permission: string): ApiError => forbidden(`This token may not do ${permission}.`)
/** The same answer whether the thing is missing or belongs to somebody else. */
export const notFound = (kind: string, id: string): ApiError => single('not-found', `There is no ${kind} ${id}.`)
export const conflict = (message: string, options?: Options): ApiError => single('conflict', message, options)
export const tooLarge = (message: string): ApiError => single('too-large', message)
export const unprocessable = (message: string): ApiError => single('unprocessable', message)
export const timedOut = (message: string): ApiError => single('timed-out', message)
/** 429 with the seconds to wait. */
export const tooManyRequests = (message: string, seconds: number, headers: Record<string, string> = {}): ApiError =>
  single('too-many-requests', message, { headers: { ...headers, 'retry-after': String(seconds) } })
