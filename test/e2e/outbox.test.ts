/** The outbox: a process that dies between its commit and the bus loses no event, and none is told under another id. */
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { beforeAll, expect, it } from 'vitest'
import { callerOf, mintAccount, server, type TestAccount, until } from '../support/api.ts'
import { dyingProcess, type Verdict } from '../support/dying-process.ts'

/** Tells of every event it is given, as often as it is given. */
const WITNESS = `exports.routeEvent = (event) =>
  fetch(process.env.AGENT_INTERNAL_URL + '/v1/events', {
    method: 'POST',
    headers: { authorization: 'Bearer ' + process.env.FLATFILE_BEARER_TOKEN, 'content-type': 'application/json' },
    body: JSON.stringify({ topic: 'witness:saw', domain: 'witness', context: {}, payload: { eventId: event.id } }),
  }).then((response) => { if (!response.ok) throw new Error('HTTP ' + response.status) })`

let account: TestAccount
let call: ReturnType<typeof callerOf>
let lambda: LambdaClient

beforeAll(async () => {
  account = await mintAccount()
  call = callerOf(account.secretKey)
  lambda = new LambdaClient({ endpoint: server().cloud, region: 'us-east-1' })
  const agent = { slug: 'witness', topics: ['space:created'], compiler: 'js', source: WITNESS }
  expect((await call('POST', `/agents?environmentId=${account.environmentId}`, agent)).status).toBe(200)
})

/** How often the witness saw the event. */
const sightings = async (eventId: string): Promise<number> => {
  const { data } = (await call('GET', '/events?topic=witness:saw&pageSize=100')).body
  return data.filter(({ payload }: { payload: { eventId: string } }) => payload.eventId === eventId).length
}

/** Runs the sweeper as its schedule does. */
const sweep = async () => {
  const FunctionName = `${server().environment.PLATFORM_PREFIX}publish-pending`
  const answer = await lambda.send(
    new InvokeCommand({ FunctionName, Payload: JSON.stringify({ time: new Date().toISOString() }) }),
  )
  expect(answer.FunctionError).toBeUndefined()
}

/** Lets a process commit and kills it as it talks to the bus: before its request arrives there, or before the answer does. */
async function commitAndDie(moment: Verdict): Promise<{ spaceId: string; eventId: string }> {
  const { output, killed } = await dyingProcess(
    'commit-space.ts',
    [account.accountId, account.environmentId],
    ({ headers }) => (headers['x-amz-target'] === 'AWSEvents.PutEvents' ? moment : undefined),
  )
  expect(killed).toBe(true)
  expect(output).not.toContain('published')
  return JSON.parse(output)
}

/** What is emitted after a sweep arrives after it: once the witness saw this, it has seen what came before. */
async function settled(): Promise<void> {
  const { id } = (await call('POST', '/spaces', { name: 'Settled' })).body.data
  const [event] = (await call('GET', `/events?spaceId=${id}&topic=space:created`)).body.data
  await until(async () => (await sightings(event.id)) === 1)
}

it('delivers what a crash kept from the bus, once, by the next sweep', async () => {
  const { spaceId, eventId } = await commitAndDie('before')
  expect((await call('GET', `/spaces/${spaceId}`)).status).toBe(200)
  expect((await call('GET', `/events/${eventId}`)).status).toBe(200)
  await sweep()
  await settled()
  expect(await sightings(eventId), 'a young event is left to the request that made it').toBe(0)
  await until(async () => {
    await sweep()
    return (await sightings(eventId)) > 0
  }, 20)
  await sweep()
  await settled()
  expect(await sightings(eventId)).toBe(1)
})

it('delivers what the bus took from a dying process again, under the same id', async () => {
  const { eventId } = await commitAndDie('after')
  await until(async () => (await sightings(eventId)) === 1)
  await until(async () => {
    await sweep()
    return (await sightings(eventId)) === 2
  }, 20)
  await sweep()
  await settled()
  expect(await sightings(eventId)).toBe(2)
})
