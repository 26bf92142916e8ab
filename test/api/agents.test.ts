import {
  DescribeRuleCommand,
  DisableRuleCommand,
  EnableRuleCommand,
  EventBridgeClient,
} from '@aws-sdk/client-eventbridge'
import { DeleteFunctionCommand, GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { beforeAll, describe, expect, it } from 'vitest'
import { SPECIFIED } from '../contract/specified-events.ts'
import { deployAgent, emitEvent, waitForRun } from '../support/activity.ts'
import { createCaller, getServer, pluck, waitUntil } from '../support/api.ts'
import { account, call, createFreshAccount, environmentId, must, signIn } from '../support/fresh-account.ts'

let lambda: LambdaClient
let bus: EventBridgeClient

beforeAll(async () => {
  await createFreshAccount()
  const { cloud: endpoint } = getServer()
  lambda = new LambdaClient({ endpoint, region: 'us-east-1' })
  bus = new EventBridgeClient({ endpoint, region: 'us-east-1' })
})

interface Run {
  eventId: string
  agentId: string
  success: boolean
  status: string
  log?: string
  error?: string
  attempts?: number
  requestCount?: number
}

const emit = async (topic: string, payload: object = {}): Promise<string> => (await emitEvent(topic, {}, payload)).id
const runsOf = async (agentId: string): Promise<Run[]> => await must('GET', `/agents/${agentId}/logs?pageSize=100`)
const runOf = waitForRun
const functionOf = (agentId: string) => ({ FunctionName: `${getServer().environment.FUNCTION_PREFIX}${agentId}` })
const ruleOf = (agentId: string, number = 1) => ({
  EventBusName: getServer().environment.BUS_NAME,
  Name: `${getServer().environment.FUNCTION_PREFIX}${agentId}-${number}`,
})
const variablesOf = async (agentId: string) =>
  (await lambda.send(new GetFunctionConfigurationCommand(functionOf(agentId)))).Environment!.Variables!

const ECHO = `exports.routeEvent = async (event) => console.log('got', event.topic, JSON.stringify(event.payload))`

describe('a deployed agent', () => {
  it('reacts to an event of its environment through its rule, and its log can be read', async () => {
    const agent = await deployAgent('echo', ['echo:said'], ECHO)
    const eventId = await emit('echo:said', { word: 'hello' })
    const run = await runOf(agent.id, eventId)
    expect(run).toMatchObject({
      agentId: agent.id,
      success: true,
      topic: 'echo:said',
      attempts: 1,
      context: { environmentId },
    })
    expect(run.log).toContain('INFO got echo:said {"word":"hello"}')

    const byEvent = await must('GET', `/agents/log/${eventId}?environmentId=${environmentId}`)
    expect(byEvent).toMatchObject({ eventId, success: true, topic: 'echo:said' })
    expect(byEvent.log).toContain('got echo:said')
    const listed = (await call('GET', `/agents/executions?environmentId=${environmentId}&agentId=${agent.id}`)).body
    expect(listed.data).toMatchObject([{ eventId, success: true, duration: expect.any(Number) }])
    expect(listed.data[0]).not.toHaveProperty('log')
    expect(await must('GET', `/agents/logs?environmentId=${environmentId}&success=false`)).toEqual([])
  })

  it('is invoked only by the bus: nothing with its rule disabled, the next event once re-enabled', async () => {
    const agent = await deployAgent('ruled', ['ruled:by'], ECHO)
    await bus.send(new DisableRuleCommand(ruleOf(agent.id)))
    const missed = await emit('ruled:by')
    await bus.send(new EnableRuleCommand(ruleOf(agent.id)))
    const seen = await emit('ruled:by')
    await runOf(agent.id, seen)
    expect((await runsOf(agent.id)).map(({ eventId }) => eventId)).toEqual([seen])
    expect((await call('GET', `/agents/log/${missed}`)).status).toBe(404)
  })

  it('receives only the events of its topics and its environment', async () => {
    const agent = await deployAgent('narrow', ['narrow:wanted'], ECHO)
    const admin = await signIn({ email: account.email, password: account.password })
    await emit('narrow:other')
    const elsewhere = {
      topic: 'narrow:wanted',
      domain: 'x',
      context: { environmentId: account.environments[1]!.environment.id },
      payload: {},
    }
    expect((await admin('POST', '/events', elsewhere)).status).toBe(200)
    const wanted = await emit('narrow:wanted')
    await runOf(agent.id, wanted)
    expect((await runsOf(agent.id)).map(({ eventId }) => eventId)).toEqual([wanted])
  })

  it('works in its environment with its own key, and its requests are counted', async () => {
    const agent = await deployAgent(
      'worker',
      ['worker:called'],
      `exports.routeEvent = async (event) => {
        const response = await fetch(process.env.AGENT_INTERNAL_URL + '/v1/events', {
          method: 'POST',
          headers: { authorization: 'Bearer ' + process.env.FLATFILE_BEARER_TOKEN, 'content-type': 'application/json', 'keep-alive': 'timeout=200' },
          body: JSON.stringify({ topic: 'worker:answered', domain: 'worker', context: { environmentId: process.env.FLATFILE_ENVIRONMENT_ID, precedingEventId: event.id }, payload: {} }),
        })
        console.log(response.status)
      }`,
    )
    const run = await runOf(agent.id, await emit('worker:called'))
    expect(run.log).toMatch(/INFO 200$/)
    expect(run.requestCount).toBe(1)
    const [answer] = await must('GET', '/events?topic=worker:answered')
    expect(answer.context).toMatchObject({ actorId: agent.id, environmentId, precedingEventId: run.eventId })
  })

  it('is not invoked for the commit it wrote in reply to an event, but other agents are', async () => {
    const spaceId = (await must('POST', '/spaces', { name: 'Hooks' })).id
    const sheets = [{ name: 'S', slug: 's', fields: [{ key: 'name', type: 'string' }] }]
    const { data: workbook } = (await call('POST', '/workbooks', { spaceId, name: 'W', sheets })).body
    const sheetId = workbook.sheets[0].id
    const answering = `exports.routeEvent = async (event) => {
      if (event.context.sheetId !== '${sheetId}') return
      const url = process.env.AGENT_INTERNAL_URL + '/' + event.dataUrl
      const headers = { authorization: 'Bearer ' + process.env.FLATFILE_BEARER_TOKEN, 'content-type': 'application/json', 'x-disable-hooks': 'true' }
      const { data } = await (await fetch(url, { headers })).json()
      const changes = data.records.map(({ id, values }) => ({ id, values: { name: { value: values.name.value + '!' } } }))
      await fetch(url, { method: 'PUT', headers, body: JSON.stringify(changes) })
    }`
    const hook = await deployAgent('hook', ['commit:created'], answering)
    const other = await deployAgent('other', ['commit:created'], ECHO)
    await call('POST', `/sheets/${sheetId}/records`, [{ name: 'Ada' }])
    const commits = await waitUntil(async () => {
      const { data } = (await call('GET', `/events?spaceId=${spaceId}&topic=commit:created`)).body
      return data.length >= 2 ? data : undefined
    })
    for (const { id } of commits) await runOf(other.id, id)
    expect((await runsOf(hook.id)).map(({ eventId }) => eventId)).toEqual([commits[0].id])
    expect(pluck(commits, 'context')).toMatchObject([
      {},
      { actorId: hook.id, answeredBy: hook.id, precedingEventId: commits[0].id },
    ])
    expect((await must('GET', `/sheets/${sheetId}/records`)).records[0].values.name.value).toBe('Ada!')
  })

  it('can export its listener as default or dispatchEvent, and keeps state between events', async () => {
    const source = `let count = 0
      exports.default = { prefix: 'n', async dispatchEvent() { console.log(this.prefix + ++count) } }`
    const agent = await deployAgent('stateful', ['stateful:tick'], source)
    expect((await runOf(agent.id, await emit('stateful:tick'))).log).toMatch(/n1$/)
    expect((await runOf(agent.id, await emit('stateful:tick'))).log).toMatch(/n2$/)
  })

  it('with every catalog topic and many custom ones receives the first and the last', async () => {
    const own = Array.from({ length: 120 }, (_, number) => `catalogue:a-rather-long-custom-topic-name-${number}`)
    const agent = await deployAgent('everything', [...Object.keys(SPECIFIED), ...own], ECHO)
    expect(agent.topics).toHaveLength(Object.keys(SPECIFIED).length + own.length)
    expect((await bus.send(new DescribeRuleCommand(ruleOf(agent.id, 4)))).EventPattern!.length).toBeLessThanOrEqual(
      2048,
    )
    for (const topic of [own[0]!, own[119]!, 'space:created', 'canvas-area:deleted']) {
      const run = await runOf(agent.id, await emit(topic))
      expect(run.log).toContain(`got ${topic} `)
    }
    await deployAgent('everything', Object.keys(SPECIFIED), ECHO)
    await expect(bus.send(new DescribeRuleCommand(ruleOf(agent.id, 2)))).rejects.toThrow(/does not exist/)
    expect((await runOf(agent.id, await emit('thread:deleted'))).success).toBe(true)
    await call('DELETE', `/agents/${agent.id}`)
  })
})

describe.concurrent('a failing agent', () => {
  const failing = [
    [
      'throws',
      `exports.routeEvent = async () => { console.log('before'); throw new RangeError('too far') }`,
      'RangeError: too far',
    ],
    [
      'leaves a rejection unhandled',
      `exports.routeEvent = async () => { console.log('before'); void Promise.reject(new Error('lost')) }`,
      'Error: lost',
    ],
    [
      'has a listener whose callback throws',
      `exports.routeEvent = async () => { console.log('before'); console.error('Error in event listener:', new TypeError('in callback')) }`,
      'TypeError: in callback',
    ],
  ] as const

  it.each(failing)(
    'that %s is attempted three times, then listed with its error and log',
    async (what, source, error) => {
      const slug = `failing-${what.replaceAll(' ', '-')}`
      const agent = await deployAgent(slug, [`${slug}:now`], source)
      const run = await runOf(agent.id, await emit(`${slug}:now`), 30)
      expect(run).toMatchObject({ success: false, error, attempts: 3 })
      expect(run.log).toContain('INFO before')
      expect(run.log).toContain(`ERROR ${error}`)
      const failed = (
        await call('GET', `/agents/executions?environmentId=${environmentId}&success=false&agentId=${agent.id}`)
      ).body
      expect(failed).toMatchObject({ data: [{ error, success: false }], pagination: { totalCount: 1 } })
    },
  )

  it('can be fixed and its event replayed, and the record shows the new result', async () => {
    const agent = await deployAgent(
      'fixed',
      ['fixed:now'],
      `exports.routeEvent = async () => { throw new Error('broken') }`,
    )
    const eventId = await emit('fixed:now')
    expect((await runOf(agent.id, eventId, 30)).success).toBe(false)
    await deployAgent('fixed', ['fixed:now'], ECHO)
    const replayed = await call('POST', `/agents/${agent.id}/replay`, { eventIds: [eventId] })
    expect(replayed.body).toEqual({ data: { success: true, replayed: 1 } })
    const run = await waitUntil(async () => (await runsOf(agent.id)).find(({ success }) => success))
    expect(run).toMatchObject({ eventId, attempts: 1 })
    expect(run).not.toHaveProperty('error')
    expect(await runsOf(agent.id)).toHaveLength(1)
    const unrelated = await emit('somewhere:else')
    expect((await call('POST', `/agents/${agent.id}/replay`, { eventIds: [unrelated] })).status).toBe(409)
  })

  it('that logs endlessly has a bounded log that says what was truncated', async () => {
    const source = `exports.routeEvent = async () => { for (let i = 0; i < 5000; i++) console.log('line ' + i + ' ' + 'x'.repeat(100)); throw new Error('at last') }`
    const agent = await deployAgent('talkative', ['talkative:now'], source)
    const { log } = await runOf(agent.id, await emit('talkative:now'), 30)
    expect(log!.length).toBeLessThan(80_000)
    expect(log).toMatch(/line 0 x[\s\S]*\[\d+ lines, \d+ bytes omitted\][\s\S]*line 4999 x/)
    expect(log).toContain('Error: at last')
  })
})

describe('deploying', () => {
  it('updates the agent of the same slug: new code and topics, same key, emits agent:updated', async () => {
    const before = await deployAgent('twice', ['twice:first'], ECHO)
    const key = (await variablesOf(before.id)).FLATFILE_BEARER_TOKEN
    const after = await deployAgent(
      'twice',
      ['twice:second'],
      `exports.routeEvent = () => console.log('second edition')`,
    )
    expect(after).toMatchObject({
      id: before.id,
      topics: ['twice:second'],
      createdAt: before.createdAt,
      status: 'active',
    })
    expect((await variablesOf(before.id)).FLATFILE_BEARER_TOKEN).toBe(key)
    await emit('twice:first')
    const run = await runOf(before.id, await emit('twice:second'))
    expect(run.log).toContain('second edition')
    expect(await runsOf(before.id)).toHaveLength(1)
    const emitted = (await must('GET', `/events?domain=agent&pageSize=100`)).filter(
      ({ payload }: { payload: { agentId: string } }) => payload.agentId === before.id,
    )
    expect(pluck(emitted, 'topic')).toEqual(['agent:created', 'agent:updated'])
  })

  it('completes an interrupted deployment: a lost function is recreated with a working key', async () => {
    const agent = await deployAgent('healed', ['healed:now'], ECHO)
    await lambda.send(new DeleteFunctionCommand(functionOf(agent.id)))
    expect((await deployAgent('healed', ['healed:now'], ECHO)).id).toBe(agent.id)
    const { FLATFILE_BEARER_TOKEN: key } = await variablesOf(agent.id)
    expect((await createCaller(key)('GET', '/agents')).status).toBe(200)
    expect((await runOf(agent.id, await emit('healed:now'))).success).toBe(true)
  })

  it('creates one agent from concurrent deployments under one slug', async () => {
    const body = { slug: 'racing', topics: ['racing:now'], source: ECHO }
    const answers = await Promise.all([1, 2, 3].map(() => call('POST', `/agents?environmentId=${environmentId}`, body)))
    expect(answers.map(({ status }) => status).filter((status) => status !== 409)).toContain(200)
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true)
    expect(await must('GET', `/agents?environmentId=${environmentId}&search=racing`)).toHaveLength(1)
  })

  it('rejects wildcards, non-CommonJS code and missing members, each by name', async () => {
    const post = (body: object) => call('POST', `/agents?environmentId=${environmentId}`, body)
    const wild = await post({ topics: ['job:*', '**'], source: ECHO })
    expect(wild.status).toBe(400)
    expect(wild.body.errors).toContainEqual({
      key: 'topics.0',
      message: 'must be an exact topic; wildcards are not supported',
    })
    const module = await post({ topics: ['a:b'], source: 'export default 1' })
    expect(module.body.errors).toEqual([
      { key: 'source', message: expect.stringMatching(/^must be a CommonJS module: /) },
    ])
    const empty = await post({ compiler: 'ts' })
    expect(pluck(empty.body.errors, 'key').sort()).toEqual(['compiler', 'source', 'topics'])
    const map = await post({ topics: ['a:b'], source: ECHO, sourceMap: 'no json' })
    expect(map.body.errors[0].key).toBe('sourceMap')
    expect(
      (await must('GET', `/agents?environmentId=${environmentId}`)).every(
        ({ topics }: { topics: string[] }) => topics[0] !== 'a:b',
      ),
    ).toBe(true)
  })

  it('accepts a bundle of 11 MB and does not expose its source', async () => {
    const source = `${ECHO}\n/*${'x'.repeat(11 * 1024 * 1024)}*/`
    const agent = await deployAgent('large', ['large:now'], source)
    expect((await runOf(agent.id, await emit('large:now'), 30)).success).toBe(true)
    expect(await must('GET', `/agents/${agent.id}`)).not.toHaveProperty('source')
  })
})

describe('a deleted agent', () => {
  it('is gone immediately: key rejected, function and rule removed, agent:deleted emitted', async () => {
    const agent = await deployAgent('short-lived', ['short-lived:now'], ECHO)
    const { FLATFILE_BEARER_TOKEN: key } = await variablesOf(agent.id)
    expect((await createCaller(key)('GET', '/environments')).status).toBe(200)
    expect((await call('DELETE', `/agents/${agent.id}?environmentId=${environmentId}`)).body).toEqual({
      data: { success: true },
    })
    expect((await createCaller(key)('GET', '/environments')).status).toBe(401)
    expect((await call('GET', `/agents/${agent.id}`)).status).toBe(404)
    await expect(variablesOf(agent.id)).rejects.toThrow(/not found/i)
    await expect(bus.send(new DescribeRuleCommand(ruleOf(agent.id)))).rejects.toThrow(/does not exist/)
    const [deletion] = (await must('GET', '/events?topic=agent:deleted&pageSize=100')).slice(-1)
    expect(deletion).toMatchObject({ payload: { agentId: agent.id, environmentId }, context: { environmentId } })
    expect((await deployAgent('short-lived', ['short-lived:now'], ECHO)).id).not.toBe(agent.id)
  })
})
