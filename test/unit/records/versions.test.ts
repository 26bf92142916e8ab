/** Every version of a sheet stays what it was, can be compared with any other, and comes back whole or in part. */
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '../../../lib/records/log/store.ts'
import type { Field, RecordInput, RecordUpdate, SheetRef, WireRecord } from '../../../lib/records/sheet.ts'
import { by, collected, newSheetId, type RecordCloud, recordCloud } from '../../support/records.ts'
import { PATIENCE, RUNS } from '../../support/runs.ts'
import { copyOf, insertRows, type Model, removeRows, updateRows, wireCounts, wireRecords } from './model.ts'
import { diffOf, restoreRows } from './model-versions.ts'

type Engine = typeof import('../../../lib/records/index.ts')
let cloud: RecordCloud
let engine: Engine

beforeAll(async () => {
  cloud = await recordCloud()
  engine = await import('../../../lib/records/index.ts')
})
afterAll(() => cloud.close())
beforeEach(() => cloud.meter.reset())

const code: Field = { key: 'code', type: 'string', constraints: [{ type: 'unique' }] }
const name: Field = { key: 'name', type: 'string', constraints: [{ type: 'required' }] }
const amount: Field = { key: 'amount', type: 'number' }
const SHEETS: Field[][] = [
  [code, name, amount],
  [code, { ...name, constraints: [] }, { ...amount, constraints: [{ type: 'unique' }] }],
]
const people = (): SheetRef => ({ sheetId: newSheetId(), fields: SHEETS[0]! })
const row = (codeValue: unknown, nameValue: unknown = 'n', amountValue?: unknown): RecordInput => ({
  values: { code: { value: codeValue }, name: { value: nameValue }, amount: { value: amountValue } },
})
const many = (count: number, first = 0): RecordInput[] =>
  Array.from({ length: count }, (_, i) => row(`c${first + i}`, `name ${first + i}`, first + i))
const set = (id: string, values: { [key: string]: unknown }): RecordUpdate => ({
  id,
  values: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, { value }])),
})
const all = async (sheet: SheetRef, store?: Store) => (await engine.read(sheet, {}, store ?? engine.newStore())).records
const codes = (records: readonly WireRecord[]) => records.map(({ values }) => values.code!.value)

/** A version's records, read by a process that knows nothing. */
async function recordsAt(sheet: SheetRef, seq: number): Promise<WireRecord[]> {
  const { records } = await engine.diffRecords(sheet, { from: seq, to: seq, pageSize: 10_000 }, engine.newStore())
  return records.map(({ id, values, valid, metadata, config }) => ({
    id,
    values: Object.fromEntries(
      Object.entries(values).map(([key, { value, messages, valid: ok }]) => [key, { value, messages, valid: ok }]),
    ),
    valid,
    metadata,
    config,
  }))
}

