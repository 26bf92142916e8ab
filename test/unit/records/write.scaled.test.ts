/** Mixed writes in one commit, and the limits of a sheet. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Store } from '../../../lib/records/log/store.ts'
import type { Field, RecordInput, RecordUpdate, SheetRef } from '../../../lib/records/sheet.ts'
import type { WriteOptions, WritePart } from '../../../lib/records/write/write.ts'
import { startRecordSuite } from '../../support/record-suite.ts'
import { collect, createWriteContext, newSheetId } from '../../support/records.ts'
import { runs } from '../../support/runs.ts'
import { insertRows, type Model, removeRows, updateRows, wireCounts, wireRecords } from './model.ts'

const { cloud, engine, insert, importRows, update, remove } = await startRecordSuite()

const FIELDS: Field[] = [
  { key: 'code', type: 'string', constraints: [{ type: 'unique' }] },
  { key: 'name', type: 'string', constraints: [{ type: 'required' }, { type: 'unique', config: { level: 'warn' } }] },
  { key: 'amount', type: 'number' },
]
const createSheet = (): SheetRef => ({ sheetId: newSheetId(), fields: FIELDS })
const createInput = (code: unknown, name: unknown = `n ${String(code)}`, amount: unknown = 1): RecordInput => ({
  values: { code: { value: code }, name: { value: name }, amount: { value: amount } },
})
const createRowsPart = (rows: readonly RecordInput[]): WritePart => ({
  keys: FIELDS.map(({ key }) => key),
  rows: rows.map(({ values }) => FIELDS.map(({ key }) => values[key]?.value)),
  extras: rows.map(({ metadata, config }) => ({ metadata, config })),
})
async function* generateParts(...list: WritePart[]) {
  yield* list
}
const readCodes = async (sheet: SheetRef, store = engine.createStore()) =>
  (await engine.readRecords(sheet, {}, store)).records.map(({ values }) => values.code!.value)

interface Mixed {
  inserts: RecordInput[]
  updates: RecordUpdate[]
  deletes: string[]
  truncate: boolean
}

function applyToModel(model: Model, { inserts, updates, deletes, truncate }: Mixed, ids: readonly string[]): string[] {
  removeRows(model, truncate ? model.rows.map(({ id }) => id) : deletes)
  const changed = updateRows(model, updates)
  insertRows(model, ids, inserts)
  return changed
}

const parseSeq = (commitId: string): number => Number(commitId.slice(commitId.lastIndexOf('_') + 1))

describe('write of inserts, updates and deletes', () => {
  it('is one commit, fully described by its entry, with the same response when repeated', async () => {
    const sheet = createSheet()
    const { ids } = await insert(
      sheet,
      ['a', 'b', 'c', 'd'].map((code) => createInput(code)),
    )
    const [a, b, c, d] = [...ids] as [string, string, string, string]
    const ctx = createWriteContext()
    const source = () =>
      generateParts(
        createRowsPart([createInput('a'), createInput('e')]),
        {
          updates: [
            { id: b, values: { code: { value: 'e' } } },
            { id: d, values: { code: { value: 'x' } } },
          ],
        },
        { deletes: [d, c, 'us_rc_0_0_0_0'] },
        createRowsPart([createInput('f')]),
        { updates: [{ id: 'us_rc_0_0_0_1', metadata: {} }] },
      )
    const first = await engine.write(sheet, source(), ctx)
    expect(first).toMatchObject({ created: 3, updated: 1, removed: 2, changed: true })
    expect(first.missing).toEqual(['us_rc_0_0_0_1', 'us_rc_0_0_0_0'])
    expect(first.outbox!.entries[0]).toMatchObject({ kind: 'write', commitId: first.commitId })
    expect(first.counts).toEqual({ total: 5, valid: 1, error: 4 })
    expect(await readCodes(sheet)).toEqual(['a', 'e', 'a', 'e', 'f'])
    const told = await engine.readCommitRecords(sheet, first.commitId!)
    expect([...told!.created]).toEqual([...first.createdIds])
    expect(told).toMatchObject({ updated: [b], deleted: [c, d] })
    const change = { recordId: b, fieldKey: 'code', previousValue: 'b', newValue: 'e' }
    expect(await collect(told!.changes)).toEqual([change])
    for (const store of [engine.createStore(), undefined]) {
      const again = await engine.write(sheet, source(), ctx, {}, store)
      expect(again).toMatchObject({ created: 3, updated: 1, removed: 2, commitId: first.commitId, outbox: undefined })
      expect([...again.createdIds]).toEqual([...first.createdIds])
      expect([[...again.updatedIds], [...again.removedIds].sort()]).toEqual([[b], [...first.removedIds].sort()])
      for (const { changes } of [first, again]) {
        expect(await collect(changes)).toEqual([change])
      }
    }
    expect((await engine.countRecords(sheet, {}, engine.createStore())).total).toBe(5)
    expect([...(await insert(sheet, [createInput('z')])).ids]).not.toContain(a)
  })

  it('replaces all existing records on request, in the same commit', async () => {
    const sheet = createSheet()
    await insert(
      sheet,
      ['a', 'a', 'b'].map((code) => createInput(code)),
    )
    const result = await engine.write(
      sheet,
      generateParts(createRowsPart([createInput('a'), createInput('c')])),
      createWriteContext(),
      { truncate: true },
    )
    expect(result).toMatchObject({ created: 2, removed: 3, counts: { total: 2, valid: 2, error: 0 } })
    expect(await readCodes(sheet)).toEqual(['a', 'c'])
  })

  it('shows nothing when its source fails', async () => {
    const sheet = createSheet()
    async function* failingSource() {
      yield createRowsPart([createInput('a')])
      throw new Error('gone')
    }
    await expect(engine.write(sheet, failingSource(), createWriteContext(), { truncate: true })).rejects.toThrow('gone')
    expect(await engine.countRecords(sheet)).toMatchObject({ total: 0 })
  })
})

describe('repeated operation', () => {
  it('returns the result of the first update and the first deletion', async () => {
    const sheet = createSheet()
    const [a, b] = [...(await insert(sheet, [createInput('a'), createInput('b')])).ids] as [string, string]
    const [edit, removal] = [createWriteContext(), createWriteContext()]
    const updates: RecordUpdate[] = [
      { id: a, values: { code: { value: 'x' } } },
      { id: b, values: { code: { value: 'b' } } },
      { id: 'us_rc_0_0_0_0', values: {} },
    ]
    const updated = await engine.update(sheet, updates, edit)
    const removed = await engine.remove(sheet, [b, 'us_rc_0_0_0_0'], removal)
    const store = engine.createStore()
    const { outbox: _, counts: __, updatedIds, ...wanted } = updated
    const repeated = await engine.update(sheet, updates, edit, store)
    expect(repeated).toMatchObject(wanted)
    expect(wanted).toMatchObject({ updated: 1, missing: ['us_rc_0_0_0_0'] })
    expect([[...updatedIds], [...repeated.updatedIds]]).toEqual([[a], [a]])
    const again = await engine.remove(sheet, [b, 'us_rc_0_0_0_0'], removal, store)
    expect(again).toMatchObject({ removed: 1, missing: ['us_rc_0_0_0_0'], commitId: removed.commitId })
    expect([...again.ids]).toEqual([b])
  })
})

describe('limits', () => {
  it('for records are exact, even with concurrent inserts', async () => {
    const sheet: SheetRef = { sheetId: newSheetId(), fields: [{ key: 'code', type: 'string' }] }
    const stores = Array.from({ length: 6 }, () => engine.createStore({ sheetRows: 20 }))
    const results = await Promise.allSettled(
      stores.flatMap((store) =>
        [1, 2].map(() => insert(sheet, [createInput('a'), createInput('b'), createInput('c')], store)),
      ),
    )
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
    expect(await engine.countRecords(sheet, {}, engine.createStore())).toMatchObject({ total: 18 })
    expect(refused).toHaveLength(6)
    expect(refused[0]).toMatchObject({ code: 'conflict' })
    expect(refused[0].message).toBe('A sheet can have at most 20 records; this one has 18.')
    const one = await engine.write(
      sheet,
      generateParts(createRowsPart([createInput('x')])),
      createWriteContext(),
      { truncate: true, limit: 1 },
      stores[0],
    )
    expect(one.counts.total).toBe(1)
    const second = engine.write(
      sheet,
      generateParts(createRowsPart([createInput('y')])),
      createWriteContext(),
      { limit: 1 },
      stores[0],
    )
    await expect(second).rejects.toMatchObject({ code: 'conflict' })
  })

  it('for records are exact when a large import overlaps with small inserts', async () => {
    const sheet: SheetRef = { sheetId: newSheetId(), fields: [{ key: 'code', type: 'string' }] }
    const options = { sheetRows: 180_000 }
    const slow = engine.createStore(options)
    await insert(sheet, [createInput('first')], slow)
    let arrived: (() => void) | undefined
    let held: (() => void) | undefined
    const waiting = new Promise<void>((resolve) => {
      arrived = resolve
    })
    cloud.intercept.beforeRequest = async (operation) => {
      if (operation !== 'UpdateItem') return
      cloud.intercept.beforeRequest = undefined
      await new Promise<void>((resolve) => {
        held = resolve
        arrived!()
      })
    }
    const small = insert(sheet, [createInput('late')], slow)
    await waiting
    async function* many() {
      for (let i = 0; i < 9; i++) yield { keys: [], rows: Array.from({ length: 20_000 }, () => []) }
      yield { keys: [], rows: [] }
    }
    await remove(sheet, { filter: 'all' }, engine.createStore(options))
    await importRows(sheet, many(), engine.createStore(options))
    held!()
    await expect(small).rejects.toMatchObject({ code: 'conflict' })
    expect((await engine.countRecords(sheet, {}, engine.createStore())).total).toBe(180_000)
  }, 60_000)

  it('stop an import as soon as it no longer fits', async () => {
    const sheet = createSheet()
    const store = engine.createStore({ sheetRows: 50, segmentRows: 10 })
    let asked = 0
    async function* generateEndless() {
      for (;;) yield { keys: ['code'], rows: Array.from({ length: 10 }, () => [++asked]) }
    }
    await expect(importRows(sheet, generateEndless(), store)).rejects.toMatchObject({
      code: 'conflict',
    })
    expect(asked).toBe(60)
    expect(cloud.meter.count('UpdateItem')).toBe(0)
  })

  it('for values and metadata are reported by row or record, and values below them are stored', async () => {
    const sheet = createSheet()
    const large = 'x'.repeat(4 * 1024 * 1024 - 2)
    const { ids } = await insert(sheet, [
      createInput('a', large),
      { ...createInput('b'), metadata: { m: 'y'.repeat(60_000) } },
    ])
    const [a, b] = [...ids] as [string, string]
    await update(sheet, [{ id: b, values: { name: { value: large } } }])
    const { records } = await engine.readRecords(sheet, {}, engine.createStore())
    expect(records.map(({ values }) => String(values.name!.value).length)).toEqual([large.length, large.length])
    const expectedProblem = (key: string, message: string) => ({
      problems: [{ key, message: expect.stringContaining(message) }],
    })
    await expect(insert(sheet, [createInput('c'), createInput('d', `${large}x`)])).rejects.toMatchObject(
      expectedProblem('values.name', 'row 1'),
    )
    await expect(insert(sheet, [{ ...createInput('e'), config: { m: 'y'.repeat(66_000) } }])).rejects.toMatchObject(
      expectedProblem('config', 'row 0'),
    )
    await expect(update(sheet, [{ id: a, values: { name: { value: `${large}x` } } }])).rejects.toMatchObject(
      expectedProblem('values.name', a),
    )
    await expect(update(sheet, [{ id: a, metadata: { m: 'y'.repeat(66_000) } }])).rejects.toMatchObject(
      expectedProblem('metadata', a),
    )
    expect(await engine.countRecords(sheet)).toMatchObject({ total: 2 })
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

const toCells = (drawn: object) =>
  Object.fromEntries(Object.entries(drawn).map(([key, one]) => [key, { value: one as unknown }]))

function createMixed(model: Model, drawn: Drawn): Mixed {
  const pickId = (at: number): string[] => (model.rows.length ? [model.rows[at % model.rows.length]!.id] : [])
  const updates = new Map(
    drawn.updates.flatMap(([at, own]) => pickId(at).map((id) => [id, { id, values: toCells(own) }] as const)),
  )
  return {
    inserts: drawn.inserts.map((own) => ({ values: toCells(own) })),
    updates: [...updates.values()],
    deletes: [...new Set(drawn.deletes.flatMap(pickId))],
    truncate: drawn.truncate,
  }
}

async function performWrite(sheet: SheetRef, mixed: Mixed, store: Store, other: Store, repeat: boolean) {
  const ctx = createWriteContext()
  const { inserts, updates, deletes, truncate } = mixed
  const half = Math.ceil(inserts.length / 2)
  const source = () =>
    generateParts(createRowsPart(inserts.slice(0, half)), { updates }, { deletes }, createRowsPart(inserts.slice(half)))
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

const runHistories = (options: Partial<Store>, numRuns: number) =>
  fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10 }), async (steps) => {
      const sheet = createSheet()
      const model: Model = { fields: FIELDS, rows: [] }
      const stores = Array.from({ length: 4 }, () => engine.createStore(options))
      let turn = 0
      const nextStore = (): Store => stores[turn++ % stores.length]!
      for (const together of steps) {
        const results = await Promise.all(
          together.map((drawn) =>
            performWrite(sheet, createMixed(model, drawn), nextStore(), nextStore(), drawn.repeat),
          ),
        )
        const made = results.filter(({ result }) => result.commitId)
        for (const { mixed, result } of made.sort(
          (a, b) => parseSeq(a.result.commitId!) - parseSeq(b.result.commitId!),
        )) {
          const changed = applyToModel(model, mixed, [...result.createdIds])
          if (together.length > 1) continue
          expect([...result.updatedIds].sort()).toEqual(changed.sort())
          expect(result.counts).toEqual(wireCounts(wireRecords(model)))
        }
      }
      const wanted = wireRecords(model)
      for (const store of [engine.createStore(), nextStore()]) {
        expect((await engine.readRecords(sheet, {}, store)).records).toEqual(wanted)
        expect(await engine.countRecords(sheet, {}, store)).toEqual(wireCounts(wanted))
      }
    }),
    { numRuns: runs(numRuns), endOnFailure: false },
  )

describe('any concurrent mixed writes', () => {
  it(
    'match the model, with tiny segments and early rewriting',
    () => runHistories({ segmentRows: 5, editedRows: 1, inlineSegmentBytes: 80 }, 4),
    600_000,
  )
  it('match the model, with the usual patches', () => runHistories({ segmentRows: 7 }, 4), 600_000)
})
