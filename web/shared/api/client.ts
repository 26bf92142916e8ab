/** Typed API client generated from the OpenAPI document. */
import createClient from 'openapi-fetch'
import type { paths } from './schema.generated.ts'
import { buildSessionHeaders, endSession, session } from './session.ts'

export type { Shape } from './shape.ts'

interface Problem {
  key: string
  message: string
}

export class ApiError extends Error {
  override name = 'ApiError'
  /** HTTP status; 0 for network errors. */
  readonly status: number
  readonly problems: Problem[]
  constructor(status: number, problems: Problem[]) {
    super(problems.map(({ message }) => message).join(' ') || `HTTP ${status}`)
    this.status = status
    this.problems = problems
  }
}

export const api = createClient<paths>({ baseUrl: '' })

api.use({
  onRequest({ request }) {
    for (const [name, value] of Object.entries(buildSessionHeaders()))
      if (!request.headers.has(name)) request.headers.set(name, value)
    return request
  },
  onResponse({ request, response }) {
    const sentAuthorization = request.headers.get('authorization')
    if (response.status === 401 && sentAuthorization && sentAuthorization === `Bearer ${session()?.token}`)
      endSession(true)
    return response
  },
})

export async function unwrap<T>(request: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await request.catch((cause: unknown) => {
    throw Object.assign(new ApiError(0, []), { cause })
  })
  if (!response.ok) throw new ApiError(response.status, parseProblems(error))
  return data as T
}

const parseProblems = (body: unknown): Problem[] =>
  typeof body === 'object' && body !== null && Array.isArray((body as { errors?: unknown }).errors)
    ? (body as { errors: Problem[] }).errors
    : []

/** Sends the token as a header, because URLs must not contain it. */
export async function fetchBlob(path: string): Promise<Blob> {
  const response = await fetch(path, { headers: buildSessionHeaders() })
  if (response.ok) return response.blob()
  throw new ApiError(response.status, parseProblems(await response.json().catch(() => undefined)))
}

export function saveBlob(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
