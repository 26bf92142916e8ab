/** EventBridge with Lambda through the AWS SDK, against any cloud (`CLOUD=http://...`). */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  CreateEventBusCommand,
  DeleteRuleCommand,
  DescribeRuleCommand,
  DisableRuleCommand,
  EnableRuleCommand,
  EventBridgeClient,
  ListEventBusesCommand,
  ListRulesCommand,
  ListTargetsByRuleCommand,
  PutEventsCommand,
  type PutEventsRequestEntry,
  PutRuleCommand,
  PutTargetsCommand,
  RemoveTargetsCommand,
  type Target as RuleTarget,
} from '@aws-sdk/client-eventbridge'
import {
  AddPermissionCommand,
  CreateFunctionCommand,
  LambdaClient,
  RemovePermissionCommand,
} from '@aws-sdk/client-lambda'
import { afterAll, describe, expect, it } from 'vitest'
import { clientConfig, conformanceTarget } from '../../../test/support/conformance.ts'
import { startEventbridge } from '../src/eventbridge/index.ts'
import { startLambda } from '../src/lambda/index.ts'
import type { Service } from '../src/service.ts'
import { errorNamed, functionInput, poll, startHook, waitUntilActive } from './lambda-kit.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'wharf-events-'))

async function startEmbedded(): Promise<Service> {
  const lambdaService = await startLambda({ dataDir })
  lambdaService.start()
  const eventService = await startEventbridge({ dataDir, lambda: lambdaService })
  return {
    handle: (req, res) => (req.headers['x-amz-target'] ? eventService : lambdaService).handle(req, res),
    close: async () => {
      await eventService.close()
      await lambdaService.close()
    },
  }
}

const { hookUrl, posted } = await startHook()
const target = await conformanceTarget(startEmbedded)
const events = new EventBridgeClient(clientConfig(target.endpoint))
const functions = new LambdaClient(clientConfig(target.endpoint))
const agentName = `agent-${randomUUID()}`
const agentArn = await createAgent(agentName)

afterAll(async () => {
  events.destroy()
  functions.destroy()
  await target.close()
  rmSync(dataDir, { recursive: true, force: true })
})

async function createAgent(FunctionName: string): Promise<string> {
  const source = `export const handler = (event) =>
    fetch(process.env.HOOK, { method: 'POST', body: JSON.stringify({ tag: '${FunctionName}', event }) }).then(() => 1)`
  const more = { Runtime: 'nodejs22.x' as const, Timeout: 10, Environment: { Variables: { HOOK: hookUrl } } }
  const { FunctionArn } = await functions.send(new CreateFunctionCommand(functionInput(FunctionName, source, more)))
  await waitUntilActive(functions, FunctionName)
  return FunctionArn!
}

async function createBus(): Promise<string> {
  const Name = `bus-${randomUUID()}`
  await events.send(new CreateEventBusCommand({ Name }))
  return Name
}

async function addPermission(SourceArn: string, StatementId = `s-${randomUUID()}`): Promise<string> {
  const permission = { Action: 'lambda:InvokeFunction', Principal: 'events.amazonaws.com', SourceArn, StatementId }
  await functions.send(new AddPermissionCommand({ FunctionName: agentName, ...permission }))
  return StatementId
}

async function connect(pattern: object, target: Partial<RuleTarget> = {}) {
  const EventBusName = await createBus()
  const rule = { Name: 'rule', EventBusName }
  const { RuleArn } = await events.send(new PutRuleCommand({ ...rule, EventPattern: JSON.stringify(pattern) }))
  const statementId = await addPermission(RuleArn!)
  const Targets = [{ Id: 'agent', Arn: agentArn, ...target }]
  const added = await events.send(new PutTargetsCommand({ Rule: 'rule', EventBusName, Targets }))
  expect(added.FailedEntryCount).toBe(0)
  return { EventBusName, rule, RuleArn: RuleArn!, statementId }
}

const entry = (EventBusName: string, detail: object, more: Partial<PutEventsRequestEntry> = {}) => ({
  EventBusName,
  Source: 'test',
  DetailType: 'thing:made',
  Detail: JSON.stringify(detail),
  ...more,
})

const putEvents = (...Entries: PutEventsRequestEntry[]) => events.send(new PutEventsCommand({ Entries }))

const getDelivered = (key: string) => posted.filter(({ event }) => event.detail?.key === key).map(({ event }) => event)

