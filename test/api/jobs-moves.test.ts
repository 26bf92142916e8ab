/** Any calls in any order, over HTTP: a job goes where the table of moves says, tells what it says, and refuses the rest. */
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { NONE, type State, step, type Trigger } from '../../lib/jobs/machine.ts'
import { callerOf, mintAccount, type TestAccount } from '../support/api.ts'

let account: TestAccount
let call: ReturnType<typeof callerOf>
let spaceId: string

beforeAll(async () => {
  account = await mintAccount()
  call = callerOf(account.secretKey)
  spaceId = (await call('POST', '/spaces', { name: 'Space' })).body.data.id
})

const FAR = '2100-01-01T00:00:00.000Z'
const BIRTHS: Partial<Record<Trigger, object>> = {
  create: {},
  createImmediate: { trigger: 'immediate' },
  createScheduled: { scheduledFor: FAR },
}
/** What a client calls, and the trigger it is. Parts are not among them: their events come by themselves. */
const CALLS: [Trigger, string, string, object?][] = [
  ['schedule', 'PATCH', '', { scheduledFor: FAR }],
  ['execute', 'POST', '/execute'],
  ['acknowledge', 'POST', '/ack', { info: 'On it' }],
  ['progress', 'PATCH', '', { progress: 50 }],
  ['update', 'PATCH', '', { info: 'Well' }],
  ['complete', 'POST', '/complete'],
  ['fail', 'POST', '/fail'],
  ['cancel', 'POST', '/cancel'],
  ['retry', 'POST', '/retry'],
]

it('a job lives by the table of moves, whatever it is asked to do', async () => {
  const life = fc.tuple(
    fc.constantFrom(...(Object.keys(BIRTHS) as Trigger[])),
    fc.array(fc.constantFrom(...CALLS), { minLength: 6, maxLength: 12 }),
  )
  const property = fc.asyncProperty(life, async ([birth, calls]) => {
    const config = { type: 'space', operation: 'live', source: spaceId, ...BIRTHS[birth] }
    const { id } = (await call('POST', '/jobs', config)).body.data
    const expected = [...step(NONE, birth)!.emits]
    let state: State = step(NONE, birth)!.to
    for (const [trigger, method, path, body] of calls) {
      const move = step(state, trigger)
      const { status } = await call(method, `/jobs/${id}${path}`, body)
      expect([state, trigger, status]).toEqual([state, trigger, move ? 200 : 409])
      expected.push(...(move?.emits ?? []))
      state = move?.to ?? state
    }
    expect((await call('GET', `/jobs/${id}`)).body.data.status).toBe(state)
    expect(await topicsOf(id)).toEqual(expected)
  })
  await fc.assert(property, { numRuns: 40 })
}, 120_000)

async function topicsOf(jobId: string): Promise<string[]> {
  const path = `/events?environmentId=${account.environmentId}&domain=job&includeAcknowledged=true&pageSize=1000`
  const { data } = (await call<{ data: { topic: string; context: { jobId: string } }[] }>('GET', path)).body
  return data.filter(({ context }) => context.jobId === jobId).map(({ topic }) => topic)
}
