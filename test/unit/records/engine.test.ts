/** The contract of the record engine, against a real table and bucket. */
import { describe, expect, it } from 'vitest'
import type { SheetRef } from '../../../lib/records/sheet.ts'
import { startRecordSuite } from '../../support/record-suite.ts'
import { collect, createWriteContext, newSheetId } from '../../support/records.ts'
import { createPeopleSheet, createRow, getNames } from './people.ts'

const { cloud, engine, insert, importRows, update, remove } = await startRecordSuite()

async function* generateRows(count: number, perBatch = 4096) {
  for (let from = 0; from < count; from += perBatch) {
    const length = Math.min(perBatch, count - from)
    const rows = Array.from({ length }, (_, i) => [`Person ${from + i}`, `p${from + i}@example.com`, String(from + i)])
    yield { keys: ['name', 'email', 'age'], rows }
  }
}
const listNames = async (sheet: SheetRef, query = {}) => getNames((await engine.readRecords(sheet, query)).records)

describe('records in responses', () => {
  it('have every field of the sheet, even empty ones, with metadata and config', async () => {
    const sheet = createPeopleSheet()
    await insert(sheet, [{ values: { name: { value: 'Ada' } } }])
    const { records } = await engine.readRecords(sheet)
    expect(records).toEqual([
      {
        id: expect.stringMatching(/^us_rc_.+_0_0_0$/),
        values: {
          name: { value: 'Ada', messages: [], valid: true },
          email: { value: null, messages: [], valid: true },
          age: { value: null, messages: [], valid: true },
        },
        valid: true,
        metadata: {},
        config: {},
      },
    ])
    expect(Object.keys(records[0]!)).toEqual(['id', 'values', 'valid', 'metadata', 'config'])
  })

  it('treat unusual keys and texts as data', async () => {
    const keys = ['__proto__', 'constructor', 'a.b', 'ü "q"', 'messages']
    const sheet = { sheetId: newSheetId(), fields: keys.map((key) => ({ key, type: 'string' })) }
    const text = '\u0000\n,\n"\\ \ud800 😀'
    const values = JSON.parse(JSON.stringify(Object.fromEntries(keys.map((key) => [key, { value: text }]))))
    await insert(sheet, [{ values }])
    const [record] = (await engine.readRecords(sheet)).records
    for (const key of keys) expect(Object.getOwnPropertyDescriptor(record!.values, key)?.value.value).toBe(text)
  })

  it('have an empty value for a new field, and none for a removed one', async () => {
    const sheet = createPeopleSheet()
    await insert(sheet, [createRow('Ada', 'a@x', 36)])
    const [name, email] = sheet.fields
    const changed = {
      ...sheet,
      fields: [{ key: 'city', type: 'string', constraints: [{ type: 'required' }] }, name!, email!],
    }
    const [record] = (await engine.readRecords(changed)).records
    expect(Object.keys(record!.values)).toEqual(['city', 'name', 'email'])
    expect(record!.values.city).toMatchObject({ value: null, valid: false })
    expect(await engine.countRecords(changed)).toEqual({ total: 1, valid: 0, error: 1 })
    const [back] = (await engine.readRecords(sheet)).records
    expect(back!.values.age!.value).toBe(36)
    expect(back!.valid).toBe(true)
  })
})

