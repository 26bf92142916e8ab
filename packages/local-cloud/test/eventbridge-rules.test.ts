/** The embedded EventBridge: schedules, target input, limits, and persistence across restarts. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  CreateEventBusCommand,
  DescribeRuleCommand,
  EventBridgeClient,
  PutEventsCommand,
  PutRuleCommand,
  PutTargetsCommand,
  type Target,
} from '@aws-sdk/client-eventbridge'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { clientConfig, conformanceTarget, type Target as Served } from '../../../test/support/conformance.ts'
import { type EventBridgeService, startEventbridge } from '../src/eventbridge/index.ts'
import { parseSchedule, runOnSchedule } from '../src/eventbridge/schedule.ts'
import { compileTargetInput } from '../src/eventbridge/target-input.ts'
import { type LambdaService, startLambda } from '../src/lambda/index.ts'

describe('schedule expressions', () => {
  it.each([
    ['rate(1 minute)', '2026-03-01T00:00', ['2026-03-01T00:01', '2026-03-01T00:02']],
    ['rate(12 hours)', '2026-03-01T01:00', ['2026-03-01T13:00', '2026-03-02T01:00']],
    ['rate(40 days)', '2026-03-01T00:00', ['2026-04-10T00:00', '2026-05-20T00:00']],
    ['cron(0 10 * * ? *)', '2026-03-01T10:00', ['2026-03-02T10:00', '2026-03-03T10:00']],
    ['cron(0/15 * * * ? *)', '2026-03-01T00:01', ['2026-03-01T00:15', '2026-03-01T00:30']],
    ['cron(0 18 ? * MON-FRI *)', '2026-03-06T19:00', ['2026-03-09T18:00', '2026-03-10T18:00']],
    ['cron(0 18 ? * 2-6 *)', '2026-03-06T19:00', ['2026-03-09T18:00', '2026-03-10T18:00']],
    ['cron(0 9 ? * 1 *)', '2026-03-02T00:00', ['2026-03-08T09:00', '2026-03-15T09:00']],
    ['cron(0 9 ? * 2#1 *)', '2026-03-01T00:00', ['2026-03-02T09:00', '2026-04-06T09:00']],
    ['cron(0 9 ? * 6L *)', '2026-03-01T00:00', ['2026-03-27T09:00', '2026-04-24T09:00']],
    ['cron(0 9 L * ? *)', '2026-02-01T00:00', ['2026-02-28T09:00', '2026-03-31T09:00']],
    ['cron(5,35 14 1 JAN,JUL ? 2027)', '2026-02-01T00:00', ['2027-01-01T14:05', '2027-01-01T14:35']],
    ['cron(0 0 1 1 ? 2020)', '2026-02-01T00:00', []],
  ])('runs %s from %s next at %j', (expression, from, expected) => {
    const since = Date.parse(`${from}Z`)
    const nextRun = parseSchedule(expression)
    const first = nextRun(since, since)
    const runs = [first, first && nextRun(first, since)].filter((time) => time !== undefined)
    expect(runs.map((time) => new Date(time).toISOString().slice(0, 16))).toEqual(expected)
  })

  it.each([
    'rate(1 minutes)',
    'rate(5 minute)',
    'rate(0 minutes)',
    'rate(5 weeks)',
    'cron(0 10 * * * *)',
    'cron(0 10 ? * ? *)',
    'cron(0 10 * * ?)',
    'cron(61 10 * * ? *)',
    'every day',
  ])('rejects %s', (expression) => {
    expect(() => parseSchedule(expression)).toThrow('Parameter ScheduleExpression is not valid.')
  })

  describe('scheduler', () => {
    beforeEach(() => {
      vi.useFakeTimers()
    })

    afterEach(() => {
      vi.useRealTimers()
    })

    const startSchedule = (expression: string, since: string, run: () => void) =>
      runOnSchedule(parseSchedule(expression), Date.parse(since), run)

    it('counts a rate from its creation, however long the process was down', () => {
      vi.setSystemTime('2026-03-01T00:07:30Z')
      const run = vi.fn()
      const schedule = startSchedule('rate(5 minutes)', '2026-03-01T00:00:00Z', run)
      vi.advanceTimersByTime(149_999)
      expect(run).not.toHaveBeenCalled()
      vi.advanceTimersByTime(1)
      expect(run).toHaveBeenCalledTimes(1)
      vi.advanceTimersByTime(300_000)
      expect(run).toHaveBeenCalledTimes(2)
      schedule.stop()
      expect(vi.getTimerCount()).toBe(0)
    })

    it('waits longer than the maximum timer', () => {
      vi.setSystemTime('2026-03-01T00:00:00Z')
      const run = vi.fn()
      const schedule = startSchedule('cron(0 0 1 5 ? *)', '2026-03-01T00:00:00Z', run)
      vi.advanceTimersByTime(60 * 86_400_000)
      expect(run).not.toHaveBeenCalled()
      vi.advanceTimersByTime(86_400_000)
      expect(run).toHaveBeenCalledTimes(1)
      schedule.stop()
    })
  })
})

describe('target input', () => {
  const event = { id: 'e1', source: 's', resources: ['r0', 'r1'], detail: { text: 'a "b"\n', n: 1, 'x.y': { z: [2] } } }
  const getInput = (target: Partial<Target>) => compileTargetInput({ Id: 't', Arn: 'a', ...target } as never)(event)
  const fillTemplate = (InputTemplate: string, InputPathsMap: Record<string, string> = {}) =>
    getInput({ InputTransformer: { InputTemplate, InputPathsMap } })

  it.each<[string, unknown]>([
    ['$', event],
    ['$.detail.n', 1],
    ['$.resources[1]', 'r1'],
    ["$.detail['x.y'].z[0]", 2],
    ['$.detail.missing.more', null],
  ])('selects the part at %s', (path, expected) => {
    expect(fillTemplate('<part>', { part: path })).toEqual(expected)
  })

  it.each<[string, Record<string, string>, unknown]>([
    ['"<id>: <text>"', { id: '$.id', text: '$.detail.text' }, 'e1: a "b"\n'],
    [
      '{"n":<n>,"t":<t>,"all":<d>}',
      { n: '$.detail.n', t: '$.detail.text', d: '$.detail' },
      { n: 1, t: 'a "b"\n', all: event.detail },
    ],
    ['{"none":<m>,"text":"[<m>]"}', { m: '$.missing' }, { none: null, text: '[]' }],
    ['{"quote":"\\"<id>\\"","after":<id>}', { id: '$.id' }, { quote: '"e1"', after: 'e1' }],
    ['{"object":"<d>"}', { d: '$.resources' }, { object: '["r0","r1"]' }],
    ['{"less":"1 < 2 > 0"}', {}, { less: '1 < 2 > 0' }],
    ['{"event":<aws.events.event.json>}', {}, { event }],
  ])('fills in the template %s', (text, paths, expected) => {
    expect(fillTemplate(text, paths)).toEqual(expected)
  })

  it.each<[string, Partial<Target>, RegExp]>([
    ['two kinds of input', { Input: '1', InputTransformer: { InputTemplate: '1' } }, /Only one of/],
    ['a constant that is not JSON', { Input: '{' }, /JSON syntax error/],
    [
      'a path that is none',
      { InputTransformer: { InputTemplate: '<p>', InputPathsMap: { p: 'detail' } } },
      /InputPathsMap for target t is invalid/,
    ],
    [
      'a path with an open end',
      { InputTransformer: { InputTemplate: '<p>', InputPathsMap: { p: '$.a[' } } },
      /InputPathsMap for target t is invalid/,
    ],
    ['an unknown placeholder', { InputTransformer: { InputTemplate: '"<x>"' } }, /placeholder <x>/],
    ['a template that is not JSON', { InputTransformer: { InputTemplate: 'text' } }, /Invalid InputTemplate/],
  ])('rejects %s', (_what, target, message) => {
    expect(() => getInput(target)).toThrow(message)
  })
})

describe.skipIf(process.env.CLOUD)('the embedded EventBridge', () => {
  const workerArn = 'arn:aws:lambda:us-east-1:000000000000:function:worker'
  let dataDir: string
  let functions: LambdaService
  let service: EventBridgeService
  let target: Served
  let client: EventBridgeClient
  let received: unknown[]

  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'wharf-rules-'))
    await openService()
  })

  afterEach(async () => {
    await close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  async function openService(): Promise<void> {
    received = []
    functions = await startLambda({ dataDir })
    functions.registerPlatformFunction('worker', async (event) => received.push(event))
    service = await startEventbridge({ dataDir, lambda: functions, now: () => new Date('2026-01-02T03:04:05.678Z') })
    target = await conformanceTarget(() => service)
    client = new EventBridgeClient(clientConfig(target.endpoint))
    functions.start()
  }

  async function close(): Promise<void> {
    client.destroy()
    await target.close()
    await functions.close()
  }

  const addWorker = (Rule: string, EventBusName?: string) =>
    client.send(new PutTargetsCommand({ Rule, EventBusName, Targets: [{ Id: 'w', Arn: workerArn }] }))

  it('runs a schedule on demand with the envelope of a scheduled event', async () => {
    const { RuleArn } = await client.send(new PutRuleCommand({ Name: 'nightly', ScheduleExpression: 'rate(1 day)' }))
    await addWorker('nightly')
    await service.fire('nightly')
    await functions.idle()
    expect(received).toEqual([
      {
        version: '0',
        id: expect.any(String),
        'detail-type': 'Scheduled Event',
        source: 'aws.events',
        account: '000000000000',
        time: '2026-01-02T03:04:05Z',
        region: 'us-east-1',
        resources: [RuleArn],
        detail: {},
      },
    ])
    await expect(service.fire('weekly')).rejects.toThrow('Rule weekly does not exist on EventBus default.')
  })

  it('counts a rate from the creation of the rule, even when every deployment puts it again', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const putRule = (ScheduleExpression: string) =>
      client.send(new PutRuleCommand({ Name: 'nightly', ScheduleExpression }))
    const since = () =>
      JSON.parse(readFileSync(join(dataDir, 'eventbridge', 'state.json'), 'utf8')).buses.default.rules.nightly
        .scheduledSince as number
    const [monday, tuesday] = [Date.parse('2026-03-02T00:00:00Z'), Date.parse('2026-03-03T00:00:00Z')]
    vi.setSystemTime(monday)
    await putRule('rate(2 days)')
    vi.setSystemTime(tuesday)
    await putRule('rate(2 days)')
    expect(since()).toBe(monday)
    await putRule('rate(3 days)')
    expect(since()).toBe(tuesday)
    vi.useRealTimers()
  })

  it('restores buses, rules and targets after a restart', async () => {
    await client.send(new CreateEventBusCommand({ Name: 'wharf' }))
    const rule = { Name: 'all', EventBusName: 'wharf' }
    const { RuleArn } = await client.send(new PutRuleCommand({ ...rule, EventPattern: '{"source":["test"]}' }))
    await addWorker('all', 'wharf')
    await close()
    await openService()
    expect(await client.send(new DescribeRuleCommand(rule))).toMatchObject({ Arn: RuleArn, State: 'ENABLED' })
    const entry = { EventBusName: 'wharf', Source: 'test', DetailType: 't', Detail: '{}' }
    await client.send(new PutEventsCommand({ Entries: [entry] }))
    await functions.idle()
    expect(received).toHaveLength(1)
  })

  it('rejects the 301st rule of a bus', async () => {
    const names = Array.from({ length: 300 }, (_, i) => `r${i}`)
    const putRule = (Name: string) => client.send(new PutRuleCommand({ Name, EventPattern: '{"source":["x"]}' }))
    await Promise.all(names.map(putRule))
    await expect(putRule('one-more')).rejects.toThrow(expect.objectContaining({ name: 'LimitExceededException' }))
    await expect(putRule('r7')).resolves.toBeDefined()
  })

  it('measures the request size as AWS does, up to 256 KB', async () => {
    const entry = (bytes: number) => {
      const own = 'source'.length + 'type'.length + 14 + 'arn:x'.length
      const Detail = JSON.stringify({ text: 'x'.repeat(bytes - own - '{"text":""}'.length) })
      return { Source: 'source', DetailType: 'type', Time: new Date(), Resources: ['arn:x'], Detail }
    }
    const putEvents = (...Entries: object[]) => client.send(new PutEventsCommand({ Entries }))
    expect((await putEvents(entry(200 * 1024), entry(56 * 1024))).FailedEntryCount).toBe(0)
    await expect(putEvents(entry(200 * 1024), entry(56 * 1024 + 1))).rejects.toThrow(/Total size of the entries/)
  })

  it('reports an event for a bus that does not exist', async () => {
    const entry = { EventBusName: 'nowhere', Source: 's', DetailType: 't', Detail: '{}' }
    const { FailedEntryCount, Entries } = await client.send(new PutEventsCommand({ Entries: [entry] }))
    expect(FailedEntryCount).toBe(1)
    expect(Entries![0]!.ErrorMessage).toBe('Event bus nowhere does not exist.')
  })

  it('does not acknowledge an event that cannot be stored', async () => {
    await client.send(new PutRuleCommand({ Name: 'all', EventPattern: '{"source":["test"]}' }))
    await addWorker('all')
    await functions.close()
    const entry = { Source: 'test', DetailType: 't', Detail: '{}' }
    const { Entries } = await client.send(new PutEventsCommand({ Entries: [entry] }))
    expect(Entries).toEqual([expect.objectContaining({ ErrorCode: 'InternalFailure' })])
  })
})
