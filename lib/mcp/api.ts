/** Calls the API with the token of the caller: a tool can do exactly what its caller is allowed to do. */
import type { Problem } from '../../schemas/kit/error-codes.ts'
import { getTraceFields } from '../core/trace-context.ts'

export interface ApiRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below `/api/v1`. */
  path: string
  query?: Record<string, unknown> | undefined
  body?: unknown
}

/** @throws RefusedError */
// biome-ignore lint/suspicious/noExplicitAny: replies have the types of their endpoints
export type Api = <T = any>(request: ApiRequest, idempotencyKey?: string) => Promise<T>

/** An error reply of the API, or of a tool. The model reads it and corrects its call. */
export class RefusedError extends Error {
  readonly status: number | undefined
  readonly problems: readonly Problem[]

  constructor(text: string, status?: number, problems: readonly Problem[] = []) {
    super(text)
    this.status = status
    this.problems = problems
  }
}

/** @param baseUrl ends in `/api` */
export function createApi(baseUrl: string, authorization: string): Api {
  return async <T>(request: ApiRequest, idempotencyKey?: string): Promise<T> => {
    const url = `${baseUrl}/v1${request.path}${formatQuery(request.query)}`
    const response = await fetch(url, {
      method: request.method,
      headers: {
        authorization,
        ...getTraceFields(),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        ...(request.body === undefined || request.body instanceof FormData
          ? {}
          : { 'content-type': 'application/json' }),
      },
      ...(request.body === undefined
        ? {}
        : { body: request.body instanceof FormData ? request.body : JSON.stringify(request.body) }),
    })
    const text = await response.text()
    if (!response.ok) throw createRefusal(response.status, text)
    return JSON.parse(text, omitCredential) as T
  }
}

/** Links and tokens that admit their bearer. A model does not need them, and its provider would store them. */
const CREDENTIALS = ['guestLink', 'guestLinkUrl', 'accessToken']

const omitCredential = (name: string, value: unknown): unknown => (CREDENTIALS.includes(name) ? undefined : value)

function formatQuery(query: ApiRequest['query'] = {}): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) for (const item of [value].flat()) params.append(name, String(item))
  return params.size > 0 ? `?${params}` : ''
}

function createRefusal(status: number, text: string): RefusedError {
  try {
    const { errors } = JSON.parse(text) as { errors: Problem[] }
    return new RefusedError(errors.map(({ key, message }) => `${key}: ${message}`).join('\n'), status, errors)
  } catch {
    return new RefusedError(`The API returned status ${status}.`, status)
  }
}