describe('writing', () => {
  it('makes no commit when no value changes: same values, or only messages, metadata or config', async () => {
    const sheet = createPeopleSheet()
    const { ids } = await insert(sheet, [createRow('Ada', 'a@x')])
    const [id] = [...ids]
    const same = await update(sheet, [{ id: id!, values: { name: { value: 'Ada' }, age: { value: '' } } }])
    expect(same).toMatchObject({ changed: false, commitId: undefined, outbox: undefined })
    const noted = await update(sheet, [
      { id: id!, values: { name: { messages: [{ type: 'error', message: 'no' }] } }, metadata: { a: 1 } },
    ])
    expect(noted).toMatchObject({ changed: false, commitId: undefined, outbox: undefined, updated: 0 })
    expect(noted.counts).toEqual({ total: 1, valid: 0, error: 1 })
    const [record] = (await engine.readRecords(sheet)).records
    expect(record).toMatchObject({ valid: false, metadata: { a: 1 } })
    expect(await engine.listCommits(sheet.sheetId)).toHaveLength(1)
  })

  it('counts an operation once even if two attempts were appended', async () => {
    const sheet = { ...createPeopleSheet(), fields: [{ key: 'name', type: 'string' }] }
    const ctx = createWriteContext()
    const results = await Promise.all([
      engine.insert(sheet, [createRow('Ada')], ctx, engine.createStore()),
      engine.insert(sheet, [createRow('Ada')], ctx, engine.createStore()),
    ])
    expect(results[0]!.commitId).toBe(results[1]!.commitId)
    expect(await listNames(sheet)).toEqual(['Ada'])
    expect(await engine.listCommits(sheet.sheetId)).toHaveLength(1)
    const [shard] = await listPending(sheet.sheetId)
    expect((await engine.loadUnpublished(sheet.sheetId, shard!.page)).entries).toHaveLength(1)
  })

  it('rejects more than 10,000 records per call', async () => {
    const rows = Array.from({ length: 10_001 }, () => createRow('x'))
    await expect(insert(createPeopleSheet(), rows)).rejects.toMatchObject({
      code: 'too-large',
    })
  })

  it('appends nothing without changes', async () => {
    const sheet = createPeopleSheet()
    expect(await insert(sheet, [])).toMatchObject({ changed: false, created: 0 })
    expect(await remove(sheet, ['us_rc_x_0_0_0'])).toMatchObject({
      changed: false,
      missing: ['us_rc_x_0_0_0'],
    })
    expect(cloud.meter.count('UpdateItem')).toBe(0)
  })
})

describe('import', () => {
  it('becomes visible atomically, and not at all when its source fails', async () => {
    const sheet = createPeopleSheet()
    async function* failingSource() {
      yield* generateRows(25_000)
      throw new Error('the file ended early')
    }
    await expect(importRows(sheet, failingSource())).rejects.toThrow('ended early')
    expect(await engine.countRecords(sheet)).toEqual({ total: 0, valid: 0, error: 0 })
    const ctx = createWriteContext()
    const { created } = await engine.importRows(sheet, generateRows(25_000), ctx)
    expect(created).toBe(25_000)
    expect((await engine.importRows(sheet, generateRows(25_000), ctx, engine.createStore())).counts.total).toBe(25_000)
  })

  it('finds duplicates within itself and with existing records', async () => {
    const sheet = createPeopleSheet()
    await importRows(sheet, generateRows(12_000))
    const more = await importRows(sheet, generateRows(10))
    expect(more.counts).toEqual({ total: 12_010, valid: 11_990, error: 20 })
    const big = await importRows(sheet, generateRows(12_001), engine.createStore())
    expect(big.counts.error).toBe(24_010)
    const { records } = await engine.readRecords(sheet, { filter: 'valid' }, engine.createStore())
    expect(getNames(records)).toEqual(['Person 12000'])
  }, 60_000)

  it('serves a page with at most three requests from a process without cache', async () => {
    const sheet = createPeopleSheet()
    await importRows(sheet, generateRows(30_000))
    for (const query of [
      { pageSize: 1000, pageNumber: 7 },
      { pageSize: 10_000, pageNumber: 2 },
    ]) {
      cloud.meter.reset()
      const page = await engine.listRecords(sheet, query, engine.createStore())
      expect(page.count).toBe(query.pageSize)
      expect(cloud.meter.count()).toBeLessThanOrEqual(3)
      expect(cloud.meter.read).toBeLessThanOrEqual(4)
    }
  })

  it('is stored as one object of segments, one of hashes, and a few small items', async () => {
    const sheet = createPeopleSheet()
    cloud.meter.reset()
    await importRows(sheet, generateRows(30_000))
    expect(cloud.meter.count('PUT')).toBe(2)
    expect(cloud.meter.written).toBeLessThanOrEqual(6)
  })

  it('in objects of several segments is read as written, with one request per object', async () => {
    const sheet = createPeopleSheet()
    const store = engine.createStore({ segmentRows: 3000, objectBytes: 500_000, blobItemBytes: 0 })
    cloud.meter.reset()
    await importRows(sheet, generateRows(30_000), store)
    expect(cloud.meter.count('PUT')).toBeGreaterThan(2)
    cloud.meter.reset()
    const page = { pageSize: 10_000, pageNumber: 3 }
    const { records } = await engine.readRecords(sheet, page, engine.createStore())
    expect(getNames(records)).toEqual(Array.from({ length: 10_000 }, (_, i) => `Person ${20_000 + i}`))
    expect(cloud.meter.count('GET')).toBeLessThanOrEqual(2)
  })
})