async function expectOnlyWanted(bus: string, wanted: object, unwanted: object[]) {
  for (const detail of unwanted) await putEvents(entry(bus, detail))
  const key = randomUUID()
  await putEvents(entry(bus, { ...wanted, key }))
  await poll(() => getDelivered(key)).toHaveLength(1)
}

describe('events', () => {
  it('reach the function of a matching rule in the EventBridge envelope', async () => {
    const { EventBusName } = await connect({ source: ['test'], detail: { n: [9] } })
    const key = randomUUID()
    const Time = new Date('2026-01-02T03:04:05Z')
    const answer = await putEvents(entry(EventBusName, { key, n: 9 }, { Time, Resources: ['arn:aws:x:::y'] }))
    expect(answer.FailedEntryCount).toBe(0)
    await poll(() => getDelivered(key)).toHaveLength(1)
    expect(getDelivered(key)[0]).toEqual({
      version: '0',
      id: answer.Entries![0]!.EventId,
      'detail-type': 'thing:made',
      source: 'test',
      account: '000000000000',
      time: '2026-01-02T03:04:05Z',
      region: 'us-east-1',
      resources: ['arn:aws:x:::y'],
      detail: { key, n: 9 },
    })
  })

  it('are not delivered when they do not match or are on another bus', async () => {
    const { EventBusName } = await connect({ detail: { n: [1] } })
    const [unmatched, elsewhere] = [randomUUID(), randomUUID()]
    await putEvents(entry('default', { key: elsewhere, n: 1 }))
    await expectOnlyWanted(EventBusName, { n: 1 }, [{ key: unmatched, n: 2 }])
    expect([...getDelivered(unmatched), ...getDelivered(elsewhere)]).toEqual([])
  })

  it('are not delivered to a function that does not permit the rule', async () => {
    const { EventBusName, RuleArn, statementId } = await connect({ source: ['test'] })
    await functions.send(new RemovePermissionCommand({ FunctionName: agentName, StatementId: statementId }))
    const foreign = await addPermission(`${RuleArn}-of-another-name`)
    const key = randomUUID()
    await putEvents(entry(EventBusName, { key }))
    const { EventBusName: open } = await connect({ source: ['test'] })
    await expectOnlyWanted(open, {}, [])
    expect(getDelivered(key)).toEqual([])
    await functions.send(new RemovePermissionCommand({ FunctionName: agentName, StatementId: foreign }))
  })

  it('fail individually within one request', async () => {
    const { EventBusName } = await connect({ source: ['test'] })
    const key = randomUUID()
    const answer = await putEvents(
      entry(EventBusName, {}, { Detail: 'not json' }),
      entry(EventBusName, { key }),
      entry(EventBusName, {}, { Source: undefined }),
      entry(EventBusName, {}, { Source: 'aws.s3' }),
    )
    expect(answer.FailedEntryCount).toBe(3)
    expect(answer.Entries!.map(({ ErrorCode }) => ErrorCode)).toEqual([
      'MalformedDetail',
      undefined,
      'InvalidArgument',
      'NotAuthorizedForSource',
    ])
    await poll(() => getDelivered(key)).toHaveLength(1)
  })

  it('are rejected together when there are more than ten or they exceed the size limit', async () => {
    const EventBusName = await createBus()
    await expect(putEvents(...Array.from({ length: 11 }, () => entry(EventBusName, {})))).rejects.toThrow(
      errorNamed('ValidationException'),
    )
    const large = { text: 'x'.repeat(1_100 * 1024) }
    await expect(putEvents(entry(EventBusName, large))).rejects.toMatchObject({ $metadata: { httpStatusCode: 400 } })
  })
})

describe('target input', () => {
  it.each<[string, Partial<RuleTarget>, (key: string) => unknown]>([
    ['a constant', { Input: '{"constant":[1]}' }, () => ({ constant: [1] })],
    [
      'a template filled from the event',
      {
        InputTransformer: {
          InputPathsMap: { inner: '$.detail.inner', text: '$.detail.inner.a', key: '$.detail.key' },
          InputTemplate: '{"text":<text>,"in":"<text>!","whole":<inner>,"key":"<key>"}',
        },
      },
      (key) => ({ text: 'say "hi"', in: 'say "hi"!', whole: { a: 'say "hi"' }, key }),
    ],
  ])('is %s', async (_what, input, expected) => {
    const { EventBusName } = await connect({ source: ['test'] }, input)
    const key = randomUUID()
    const before = posted.length
    await putEvents(entry(EventBusName, { key, inner: { a: 'say "hi"' } }))
    await poll(() => posted.slice(before).map(({ event }) => event)).toContainEqual(expected(key))
  })
})

