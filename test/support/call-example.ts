/** Calls of endpoints by the examples they are declared with. */
import type { Contract } from '../../schemas/endpoint.ts'
import { type Answer, callerOf } from './api.ts'
import { filled } from './fixture.ts'

/** Calls the endpoint by its example. */
export function callExample(
  endpoint: Contract,
  token: string | undefined,
  ids: Record<string, string>,
): Promise<Answer> {
  const { params = {}, query = {}, body } = filled(endpoint.example, ids)
  const version = endpoint.version ? `/${endpoint.version}` : ''
  const path = `${version}${endpoint.path}`.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? `{${name}}`),
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) for (const one of [value].flat()) search.append(name, one)
  const sent =
    endpoint.body && body === undefined && endpoint.bodyType !== 'multipart' && !endpoint.bodyOptional ? {} : body
  return callerOf(token)(
    endpoint.method,
    `${path}${search.size > 0 ? `?${search}` : ''}`,
    endpoint.bodyType === 'multipart' ? undefined : endpoint.bodyType === 'jsonl' ? Buffer.from(String(body)) : sent,
  )
}