describe('a difference', () => {
  it('is of values: an edit set back is none, nor what was created and deleted in between', async () => {
    const sheet = people()
    const { ids } = await engine.insert(sheet, many(4), by())
    const [a, b, c, d] = [...ids]
    const { seq } = await engine.versionOf(sheet)
    await engine.update(sheet, [set(a!, { code: 'other', name: 'x' }), set(b!, { name: 'y' })], by())
    await engine.update(sheet, [set(a!, { code: 'c0' })], by())
    await engine.update(sheet, [{ id: d!, metadata: { seen: true } }], by())
    const passing = await engine.insert(sheet, [row('passing')], by())
    await engine.remove(sheet, [...passing.ids, c!], by())
    const made = await engine.insert(sheet, [row('made')], by())
    expect(await engine.diff(sheet, { from: seq })).toEqual({
      createdSince: { total: 1 },
      updatedSince: { total: 2, byField: { name: 2 } },
      deletedSince: { total: 1 },
    })
    const of = async (changeType?: 'createdSince' | 'updatedSince' | 'deletedSince') =>
      engine.diffRecords(sheet, { from: seq, changeType }, engine.newStore())
    expect(await of('createdSince')).toMatchObject({
      total: 1,
      records: [{ id: [...made.ids][0], values: { code: { value: 'made', snapshotValue: null } } }],
    })
    expect(await of('deletedSince')).toMatchObject({
      total: 1,
      records: [{ id: c, values: { code: { value: null, snapshotValue: 'c2', messages: [], valid: true } } }],
    })
    const updated = await of('updatedSince')
    expect(updated.records.map(({ id, values }) => [id, values.name!.snapshotValue, values.name!.value])).toEqual([
      [a, 'name 0', 'x'],
      [b, 'name 1', 'y'],
    ])
    const whole = await of()
    expect(whole.records.map(({ id }) => id)).toEqual([a, b, c, d])
    expect(whole.records[3]!.metadata).toEqual({ seen: true })
    const page = await engine.diffRecords(sheet, { from: seq, pageSize: 2, pageNumber: 2 })
    expect(page.records.map(({ id }) => id)).toEqual([c, d])
    expect(page.total).toBe(4)
    await expect(engine.diff(sheet, { from: 99 })).rejects.toMatchObject({ message: expect.stringContaining('99') })
  })

  it('of a few edits reads their cells, however large the sheet', async () => {
    const sheet = people()
    const store = engine.newStore({ segmentRows: 1000, blobItemBytes: 1000 })
    async function* source() {
      yield { keys: ['code', 'name', 'amount'], rows: Array.from({ length: 20_000 }, (_, i) => [`c${i}`, 'n', i]) }
    }
    const { ids } = await engine.importRows(sheet, source(), by(), store)
    const [first] = [...ids]
    const { seq } = await engine.versionOf(sheet, store)
    await engine.update(sheet, [set(first!, { name: 'changed' })], by(), store)
    const cold = engine.newStore()
    cloud.meter.reset()
    expect((await engine.diff(sheet, { from: seq }, cold)).updatedSince).toEqual({ total: 1, byField: { name: 1 } })
    expect(cloud.meter.count()).toBeLessThanOrEqual(6)
  })
})

