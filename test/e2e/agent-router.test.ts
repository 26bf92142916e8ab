import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EventBridgeClient, ListRulesCommand } from '@aws-sdk/client-eventbridge'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createCaller, createDataCaller, useServer, waitUntil } from '../support/api.ts'
import { clientConfig } from '../support/conformance.ts'
import { type Platform, startPlatform } from '../support/platform.ts'
import { getCredentials } from '../support/signed-request.ts'

const AGENT_RULES = '2'
const folder = mkdtempSync(join(tmpdir(), 'wharf-router-'))
const heard: string[] = []
const ear = createServer((request, response) => {
  heard.push(decodeURIComponent(request.url!.slice(1)))
  response.end()
})
let platform: Platform
let call: ReturnType<typeof createDataCaller>
let bus: EventBridgeClient

beforeAll(async () => {
  await once(ear.listen(0, '127.0.0.1'), 'listening')
  platform = await startPlatform(folder, { AGENT_RULES })
  const { baseUrl, cloud, aws, environments } = platform.local
  useServer({ baseUrl, cloud, environment: aws })
  call = createDataCaller(() => createCaller(environments[0]!.secretKey))
  bus = new EventBridgeClient(clientConfig(cloud, getCredentials(aws)))
}, 90_000)

afterAll(async () => {
  await platform.stop()
  ear.close()
  rmSync(folder, { recursive: true, force: true })
})

async function deploy(slug: string, topics: string[]): Promise<string> {
  const { port } = ear.address() as AddressInfo
  const source = `exports.routeEvent = (event) => fetch('http://127.0.0.1:${port}/' + encodeURIComponent('${slug} ' + event.id))`
  return (await call('POST', '/agents', { slug, topics, source })).id
}
const emit = async (topic: string): Promise<string> =>
  (await call('POST', '/events', { topic, domain: 'x', context: {}, payload: {} })).id
const countDeliveries = (slug: string, id: string): number => heard.filter((each) => each === `${slug} ${id}`).length
async function countRules(agentId: string): Promise<number> {
  const { Rules = [] } = await bus.send(new ListRulesCommand({ EventBusName: 'wharf-dev' }))
  return Rules.filter(({ Name }) => Name!.includes(agentId)).length
}

async function emittingDuring(topic: string, work: () => Promise<unknown>): Promise<string[]> {
  const ids: string[] = []
  let working = true
  const emitter = async () => {
    for (let after = 0; after < 5; after += working ? 0 : 1) ids.push(await emit(topic))
  }
  const emitting = Promise.all([emitter(), emitter(), emitter()])
  await work()
  working = false
  await emitting
  return ids
}

it('agents up to the threshold have their own rules, those beyond it none, and all receive events immediately', async () => {
  const [first, second, third] = [
    await deploy('first', ['moved:now']),
    await deploy('second', ['other:now']),
    await deploy('third', ['moved:now', 'third:now']),
  ]
  const ids = [await emit('moved:now'), await emit('third:now'), await emit('other:now')]
  expect(await Promise.all([first, second, third].map(countRules))).toEqual([1, 1, 0])
  await waitUntil(async () => heard.length === 4, 20)
  expect(heard.toSorted()).toEqual(
    [`first ${ids[0]}`, `second ${ids[2]}`, `third ${ids[0]}`, `third ${ids[1]}`].toSorted(),
  )
  const logged = await waitUntil(async () => {
    const runs = await call('GET', `/agents/${third}/logs`)
    return runs.length === 2 && runs.every(({ status }: { status: string }) => status !== 'running') && runs
  })
  expect(logged.every(({ success }: { success: boolean }) => success)).toBe(true)
})

it('agents move to the router and back with a deployment: no event is lost, none is delivered twice', {
  timeout: 120_000,
}, async () => {
  const wide = Array.from({ length: 60 }, (_, number) => `moved:a-rather-long-custom-topic-name-${number}`)
  let first = ''
  const toRouter = await emittingDuring('moved:now', async () => {
    first = await deploy('first', ['moved:now', ...wide])
  })
  expect(await countRules(first)).toBe(0)
  const toRules = await emittingDuring('moved:now', async () => {
    first = await deploy('first', ['moved:now'])
  })
  expect(await countRules(first)).toBe(1)
  expect(Math.min(toRouter.length, toRules.length)).toBeGreaterThan(20)
  const all = [...toRouter, ...toRules]
  await waitUntil(
    async () => all.every((id) => countDeliveries('first', id) > 0 && countDeliveries('third', id) > 0),
    60,
  )
  // A duplicate would arrive before this last event.
  const last = await emit('moved:now')
  await waitUntil(async () => countDeliveries('first', last) > 0 && countDeliveries('third', last) > 0, 20)
  expect(all.filter((id) => countDeliveries('first', id) !== 1 || countDeliveries('third', id) !== 1)).toEqual([])
})

it('agents of another environment and deleted ones are not invoked', async () => {
  const agents = await call('GET', '/agents')
  const third = agents.find(({ slug }: { slug: string }) => slug === 'third')
  await call('DELETE', `/agents/${third.id}`)
  const id = await emit('moved:now')
  await waitUntil(async () => countDeliveries('first', id) === 1, 20)
  expect(countDeliveries('third', id)).toBe(0)
  const again = await deploy('third', ['moved:now'])
  expect(await countRules(again)).toBe(0)
  const production = createCaller(platform.local.environments[1]!.secretKey)
  const event = { topic: 'moved:now', domain: 'x', context: {}, payload: {} }
  const { data } = (await production('POST', '/events', event)).body
  const own = await emit('moved:now')
  await waitUntil(async () => countDeliveries('third', own) === 1, 20)
  expect(heard.filter((each) => each.endsWith(data.id))).toEqual([])
})