describe('edit', () => {
  it('is one write for one cell, or two with an event context', async () => {
    const sheet = { ...createPeopleSheet(), constraints: null }
    const { ids } = await importRows(sheet, generateRows(20_000))
    const all = [...ids]
    const event = {
      accountId: 'us_acc_1',
      environmentId: 'us_env_1',
      spaceId: 'us_sp_1',
      workbookId: 'us_wb_1',
      slug: 'people',
    }
    const counts = []
    for (let i = 0; i < 5; i++) {
      cloud.meter.reset()
      await engine.update(
        sheet,
        [{ id: all[i * 3000]!, values: { age: { value: 100 + i } } }],
        createWriteContext('us_usr_1', { event }),
      )
      counts.push(cloud.meter.count('UpdateItem') + cloud.meter.count('PutItem'))
      expect(cloud.meter.written).toBeLessThanOrEqual(7)
    }
    expect(counts).toEqual([2, 1, 1, 1, 1])
  })

  it('reads a block of hashes a single time if the value is unique', async () => {
    const sheet = createPeopleSheet()
    const { ids } = await importRows(sheet, generateRows(20_000))
    const edited = [...ids].slice(0, 30)
    const store = engine.createStore()
    cloud.meter.reset()
    for (const [at, id] of edited.entries())
      await update(sheet, [{ id, values: { email: { value: `${at}@y` } } }], store)
    expect(cloud.meter.count('GET')).toBeLessThan(15)
  })
})

const listPending = async (sheetId: string) => {
  const shards = await Promise.all(
    Array.from({ length: engine.PENDING_SHARDS }, (_, shard) => engine.listPendingPages(shard)),
  )
  return shards.flat().filter((page) => page.sheetId === sheetId)
}

