/** Writes that insert, update and delete in one commit, and the limits of a sheet. */
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '../../../lib/records/log/store.ts'
import type { Field, RecordInput, RecordUpdate, SheetRef } from '../../../lib/records/sheet.ts'
import type { WriteOptions, WritePart } from '../../../lib/records/write/write.ts'
import { by, collected, newSheetId, type RecordCloud, recordCloud } from '../../support/records.ts'
import { insertRows, type Model, removeRows, updateRows, wireCounts, wireRecords } from './model.ts'

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

const FIELDS: Field[] = [
  { key: 'code', type: 'string', constraints: [{ type: 'unique' }] },
  { key: 'name', type: 'string', constraints: [{ type: 'required' }, { type: 'unique', config: { level: 'warn' } }] },
  { key: 'amount', type: 'number' },
]
const newSheet = (): SheetRef => ({ sheetId: newSheetId(), fields: FIELDS })
const input = (code: unknown, name: unknown = `n ${String(code)}`, amount: unknown = 1): RecordInput => ({
  values: { code: { value: code }, name: { value: name }, amount: { value: amount } },
})
const rowsPart = (rows: readonly RecordInput[]): WritePart => ({
  keys: FIELDS.map(({ key }) => key),
  rows: rows.map(({ values }) => FIELDS.map(({ key }) => values[key]?.value)),
  extras: rows.map(({ metadata, config }) => ({ metadata, config })),
})
async function* parts(...list: WritePart[]) {
  yield* list
}
const codes = async (sheet: SheetRef, store = engine.newStore()) =>
  (await engine.read(sheet, {}, store)).records.map(({ values }) => values.code!.value)

/** One write as the model sees it. */
interface Mixed {
  inserts: RecordInput[]
  updates: RecordUpdate[]
  deletes: string[]
  truncate: boolean
}

function applyTo(model: Model, { inserts, updates, deletes, truncate }: Mixed, ids: readonly string[]): string[] {
  removeRows(model, truncate ? model.rows.map(({ id }) => id) : deletes)
  const changed = updateRows(model, updates)
  insertRows(model, ids, inserts)
  return changed
}

const seqOf = (commitId: string): number => Number(commitId.slice(commitId.lastIndexOf('_') + 1))

describe('a write of inserts, updates and deletes', () => {
  it('is one commit, told whole by its entry, and answered the same when repeated', async () => {
    const sheet = newSheet()
    const { ids } = await engine.insert(
      sheet,
      ['a', 'b', 'c', 'd'].map((code) => input(code)),
      by(),
    )
    const [a, b, c, d] = [...ids] as [string, string, string, string]
    const ctx = by()
    const source = () =>
      parts(
        rowsPart([input('a'), input('e')]),
        {
          updates: [
            { id: b, values: { code: { value: 'e' } } },
            { id: d, values: { code: { value: 'x' } } },
          ],
        },
        { deletes: [d, c, 'us_rc_0_0_0_0'] },
        rowsPart([input('f')]),
        { updates: [{ id: 'us_rc_0_0_0_1', metadata: {} }] },
      )
    const first = await engine.write(sheet, source(), ctx)
    expect(first).toMatchObject({ created: 3, updated: 1, removed: 2, changed: true })
    expect(first.missing).toEqual(['us_rc_0_0_0_1', 'us_rc_0_0_0_0'])
    expect(first.outbox!.entries[0]).toMatchObject({ kind: 'write', commitId: first.commitId })
    expect(first.counts).toEqual({ total: 5, valid: 1, error: 4 })
    expect(await codes(sheet)).toEqual(['a', 'e', 'a', 'e', 'f'])
    const told = await engine.recordsOfCommit(sheet, first.commitId!)
    expect([...told!.created]).toEqual([...first.createdIds])
    expect(told).toMatchObject({ updated: [b], deleted: [c, d] })
    const change = { recordId: b, fieldKey: 'code', previousValue: 'b', newValue: 'e' }
    expect(await collected(told!.changes)).toEqual([change])
    for (const store of [engine.newStore(), undefined]) {
      const again = await engine.write(sheet, source(), ctx, {}, store)
      expect(again).toMatchObject({ created: 3, updated: 1, removed: 2, commitId: first.commitId, outbox: undefined })
      expect([...again.createdIds]).toEqual([...first.createdIds])
      expect([[...again.updatedIds], [...again.removedIds].sort()]).toEqual([[b], [...first.removedIds].sort()])
      for (const { changes } of [first, again]) {
        expect(await collected(changes)).toEqual([change])
      }
    }
    expect((await engine.counts(sheet, {}, engine.newStore())).total).toBe(5)
    expect([...(await engine.insert(sheet, [input('z')], by())).ids]).not.toContain(a)
  })

  it('replaces all records there are when told to, in the same commit', async () => {
    const sheet = newSheet()
    await engine.insert(
      sheet,
      ['a', 'a', 'b'].map((code) => input(code)),
      by(),
    )
    const result = await engine.write(sheet, parts(rowsPart([input('a'), input('c')])), by(), { truncate: true })
    expect(result).toMatchObject({ created: 2, removed: 3, counts: { total: 2, valid: 2, error: 0 } })
    expect(await codes(sheet)).toEqual(['a', 'c'])
  })

  it('shows nothing when its source fails', async () => {
    const sheet = newSheet()
    async function* broken() {
      yield rowsPart([input('a')])
      throw new Error('gone')
    }
    await expect(engine.write(sheet, broken(), by(), { truncate: true })).rejects.toThrow('gone')
    expect(await engine.counts(sheet)).toMatchObject({ total: 0 })
  })
})

