import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Event } from '../../schemas/events/shape.ts'
import { getServer } from '../support/api.ts'
import { account, createFreshAccount } from '../support/fresh-account.ts'

let prefix: string
let written: string[]

beforeAll(async () => {
  await createFreshAccount()
  prefix = getServer().environment.FUNCTION_PREFIX!
  vi.stubEnv('POWERTOOLS_METRICS_DISABLED', 'false')
  vi.stubEnv('LOG_LEVEL', 'INFO')
  vi.resetModules()
})

beforeEach(() => {
  written = []
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written.push(String(text))
    return true
  })
})
afterEach(() => void vi.restoreAllMocks())

// biome-ignore lint/suspicious/noExplicitAny: lines are read as they come
const lines = (): any[] =>
  written.flatMap((text) =>
    text
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line)),
  )
const metricLines = () => lines().filter((line) => line._aws)
const logLines = () => lines().filter((line) => line.message)

const NOW = Date.now()
const newEvent = (topic: string, payload: object, more: Partial<Event> = {}): Event => ({
  id: `us_evt_metrics${topic.replace(/\W/g, '')}`,
  topic,
  domain: topic.split(':')[0]!,
  context: { accountId: account.accountId, environmentId: account.environmentId },
  payload,
  createdAt: new Date(Date.now() - 4_000).toISOString(),
  ...more,
})
const CORRELATION = 'urn:wharf:correlation:request-1'
const publishEvents = async (events: Event[], options: { replayed?: boolean } = {}) => {
  const { publish } = await import('../../lib/events/publish.ts')
  await publish(events, options)
}
const runOf = (condition: string, resources: string[] = []) => ({
  timestamp: new Date(NOW).toISOString(),
  requestContext: {
    functionArn: `arn:aws:lambda:us-east-1:000000000000:function:${prefix}us_ag_metrics:$LATEST`,
    condition,
    approximateInvokeCount: 1,
  },
  requestPayload: { detail: newEvent('space:created', {}), resources },
  responsePayload: { success: true, log: '', startedAt: new Date(NOW).toISOString(), duration: 5 },
})

describe('metrics', () => {
  it('report the lateness of the oldest event and row counts by one dimension in one namespace', async () => {
    const created = newEvent('records:created', { sheetId: 'us_sh_x', recordIds: [], recordCount: 250 })
    await publishEvents([created, newEvent('commit:created', {}, { createdAt: new Date().toISOString() })])
    const [line, ...more] = metricLines()
    expect(more).toEqual([])
    expect(line).toMatchObject({ service: 'wharf-dev', Rows: 250 })
    expect(line.EventLag).toBeGreaterThanOrEqual(4_000)
    expect(line.EventLag).toBeLessThan(60_000)
    const [{ Namespace, Dimensions, Metrics }] = line._aws.CloudWatchMetrics
    expect([Namespace, Dimensions]).toEqual(['Wharf', [['service']]])
    expect(Metrics).toContainEqual({ Name: 'EventLag', Unit: 'Milliseconds' })
  })

  it('count completed and failed imports, and no other jobs', async () => {
    await publishEvents([newEvent('job:completed', { job: 'file:extract' })])
    await publishEvents([newEvent('job:failed', { job: 'file:extract' })])
    await publishEvents([newEvent('job:completed', { job: 'workbook:map' })])
    expect(metricLines().map(({ Imports, ImportsFailed }) => [Imports, ImportsFailed])).toEqual([
      [1, undefined],
      [undefined, 1],
      [undefined, undefined],
    ])
  })

  it('do not count a replay as a new or late event', async () => {
    await publishEvents([newEvent('job:completed', { job: 'file:extract' })], { replayed: true })
    expect(metricLines()).toEqual([])
  })

  it("count agents' runs and failures", async () => {
    const { handler } = await import('../../functions/system/record-agent-run.ts')
    await handler(runOf('Success'))
    await handler(runOf('RetriesExhausted'))
    expect(metricLines().map(({ AgentRuns, AgentFailures }) => [AgentRuns, AgentFailures])).toEqual([
      [1, 0],
      [1, 1],
    ])
  })

  it('count throttled requests from their log lines', async () => {
    const { withMiddleware } = await import('../../lib/http/middleware.ts')
    const { notFound, tooManyRequests } = await import('../../lib/core/errors.ts')
    const call = (error: Error) =>
      withMiddleware('test', () => Promise.reject(error))({ headers: {} } as never, {} as never)
    expect((await call(tooManyRequests('Wait.', 1))).statusCode).toBe(429)
    expect((await call(notFound('space', 'x'))).statusCode).toBe(404)
    // The filter in functions/alarms.yml: { $.message = "Request" && $.status = 429 }
    expect(logLines().filter(({ message }) => message === 'Request')).toMatchObject([
      { service: 'wharf-dev', operation: 'test', status: 429 },
      { service: 'wharf-dev', operation: 'test', status: 404 },
    ])
  })

  it('count events that a crash left between commit and bus', async () => {
    const { transact } = await import('../../lib/table/transact.ts')
    const { buildPendingPuts } = await import('../../lib/events/store.ts')
    const { newId } = await import('../../lib/core/ids.ts')
    const { handler } = await import('../../functions/system/publish-pending.ts')
    const minuteOld = newId('event', Date.now() - 60_000)
    await transact(buildPendingPuts([newEvent('space:created', {}, { id: minuteOld })]))
    await handler({ time: new Date().toISOString() })
    expect(metricLines().find((line) => line.EventsRecovered)?.EventsRecovered).toBeGreaterThanOrEqual(1)
  })
})