describe('log as outbox', () => {
  it('lists a page until all its commits are published, by any process in any order', async () => {
    const sheet = createPeopleSheet()
    const event = { accountId: 'us_acc_1', long: 'x'.repeat(100) }
    const a = await engine.insert(sheet, [createRow('Ada')], createWriteContext('us_usr_a', { event }))
    await update(sheet, [{ id: [...a.ids][0]!, metadata: { quiet: 1 } }])
    const b = await engine.insert(sheet, [createRow('Bob')], createWriteContext('us_usr_b', { silent: true }))
    expect(a.outbox!.entries).toMatchObject([
      { commitId: a.commitId, actorId: 'us_usr_a', event, kind: 'add', silent: false },
    ])
    expect(b.outbox!.entries).toMatchObject([{ commitId: b.commitId, silent: true }])
    const [page] = await listPending(sheet.sheetId)
    expect(page).toEqual({ sheetId: sheet.sheetId, page: 0, since: '2026-01-02T03:04:05.678Z' })
    const waiting = await engine.loadUnpublished(sheet.sheetId, 0)
    expect(waiting.entries.map(({ commitId }) => commitId)).toEqual([a.commitId, b.commitId])
    expect(waiting.entries[0]!.event).toEqual(event)
    expect(await engine.markPublished(sheet.sheetId, b.outbox!.entries)).toBe(false)
    expect((await engine.loadUnpublished(sheet.sheetId, 0)).entries.map(({ commitId }) => commitId)).toEqual([
      a.commitId,
    ])
    expect(await engine.markPublished(sheet.sheetId, a.outbox!.entries)).toBe(true)
    expect(await listPending(sheet.sheetId)).toEqual([])
    const c = await insert(sheet, [createRow('Cy')])
    expect(await listPending(sheet.sheetId)).toHaveLength(1)
    cloud.meter.reset()
    expect(await engine.markPublished(sheet.sheetId, c.outbox!.entries)).toBe(true)
    expect(cloud.meter.count()).toBe(1)
  })

  it('does not miss a commit that arrives while another is being published', async () => {
    const sheet = createPeopleSheet()
    const a = await insert(sheet, [createRow('Ada')])
    const b = await insert(sheet, [createRow('Bob')])
    expect(await engine.markPublished(sheet.sheetId, a.outbox!.entries)).toBe(false)
    const [page] = await listPending(sheet.sheetId)
    expect((await engine.loadUnpublished(sheet.sheetId, page!.page)).entries).toMatchObject([{ commitId: b.commitId }])
  })

  it('reconstructs a change of many rows', async () => {
    const sheet = createPeopleSheet()
    const { ids } = await importRows(sheet, generateRows(1200))
    const updates = [...ids].map((id, i) => ({ id, values: { name: { value: i % 2 ? `N${i}` : `Person ${i}` } } }))
    const result = await update(sheet, updates)
    expect(result.updated).toBe(600)
    expect(result.outbox!.entries[0]!.kind).toBe('columns')
    const rebuilt = await engine.readCommitRecords(sheet, result.commitId!, engine.createStore())
    expect(await collect(rebuilt!.changes)).toEqual(await collect(result.changes))
    expect(await engine.countRecords(sheet, { commitId: result.commitId })).toMatchObject({ total: 600 })
  })
})

describe('commits', () => {
  it('are listed newest first, found by id, and completed once', async () => {
    const sheet = createPeopleSheet()
    const made = []
    for (let i = 0; i < 20; i++) made.push((await insert(sheet, [createRow(`P${i}`)])).commitId!)
    const all = await engine.listCommits(sheet.sheetId)
    expect(all.map(({ id }) => id)).toEqual(made.toReversed())
    const second = await engine.listCommits(sheet.sheetId, { pageSize: 6, pageNumber: 2 })
    expect(second.map(({ id }) => id)).toEqual(made.toReversed().slice(6, 12))
    const at = '2026-02-03T04:05:06.000Z'
    expect(await engine.completeCommit(sheet.sheetId, made[3]!, { actorId: 'us_usr_c', at })).toMatchObject({
      completedBy: 'us_usr_c',
      completedAt: at,
    })
    await engine.completeCommit(sheet.sheetId, made[3]!, { actorId: 'us_usr_d', at: new Date() })
    expect(await engine.readCommit(sheet.sheetId, made[3]!)).toEqual({
      id: made[3],
      sheetId: sheet.sheetId,
      createdBy: 'us_usr_test',
      createdAt: '2026-01-02T03:04:05.678Z',
      op: expect.any(String),
      completedBy: 'us_usr_c',
      completedAt: at,
    })
    expect((await engine.listCommits(sheet.sheetId, { completed: true })).map(({ id }) => id)).toEqual([made[3]])
    expect(await engine.listCommits(sheet.sheetId, { completed: false })).toHaveLength(19)
    expect(await engine.readCommit(sheet.sheetId, `${made[0]}9`)).toBeUndefined()
    expect(await engine.completeCommit(sheet.sheetId, 'us_vr_x_0', { actorId: 'a', at })).toBeUndefined()
  })
})
