/** Operations on 100,000 records: snapshots, clips and retention, with exact counts. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runJob } from '../support/activity.ts'
import { waitUntil } from '../support/api.ts'
import { account, call, createFreshAccount, must } from '../support/fresh-account.ts'
import { createSheet } from '../support/resources.ts'
import { runRetentionLater } from '../support/retention.ts'
import { findLeftovers } from '../support/scan-for-secrets.ts'

const ROWS = 100_000
const SECONDS = 60

let spaceId: string
let workbookId: string
let sheetId: string

beforeAll(createFreshAccount)

// biome-ignore lint/suspicious/noExplicitAny: tests read replies as they come
const ask = async <T = any>(method: string, path: string, body?: unknown): Promise<T> => {
  const answer = await call(method, path, body)
  expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body).slice(0, 500)}`).toBe(200)
  return answer.body as T
}

const q = (query: string): string => `q=${encodeURIComponent(query)}`
const counts = (sheet = sheetId) => must('GET', `/sheets/${sheet}/counts`).then((data) => data.counts)
const countMatching = async (query: string, sheet = sheetId): Promise<number> =>
  (await must('GET', `/sheets/${sheet}/counts?${q(query)}`)).counts.total

async function measure<T>(step: string, work: () => Promise<T>): Promise<T> {
  const start = performance.now()
  const result = await work()
  const seconds = (performance.now() - start) / 1000
  console.log(`${step}: ${seconds.toFixed(2)} s`)
  expect(seconds, step).toBeLessThan(SECONDS)
  return result
}

const row = (n: number) => ({
  name: `Person ${n}`,
  city: n % 2 ? 'Oslo' : 'Rome',
  n,
  ...(n % 10 ? { age: n % 90 } : {}),
})
const jsonl = (from: number, to: number) =>
  Buffer.from(Array.from({ length: to - from }, (_, i) => JSON.stringify(row(from + i))).join('\n'))

beforeEach(async () => {
  const fields = [
    { key: 'name', type: 'string' },
    { key: 'city', type: 'string' },
    { key: 'n', type: 'number' },
    { key: 'age', type: 'number', constraints: [{ type: 'required' }] },
  ]
  ;({ spaceId, workbookId, sheetId } = await createSheet(fields))
  const written = await ask('POST', `/v2-alpha/records.jsonl?sheetId=${sheetId}`, jsonl(0, ROWS))
  expect(written).toMatchObject({ created: ROWS })
})

const AT_FIRST = { total: ROWS, valid: ROWS * 0.9, error: ROWS * 0.1 }

const deleteMatching = (query: string) =>
  runJob({ type: 'workbook', operation: 'delete-records', source: workbookId, config: { sheet: sheetId, q: query } })

describe('a snapshot of 100,000 records', () => {
  async function change(): Promise<void> {
    const updated = await must('PATCH', `/sheets/${sheetId}/records/bulk-update?${q('n lt 10000')}`, {
      fieldUpdates: { age: 200 },
    })
    expect(updated.updated).toBe(10_000)
    await deleteMatching('n gte 80000')
    await ask('POST', `/v2-alpha/records.jsonl?sheetId=${sheetId}`, jsonl(ROWS, ROWS + 10_000))
    expect(await counts()).toMatchObject({ total: 90_000, error: 10_000 - 1000 - 2000 + 1000 })
  }

  it('is restored in parts, each exact', { timeout: 120_000 }, async () => {
    const { id } = await must('POST', '/snapshots', { sheetId, label: 'Before' })
    await change()
    const restore = (part: string) =>
      measure(`restore ${part}`, () =>
        must('POST', `/snapshots/${id}/restore`, { created: false, updated: false, deleted: false, [part]: true }),
      )
    const { summary } = await measure('summary', () => must('GET', `/snapshots/${id}?includeSummary=true`))
    expect(summary).toMatchObject({
      createdSince: { total: 10_000 },
      updatedSince: { total: 10_000 },
      deletedSince: { total: 20_000 },
    })
    await restore('deleted')
    expect(await counts()).toMatchObject({ total: 110_000, error: 10_000 })
    expect(await countMatching('n gte 80000 and n lt 100000')).toBe(20_000)
    await restore('created')
    expect(await counts()).toMatchObject({ total: ROWS, error: 9000 })
    expect([await countMatching('age eq 200'), await countMatching('n gte 100000')]).toEqual([10_000, 0])
    await restore('updated')
    expect(await counts()).toMatchObject(AT_FIRST)
    expect([await countMatching('age eq 200'), await countMatching('city eq Oslo')]).toEqual([0, ROWS / 2])
  })

  it('is restored as a whole, as one commit', { timeout: 120_000 }, async () => {
    const { id } = await must('POST', '/snapshots', { sheetId, label: 'Before' })
    await change()
    const before = (await must('GET', `/sheets/${sheetId}/commits`)).length
    await measure('restore', () => must('POST', `/snapshots/${id}/restore`))
    expect(await counts()).toMatchObject(AT_FIRST)
    expect(await countMatching('age eq 200')).toBe(0)
    expect(await must('GET', `/sheets/${sheetId}/commits`)).toHaveLength(before + 1)
    const { summary } = await must('GET', `/snapshots/${id}?includeSummary=true`)
    for (const kind of ['createdSince', 'updatedSince', 'deletedSince']) expect(summary[kind].total, kind).toBe(0)
  })
})

it('a clip of 100,000 records is created, resolved and merged', { timeout: 180_000 }, async () => {
  const made = await ask('POST', '/data-clips', { name: 'Large', sourceSheetId: sheetId })
  const { id, clipSheetId } = made
  const path = `/data-clips/${id}`
  const added = await measure('clip', () => ask('POST', `${path}/add-records?filter=all`))
  expect(added).toMatchObject({ added: ROWS, counts: AT_FIRST })
  const again = await measure('clip again', () => ask('POST', `${path}/add-records?filter=all`))
  expect(again).toMatchObject({ added: 0 })
  const updateInBulk = (sheet: string, query: string, city: string) =>
    must('PATCH', `/sheets/${sheet}/records/bulk-update?${q(query)}`, { fieldUpdates: { city } })
  await updateInBulk(clipSheetId, 'n lt 10000', 'Clip')
  await updateInBulk(sheetId, 'n lt 500', 'Source')
  const conflicting = '/resolutions?filterConflicts=true&includeSummary=true&pageSize=1000'
  const found = await measure('resolutions', () => ask('GET', `${path}${conflicting}`))
  expect(found.summary).toMatchObject({ total: 10_000, changed: 10_000, conflicts: 500, byField: { city: 10_000 } })
  expect(found.data).toHaveLength(500)
  expect((await call('POST', `${path}/merge`)).status).toBe(409)
  const decide = (resolveTo: string, some: { id: string }[]) =>
    ask('PATCH', `${path}/resolutions`, {
      resolvedRecords: some.map((one) => ({ recordId: one.id, resolves: [{ field: 'city', resolveTo }] })),
    })
  await measure('decide', async () => {
    await decide('clip', found.data.slice(0, 200))
    await decide('main', found.data.slice(200))
  })
  await measure('merge', () => ask('POST', `${path}/merge`))
  expect(await counts()).toMatchObject(AT_FIRST)
  expect([await countMatching('city eq Clip'), await countMatching('city eq Source')]).toEqual([9700, 300])
  expect(await countMatching('n gte 10000 and city eq Clip')).toBe(0)
})

it('a clip with 10,000 individually edited records is merged as one commit, with events for every record', {
  timeout: 180_000,
}, async () => {
  const edited = 10_000
  const { id, clipSheetId } = await ask('POST', '/data-clips', { name: 'Edited', sourceSheetId: sheetId })
  await ask('POST', `/data-clips/${id}/add-records?filter=all&${q(`n lt ${edited}`)}`)
  for (let page = 1; page <= edited / 10_000; page++) {
    const read = await must('GET', `/sheets/${clipSheetId}/records?pageSize=10000&pageNumber=${page}&fields=n`)
    const changes = read.records.map((one: { id: string; values: { n: { value: number } } }) => ({
      id: one.id,
      values: { name: { value: `Edited ${one.values.n.value}` }, city: { value: 'Clip' } },
    }))
    await measure('edit 10,000', () => ask('PUT', `/sheets/${clipSheetId}/records`, changes))
  }
  const { summary } = await measure('resolutions of 10,000', () =>
    ask('GET', `/data-clips/${id}/resolutions?includeSummary=true&pageSize=1`),
  )
  expect(summary).toEqual({
    total: edited,
    changed: edited,
    added: 0,
    removed: 0,
    conflicts: 0,
    byField: { name: edited, city: edited },
  })
  const { mergedCommitId } = (await measure('merge of 10,000', () => ask('POST', `/data-clips/${id}/merge`))).data
  expect(await counts()).toMatchObject(AT_FIRST)
  expect([await countMatching('city eq Clip'), await countMatching('name like "Edited %" and city eq Clip')]).toEqual([
    edited,
    edited,
  ])
  expect(await countMatching(`name eq "Edited ${edited - 1}" and n eq ${edited - 1}`)).toBe(1)
  expect(await countMatching(`n gte ${edited} and (city eq Clip or name like "Edited %")`)).toBe(0)
  const told = await waitUntil(async () => {
    const ids = new Set<string>()
    for (let page = 1; ; page++) {
      const list = await must('GET', `/events?spaceId=${spaceId}&topic=records:updated&pageSize=10&pageNumber=${page}`)
      for (const { context, payload } of list)
        if (context.commitId === mergedCommitId) for (const recordId of payload.recordIds) ids.add(recordId)
      if (list.length === 0) return ids.size === edited && ids
    }
  }, SECONDS)
  expect(told.size).toBe(edited)
})

it('retention removes a space of 100,000 records and its file, to the last item and object', {
  timeout: 180_000,
}, async () => {
  const { environmentId } = account
  const text = `name,n\n${Array.from({ length: ROWS }, (_, n) => `Person ${n},${n}`).join('\n')}\n`
  const { file, upload } = await must('POST', '/files/uploads', { spaceId, name: 'people.csv', size: text.length })
  await fetch(upload.url, { method: 'PUT', body: text })
  await must('POST', `/files/${file.id}/complete`)
  const workbookId = await waitUntil(async () => (await must('GET', `/files/${file.id}`)).workbookId, 60)
  const [extracted] = await must('GET', `/sheets?workbookId=${workbookId}`)
  expect((await counts(extracted.id)).total).toBe(ROWS)
  await must('POST', '/snapshots', { sheetId, label: 'Kept' })
  const ids = [spaceId, workbookId, file.id, sheetId, extracted.id].map((one: string) =>
    one.slice(one.lastIndexOf('_') + 1),
  )
  const findOwnLeftovers = () => findLeftovers((key) => ids.some((one) => key.includes(one)))
  const before = await findOwnLeftovers()
  expect(before.items.length).toBeGreaterThan(10)
  expect(before.objects.length).toBeGreaterThanOrEqual([file, sheetId, extracted].length)
  const policy = await must('POST', '/data-retention-policies', { type: 'sinceCreated', period: 30, environmentId })
  const expired = await measure('expire', () => runRetentionLater(environmentId, 31))
  expect(expired).toMatchObject({ removed: 0, failed: 0 })
  for (const path of [`/spaces/${spaceId}`, `/workbooks/${workbookId}`, `/files/${file.id}`])
    expect((await must('GET', path)).expiredAt).toBeDefined()
  expect(await findOwnLeftovers()).toMatchObject({ objects: before.objects })
  const removed = await measure('remove', async () => {
    const swept = await runRetentionLater(environmentId, 38.1)
    let last = before
    await waitUntil(async () => {
      last = await findOwnLeftovers()
      return last.items.length + last.objects.length === 0
    }, SECONDS).catch(() => undefined)
    expect(last).toEqual({ items: [], objects: [] })
    return swept
  })
  expect(removed).toMatchObject({ expired: 0, failed: 0 })
  expect(removed.removed).toBeGreaterThanOrEqual(3)
  await must('DELETE', `/data-retention-policies/${policy.id}`)
})
