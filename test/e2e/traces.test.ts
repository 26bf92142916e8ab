import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { deployAgent, waitForRun } from '../support/activity.ts'
import { getServer, waitUntil } from '../support/api.ts'
import { type CollectedSpan, type Collector, startCollector } from '../support/collector.ts'
import { account, createFreshAccount, must } from '../support/fresh-account.ts'
import { startOwnPlatform } from '../support/own-platform.ts'

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736'
const CALLER = '00f067aa0ba902b7'

let collector: Collector
let stop: () => Promise<void>
const delivered: { headers: IncomingHttpHeaders; event: { id: string; topic: string; traceparent: string } }[] = []
const receiver = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  delivered.push({ headers: request.headers, event: JSON.parse(Buffer.concat(chunks).toString()) })
  response.end()
})

beforeAll(async () => {
  collector = await startCollector()
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  stop = await startOwnPlatform({
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%20key, x-team=imports',
    OTEL_EXPORTER_OTLP_TIMEOUT: '5000',
  })
  await createFreshAccount()
}, 90_000)

afterAll(async () => {
  await stop()
  receiver.closeAllConnections()
  receiver.close()
  collector.close()
})

async function emit(topic: string, headers: Record<string, string>) {
  const response = await fetch(`${getServer().baseUrl}/v1/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.secretKey}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ topic, domain: 'x', context: { environmentId: account.environmentId }, payload: {} }),
  })
  const { data } = (await response.json()) as { data: { id: string; traceparent: string; tracestate?: string } }
  return { event: data, traceresponse: response.headers.get('traceresponse')! }
}
const format = ({ traceId, spanId }: CollectedSpan) => `00-${traceId}-${spanId}-01`
const findSpan = (name: string, parentSpanId: string, status?: number) =>
  waitUntil(async () =>
    collector.spans.find(
      (span) =>
        span.name === name &&
        span.parentSpanId === parentSpanId &&
        (status === undefined || JSON.stringify(span.attributes).includes(`"${status}"`)),
    ),
  )

it('leads from a request over an event and an agent to a webhook', async () => {
  const source = `exports.routeEvent = async ({ context }) => {
    const { FLATFILE_API_URL, FLATFILE_BEARER_TOKEN } = process.env
    await fetch(FLATFILE_API_URL + '/v1/events', {
      method: 'POST',
      headers: { authorization: 'Bearer ' + FLATFILE_BEARER_TOKEN, 'content-type': 'application/json' },
      body: JSON.stringify({ topic: 'traced:reply', domain: 'x', context: { environmentId: context.environmentId }, payload: {} }),
    })
  }`
  const agent = await deployAgent('traced', ['traced:question'], source)
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  const webhook = await must('POST', '/webhooks', { url, topics: ['traced:reply'] })

  const headers = { traceparent: `00-${TRACE_ID}-${CALLER}-01`, tracestate: 'vendor=value' }
  const { event, traceresponse } = await emit('traced:question', headers)
  const request = await findSpan('POST /api/v1/events', CALLER, 200)
  expect(request).toMatchObject({ traceId: TRACE_ID, kind: 2, status: {} })
  expect(traceresponse).toBe(format(request))
  expect(event).toMatchObject({ traceparent: format(request), tracestate: 'vendor=value' })

  await waitForRun(agent.id, event.id)
  const run = await findSpan('run agent on traced:question', request.spanId)
  const reply = await findSpan('POST /api/v1/events', run.spanId)
  const { headers: sent, event: received } = await waitUntil(async () => delivered[0])
  expect(received).toMatchObject({ topic: 'traced:reply', traceparent: format(reply), tracestate: 'vendor=value' })
  const handling = await findSpan('handle traced:reply', reply.spanId)
  const delivery = await findSpan('deliver webhook', handling.spanId, 200)
  expect(delivery.attributes).toContainEqual({ key: 'wharf.webhook.id', value: { stringValue: webhook.id } })
  expect(sent).toMatchObject({ traceparent: format(delivery), tracestate: 'vendor=value' })

  for (const span of [request, run, reply, handling, delivery]) {
    expect(span.traceId).toBe(TRACE_ID)
    expect(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano)).toBe(true)
    expect(Math.abs(Number(span.startTimeUnixNano) / 1e6 - Date.now())).toBeLessThan(120_000)
  }
  expect(collector.requests[0]).toMatchObject({
    path: '/v1/traces',
    headers: { 'content-type': 'application/json', 'api-key': 'a key', 'x-team': 'imports' },
  })
}, 60_000)

it('is carried, but not exported, if the caller does not record it', async () => {
  const traceId = 'a'.repeat(32)
  const { event } = await emit('traced:quiet', { traceparent: `00-${traceId}-${CALLER}-00` })
  expect(event.traceparent).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`))
  await emit('traced:loud', {})
  expect(collector.spans.filter((span) => span.traceId === traceId)).toEqual([])
})

it('does not fail or delay requests when the collector fails', async () => {
  collector.status = undefined
  const slow = performance.now()
  await emit('traced:slow', {})
  expect(performance.now() - slow).toBeLessThan(15_000)
  const before = collector.requests.length
  const { event } = await emit('traced:paused', {})
  expect(event.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
  expect(collector.requests).toHaveLength(before)
})
