/** Requests of a hook. Unlike `event.fetch`, they retry what a busy platform refuses, and a failure is an error. */
import type { FlatfileEvent } from '@flatfile/listener'

const MAX_ATTEMPTS = 5
const FIRST_DELAY_MS = 200
const MAX_DELAY_MS = 10_000
const MAX_PLAIN_CHARACTERS = 1_500_000
const RETRIED = new Set([429, 502, 503, 504])

interface Credentials {
  _apiUrl?: string
  _accessToken?: string
}

interface RequestOptions {
  method?: 'GET' | 'POST' | 'PUT'
  body?: object
}

export async function request<T>(event: FlatfileEvent, path: string, options: RequestOptions = {}): Promise<T> {
  const { _apiUrl, _accessToken } = event as unknown as Credentials
  const { method = 'GET', body } = options
  const content = body && (await encode(JSON.stringify(body)))
  const headers = { authorization: `Bearer ${_accessToken}`, 'x-disable-hooks': 'true', ...content?.headers }
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(`${_apiUrl}${path}`, {
      method,
      headers,
      ...(content ? { body: content.bytes } : {}),
    }).catch((error: Error) => error)
    if (!(response instanceof Error) && response.ok) return ((await response.json()) as { data: T }).data
    const isTemporary = response instanceof Error || RETRIED.has(response.status)
    if (!isTemporary || attempt === MAX_ATTEMPTS) throw await describeFailure(`${method} ${path}`, response)
    await sleep(getDelay(attempt, response))
  }
}

async function encode(json: string): Promise<{ bytes: string | ArrayBuffer; headers: Record<string, string> }> {
  const type = { 'content-type': 'application/json' }
  if (json.length <= MAX_PLAIN_CHARACTERS) return { bytes: json, headers: type }
  const stream = new Blob([json]).stream().pipeThrough(new CompressionStream('gzip'))
  return { bytes: await new Response(stream).arrayBuffer(), headers: { ...type, 'content-encoding': 'gzip' } }
}

async function describeFailure(request: string, response: Response | Error): Promise<Error> {
  if (response instanceof Error) return new Error(`${request} failed: ${response.message}`, { cause: response })
  return new Error(`${request} failed with ${response.status}: ${(await response.text()).slice(0, 2000)}`)
}

function getDelay(attempt: number, response: Response | Error): number {
  const seconds = response instanceof Error ? 0 : Number(response.headers.get('retry-after') ?? 0)
  const backOff = FIRST_DELAY_MS * 2 ** (attempt - 1) * (0.5 + Math.random())
  return Math.min(MAX_DELAY_MS, Math.max(seconds * 1000 || 0, backOff))
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