describe('an operation repeated', () => {
  it('answers what the first update and the first removal did', async () => {
    const sheet = newSheet()
    const [a, b] = [...(await engine.insert(sheet, [input('a'), input('b')], by())).ids] as [string, string]
    const [edit, removal] = [by(), by()]
    const updates: RecordUpdate[] = [
      { id: a, values: { code: { value: 'x' } } },
      { id: b, values: { code: { value: 'b' } } },
      { id: 'us_rc_0_0_0_0', values: {} },
    ]
    const updated = await engine.update(sheet, updates, edit)
    const removed = await engine.remove(sheet, [b, 'us_rc_0_0_0_0'], removal)
    const store = engine.newStore()
    const { outbox: _, counts: __, ...wanted } = updated
    expect(await engine.update(sheet, updates, edit, store)).toMatchObject(wanted)
    expect(wanted).toMatchObject({ updated: [a], missing: ['us_rc_0_0_0_0'] })
    const again = await engine.remove(sheet, [b, 'us_rc_0_0_0_0'], removal, store)
    expect(again).toMatchObject({ removed: 1, missing: ['us_rc_0_0_0_0'], commitId: removed.commitId })
    expect([...again.ids]).toEqual([b])
  })
})

describe('limits', () => {
  it('of records hold exactly, also when many insert at once', async () => {
    const sheet: SheetRef = { sheetId: newSheetId(), fields: [{ key: 'code', type: 'string' }] }
    const stores = Array.from({ length: 6 }, () => engine.newStore({ sheetRows: 20 }))
    const results = await Promise.allSettled(
      stores.flatMap((store) =>
        [1, 2].map(() => engine.insert(sheet, [input('a'), input('b'), input('c')], by(), store)),
      ),
    )
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
    expect(await engine.counts(sheet, {}, engine.newStore())).toMatchObject({ total: 18 })
    expect(refused).toHaveLength(6)
    expect(refused[0]).toMatchObject({ code: 'conflict' })
    expect(refused[0].message).toBe('A sheet holds at most 20 records; this one has 18.')
    const one = await engine.write(sheet, parts(rowsPart([input('x')])), by(), { truncate: true, limit: 1 }, stores[0])
    expect(one.counts.total).toBe(1)
    const second = engine.write(sheet, parts(rowsPart([input('y')])), by(), { limit: 1 }, stores[0])
    await expect(second).rejects.toMatchObject({ code: 'conflict' })
  })

  it('of records hold when a large import meets small inserts that looked before it', async () => {
    const sheet: SheetRef = { sheetId: newSheetId(), fields: [{ key: 'code', type: 'string' }] }
    const options = { sheetRows: 180_000 }
    const slow = engine.newStore(options)
    await engine.insert(sheet, [input('first')], by(), slow)
    let arrived: (() => void) | undefined
    let held: (() => void) | undefined
    const waiting = new Promise<void>((resolve) => {
      arrived = resolve
    })
    cloud.intercept.before = async (operation) => {
      if (operation !== 'UpdateItem') return
      cloud.intercept.before = undefined
      await new Promise<void>((resolve) => {
        held = resolve
        arrived!()
      })
    }
    const small = engine.insert(sheet, [input('late')], by(), slow)
    await waiting
    async function* many() {
      for (let i = 0; i < 9; i++) yield { keys: [], rows: Array.from({ length: 20_000 }, () => []) }
      yield { keys: [], rows: [] }
    }
    await engine.remove(sheet, { filter: 'all' }, by(), engine.newStore(options))
    await engine.importRows(sheet, many(), by(), engine.newStore(options))
    held!()
    await expect(small).rejects.toMatchObject({ code: 'conflict' })
    expect((await engine.counts(sheet, {}, engine.newStore())).total).toBe(180_000)
  }, 60_000)

  it('stop an import as soon as it cannot fit any more', async () => {
    const sheet = newSheet()
    const store = engine.newStore({ sheetRows: 50, segmentRows: 10 })
    let asked = 0
    async function* endless() {
      for (;;) yield { keys: ['code'], rows: Array.from({ length: 10 }, () => [++asked]) }
    }
    await expect(engine.importRows(sheet, endless(), by(), store)).rejects.toMatchObject({ code: 'conflict' })
    expect(asked).toBe(60)
    expect(cloud.meter.count('UpdateItem')).toBe(0)
  })

  it('of one value and of metadata are told by row or record, and what is below them is kept', async () => {
    const sheet = newSheet()
    const large = 'x'.repeat(4 * 1024 * 1024 - 2)
    const { ids } = await engine.insert(
      sheet,
      [input('a', large), { ...input('b'), metadata: { m: 'y'.repeat(60_000) } }],
      by(),
    )
    const [a, b] = [...ids] as [string, string]
    await engine.update(sheet, [{ id: b, values: { name: { value: large } } }], by())
    const { records } = await engine.read(sheet, {}, engine.newStore())
    expect(records.map(({ values }) => String(values.name!.value).length)).toEqual([large.length, large.length])
    const problem = (key: string, message: string) => ({
      problems: [{ key, message: expect.stringContaining(message) }],
    })
    await expect(engine.insert(sheet, [input('c'), input('d', `${large}x`)], by())).rejects.toMatchObject(
      problem('values.name', 'row 1'),
    )
    await expect(
      engine.insert(sheet, [{ ...input('e'), config: { m: 'y'.repeat(66_000) } }], by()),
    ).rejects.toMatchObject(problem('config', 'row 0'))
    await expect(
      engine.update(sheet, [{ id: a, values: { name: { value: `${large}x` } } }], by()),
    ).rejects.toMatchObject(problem('values.name', a))
    await expect(engine.update(sheet, [{ id: a, metadata: { m: 'y'.repeat(66_000) } }], by())).rejects.toMatchObject(
      problem('metadata', a),
    )
    expect(await engine.counts(sheet)).toMatchObject({ total: 2 })
  }, 60_000)
})

