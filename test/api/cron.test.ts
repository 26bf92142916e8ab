import { beforeAll, describe, expect, it } from 'vitest'
import { compileTargetInput } from '../../packages/local-cloud/src/eventbridge/target-input.ts'
import { readStack } from '../../packages/local-cloud/src/stack.ts'
import { waitForRun } from '../support/activity.ts'
import { createCaller, createTestAccount } from '../support/api.ts'
import { account, call, createFreshAccount, environmentId, must } from '../support/fresh-account.ts'
import { runWithKill } from '../support/killed-process.ts'
import { invokePlatformFunction } from '../support/platform-function.ts'

beforeAll(createFreshAccount)

const ECHO = `exports.routeEvent = async (event) => console.log('tick', event.topic, event.id)`
const deploy = async (slug: string, topics: string[], to = { call, environmentId }): Promise<string> =>
  (await must('POST', `/agents?environmentId=${to.environmentId}`, { slug, topics, source: ECHO }, to.call)).id

let hours = 0
const nextHour = () => new Date(Date.UTC(2031, 0, 1, hours++)).toISOString()

const run = (input: unknown): Promise<{ emitted: number }> => invokePlatformFunction('cron', input)

interface CronEvent {
  id: string
  topic: string
  payload: unknown
  context: object
  createdAt: string
}
const findTicks = async (createdAt: string, caller = call): Promise<CronEvent[]> => {
  const { data } = (await caller('GET', `/events?domain=cron&since=${createdAt}&pageSize=100`)).body
  return data.filter((event: CronEvent) => event.createdAt === createdAt)
}

describe('a cron tick', () => {
  it('reaches a subscribed agent with an empty payload and the environment as its context', async () => {
    const agentId = await deploy('hourly', ['cron:hourly'])
    const time = nextHour()
    await run({ topic: 'cron:hourly', time })
    const ticks = await findTicks(time)
    expect(ticks).toMatchObject([{ topic: 'cron:hourly', payload: {} }])
    expect(ticks[0]!.context).toEqual({ accountId: account.accountId, environmentId })
    const log = await waitForRun(agentId, ticks[0]!.id)
    expect(log).toMatchObject({ eventId: ticks[0]!.id, success: true, topic: 'cron:hourly' })
    expect(log.log).toContain(`tick cron:hourly ${ticks[0]!.id}`)
  })

  it('is emitted once with two subscribed agents, and once when the schedule runs again or late', async () => {
    await deploy('hourly', ['cron:hourly'])
    await deploy('hourly-too', ['cron:hourly', 'space:created'])
    const time = nextHour()
    await run({ topic: 'cron:hourly', time })
    await Promise.all(Array.from({ length: 4 }, () => run({ topic: 'cron:hourly', time })))
    await run({ topic: 'cron:hourly', time: time.replace('00:00.000Z', '00:41Z') })
    expect(await findTicks(time)).toHaveLength(1)
    const later = nextHour()
    await run({ topic: 'cron:hourly', time: later })
    expect(await findTicks(later)).toHaveLength(1)
    expect((await findTicks(later))[0]!.id).not.toBe((await findTicks(time))[0]!.id)
  })

  it('is not emitted where no agent is subscribed to the topic', async () => {
    const [, production] = account.environments
    const elsewhere = createCaller(production!.secret.rawKey!)
    await deploy('other', ['space:created', 'cron:weekly'], {
      call: elsewhere,
      environmentId: production!.environment.id,
    })
    await deploy('hourly', ['cron:hourly'])
    const time = nextHour()
    await run({ topic: 'cron:hourly', time })
    await run({ topic: 'cron:daily', time })
    expect((await findTicks(time)).map(({ topic }) => topic)).toEqual(['cron:hourly'])
    expect(await findTicks(time, elsewhere)).toEqual([])
  })

  it('stops with the agent or its subscription', async () => {
    const mine = await createTestAccount()
    const own = { call: createCaller(mine.secretKey), environmentId: mine.environmentId }
    const first = await deploy('first', ['cron:hourly'], own)
    await deploy('second', ['cron:hourly'], own)
    const countTicks = async () => {
      const time = nextHour()
      await run({ topic: 'cron:hourly', time })
      return (await findTicks(time, own.call)).length
    }
    expect(await countTicks()).toBe(1)
    await deploy('second', ['space:created'], own)
    expect(await countTicks(), 'the other agent still wants it').toBe(1)
    expect((await own.call('DELETE', `/agents/${first}`)).status).toBe(200)
    expect(await countTicks()).toBe(0)
    await deploy('second', ['cron:hourly'], own)
    expect(await countTicks()).toBe(1)
  })

  it('starts at its own period: 5 minutes, a day, and a week from Monday', async () => {
    await deploy('all', ['cron:5-minutes', 'cron:daily', 'cron:weekly'])
    const tickAt = async (topic: string, time: string) => {
      await run({ topic, time })
      return (await must('GET', `/events?topic=${topic}&since=2032-01-01T00:00:00Z`)).map(
        (event: CronEvent) => event.createdAt,
      )
    }
    expect(await tickAt('cron:5-minutes', '2032-03-04T12:35:02Z')).toEqual(['2032-03-04T12:35:00.000Z'])
    expect(await tickAt('cron:daily', '2032-03-04T00:00:30Z')).toEqual(['2032-03-04T00:00:00.000Z'])
    // 4 March 2032 is a Thursday.
    expect(await tickAt('cron:weekly', '2032-03-04T12:00:00Z')).toEqual(['2032-03-01T00:00:00.000Z'])
  })

  it('interrupted by a crash is completed by the retry and emitted once', async () => {
    const mine = await createTestAccount()
    const keys = mine.environments.map(({ environment, secret }) => ({
      call: createCaller(secret.rawKey!),
      environmentId: environment.id,
    }))
    for (const key of keys) await deploy('weekly', ['cron:weekly'], key)
    const time = '2033-01-03T00:00:00.000Z'
    let commits = 0
    const death = await runWithKill('run-cron.ts', ['cron:weekly', time], ({ headers }) =>
      headers['x-amz-target'] === 'DynamoDB_20120810.TransactWriteItems' && ++commits === 2 ? 'before' : undefined,
    )
    expect(death.killed).toBe(true)
    const countPerEnvironment = async () =>
      (await Promise.all(keys.map((key) => findTicks(time, key.call)))).map(({ length }) => length)
    await run({ topic: 'cron:weekly', time })
    await run({ topic: 'cron:weekly', time })
    expect(await countPerEnvironment()).toEqual([1, 1])
  })
})

it('is triggered by four schedules that pass their topic and time', async () => {
  const { rules } = readStack({ root: '.' }).functions.find(({ key }) => key === 'cron')!
  const time = '2034-05-01T00:00:00Z'
  const given = rules.map(({ name, schedule, inputTransformer }) => {
    const { inputTemplate, inputPathsMap } = inputTransformer!
    const input = compileTargetInput({
      Id: name,
      Arn: '',
      InputTransformer: { InputTemplate: inputTemplate, InputPathsMap: inputPathsMap },
    })
    return { schedule, input: input({ time }) }
  })
  expect(given).toEqual([
    { schedule: 'cron(0/5 * * * ? *)', input: { topic: 'cron:5-minutes', time } },
    { schedule: 'cron(0 * * * ? *)', input: { topic: 'cron:hourly', time } },
    { schedule: 'cron(0 0 * * ? *)', input: { topic: 'cron:daily', time } },
    { schedule: 'cron(0 0 ? * MON *)', input: { topic: 'cron:weekly', time } },
  ])
  for (const { input } of given) await run(input)
})
