/** Calls of endpoints by the examples they are declared with. */
import type { Contract } from '../../schemas/endpoint.ts'
import { type Answer, callerOf } from './api.ts'
import { filled } from './fixture.ts'

export interface ExampleRequest {
  params?: Record<string, string>
  query?: Record<string, string | string[]>
  body?: unknown
}

/** The endpoint's example with the fixture's ids. */
export const exampleOf = (endpoint: Contract, ids: Record<string, string>): ExampleRequest =>
  filled<ExampleRequest>(endpoint.example, ids)

/** Sends a request to the endpoint. The body of a multipart endpoint, if one is given, is the fields beside a small file. */
export function sendTo(
  endpoint: Contract,
  token: string | undefined,
  { params = {}, query = {}, body }: ExampleRequest,
): Promise<Answer> {
  const version = endpoint.version ? `/${endpoint.version}` : ''
  const path = `${version}${endpoint.path}`.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? `{${name}}`),
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) for (const one of [value].flat()) search.append(name, one)
  const call = callerOf(token)
  const to = `${path}${search.size > 0 ? `?${search}` : ''}`
  if (endpoint.bodyType === 'multipart')
    return body ? multipart(call, endpoint.method, to, body) : call(endpoint.method, to)
  const empty = endpoint.body && body === undefined && !endpoint.bodyOptional ? {} : body
  return call(endpoint.method, to, endpoint.bodyType === 'jsonl' ? Buffer.from(String(body)) : empty)
}

async function multipart(call: ReturnType<typeof callerOf>, method: string, to: string, fields: object) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
  form.append('file', new Blob(['name\nAda\n'], { type: 'text/plain' }), 'people.dat')
  const encoded = new Response(form)
  const bytes = new Uint8Array(await encoded.arrayBuffer())
  return call(method, to, bytes, { 'content-type': encoded.headers.get('content-type')! })
}

/** Calls the endpoint by its example. */
export const callExample = (
  endpoint: Contract,
  token: string | undefined,
  ids: Record<string, string>,
): Promise<Answer> => sendTo(endpoint, token, exampleOf(endpoint, ids))