describe('restoring', () => {
  it('gives changed cells back with the messages hooks left on them, and none where there were none', async () => {
    const sheet = people()
    const hook = [{ type: 'warn' as const, message: 'looks odd' }]
    const [a, b] = (await engine.insert(sheet, [row('a'), row('b')], by())).ids
    await engine.update(sheet, [{ id: a!, values: { name: { value: 'seen', messages: hook } } }], by())
    const { seq } = await engine.versionOf(sheet)
    const told = [{ type: 'error' as const, message: 'worse' }]
    await engine.update(
      sheet,
      [set(a!, { name: 'x' }), { id: b!, values: { name: { value: 'y', messages: told } } }],
      by(),
    )
    await engine.restore(sheet, { to: seq, updated: true }, by())
    const [first, second] = await all(sheet)
    expect(first!.values.name).toMatchObject({ value: 'seen', messages: [{ message: 'looks odd', type: 'warn' }] })
    expect(second!.values.name).toMatchObject({ value: 'n', messages: [], valid: true })
  })

  it('the last edit undone reads what it wrote, however long the log is', async () => {
    const sheet = people()
    const store = engine.newStore()
    const list = [...(await engine.insert(sheet, many(20), by(), store)).ids]
    const edit = (name: string) =>
      engine.update(
        sheet,
        list.map((id) => set(id, { name })),
        by(),
        store,
      )
    for (let i = 0; i < 60; i++) await edit(`edit ${i}`)
    const { seq } = await engine.versionOf(sheet, store)
    await edit('to be undone')
    cloud.meter.reset()
    expect((await engine.restore(sheet, { to: seq }, by(), store)).changed).toBe(true)
    expect(cloud.meter.read).toBeLessThanOrEqual(20)
    expect(new Set((await all(sheet)).map(({ values }) => values.name!.value))).toEqual(new Set(['edit 59']))
  }, 60_000)

  it('a whole version costs a few requests and moves no record, at any size', async () => {
    const sheet = people()
    const store = engine.newStore({ segmentRows: 1000 })
    async function* source() {
      yield { keys: ['code', 'name', 'amount'], rows: Array.from({ length: 50_000 }, (_, i) => [`c${i}`, 'n', i]) }
    }
    const { ids } = await engine.importRows(sheet, source(), by(), store)
    const [first] = [...ids]
    const { seq } = await engine.versionOf(sheet, store)
    await engine.remove(sheet, { search: { value: 'c1' } }, by(), store)
    await engine.insert(sheet, [row('c7')], by(), store)
    cloud.meter.reset()
    const { counts, commitId, changed } = await engine.restore(sheet, { to: seq }, by(), store)
    expect(cloud.meter.written).toBeLessThanOrEqual(3)
    expect(cloud.meter.count()).toBeLessThanOrEqual(6)
    expect(changed).toBe(true)
    expect(counts).toEqual({ total: 50_000, valid: 50_000, error: 0 })
    const [record] = (await engine.read(sheet, { pageSize: 1 })).records
    expect(record!.id).toBe(first)
    const made = await engine.recordsOfCommit(sheet, commitId!)
    expect(made).toMatchObject({ createdCount: 11_111, updated: [] })
    expect(await collected(made!.changes)).toEqual([])
    expect(made!.deleted).toHaveLength(1)
    expect([...made!.created]).toContain([...ids][1])
  }, 60_000)

  it('what is there already makes no commit', async () => {
    const sheet = people()
    const { ids } = await engine.insert(sheet, many(3), by())
    const { seq } = await engine.versionOf(sheet)
    const nothing = { changed: false, commitId: undefined, outbox: undefined }
    expect(await engine.restore(sheet, { to: seq }, by())).toMatchObject(nothing)
    const [a] = [...ids]
    await engine.update(sheet, [set(a!, { name: 'x' })], by())
    await engine.update(sheet, [set(a!, { name: 'name 0' })], by())
    for (const part of ['created', 'updated', 'deleted'])
      expect(await engine.restore(sheet, { to: seq, [part]: true }, by())).toMatchObject(nothing)
    expect(await engine.restore(sheet, { to: seq }, by())).toMatchObject(nothing)
    expect(await engine.commits(sheet.sheetId)).toHaveLength(3)
  })

  it('of metadata alone makes no commit, nor does the same operation tried again', async () => {
    const sheet = people()
    const { ids } = await engine.insert(sheet, many(1), by())
    const { seq } = await engine.versionOf(sheet)
    await engine.update(sheet, [{ id: [...ids][0]!, metadata: { seen: true } }], by())
    const ctx = by()
    for (const store of [undefined, engine.newStore()])
      expect(await engine.restore(sheet, { to: seq }, ctx, store)).toMatchObject({
        changed: false,
        commitId: undefined,
      })
    expect((await all(sheet))[0]!.metadata).toEqual({})
    expect(await engine.commits(sheet.sheetId)).toHaveLength(1)
  })

  it('a part: each kind of change by itself, flags and counts with it', async () => {
    for (const part of ['created', 'updated', 'deleted'] as const) {
      const sheet = people()
      const { ids } = await engine.insert(sheet, many(5), by())
      const [a, b, c] = [...ids]
      const { seq } = await engine.versionOf(sheet)
      await engine.remove(sheet, [b!, c!], by())
      await engine.update(sheet, [set(a!, { code: 'c4', name: '' })], by())
      const { ids: more } = await engine.insert(sheet, [row('c1'), row('c3')], by())
      expect((await engine.counts(sheet)).error).toBe(4)
      const { commitId, counts } = await engine.restore(sheet, { to: seq, [part]: true }, by())
      const made = await engine.recordsOfCommit(sheet, commitId!)
      const now = codes(await all(sheet))
      if (part === 'created') {
        expect(now).toEqual(['c4', 'c3', 'c4'])
        expect(counts).toEqual({ total: 3, valid: 1, error: 2 })
        expect(made).toMatchObject({ createdCount: 0, updated: [], deleted: [...more] })
      } else if (part === 'updated') {
        expect(now).toEqual(['c0', 'c3', 'c4', 'c1', 'c3'])
        expect(counts).toEqual({ total: 5, valid: 3, error: 2 })
        expect(made).toMatchObject({ createdCount: 0, updated: [a], deleted: [] })
        expect(await collected(made!.changes)).toHaveLength(2)
      } else {
        expect(now).toEqual(['c4', 'c1', 'c2', 'c3', 'c4', 'c1', 'c3'])
        expect(counts).toEqual({ total: 7, valid: 1, error: 6 })
        expect([...made!.created]).toEqual([b, c])
        expect(made).toMatchObject({ createdCount: 2, updated: [], deleted: [] })
        expect((await engine.read(sheet, { commitId })).records.map(({ id }) => id)).toEqual([b, c])
      }
      expect(await engine.counts(sheet, {}, engine.newStore())).toEqual(counts)
    }
  })

  it('brings back records whose segment is gone, or was merged without them', async () => {
    const sheet = people()
    const store = engine.newStore({ mergeSegments: 3, inlineSegmentBytes: 0 })
    const ids: string[] = []
    for (let i = 0; i < 2; i++) ids.push(...(await engine.insert(sheet, many(3, i * 3), by(), store)).ids)
    const { seq } = await engine.versionOf(sheet, store)
    await engine.remove(sheet, [ids[0]!, ids[1]!, ids[2]!, ids[4]!], by(), store)
    for (let i = 2; i < 6; i++) ids.push(...(await engine.insert(sheet, many(3, i * 3), by(), store)).ids)
    await engine.update(sheet, [set(ids[3]!, { code: 'c1' })], by(), store)
    const { counts } = await engine.restore(sheet, { to: seq, deleted: true }, by(), store)
    const records = await all(sheet)
    expect(records.map(({ id }) => id)).toEqual(ids)
    expect(counts).toEqual({ total: 18, valid: 16, error: 2 })
    expect(records.filter(({ valid }) => !valid).map(({ id }) => id)).toEqual([ids[1], ids[3]])
    const fixed = await engine.update(sheet, [set(ids[1]!, { code: 'c17' })], by())
    expect(fixed.counts).toEqual({ total: 18, valid: 16, error: 2 })
  })

  it('counts by the present constraints', async () => {
    const sheet = people()
    await engine.insert(sheet, [row('a', 'x', 1), row('b', '', 1)], by())
    const { seq } = await engine.versionOf(sheet)
    const changed = { ...sheet, fields: SHEETS[1]! }
    await engine.remove(changed, { filter: 'all' }, by())
    expect((await engine.restore(changed, { to: seq }, by())).counts).toEqual({ total: 2, valid: 0, error: 2 })
    expect(await engine.counts(sheet)).toEqual({ total: 2, valid: 1, error: 1 })
  })
})

