import type { Contract } from '../../schemas/kit/endpoint.ts'
import { type ApiResponse, createCaller } from './api.ts'
import { fillExample } from './fixture.ts'

export interface ExampleRequest {
  params?: Record<string, string>
  query?: Record<string, string | string[]>
  body?: unknown
}

export const buildExample = (endpoint: Contract, ids: Record<string, string>): ExampleRequest =>
  fillExample<ExampleRequest>(endpoint.example, ids)

export function sendRequest(
  endpoint: Contract,
  token: string | undefined,
  { params = {}, query = {}, body }: ExampleRequest,
): Promise<ApiResponse> {
  const version = endpoint.version ? `/${endpoint.version}` : ''
  const path = `${version}${endpoint.path}`.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? `{${name}}`),
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) for (const one of [value].flat()) search.append(name, one)
  const call = createCaller(token)
  const to = `${path}${search.size > 0 ? `?${search}` : ''}`
  if (endpoint.bodyType === 'multipart')
    return body ? sendMultipart(call, endpoint.method, to, body) : call(endpoint.method, to)
  const empty = endpoint.body && body === undefined && !endpoint.bodyOptional ? {} : body
  return call(endpoint.method, to, endpoint.bodyType === 'jsonl' ? Buffer.from(String(body)) : empty)
}

async function sendMultipart(call: ReturnType<typeof createCaller>, method: string, to: string, fields: object) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
  form.append('file', new Blob(['name\nAda\n'], { type: 'text/plain' }), 'people.dat')
  const encoded = new Response(form)
  const bytes = new Uint8Array(await encoded.arrayBuffer())
  return call(method, to, bytes, { 'content-type': encoded.headers.get('content-type')! })
}

export const callExample = (
  endpoint: Contract,
  token: string | undefined,
  ids: Record<string, string>,
): Promise<ApiResponse> => sendRequest(endpoint, token, buildExample(endpoint, ids))
