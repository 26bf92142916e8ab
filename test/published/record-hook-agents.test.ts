import { beforeAll, describe, expect, it } from 'vitest'
import { deployAgent } from '../support/activity.ts'
import { pluck, waitUntil } from '../support/api.ts'
import { bundleRecordHook, OWN_HOOK, PUBLIC_HOOK } from '../support/bundle-hook.ts'
import { call, createFreshAccount, must } from '../support/fresh-account.ts'
import { createSheet, readRecords } from '../support/resources.ts'

beforeAll(createFreshAccount)

const CALLBACK = `(record) => {
  record.set('name', String(record.get('name')).toUpperCase())
  if (!record.get('city')) record.addWarning('city', 'no city')
}`
const FIELDS = ['name', 'city'].map((key) => ({ key, type: 'string' }))
const ROWS = 250
let number = 0

async function runHook(plugin: string, settings: object) {
  const slug = `people-${number++}`
  const { sheetId, spaceId } = await createSheet(FIELDS, {
    sheet: { slug },
    workbook: { settings: { trackChanges: true } },
  })
  const source = await bundleRecordHook(plugin, CALLBACK, slug)
  const { id } = await deployAgent(slug, ['commit:created'], source, settings)
  const rows = Array.from({ length: ROWS }, (_, row) => ({ name: `n${row}`, city: row % 10 ? 'Oslo' : null }))
  const { commitId } = await must('POST', `/sheets/${sheetId}/records`, rows)
  await waitUntil(async () => (await must('GET', `/commits/${commitId}`)).completedAt !== undefined, 60)
  const events = await must('GET', `/events?spaceId=${spaceId}&topic=commit:created&pageSize=100`)
  const runs = await waitUntil(async () => {
    const { data } = (await call('GET', `/agents/${id}/executions?pageSize=100`)).body
    return data.length > 0 && data.every(({ status }: { status: string }) => status === 'succeeded') && data
  })
  const records = await readRecords(sheetId, 'includeMessages=true')
  await must('DELETE', `/agents/${id}`)
  return { records: records.map(({ id: _, ...record }: { id: string }) => record), events, runs }
}

describe.each([
  ['the public plugin', PUBLIC_HOOK],
  ['@wharf/record-hook', OWN_HOOK],
])('an agent with %s', (_, plugin) => {
  it('corrects each row of a commit in parts, with the result of one call', { timeout: 120_000 }, async () => {
    const whole = await runHook(plugin, {})
    const inParts = await runHook(plugin, { recordsPerEvent: 100 })
    expect(pluck(whole.records, 'values').map(({ name }) => name.value)).toEqual(
      Array.from({ length: ROWS }, (_, row) => `N${row}`),
    )
    expect(inParts.records).toEqual(whole.records)
    expect(pluck(inParts.runs, 'eventId').toSorted()).toEqual(
      [1, 2, 3].map((part) => `${inParts.events[0].id}.3.${part}`),
    )
  })

  it.each([{}, { ignoreOwnCommits: true }])(
    'is called once, not again for its own write, with %j',
    async (settings) => {
      const { runs, events } = await runHook(plugin, settings)
      expect(events).toHaveLength(2)
      expect(pluck(runs, 'eventId')).toEqual([events[0].id])
    },
  )
})
