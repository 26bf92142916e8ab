import { beforeAll, describe, expect, it } from 'vitest'
import { deployAgent, emitEvent, waitForFileJob, waitForRun } from '../support/activity.ts'
import { account, call, createFreshAccount, environmentId, must } from '../support/fresh-account.ts'
import { invokePlatformFunction } from '../support/platform-function.ts'
import { createUser } from '../support/resources.ts'
import { uploadFile } from '../support/upload.ts'

beforeAll(createFreshAccount)

const sayHello = (word: string) => `exports.routeEvent = async (event) => console.log('${word}', event.topic)`
const setActive = (agentId: string, isActive: boolean) => must('PATCH', `/agents/${agentId}`, { isActive })
const emit = async (topic: string): Promise<string> => (await emitEvent(topic)).id

/** Events reach both agents by the same bus, so the witness's run shows that the event was delivered. */
async function deployWithWitness(name: string) {
  const agent = await deployAgent(name, [`${name}:said`], sayHello('one'))
  const witness = await deployAgent(`${name}-witness`, [`${name}:said`], sayHello('witness'))
  const emitSeen = async (): Promise<string> => {
    const eventId = await emit(`${name}:said`)
    await waitForRun(witness.id, eventId)
    return eventId
  }
  return { agentId: agent.id as string, emitSeen }
}

const findRun = async (agentId: string, eventId: string) =>
  (await must('GET', `/agents/${agentId}/logs?pageSize=100`)).find(
    (run: { eventId: string }) => run.eventId === eventId,
  )

describe('PATCH /agents/{id}', () => {
  it('stops calls of the agent until it is enabled, and does not make up for them', async () => {
    const { agentId, emitSeen } = await deployWithWitness('paused')
    expect(await setActive(agentId, false)).toMatchObject({ id: agentId, isActive: false, status: 'active' })
    expect(await must('GET', `/agents/${agentId}`)).toMatchObject({ isActive: false, topics: ['paused:said'] })
    const missed = await emitSeen()
    expect(await setActive(agentId, true)).toMatchObject({ isActive: true })
    const received = await emitSeen()
    expect(await waitForRun(agentId, received)).toMatchObject({ success: true })
    expect(await findRun(agentId, missed)).toBeUndefined()
  })

  it('keeps the agent disabled when a version is deployed or restored, and runs that version later', async () => {
    const { agentId, emitSeen } = await deployWithWitness('renewed')
    await setActive(agentId, false)
    expect(await deployAgent('renewed', ['renewed:said'], sayHello('two'))).toMatchObject({ isActive: false })
    const missed = await emitSeen()
    await setActive(agentId, true)
    const received = await emitSeen()
    expect((await waitForRun(agentId, received)).log).toContain('INFO two')
    expect(await findRun(agentId, missed)).toBeUndefined()
  })

  it('changes nothing and emits no event when repeated', async () => {
    const { agentId } = await deployWithWitness('repeated')
    const disabled = await setActive(agentId, false)
    expect(await setActive(agentId, false)).toEqual(disabled)
    const updates = await must('GET', '/events?topic=agent:updated&pageSize=1000')
    expect(updates.filter(({ payload }: { payload: { agentId: string } }) => payload.agentId === agentId)).toHaveLength(
      1,
    )
  })

  it('ends and starts cron events', async () => {
    const { id } = await deployAgent('daily', ['cron:daily'], sayHello('tick'))
    const tick = (day: number) =>
      invokePlatformFunction('cron', { topic: 'cron:daily', time: new Date(Date.UTC(2032, 0, day)).toISOString() })
    const countTicks = async () => (await must('GET', '/events?domain=cron&pageSize=100')).length
    await setActive(id, false)
    await tick(1)
    expect(await countTicks()).toBe(0)
    await setActive(id, true)
    await tick(2)
    expect(await countTicks()).toBe(1)
  })

  it('leaves files to the platform while their agent is disabled', async () => {
    const { id } = await deployAgent('reader', ['file:created'], sayHello('file'))
    await setActive(id, false)
    const { id: spaceId } = await must('POST', '/spaces', { environmentId, name: 'Files' })
    const fileId = await uploadFile(account, spaceId, 'people.json', '[{"name":"Ada"}]')
    expect(await waitForFileJob(fileId)).toMatchObject({ operation: 'extract', status: 'completed' })
  })

  it('is refused without permission to deploy', async () => {
    const { agentId } = await deployWithWitness('guarded')
    const { call: read } = await createUser([{ roleId: 'us_rol_reader', resourceId: environmentId }])
    expect((await read('PATCH', `/agents/${agentId}`, { isActive: false })).status).toBe(403)
    expect(await must('GET', `/agents/${agentId}`)).toMatchObject({ isActive: true })
  })
})

describe('POST /agents/{id}/replay', () => {
  it('is refused while the agent is disabled', async () => {
    const { agentId, emitSeen } = await deployWithWitness('replayed')
    await setActive(agentId, false)
    const eventId = await emitSeen()
    const refused = await call('POST', `/agents/${agentId}/replay`, { eventIds: [eventId] })
    expect(refused.status).toBe(409)
    expect(refused.body.errors[0].message).toBe('The agent replayed is disabled. Enable it first.')
    await setActive(agentId, true)
    await must('POST', `/agents/${agentId}/replay`, { eventIds: [eventId] })
    expect(await waitForRun(agentId, eventId)).toMatchObject({ success: true })
  })
})

describe('GET /agents/{id}/code', () => {
  const BUNDLE = sayHello('bundled')

  it('returns the bundle of the running version without a source map', async () => {
    const { id } = await deployAgent('bundled', ['bundled:said'], BUNDLE)
    const code = await must('GET', `/agents/${id}/code`)
    expect(code).toEqual({ version: 1, isOriginal: false, files: [{ name: 'index.js', text: BUNDLE }] })
  })

  it('returns the original files of the newest version with a source map', async () => {
    await deployAgent('original', ['original:said'], BUNDLE)
    const text = 'export const greeting: string = "<b>hello</b>"\n'
    const map = {
      version: 3,
      sources: ['webpack://x/./src/greeting.ts'],
      sourcesContent: [text],
      names: [],
      mappings: '',
    }
    const { id } = await deployAgent('original', ['original:said'], BUNDLE, { sourceMap: JSON.stringify(map) })
    const code = await must('GET', `/agents/${id}/code`)
    expect(code).toEqual({ version: 2, isOriginal: true, files: [{ name: 'src/greeting.ts', text }] })
  })

  it('is refused without permission to deploy', async () => {
    const { id } = await deployAgent('secretive', ['secretive:said'], BUNDLE)
    const { call: read } = await createUser([{ roleId: 'us_rol_reader', resourceId: environmentId }])
    expect((await read('GET', `/agents/${id}/code`)).status).toBe(403)
  })
})
