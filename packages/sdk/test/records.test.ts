import { describe, expect, it } from 'vitest'
import { createTestAccount, getAccessToken, getServer } from '../../../test/support/api.ts'
import { recordRequests } from '../../../test/support/record-requests.ts'
import { type RecordInput, type StreamedRecord, ValidationFailed, Wharf } from '../src/index.ts'
import { createClient, createSheet } from './client.ts'

const FIELDS = [
  { key: 'email', type: 'string' as const, constraints: [{ type: 'required' as const }] },
  { key: 'age', type: 'number' as const },
]

function* people(count: number): Generator<RecordInput> {
  for (let n = 1; n <= count; n++) yield { values: { email: n % 5000 === 0 ? null : `${n}@example.com`, age: n } }
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

describe('a stream of records', () => {
  it('is written in batches and read page by page, in order', async () => {
    const recorded = recordRequests()
    const wharf = await createClient({ fetch: recorded.fetch })
    const { sheetId } = await createSheet(wharf, FIELDS)
    const progress: number[] = []
    const counts = await wharf.records.write(sheetId, people(25_000), {
      onProgress: ({ created }) => progress.push(created),
    })
    expect(counts).toEqual({ created: 25_000, updated: 0, deleted: 0 })
    expect(progress).toEqual([10_000, 20_000, 25_000])
    const before = recorded.requests.length
    const records = await collect(wharf.records.stream(sheetId))
    expect(recorded.requests.length - before).toBe(3)
    expect(records.map(({ values }) => values.age)).toEqual(Array.from({ length: 25_000 }, (_, i) => i + 1))
    expect(records.filter(({ valid }) => !valid)).toHaveLength(5)
    expect(records[0]).toEqual({ id: expect.any(String), values: { email: '1@example.com', age: 1 }, valid: true })
  }, 60_000)

  it('does not show what is written while it is read', async () => {
    const wharf = await createClient()
    const { sheetId } = await createSheet(wharf, FIELDS)
    await wharf.records.write(sheetId, people(30))
    const read: StreamedRecord[] = []
    for await (const record of wharf.records.stream(sheetId, { pageSize: 10 })) {
      if (read.length === 0) {
        await wharf.records.write(sheetId, [{ id: record.id, delete: true }, { values: { age: 1000 } }])
      }
      read.push(record)
    }
    expect(read.map(({ values }) => values.age)).toEqual(Array.from({ length: 30 }, (_, i) => i + 1))
  })

  it('selects records and adds their messages', async () => {
    const wharf = await createClient()
    const { sheetId } = await createSheet(wharf, FIELDS)
    await wharf.records.write(sheetId, [{ values: { email: 'ada@example.com' } }, { values: { age: 7 } }])
    const [invalid, ...others] = await collect(
      wharf.records.stream(sheetId, { filter: 'error', includeMessages: true }),
    )
    expect(others).toEqual([])
    expect(invalid).toMatchObject({ values: { age: 7 }, valid: false, messages: { email: [{ type: 'error' }] } })
  })

  it('updates and deletes records by their ids', async () => {
    const wharf = await createClient()
    const { sheetId } = await createSheet(wharf, FIELDS)
    await wharf.records.write(sheetId, people(3))
    const [first, second] = await collect(wharf.records.stream(sheetId))
    const changes: RecordInput[] = [
      { id: first!.id, values: { age: 36 }, metadata: { source: 'test' } },
      { id: second!.id, delete: true },
    ]
    expect(await wharf.records.write(sheetId, changes)).toEqual({ created: 0, updated: 1, deleted: 1 })
    const rest = await collect(wharf.records.stream(sheetId, { includeMetadata: true }))
    expect(rest.map(({ values }) => values.age)).toEqual([36, 3])
    expect(rest[0]!.metadata).toEqual({ source: 'test' })
  })

  it('replaces the records of a sheet only with its first batch', async () => {
    const wharf = await createClient()
    const { sheetId } = await createSheet(wharf, FIELDS)
    await wharf.records.write(sheetId, people(3))
    expect(await wharf.records.write(sheetId, people(10_001), { truncate: true })).toMatchObject({ created: 10_001 })
    expect(await collect(wharf.records.stream(sheetId))).toHaveLength(10_001)
  })

  it('ends a write with the error of the batch that failed', async () => {
    const wharf = await createClient()
    const { sheetId } = await createSheet(wharf, FIELDS)
    const records = [...people(10_000), { values: { email: { wrong: true } as never } }]
    const written: number[] = []
    await expect(
      wharf.records.write(sheetId, records, { onProgress: ({ created }) => written.push(created) }),
    ).rejects.toBeInstanceOf(ValidationFailed)
    expect(written).toEqual([10_000])
  })

  it('ends with the reason of its signal', async () => {
    const wharf = await createClient()
    const { sheetId } = await createSheet(wharf, FIELDS)
    await wharf.records.write(sheetId, people(30))
    const stop = new AbortController()
    const read = async () => {
      for await (const _ of wharf.records.stream(sheetId, { pageSize: 10, signal: stop.signal }))
        stop.abort(new Error('That is enough.'))
    }
    await expect(read()).rejects.toThrow('That is enough.')
  })
})

describe('a list', () => {
  it('is read page by page', async () => {
    const wharf = await createClient()
    for (const name of ['a', 'b', 'c', 'd', 'e']) await wharf.spaces.create({ name })
    const names = (await collect(wharf.spaces.listAll({ pageSize: 2, sortField: 'name', sortDirection: 'asc' }))).map(
      ({ name }) => name,
    )
    expect(names).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  it('returns an item once if a new one moves it to the next page', async () => {
    const wharf = await createClient()
    for (const name of ['a', 'b', 'c', 'd']) await wharf.spaces.create({ name })
    const names: string[] = []
    for await (const { name } of wharf.spaces.listAll({ pageSize: 2 })) {
      if (names.length === 0) await wharf.spaces.create({ name: 'new' })
      names.push(name)
    }
    expect(names).toEqual(['d', 'c', 'b', 'a'])
  })

  it('without a count of its pages ends with the last page', async () => {
    const wharf = await createClient()
    const { sheetId } = await createSheet(wharf, FIELDS)
    for (let n = 0; n < 5; n++) await wharf.records.write(sheetId, people(1))
    expect(await collect(wharf.commits.ofSheetAll(sheetId, { pageSize: 2 }))).toHaveLength(5)
    expect(await collect(wharf.records.listAll(sheetId, { pageSize: 2 }))).toHaveLength(5)
  })

  it('continues an audit log before its last entry', async () => {
    const { email, password, environmentId } = await createTestAccount()
    const wharf = new Wharf({ token: () => getAccessToken({ email, password }), baseUrl: getServer().baseUrl })
    for (const topic of ['space:created', 'space:updated', 'space:deleted'])
      await wharf.webhooks.create({ environmentId, url: 'http://127.0.0.1:9/', topics: [topic] })
    const all = await collect(wharf.auth.auditAll({ pageSize: 1, action: 'webhooks.create' }))
    expect(new Set(all.map(({ id }) => id)).size).toBe(3)
  })
})
