/** What the record engine promises to its callers, against a real table and bucket. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { SheetRef, WireRecord } from '../../../lib/records/sheet.ts'
import { by, collected, newSheetId, type RecordCloud, recordCloud } from '../../support/records.ts'

type Engine = typeof import('../../../lib/records/index.ts')
let cloud: RecordCloud
let engine: Engine

beforeAll(async () => {
  cloud = await recordCloud()
  engine = await import('../../../lib/records/index.ts')
})
afterAll(() => cloud.close())
beforeEach(() => {
  cloud.intercept.before = undefined
  cloud.meter.reset()
})

const people = (): SheetRef => ({
  sheetId: newSheetId(),
  fields: [
    { key: 'name', type: 'string', constraints: [{ type: 'required' }] },
    { key: 'email', type: 'string', constraints: [{ type: 'unique' }] },
    { key: 'age', type: 'number' },
  ],
})

const row = (name: unknown, email?: unknown, age?: unknown) => ({
  values: { name: { value: name }, email: { value: email }, age: { value: age } },
})
async function* rowsOf(count: number, perBatch = 4096) {
  for (let from = 0; from < count; from += perBatch) {
    const length = Math.min(perBatch, count - from)
    const rows = Array.from({ length }, (_, i) => [`Person ${from + i}`, `p${from + i}@example.com`, String(from + i)])
    yield { keys: ['name', 'email', 'age'], rows }
  }
}
const names = (records: readonly WireRecord[]) => records.map(({ values }) => values.name?.value)
const listed = async (sheet: SheetRef, query = {}) => names((await engine.read(sheet, query)).records)

describe('records on the wire', () => {
  it('have every field of the sheet, empty ones too, and metadata and config', async () => {
    const sheet = people()
    await engine.insert(sheet, [{ values: { name: { value: 'Ada' } } }], by())
    const { records } = await engine.read(sheet)
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

  it('keep odd keys and texts as data', async () => {
    const keys = ['__proto__', 'constructor', 'a.b', 'ü "q"', 'messages']
    const sheet = { sheetId: newSheetId(), fields: keys.map((key) => ({ key, type: 'string' })) }
    const text = '\u0000\n,\n"\\ \ud800 😀'
    const values = JSON.parse(JSON.stringify(Object.fromEntries(keys.map((key) => [key, { value: text }]))))
    await engine.insert(sheet, [{ values }], by())
    const [record] = (await engine.read(sheet)).records
    for (const key of keys) expect(Object.getOwnPropertyDescriptor(record!.values, key)?.value.value).toBe(text)
  })

  it('show a field that came later as empty, and no longer one that went', async () => {
    const sheet = people()
    await engine.insert(sheet, [row('Ada', 'a@x', 36)], by())
    const [name, email] = sheet.fields
    const changed = {
      ...sheet,
      fields: [{ key: 'city', type: 'string', constraints: [{ type: 'required' }] }, name!, email!],
    }
    const [record] = (await engine.read(changed)).records
    expect(Object.keys(record!.values)).toEqual(['city', 'name', 'email'])
    expect(record!.values.city).toMatchObject({ value: null, valid: false })
    expect(await engine.counts(changed)).toEqual({ total: 1, valid: 0, error: 1 })
    const [back] = (await engine.read(sheet)).records
    expect(back!.values.age!.value).toBe(36)
    expect(back!.valid).toBe(true)
  })
})

describe('writing', () => {
  it('makes no commit when no value changes: the same values, messages, metadata or config alone', async () => {
    const sheet = people()
    const { ids } = await engine.insert(sheet, [row('Ada', 'a@x')], by())
    const [id] = [...ids]
    const same = await engine.update(sheet, [{ id: id!, values: { name: { value: 'Ada' }, age: { value: '' } } }], by())
    expect(same).toMatchObject({ changed: false, commitId: undefined, outbox: undefined })
    const noted = await engine.update(
      sheet,
      [{ id: id!, values: { name: { messages: [{ type: 'error', message: 'no' }] } }, metadata: { a: 1 } }],
      by(),
    )
    expect(noted).toMatchObject({ changed: false, commitId: undefined, outbox: undefined, updated: [] })
    expect(noted.counts).toEqual({ total: 1, valid: 0, error: 1 })
    const [record] = (await engine.read(sheet)).records
    expect(record).toMatchObject({ valid: false, metadata: { a: 1 } })
    expect(await engine.commits(sheet.sheetId)).toHaveLength(1)
  })

  it('clears the message on one duplicate when the other is fixed, across commits', async () => {
    const sheet = people()
    await engine.insert(sheet, [row('Ada', 'same@x')], by())
    const second = await engine.insert(sheet, [row('Bob', 'same@x')], by())
    expect(second.counts.error).toBe(2)
    const [bob] = [...second.ids]
    const fixed = await engine.update(sheet, [{ id: bob!, values: { email: { value: 'bob@x' } } }], by())
    expect(fixed.counts.error).toBe(0)
    const again = await engine.update(sheet, [{ id: bob!, values: { email: { value: 'same@x' } } }], by())
    expect(again.counts.error).toBe(2)
    expect((await engine.remove(sheet, [bob!], by())).counts).toEqual({ total: 1, valid: 1, error: 0 })
  })

  it('compares several fields together where the sheet says so', async () => {
    const sheet = {
      ...people(),
      fields: ['a', 'b'].map((key) => ({ key, type: 'string' })),
      constraints: [{ type: 'unique', name: 'both', fields: ['a', 'b'], strategy: 'concat' }],
    }
    const pair = (a: string, b: string) => ({ values: { a: { value: a }, b: { value: b } } })
    await engine.insert(sheet, [pair('x', 'y'), pair('x', 'z')], by())
    const { counts, ids } = await engine.insert(sheet, [pair('x', 'y')], by())
    expect(counts).toEqual({ total: 3, valid: 1, error: 2 })
    const [record] = (await engine.read(sheet, { ids: [...ids] })).records
    for (const key of ['a', 'b'])
      expect(record!.values[key]!.messages[0]).toMatchObject({ source: 'unique-constraint' })
    const [last] = [...ids]
    expect((await engine.update(sheet, [{ id: last!, values: { b: { value: 'q' } } }], by())).counts.error).toBe(0)
  })

  it('counts an operation once, however often it is repeated', async () => {
    const sheet = people()
    const ctx = by()
    const first = await engine.insert(sheet, [row('Ada')], ctx)
    const again = await engine.insert(sheet, [row('Ada')], ctx, engine.newStore())
    expect(again.commitId).toBe(first.commitId)
    expect([...again.ids]).toEqual([...first.ids])
    expect(again.counts.total).toBe(1)
    expect(await engine.commits(sheet.sheetId)).toHaveLength(1)
  })

  it('counts an operation once when both of two attempts were appended', async () => {
    const sheet = { ...people(), fields: [{ key: 'name', type: 'string' }] }
    const ctx = by()
    const results = await Promise.all([
      engine.insert(sheet, [row('Ada')], ctx, engine.newStore()),
      engine.insert(sheet, [row('Ada')], ctx, engine.newStore()),
    ])
    expect(results[0]!.commitId).toBe(results[1]!.commitId)
    expect(await listed(sheet)).toEqual(['Ada'])
    expect(await engine.commits(sheet.sheetId)).toHaveLength(1)
    const [shard] = await pendingOf(sheet.sheetId)
    expect((await engine.unpublished(sheet.sheetId, shard!.page)).entries).toHaveLength(1)
  })

  it('refuses more than 10,000 records in a call', async () => {
    const rows = Array.from({ length: 10_001 }, () => row('x'))
    await expect(engine.insert(people(), rows, by())).rejects.toMatchObject({ code: 'too-large' })
  })

  it('of nothing appends nothing', async () => {
    const sheet = people()
    expect(await engine.insert(sheet, [], by())).toMatchObject({ changed: false, created: 0 })
    expect(await engine.remove(sheet, ['us_rc_x_0_0_0'], by())).toMatchObject({
      changed: false,
      missing: ['us_rc_x_0_0_0'],
    })
    expect(cloud.meter.count('UpdateItem')).toBe(0)
  })
})

describe('an import', () => {
  it('is visible all at once, or not at all when its source fails', async () => {
    const sheet = people()
    async function* broken() {
      yield* rowsOf(25_000)
      throw new Error('the file ended early')
    }
    await expect(engine.importRows(sheet, broken(), by())).rejects.toThrow('ended early')
    expect(await engine.counts(sheet)).toEqual({ total: 0, valid: 0, error: 0 })
    const ctx = by()
    const { created } = await engine.importRows(sheet, rowsOf(25_000), ctx)
    expect(created).toBe(25_000)
    expect((await engine.importRows(sheet, rowsOf(25_000), ctx, engine.newStore())).counts.total).toBe(25_000)
  })

  it('finds duplicates within itself and with what was there', async () => {
    const sheet = people()
    await engine.importRows(sheet, rowsOf(12_000), by())
    const more = await engine.importRows(sheet, rowsOf(10), by())
    expect(more.counts).toEqual({ total: 12_010, valid: 11_990, error: 20 })
    const big = await engine.importRows(sheet, rowsOf(12_001), by(), engine.newStore())
    expect(big.counts.error).toBe(24_010)
    const { records } = await engine.read(sheet, { filter: 'valid' }, engine.newStore())
    expect(names(records)).toEqual(['Person 12000'])
  }, 60_000)

  it('makes a page of records cost at most three requests, by a process that knows nothing of the sheet', async () => {
    const sheet = people()
    await engine.importRows(sheet, rowsOf(30_000), by())
    for (const query of [
      { pageSize: 1000, pageNumber: 7 },
      { pageSize: 10_000, pageNumber: 2 },
    ]) {
      cloud.meter.reset()
      const page = await engine.list(sheet, query, engine.newStore())
      expect(page.count).toBe(query.pageSize)
      expect(cloud.meter.count()).toBeLessThanOrEqual(3)
      expect(cloud.meter.read).toBeLessThanOrEqual(4)
    }
  })

  it('is one object a segment and a few small items', async () => {
    const sheet = people()
    cloud.meter.reset()
    await engine.importRows(sheet, rowsOf(30_000), by())
    expect(cloud.meter.count('PUT')).toBe(4)
    expect(cloud.meter.written).toBeLessThanOrEqual(6)
  })
})

describe('an edit', () => {
  it('of one cell is one write, two with an event context of its own', async () => {
    const sheet = { ...people(), constraints: null }
    const { ids } = await engine.importRows(sheet, rowsOf(20_000), by())
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
        by('us_usr_1', { event }),
      )
      counts.push(cloud.meter.count('UpdateItem') + cloud.meter.count('PutItem'))
      expect(cloud.meter.written).toBeLessThanOrEqual(7)
    }
    expect(counts).toEqual([2, 1, 1, 1, 1])
  })

  it('by one of eight writers is never lost, also when they meet at the same cells', async () => {
    const sheet = people()
    const { ids } = await engine.importRows(sheet, rowsOf(60), by(), engine.newStore({ segmentRows: 25 }))
    const all = [...ids]
    const last = new Map<string, { seq: number; value: string }>()
    const writer = async (w: number): Promise<void> => {
      const store = engine.newStore()
      for (let i = 0; i < 20; i++) {
        const id = all[(w * 7 + i * 11) % 12]!
        const field = i % 4 === 0 ? 'email' : 'name'
        const value = `w${w} ${i}`
        const { commitId } = await engine.update(
          sheet,
          [{ id, values: { [field]: { value } } }],
          by(`us_usr_${w}`),
          store,
        )
        const seq = Number(commitId!.split('_').at(-1))
        const cell = `${id} ${field}`
        if (seq > (last.get(cell)?.seq ?? -1)) last.set(cell, { seq, value })
      }
    }
    await Promise.all(Array.from({ length: 8 }, (_, w) => writer(w)))
    const { records } = await engine.read(sheet, {}, engine.newStore())
    for (const [cell, { value }] of last) {
      const [id, field] = cell.split(' ')
      expect(records.find((record) => record.id === id)!.values[field!]!.value).toBe(value)
    }
    expect(await engine.commits(sheet.sheetId, { pageSize: 1000 })).toHaveLength(161)
    const fresh = await engine.counts(sheet, {}, engine.newStore())
    expect(fresh.error).toBe(records.filter(({ valid }) => !valid).length)
  }, 60_000)
})

const pendingOf = async (sheetId: string) => {
  const shards = await Promise.all(
    Array.from({ length: engine.PENDING_SHARDS }, (_, shard) => engine.pendingPages(shard)),
  )
  return shards.flat().filter((page) => page.sheetId === sheetId)
}

describe('the log as outbox', () => {
  it('lists a page until all its commits are published, by whomever and in any order', async () => {
    const sheet = people()
    const event = { accountId: 'us_acc_1', long: 'x'.repeat(100) }
    const a = await engine.insert(sheet, [row('Ada')], by('us_usr_a', { event }))
    await engine.update(sheet, [{ id: [...a.ids][0]!, metadata: { quiet: 1 } }], by())
    const b = await engine.insert(sheet, [row('Bob')], by('us_usr_b', { silent: true }))
    expect(a.outbox!.entries).toMatchObject([
      { commitId: a.commitId, actorId: 'us_usr_a', event, kind: 'add', silent: false },
    ])
    expect(b.outbox!.entries).toMatchObject([{ commitId: b.commitId, silent: true }])
    const [page] = await pendingOf(sheet.sheetId)
    expect(page).toEqual({ sheetId: sheet.sheetId, page: 0, since: '2026-01-02T03:04:05.678Z' })
    const waiting = await engine.unpublished(sheet.sheetId, 0)
    expect(waiting.entries.map(({ commitId }) => commitId)).toEqual([a.commitId, b.commitId])
    expect(waiting.entries[0]!.event).toEqual(event)
    expect(await engine.markPublished(sheet.sheetId, b.outbox!.entries)).toBe(false)
    expect((await engine.unpublished(sheet.sheetId, 0)).entries.map(({ commitId }) => commitId)).toEqual([a.commitId])
    expect(await engine.markPublished(sheet.sheetId, a.outbox!.entries)).toBe(true)
    expect(await pendingOf(sheet.sheetId)).toEqual([])
    const c = await engine.insert(sheet, [row('Cy')], by())
    expect(await pendingOf(sheet.sheetId)).toHaveLength(1)
    cloud.meter.reset()
    expect(await engine.markPublished(sheet.sheetId, c.outbox!.entries)).toBe(true)
    expect(cloud.meter.count()).toBe(1)
  })

  it('does not forget a commit that came while another was being published', async () => {
    const sheet = people()
    const a = await engine.insert(sheet, [row('Ada')], by())
    const b = await engine.insert(sheet, [row('Bob')], by())
    expect(await engine.markPublished(sheet.sheetId, a.outbox!.entries)).toBe(false)
    const [page] = await pendingOf(sheet.sheetId)
    expect((await engine.unpublished(sheet.sheetId, page!.page)).entries).toMatchObject([{ commitId: b.commitId }])
  })

  it('rebuilds what a commit did', async () => {
    const sheet = people()
    const a = await engine.insert(sheet, [row('Ada', 'a@x'), row('Bob', 'b@x')], by())
    const [ada, bob] = [...a.ids]
    const b = await engine.update(sheet, [{ id: ada!, values: { name: { value: 'Eve' }, age: { value: 3 } } }], by())
    const c = await engine.remove(sheet, [bob!], by())
    const made = await engine.recordsOfCommit(sheet, a.commitId!)
    expect([...made!.created]).toEqual([ada, bob])
    const edited = await engine.recordsOfCommit(sheet, b.commitId!)
    expect(edited).toMatchObject({ updated: [ada], deleted: [] })
    expect(await collected(edited!.changes)).toEqual(b.changes)
    expect(await engine.recordsOfCommit(sheet, c.commitId!)).toMatchObject({ updated: [], deleted: [bob] })
    expect(await engine.recordsOfCommit(sheet, 'us_vr_other_1')).toBeUndefined()
  })

  it('rebuilds a change of many rows too', async () => {
    const sheet = people()
    const { ids } = await engine.importRows(sheet, rowsOf(1200), by())
    const updates = [...ids].map((id, i) => ({ id, values: { name: { value: i % 2 ? `N${i}` : `Person ${i}` } } }))
    const result = await engine.update(sheet, updates, by())
    expect(result.updated).toHaveLength(600)
    expect(result.outbox!.entries[0]!.kind).toBe('columns')
    const rebuilt = await engine.recordsOfCommit(sheet, result.commitId!, engine.newStore())
    expect(await collected(rebuilt!.changes)).toEqual(result.changes)
    expect(await engine.counts(sheet, { commitId: result.commitId })).toMatchObject({ total: 600 })
  })
})

describe('commits', () => {
  it('are listed newest first, found by id, and completed once', async () => {
    const sheet = people()
    const made = []
    for (let i = 0; i < 20; i++) made.push((await engine.insert(sheet, [row(`P${i}`)], by())).commitId!)
    const all = await engine.commits(sheet.sheetId)
    expect(all.map(({ id }) => id)).toEqual(made.toReversed())
    const second = await engine.commits(sheet.sheetId, { pageSize: 6, pageNumber: 2 })
    expect(second.map(({ id }) => id)).toEqual(made.toReversed().slice(6, 12))
    const at = '2026-02-03T04:05:06.000Z'
    expect(await engine.completeCommit(sheet.sheetId, made[3]!, { actorId: 'us_usr_c', at })).toMatchObject({
      completedBy: 'us_usr_c',
      completedAt: at,
    })
    await engine.completeCommit(sheet.sheetId, made[3]!, { actorId: 'us_usr_d', at: new Date() })
    expect(await engine.commit(sheet.sheetId, made[3]!)).toEqual({
      id: made[3],
      sheetId: sheet.sheetId,
      createdBy: 'us_usr_test',
      createdAt: '2026-01-02T03:04:05.678Z',
      completedBy: 'us_usr_c',
      completedAt: at,
    })
    expect((await engine.commits(sheet.sheetId, { completed: true })).map(({ id }) => id)).toEqual([made[3]])
    expect(await engine.commits(sheet.sheetId, { completed: false })).toHaveLength(19)
    expect(await engine.commit(sheet.sheetId, `${made[0]}9`)).toBeUndefined()
    expect(await engine.completeCommit(sheet.sheetId, 'us_vr_x_0', { actorId: 'a', at })).toBeUndefined()
  })
})
