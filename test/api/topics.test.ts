import { beforeAll, describe, expect, it } from 'vitest'
import { findTopicProblem } from '../../schemas/events/known-topics.ts'
import { account, call, createFreshAccount } from '../support/fresh-account.ts'

beforeAll(createFreshAccount)

const source = 'module.exports = { routeEvent: async () => {} }'
const deploy = (topics: string[]) => call('POST', `/agents?environmentId=${account.environmentId}`, { topics, source })
const subscribe = (topics: string[]) => call('POST', '/webhooks', { url: 'https://example.com/', topics })
const emit = (topic: string) => call('POST', '/events', { topic, domain: 'any', context: {}, payload: {} })

const SLIPS = [
  ['space:creatd', 'is not a topic: space:creatd. Did you mean space:created?'],
  ['Job:ready', 'is not a topic: Job:ready. Did you mean job:ready?'],
  ['jobs:ready', 'is not a topic: jobs:ready. Did you mean job:ready?'],
  ['record:created', 'is not a topic: record:created. Did you mean records:created?'],
  ['space:guestadded', 'is not a topic: space:guestadded. Did you mean space:guestAdded?'],
  ['dataclip:created', 'is not a topic: dataclip:created. Did you mean data-clip:created?'],
  ['spcae:created', 'is not a topic: spcae:created. Did you mean space:created?'],
  [
    'workbook:painted-green',
    'is not a topic: workbook:painted-green. Topics of custom events must not use a domain of the platform, such as workbook.',
  ],
  ['space', 'must be <domain>:<event>'],
] as const

describe.each(SLIPS)('the topic %s', (topic, message) => {
  it('is rejected for agents, webhooks and custom events, with the most likely intended topic', async () => {
    const agent = await deploy(['space:created', topic])
    expect([agent.status, agent.body.errors]).toEqual([400, [{ key: 'topics.1', message }]])
    const webhook = await subscribe(['space:created', topic])
    expect([webhook.status, webhook.body.errors[0].key]).toEqual([400, 'topics.1'])
    if (topic.includes(':')) expect(webhook.body.errors[0].message).toBe(message)
    expect((await emit(topic)).body.errors).toEqual([{ key: 'topic', message }])
  })
})

describe('a topic pattern', () => {
  it.each([
    ['jobs:*', 'is not a topic: jobs:*. Did you mean job:*?'],
    ['Space:*', 'is not a topic: Space:*. Did you mean space:*?'],
  ])('%s is rejected for webhooks, on create and on update', async (topic, message) => {
    const errors = [{ key: 'topics.0', message }]
    expect((await subscribe([topic])).body.errors).toEqual(errors)
    const { id } = await webhookOn(['job:*'])
    expect((await call('PATCH', `/webhooks/${id}`, { topics: [topic] })).body.errors).toEqual(errors)
  })

  it('is accepted where events can match it', async () => {
    await webhookOn(['job:*', 'cron:*', 'shop:*', '**'])
  })
})

const webhookOn = async (topics: string[]) => {
  const { status, body } = await subscribe(topics)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data
}

describe('a custom topic', () => {
  it.each(['shop:ordered', 'orders:shipped', 'fire:alarm', 'a:b'])('%s is accepted by all three', async (topic) => {
    expect((await deploy([topic])).status).toBe(200)
    await webhookOn([topic])
    expect((await emit(topic)).status).toBe(200)
  })
})

describe('a topic longer than the bus accepts', () => {
  it('is rejected by all three, while one of the maximum length is accepted', async () => {
    const [longest, tooLong] = [128, 129].map((length) => 'shop:'.padEnd(length, 'x')) as [string, string]
    for (const send of [(topic: string) => deploy([topic]), (topic: string) => subscribe([topic]), emit]) {
      expect((await send(longest)).status).toBe(200)
      expect((await send(tooLong)).status).toBe(400)
    }
  })
})

describe('every topic of the platform', () => {
  it('is accepted', async () => {
    const { TOPIC_NAMES } = await import('../../schemas/generated/topic-names.ts')
    expect(TOPIC_NAMES.length).toBeGreaterThanOrEqual(78)
    for (const name of TOPIC_NAMES) expect(findTopicProblem(name), name).toBeUndefined()
  })

  it('is accepted in the spelling of public clients', () => {
    for (const name of ['flag:created', 'workbook:thawed']) expect(findTopicProblem(name), name).toBeUndefined()
  })
})
