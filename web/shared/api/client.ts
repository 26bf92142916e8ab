/** The API as typed functions, made of its OpenAPI document; refusals are thrown as the server words them. */
import createClient from 'openapi-fetch'
import type { components, paths } from './schema.generated.ts'
import { end, session, sessionHeaders } from './session.ts'

export type Shape<Name extends keyof components['schemas']> = components['schemas'][Name]

interface Problem {
  key: string
  message: string
}

/** A refusal of the API. */
export class ApiError extends Error {
  override name = 'ApiError'
  /** HTTP status; 0 where there was no answer. */
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
    for (const [name, value] of Object.entries(sessionHeaders()))
      if (!request.headers.has(name)) request.headers.set(name, value)
    return request
  },
  onResponse({ request, response }) {
    const sent = request.headers.get('authorization')
    if (response.status === 401 && sent && sent === `Bearer ${session()?.token}`) end(true)
    return response
  },
})

/** What a request answers, or the refusal. @throws ApiError */
export async function ask<T>(request: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await request.catch((cause: unknown) => {
    throw Object.assign(new ApiError(0, []), { cause })
  })
  if (!response.ok) throw new ApiError(response.status, problemsOf(error))
  return data as T
}

const problemsOf = (body: unknown): Problem[] =>
  typeof body === 'object' && body !== null && Array.isArray((body as { errors?: unknown }).errors)
    ? (body as { errors: Problem[] }).errors
    : []

/** Bytes of a path, with the token in a header: addresses never hold one. @throws ApiError */
export async function bytes(path: string): Promise<Blob> {
  const response = await fetch(path, { headers: sessionHeaders() })
  if (response.ok) return response.blob()
  throw new ApiError(response.status, problemsOf(await response.json().catch(() => undefined)))
}

/** Hands bytes to the browser as a file. */
export function save(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