describe('a correlation id', () => {
  const entries = () => {
    const found: { Resources?: string[] }[] = []
    const send = EventBridgeClient.prototype.send
    vi.spyOn(EventBridgeClient.prototype, 'send').mockImplementation(function (
      this: EventBridgeClient,
      command: never,
    ) {
      const { input } = command as { input: { Entries?: [] } }
      if ((command as object).constructor.name === PutEventsCommand.name) found.push(...(input.Entries ?? []))
      return Reflect.apply(send, this, [command])
    } as never)
    return found
  }

  it('is passed from a request to its log and its events', async () => {
    const told = entries()
    const { withMiddleware } = await import('../../lib/http/middleware.ts')
    const { begin } = await import('../../lib/tx.ts')
    const { jsonReply } = await import('../../lib/http/response.ts')
    const { topics } = await import('../../schemas/index.ts')
    const removed = topics.find(({ topic }) => topic === 'document:deleted')!
    const handler = withMiddleware('test', async () => {
      const tx = begin({ accountId: account.accountId, actorId: account.userId })
      const context = { environmentId: account.environmentId, spaceId: 'us_sp_x', documentId: 'us_dc_x' }
      tx.emit(removed, context as never, {} as never)
      await tx.commit()
      return jsonReply({})
    })
    await handler({ headers: {}, requestContext: { requestId: 'request-1' } } as never, {} as never)
    expect(told.map(({ Resources }) => Resources)).toEqual([[CORRELATION]])
    expect(logLines()).toMatchObject([
      { message: 'Request', operation: 'test', status: 200, correlation_id: 'request-1' },
    ])
  })

  it('is passed from an event to its follow-up work and to the result of an agent', async () => {
    const told = entries()
    const { handleEvent } = await import('../../lib/events/bus-handler.ts')
    const { publish } = await import('../../lib/events/publish.ts')
    const handler = handleEvent(async ({ detail }: { detail: Event; resources: string[] }) => publish([detail]))
    await handler({ detail: newEvent('space:created', {}), resources: [CORRELATION] })
    expect(told.map(({ Resources }) => Resources)).toEqual([[CORRELATION]])
    const finished = await import('../../functions/system/record-agent-run.ts')
    await finished.handler(runOf('Success', [CORRELATION]))
    expect(logLines().filter(({ message }) => message === 'Agent run recorded')).toMatchObject([
      { correlation_id: 'request-1', topic: 'space:created', success: true },
    ])
  })
})