const value = fc.oneof(
  fc.constantFrom<unknown>('x', 'y', '', null, 1, 'n/a'),
  fc.nat(20).map((at) => `v${at}`),
)
const values = fc.record({ code: value, name: value, amount: value }, { requiredKeys: [] })
const write = fc.record({
  inserts: fc.array(values, { maxLength: 9 }),
  updates: fc.array(fc.tuple(fc.nat(1000), values), { maxLength: 6 }),
  deletes: fc.array(fc.nat(1000), { maxLength: 4 }),
  truncate: fc.oneof({ weight: 8, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  repeat: fc.boolean(),
})
type Drawn = typeof write extends fc.Arbitrary<infer T> ? T : never
const step = fc.array(write, { minLength: 1, maxLength: 3 })

const cellsOf = (drawn: object) =>
  Object.fromEntries(Object.entries(drawn).map(([key, one]) => [key, { value: one as unknown }]))

function mixedOf(model: Model, drawn: Drawn): Mixed {
  const pick = (at: number): string[] => (model.rows.length ? [model.rows[at % model.rows.length]!.id] : [])
  const updates = new Map(
    drawn.updates.flatMap(([at, own]) => pick(at).map((id) => [id, { id, values: cellsOf(own) }] as const)),
  )
  return {
    inserts: drawn.inserts.map((own) => ({ values: cellsOf(own) })),
    updates: [...updates.values()],
    deletes: [...new Set(drawn.deletes.flatMap(pick))],
    truncate: drawn.truncate,
  }
}

async function perform(sheet: SheetRef, mixed: Mixed, store: Store, other: Store, repeat: boolean) {
  const ctx = by()
  const { inserts, updates, deletes, truncate } = mixed
  const half = Math.ceil(inserts.length / 2)
  const source = () => parts(rowsPart(inserts.slice(0, half)), { updates }, { deletes }, rowsPart(inserts.slice(half)))
  const options: WriteOptions = { truncate }
  const result = await engine.write(sheet, source(), ctx, options, store)
  if (repeat && result.commitId) {
    const again = await engine.write(sheet, source(), ctx, options, other)
    expect([...again.createdIds]).toEqual([...result.createdIds])
    expect([...again.updatedIds].sort()).toEqual([...result.updatedIds].sort())
    expect([...again.removedIds].sort()).toEqual([...result.removedIds].sort())
    expect(again.commitId).toBe(result.commitId)
  }
  return { mixed, result }
}

const run = (options: Partial<Store>, numRuns: number) =>
  fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10 }), async (steps) => {
      const sheet = newSheet()
      const model: Model = { fields: FIELDS, rows: [] }
      const stores = Array.from({ length: 4 }, () => engine.newStore(options))
      let turn = 0
      const next = (): Store => stores[turn++ % stores.length]!
      for (const together of steps) {
        const results = await Promise.all(
          together.map((drawn) => perform(sheet, mixedOf(model, drawn), next(), next(), drawn.repeat)),
        )
        const made = results.filter(({ result }) => result.commitId)
        for (const { mixed, result } of made.sort((a, b) => seqOf(a.result.commitId!) - seqOf(b.result.commitId!))) {
          const changed = applyTo(model, mixed, [...result.createdIds])
          if (together.length > 1) continue
          expect([...result.updatedIds].sort()).toEqual(changed.sort())
          expect(result.counts).toEqual(wireCounts(wireRecords(model)))
        }
      }
      const wanted = wireRecords(model)
      for (const store of [engine.newStore(), next()]) {
        expect((await engine.read(sheet, {}, store)).records).toEqual(wanted)
        expect(await engine.counts(sheet, {}, store)).toEqual(wireCounts(wanted))
      }
    }),
    { numRuns: numRuns * Number(process.env.MODEL_RUNS ?? 1), endOnFailure: false },
  )

describe('any mixed writes, several at the same time', () => {
  it(
    'end as the model says, with tiny segments and early rewriting',
    () => run({ segmentRows: 5, editedRows: 1, inlineSegmentBytes: 80 }, 4),
    600_000,
  )
  it('end as the model says, with the usual patches', () => run({ segmentRows: 7 }, 4), 600_000)
})
