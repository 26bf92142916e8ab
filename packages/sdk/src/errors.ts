import type { Job, Schemas } from './types.ts'

export interface Problem {
  /** The path of the invalid value, such as `fields.0.type`; otherwise the error code. */
  key: string
  message: string
}

const CODES = {
  400: 'invalid',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not-found',
  405: 'method-not-allowed',
  409: 'conflict',
  413: 'too-large',
  422: 'unprocessable',
  429: 'too-many-requests',
  500: 'internal',
  503: 'unavailable',
  504: 'timed-out',
} as const

type ClientCode = 'no-response' | 'job-failed' | 'open-questions' | 'not-importable' | 'unknown'
export type ErrorCode = (typeof CODES)[keyof typeof CODES] | ClientCode

interface Details {
  status?: number
  code?: ErrorCode
  errors?: readonly Problem[]
  requestId?: string | undefined
  retryAfterSeconds?: number | undefined
  cause?: unknown
}

export class WharfError extends Error {
  override name = 'WharfError'
  /** HTTP status; 0 if there was no response. */
  readonly status: number
  readonly code: ErrorCode
  readonly errors: readonly Problem[]
  /** Names the request in the logs of the platform on AWS. */
  readonly requestId: string | undefined
  /** Seconds after which the platform accepts the request again, if it said so. */
  readonly retryAfterSeconds: number | undefined

  constructor(message: string, { status = 0, code = 'unknown', errors = [], ...details }: Details = {}) {
    super(message, details.cause === undefined ? {} : { cause: details.cause })
    this.status = status
    this.code = code
    this.errors = errors
    this.requestId = details.requestId
    this.retryAfterSeconds = details.retryAfterSeconds
  }
}

export class ValidationFailed extends WharfError {
  override name = 'ValidationFailed'
}
export class Unauthorized extends WharfError {
  override name = 'Unauthorized'
}
export class Forbidden extends WharfError {
  override name = 'Forbidden'
}
export class NotFound extends WharfError {
  override name = 'NotFound'
}
export class Conflict extends WharfError {
  override name = 'Conflict'
}
export class TooLarge extends WharfError {
  override name = 'TooLarge'
}
export class Unprocessable extends WharfError {
  override name = 'Unprocessable'
}
export class RateLimited extends WharfError {
  override name = 'RateLimited'
}
export class ServerError extends WharfError {
  override name = 'ServerError'
}
export class ConnectionError extends WharfError {
  override name = 'ConnectionError'
}
export class TimeoutError extends WharfError {
  override name = 'TimeoutError'
}

/** A job failed or was canceled; `job.outcome` and `job.info` explain it. */
export class JobFailed extends WharfError {
  override name = 'JobFailed'
  readonly job: Job
  constructor(job: Job) {
    const reason = (job.outcome as { message?: string } | undefined)?.message ?? job.info
    super(
      `The job ${job.id} (${job.type}:${job.operation}) ${job.status === 'failed' ? 'failed' : 'was canceled'}: ${reason ?? 'no reason is given'}`,
      { code: 'job-failed' },
    )
    this.job = job
  }
}
/** An import cannot decide how to read some columns. */
export class OpenQuestions extends WharfError {
  override name = 'OpenQuestions'
  /** The job waits with its plan. Set `metadata.reading` of these edges by `jobs.updatePlan`, then execute it. */
  readonly jobId: string
  readonly edges: readonly Schemas['Edge'][]
  constructor(jobId: string, edges: readonly Schemas['Edge'][]) {
    const columns = edges.map(({ sourceField, metadata }) => `${sourceField.key} (${metadata?.question?.about})`)
    super(`The import ${jobId} cannot decide how to read: ${columns.join(', ')}`, { code: 'open-questions' })
    this.jobId = jobId
    this.edges = edges
  }
}

/** A file has no table to import, or a choice between several. */
export class NotImportable extends WharfError {
  override name = 'NotImportable'
  constructor(message: string) {
    super(message, { code: 'not-importable' })
  }
}

const CLASSES: Record<number, typeof WharfError> = {
  400: ValidationFailed,
  401: Unauthorized,
  403: Forbidden,
  404: NotFound,
  409: Conflict,
  413: TooLarge,
  422: Unprocessable,
  429: RateLimited,
}

export async function readError(request: string, response: Response): Promise<WharfError> {
  const { status, headers } = response
  const errors = await readProblems(response)
  const summary = errors.map(({ key, message }) => (status === 400 ? `${key}: ${message}` : message)).join(' ')
  const Class = CLASSES[status] ?? (status >= 500 ? ServerError : WharfError)
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return new Class(`${request}: ${status} ${summary || response.statusText}`.trim(), {
    status,
    code: CODES[status as keyof typeof CODES] ?? 'unknown',
    errors,
    requestId: headers.get('apigw-requestid') ?? undefined,
    retryAfterSeconds: Number.isFinite(seconds) ? seconds : undefined,
  })
}

async function readProblems(response: Response): Promise<Problem[]> {
  const body = (await response.json().catch(() => undefined)) as { errors?: unknown } | undefined
  return Array.isArray(body?.errors) ? (body.errors as Problem[]) : []
}