type Step =
  | { do: 'insert'; rows: { code: number; name: number; amount: number; hook: boolean }[] }
  | { do: 'update'; edits: { at: number; key: 'code' | 'name' | 'amount'; value: number; hook: boolean }[] }
  | { do: 'remove'; at: number[] }
  | { do: 'sheet'; sheet: number }
  | { do: 'restore'; to: number; created: boolean; updated: boolean; deleted: boolean }

const small = fc.nat(6)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('insert' as const),
      rows: fc.array(fc.record({ code: fc.nat(20), name: small, amount: small, hook: fc.boolean() }), {
        minLength: 1,
        maxLength: 5,
      }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('update' as const),
      edits: fc.array(
        fc.record({
          at: fc.nat(99),
          key: fc.constantFrom('code' as const, 'name' as const, 'amount' as const),
          value: fc.nat(20),
          hook: fc.boolean(),
        }),
        { minLength: 1, maxLength: 6 },
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('remove' as const),
      at: fc.array(fc.nat(99), { minLength: 1, maxLength: 6 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('sheet' as const), sheet: fc.nat(1) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('restore' as const),
      to: fc.nat(99),
      created: fc.boolean(),
      updated: fc.boolean(),
      deleted: fc.boolean(),
    }),
  },
)

interface Saved {
  seq: number
  sheet: SheetRef
  model: Model
}

const textOf = (number: number): string => (number % 7 === 0 ? '' : `v${number}`)
const inputOf = (value: unknown, hook: boolean) =>
  hook ? { value, messages: [{ type: 'error', message: 'from a hook' }] } : { value }

