import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Metered, startMetered, type Usage } from '../../bench/cost/metered-requests.ts'

const EDITS = 16
let folder: string
let platform: Metered
let environmentId: string
let sheetId: string
let ids: string[]
let edits = 0

beforeAll(async () => {
  process.env.LOG_LEVEL = 'SILENT'
  process.env.POWERTOOLS_METRICS_DISABLED = 'true'
  folder = mkdtempSync(join(tmpdir(), 'wharf-reactions-'))
  platform = await startMetered(folder)
  environmentId = platform.local.environments[0]!.id
  const space = await platform.call('POST', '/spaces', { name: 'Reactions' })
  const fields = ['a', 'b'].map((key) => ({ key, type: 'string' }))
  const sheets = [{ name: 'S', fields }]
  const workbook = await platform.call('POST', '/workbooks', { name: 'W', spaceId: space.id, sheets })
  sheetId = workbook.sheets[0].id
  const rows = Array.from({ length: EDITS }, (_, index) => ({ a: { value: `row ${index}` }, b: { value: 'same' } }))
  const { records } = await platform.call('POST', `/sheets/${sheetId}/records`, rows)
  ids = records.map(({ id }: { id: string }) => id)
}, 120_000)
afterAll(async () => {
  await platform.cloud.close()
  rmSync(folder, { recursive: true, force: true })
})

async function countEdit(): Promise<Usage> {
  const usage = await platform.usageOf(async () => {
    for (const id of ids)
      await platform.call('PUT', `/sheets/${sheetId}/records`, [{ id, values: { a: { value: `edit ${++edits}` } } }])
  })
  return Object.fromEntries(Object.entries(usage).map(([name, count]) => [name, count / EDITS])) as unknown as Usage
}

describe('an edit of a record', () => {
  it('is one run without a bus when it has no listener', async () => {
    const { runs, busEvents, written } = await countEdit()
    expect({ runs, busEvents }).toEqual({ runs: 1, busEvents: 0 })
    expect(written).toBeLessThanOrEqual(10)
  })

  it('reaches the bus only with the events that a webhook is for, and calls no other function', async () => {
    const url = 'http://127.0.0.1:9/nobody'
    const create = (topics: string[]) =>
      platform.call('POST', `/webhooks?environmentId=${environmentId}`, { url, topics })
    const other = await create(['space:created'])
    expect(await countEdit()).toMatchObject({ runs: 1, busEvents: 0 })
    const hook = await create(['commit:created'])
    expect(await countEdit()).toMatchObject({ runs: 2, busEvents: 1 })
    for (const { id } of [other, hook]) await platform.call('DELETE', `/webhooks/${id}`)
    expect(await countEdit()).toMatchObject({ runs: 1, busEvents: 0 })
  })

  it('calls an agent, and nothing for webhooks and connections', async () => {
    const source = 'exports.routeEvent = async () => {}'
    const agent = { slug: 'counted', topics: ['commit:created'], compiler: 'js', source }
    const { id } = await platform.call('POST', `/agents?environmentId=${environmentId}`, agent)
    const { runs, busEvents } = await countEdit()
    expect(busEvents).toBe(1)
    expect(runs).toBeLessThanOrEqual(4)
    await platform.call('DELETE', `/agents/${id}`)
    expect(await countEdit()).toMatchObject({ runs: 1, busEvents: 0 })
  })
})
