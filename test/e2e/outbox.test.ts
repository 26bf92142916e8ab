import { beforeAll, expect, it } from 'vitest'
import { waitUntil } from '../support/api.ts'
import { account, call, createFreshAccount, must } from '../support/fresh-account.ts'
import { type KillTiming, runWithKill } from '../support/killed-process.ts'
import { invokePlatformFunction } from '../support/platform-function.ts'

const WITNESS = `exports.routeEvent = (event) =>
  fetch(process.env.AGENT_INTERNAL_URL + '/v1/events', {
    method: 'POST',
    headers: { authorization: 'Bearer ' + process.env.FLATFILE_BEARER_TOKEN, 'content-type': 'application/json' },
    body: JSON.stringify({ topic: 'witness:saw', domain: 'witness', context: {}, payload: { eventId: event.id } }),
  }).then((response) => { if (!response.ok) throw new Error('HTTP ' + response.status) })`

beforeAll(async () => {
  await createFreshAccount()
  const agent = { slug: 'witness', topics: ['space:created'], compiler: 'js', source: WITNESS }
  expect((await call('POST', `/agents?environmentId=${account.environmentId}`, agent)).status).toBe(200)
})

const countSightings = async (eventId: string): Promise<number> => {
  const { data } = (await call('GET', '/events?topic=witness:saw&pageSize=100')).body
  return data.filter(({ payload }: { payload: { eventId: string } }) => payload.eventId === eventId).length
}

const sweep = () => invokePlatformFunction('publish-pending', { time: new Date().toISOString() })

async function commitAndDie(moment: KillTiming): Promise<{ spaceId: string; eventId: string }> {
  const { output, killed } = await runWithKill(
    'commit-space.ts',
    [account.accountId, account.environmentId],
    ({ headers }) => (headers['x-amz-target'] === 'AWSEvents.PutEvents' ? moment : undefined),
  )
  expect(killed).toBe(true)
  expect(output).not.toContain('published')
  return JSON.parse(output)
}

/** Events emitted after a sweep arrive after it: once the witness saw this one, it has seen the earlier ones. */
async function settled(): Promise<void> {
  const { id } = await must('POST', '/spaces', { name: 'Settled' })
  const [event] = await must('GET', `/events?spaceId=${id}&topic=space:created`)
  await waitUntil(async () => (await countSightings(event.id)) === 1)
}

it('the next sweep delivers an event that a crash left unpublished, once', async () => {
  const { spaceId, eventId } = await commitAndDie('before')
  expect((await call('GET', `/spaces/${spaceId}`)).status).toBe(200)
  expect((await call('GET', `/events/${eventId}`)).status).toBe(200)
  await sweep()
  await settled()
  expect(await countSightings(eventId), 'a young event is left to the request that made it').toBe(0)
  await waitUntil(async () => {
    await sweep()
    return (await countSightings(eventId)) > 0
  }, 20)
  await sweep()
  await settled()
  expect(await countSightings(eventId)).toBe(1)
})

it('an event the bus accepted from a dying process is delivered again under the same id', async () => {
  const { eventId } = await commitAndDie('after')
  await waitUntil(async () => (await countSightings(eventId)) === 1)
  await waitUntil(async () => {
    await sweep()
    return (await countSightings(eventId)) === 2
  }, 20)
  await sweep()
  await settled()
  expect(await countSightings(eventId)).toBe(2)
})