describe('rules', () => {
  it('are described and listed with their targets', async () => {
    const { EventBusName, rule, RuleArn } = await connect({ source: ['test'] })
    const described = await events.send(new DescribeRuleCommand(rule))
    expect(described).toMatchObject({ Name: 'rule', Arn: RuleArn, State: 'ENABLED', EventBusName })
    expect(JSON.parse(described.EventPattern!)).toEqual({ source: ['test'] })
    const { Rules } = await events.send(new ListRulesCommand({ EventBusName, NamePrefix: 'ru' }))
    expect(Rules?.map(({ Name }) => Name)).toEqual(['rule'])
    const { Targets } = await events.send(new ListTargetsByRuleCommand({ Rule: 'rule', EventBusName }))
    expect(Targets).toEqual([expect.objectContaining({ Id: 'agent', Arn: agentArn })])
  })

  it('keep their targets when they are put again', async () => {
    const { EventBusName, rule } = await connect({ source: ['nobody'] })
    await events.send(new PutRuleCommand({ ...rule, EventPattern: '{"source":["test"]}' }))
    await expectOnlyWanted(EventBusName, {}, [])
  })

  it('deliver nothing while disabled', async () => {
    const { EventBusName, rule } = await connect({ source: ['test'] })
    const key = randomUUID()
    await events.send(new DisableRuleCommand(rule))
    expect((await events.send(new DescribeRuleCommand(rule))).State).toBe('DISABLED')
    await putEvents(entry(EventBusName, { key }))
    await events.send(new EnableRuleCommand(rule))
    await expectOnlyWanted(EventBusName, {}, [])
    expect(getDelivered(key)).toEqual([])
  })

  it('require a valid pattern or schedule', async () => {
    const EventBusName = await createBus()
    const putRule = (wishes: object) => events.send(new PutRuleCommand({ Name: 'r', EventBusName, ...wishes }))
    await expect(putRule({})).rejects.toThrow(errorNamed('ValidationException'))
    await expect(putRule({ EventPattern: '{"a":[{"foo":1}]}' })).rejects.toThrow(
      errorNamed('InvalidEventPatternException'),
    )
    const putSchedule = (ScheduleExpression: string) =>
      events.send(new PutRuleCommand({ Name: `s-${randomUUID()}`, ScheduleExpression, State: 'DISABLED' }))
    await expect(putSchedule('rate(1 fortnight)')).rejects.toThrow(errorNamed('ValidationException'))
    expect((await putSchedule('rate(5 minutes)')).RuleArn).toMatch(/^arn:aws:events:us-east-1:\d{12}:rule\/s-/)
    expect((await putSchedule('cron(0 12 * * ? *)')).RuleArn).toBeDefined()
  })

  it('have at most five targets, which must be removed before the rule', async () => {
    const { EventBusName, rule } = await connect({ source: ['test'] })
    const Targets = Array.from({ length: 5 }, (_, i) => ({ Id: `t${i}`, Arn: agentArn }))
    await expect(events.send(new PutTargetsCommand({ Rule: 'rule', EventBusName, Targets }))).rejects.toThrow(
      errorNamed('LimitExceededException'),
    )
    await expect(events.send(new DeleteRuleCommand(rule))).rejects.toThrow(errorNamed('ValidationException'))
    await events.send(new RemoveTargetsCommand({ Rule: 'rule', EventBusName, Ids: ['agent'] }))
    await events.send(new DeleteRuleCommand(rule))
    await expect(events.send(new DescribeRuleCommand(rule))).rejects.toThrow(errorNamed('ResourceNotFoundException'))
  })
})

it('creates and lists buses', async () => {
  const Name = await createBus()
  await expect(events.send(new CreateEventBusCommand({ Name }))).rejects.toThrow(
    errorNamed('ResourceAlreadyExistsException'),
  )
  const { EventBuses } = await events.send(new ListEventBusesCommand({ NamePrefix: Name }))
  expect(EventBuses).toMatchObject([{ Name, Arn: `arn:aws:events:us-east-1:000000000000:event-bus/${Name}` }])
})
