import { afterEach, beforeEach, expect, it, vi } from 'vitest'

const send = vi.fn<typeof fetch>()

beforeEach(() => {
  send.mockReset()
  vi.stubGlobal('fetch', send)
  vi.stubEnv('LOG_LEVEL', 'SILENT')
  vi.resetModules()
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})

async function traceOnce(): Promise<void> {
  const { trace } = await import('../../../lib/core/spans.ts')
  await trace({ name: 'outer', kind: 'server' }, () => trace({ name: 'inner', kind: 'client' }, async () => 'result'))
}

it('are sent nowhere without a collector', async () => {
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', '')
  await traceOnce()
  expect(send).not.toHaveBeenCalled()
})

it('are sent together, when the outermost work ends', async () => {
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', 'https://collector.example.com/otlp')
  send.mockResolvedValue(new Response('{}'))
  await traceOnce()
  expect(send).toHaveBeenCalledTimes(1)
  const [url, request] = send.mock.calls[0]!
  expect(url).toBe('https://collector.example.com/otlp/v1/traces')
  const [inner, outer] = JSON.parse(String(request!.body)).resourceSpans[0].scopeSpans[0].spans
  expect([inner.name, outer.name, inner.parentSpanId, inner.traceId]).toEqual([
    'inner',
    'outer',
    outer.spanId,
    outer.traceId,
  ])
})

it.each([
  ['responds with an error', () => Promise.resolve(new Response('', { status: 503 }))],
  ['cannot be reached', () => Promise.reject(new TypeError('fetch failed'))],
])('are dropped for a while when the collector %s', async (_what, respond) => {
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', 'https://collector.example.com')
  send.mockImplementation(respond)
  await traceOnce()
  await traceOnce()
  expect(send).toHaveBeenCalledTimes(1)
})