async function play(steps: readonly Step[], options: object): Promise<void> {
  const model: Model = { fields: SHEETS[0]!, rows: [] }
  let sheet: SheetRef = people()
  const stores = [engine.newStore(options), engine.newStore(options)]
  const saved: Saved[] = []
  let turn = 0
  const save = async (): Promise<void> => {
    const { seq, counts } = await engine.versionOf(sheet, stores[turn % 2])
    expect(counts).toEqual(wireCounts(wireRecords(model)))
    saved.push({ seq, sheet, model: copyOf(model) })
  }
  await save()
  for (const one of steps) {
    const store = stores[turn++ % 2]!
    const idAt = (at: number): string | undefined => model.rows[at % model.rows.length]?.id
    if (one.do === 'insert') {
      const rows = one.rows.map(({ code: c, name: n, amount: a, hook }) => ({
        values: { code: { value: textOf(c) }, name: inputOf(textOf(n), hook), amount: { value: a } },
      }))
      const { ids } = await engine.insert(sheet, rows, by(), store)
      insertRows(model, [...ids], rows)
    } else if (one.do === 'update') {
      const updates = new Map<string, RecordUpdate>()
      for (const { at, key, value, hook } of one.edits) {
        const id = idAt(at)
        if (id) updates.set(id, { id, values: { [key]: inputOf(key === 'amount' ? value : textOf(value), hook) } })
      }
      await engine.update(sheet, [...updates.values()], by(), store)
      updateRows(model, [...updates.values()])
    } else if (one.do === 'remove') {
      const ids = [...new Set(one.at.flatMap((at) => idAt(at) ?? []))]
      await engine.remove(sheet, ids, by(), store)
      removeRows(model, ids)
    } else if (one.do === 'sheet') {
      model.fields = SHEETS[one.sheet]!
      sheet = { ...sheet, fields: model.fields }
    } else {
      const version = saved[one.to % saved.length]!
      const { to: _, do: __, ...parts } = one
      const before = wireRecords(model)
      const { commitId, counts } = await engine.restore(sheet, { to: version.seq, ...parts }, by(), store)
      const unrestored = copyOf(model)
      restoreRows(model, version.model, parts)
      const after = wireRecords(model)
      expect(counts).toEqual(wireCounts(after))
      const { createdSince, updatedSince, deletedSince } = diffOf(unrestored, model)
      const made = commitId ? await engine.recordsOfCommit(sheet, commitId, store) : undefined
      expect(made?.createdCount ?? 0).toBe(createdSince.total)
      expect(made?.updated.length ?? 0).toBe(updatedSince.total)
      expect(made?.deleted.length ?? 0).toBe(deletedSince.total)
      if (!commitId) expect(after.map(valuesOf)).toEqual(before.map(valuesOf))
    }
    await save()
  }
  expect(await all(sheet)).toEqual(wireRecords(model))
  for (const version of saved) {
    // Messages are compared where the version was judged by the rules it is read with.
    expect(await recordsAt(version.sheet, version.seq)).toEqual(wireRecords(version.model))
  }
  const fresh = engine.newStore()
  for (let i = 0; i < saved.length; i += 2) {
    const other = saved[(i * 7 + 3) % saved.length]!
    const [from, to] = saved[i]!.seq <= other.seq ? [saved[i]!, other] : [other, saved[i]!]
    const fields = [...sheet.fields]
    expect(await engine.diff(sheet, { from: from.seq, to: to.seq }, fresh)).toEqual(
      diffOf({ ...from.model, fields }, { ...to.model, fields }),
    )
  }
}

const valuesOf = ({ id, values }: WireRecord) => [id, Object.values(values).map(({ value }) => value)]

describe('any history', () => {
  const TINY = {
    segmentRows: 12,
    inlineSegmentBytes: 60,
    editedRows: 6,
    compactEdits: 3,
    mergeSegments: 3,
    mergeRuns: 2,
  }
  for (const [how, options] of Object.entries({
    'early compaction': TINY,
    'every segment in S3': { ...TINY, blobItemBytes: 0, inlineSegmentBytes: 0, inlineEntryBytes: 100 },
  }))
    it(
      `keeps every version, with ${how}`,
      async () => {
        await fc.assert(
          fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 22 }), (steps) => play(steps, options)),
          { numRuns: 4 * RUNS, endOnFailure: true },
        )
      },
      PATIENCE,
    )
})
