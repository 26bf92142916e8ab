import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { bundleAgent, bundleSampleAgent } from '../../examples/airports/agent/bundle.ts'
import { AIRPORTS_SHEET } from '../../examples/airports/airports.ts'
import { pluck, waitUntil } from '../support/api.ts'
import { account, call, createFreshAccount, must } from '../support/fresh-account.ts'

beforeAll(async () => {
  await createFreshAccount()
  const agent = { slug: 'airports', topics: ['commit:created'], compiler: 'js', source: await bundleSampleAgent() }
  const answer = await call('POST', `/agents?environmentId=${account.environmentId}`, agent)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
})

const cells = (row: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(row).map(([key, value]) => [key, { value }]))

it('corrects the records of a commit and adds its messages', async () => {
  const space = await must('POST', '/spaces', { name: 'Airports' })
  const other = { ...AIRPORTS_SHEET, name: 'Other', slug: 'other' }
  const { sheets } = await must('POST', '/workbooks', {
    spaceId: space.id,
    name: 'Airports',
    sheets: [AIRPORTS_SHEET, other],
  })
  const [airports, untouched] = pluck(sheets, 'id') as [string, string]
  const rows = [
    { code: ' jfk', name: 'Kennedy', city: 'New York', state: 'NY', country: 'USA', latitude: 40.6, longitude: -73.8 },
    { code: 'GRO', name: 'Rota', city: 'Rota Island', state: 'CQ', country: 'US', latitude: 14.17, longitude: -145.24 },
    { code: 'ORD', name: "O'Hare", city: 'Chicago', state: 'IL', country: 'US', latitude: 41.98, longitude: -87.9 },
  ].map(cells)
  await must('POST', `/sheets/${untouched}/records`, rows)
  await must('POST', `/sheets/${airports}/records`, rows)

  const records = await waitUntil(async () => {
    const found = (await must('GET', `/sheets/${airports}/records`)).records
    return found[0].values.code.value === 'JFK' && found
  }, 20)
  expect(records[0].values.country.value).toBe('US')
  expect(records[1].values.longitude).toMatchObject({
    value: -145.24,
    messages: [{ type: 'warn', source: 'custom-logic', message: expect.stringContaining('is the sign wrong?') }],
  })
  expect(records[2].values.longitude.messages).toEqual([])
  expect((await must('GET', `/sheets/${untouched}/records`)).records[0].values.code.value).toBe(' jfk')

  const runs = await waitUntil(async () => {
    const all = await must('GET', `/agents/logs?environmentId=${account.environmentId}`)
    return all.filter(({ status }: { status: string }) => status !== 'running').length >= 2 && all
  })
  expect(runs.every(({ success }: { success: boolean }) => success)).toBe(true)
  expect(runs.map(({ log = '' }: { log?: string }) => log).join('\n')).toContain(
    '2 of 3 airports need a correction or a review',
  )
})

it('reads its secrets from the event, as in the guide; their values are not in its log', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-listener-'))
  const path = join(folder, 'listener.mjs')
  writeFileSync(
    path,
    `export default (listener) => listener.on('space:created', async (event) => {
      const value = await event.secrets('GREETING')
      console.log('a greeting of', value.length, 'letters:', value)
    })`,
  )
  const source = await bundleAgent(path).finally(() => rmSync(folder, { recursive: true }))
  const { environmentId } = account
  await must('POST', '/secrets', { environmentId, name: 'GREETING', value: 'a friendly agent' })
  const agent = { slug: 'greeting', topics: ['space:created'], compiler: 'js', source }
  const { id } = await must('POST', `/agents?environmentId=${environmentId}`, agent)
  await must('POST', '/spaces', { environmentId, name: 'Greeted' })
  const [run] = await waitUntil(async () => {
    const logs = await must('GET', `/agents/${id}/logs?environmentId=${environmentId}`)
    return logs[0] && logs[0].status !== 'running' && logs
  }, 20)
  expect(run.success, run.log).toBe(true)
  expect(run.log).toContain('a greeting of 16 letters: [redacted]')
  expect(run.log).not.toContain('a friendly agent')
})
