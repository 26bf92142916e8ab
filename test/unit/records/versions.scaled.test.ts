/** Every version of a sheet is immutable, comparable with any other, and can be restored completely or in part. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Store } from '../../../lib/records/log/store.ts'
import type { Field, RecordInput, RecordUpdate, SheetRef, WireRecord } from '../../../lib/records/sheet.ts'
import { startRecordSuite } from '../../support/record-suite.ts'
import { collect, createWriteContext, newSheetId } from '../../support/records.ts'
import { runs, TIMEOUT_MS } from '../../support/runs.ts'
import { copyModel, insertRows, type Model, removeRows, updateRows, wireCounts, wireRecords } from './model.ts'
import { computeDiff, restoreRows } from './model-versions.ts'

const { cloud, engine, insert, importRows, update, remove, restoreVersion } = await startRecordSuite()

const code: Field = { key: 'code', type: 'string', constraints: [{ type: 'unique' }] }
const name: Field = { key: 'name', type: 'string', constraints: [{ type: 'required' }] }
const amount: Field = { key: 'amount', type: 'number' }
const SHEETS: Field[][] = [
  [code, name, amount],
  [code, { ...name, constraints: [] }, { ...amount, constraints: [{ type: 'unique' }] }],
]
const createPeopleSheet = (): SheetRef => ({ sheetId: newSheetId(), fields: SHEETS[0]! })
const createRow = (codeValue: unknown, nameValue: unknown = 'n', amountValue?: unknown): RecordInput => ({
  values: { code: { value: codeValue }, name: { value: nameValue }, amount: { value: amountValue } },
})
const createRows = (count: number, first = 0): RecordInput[] =>
  Array.from({ length: count }, (_, i) => createRow(`c${first + i}`, `name ${first + i}`, first + i))
const createUpdate = (id: string, values: { [key: string]: unknown }): RecordUpdate => ({
  id,
  values: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, { value }])),
})
const readAll = async (sheet: SheetRef, store?: Store) =>
  (await engine.readRecords(sheet, {}, store ?? engine.createStore())).records
const getCodes = (records: readonly WireRecord[]) => records.map(({ values }) => values.code!.value)

async function readRecordsAt(sheet: SheetRef, seq: number): Promise<WireRecord[]> {
  const { records } = await engine.diffRecords(sheet, { from: seq, to: seq, pageSize: 10_000 }, engine.createStore())
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

describe('diff', () => {
  it('compares values: a reverted edit is excluded, and so are records created and deleted in between', async () => {
    const sheet = createPeopleSheet()
    const { ids } = await insert(sheet, createRows(4))
    const [a, b, c, d] = [...ids]
    const { seq } = await engine.readVersion(sheet)
    await update(sheet, [createUpdate(a!, { code: 'other', name: 'x' }), createUpdate(b!, { name: 'y' })])
    await update(sheet, [createUpdate(a!, { code: 'c0' })])
    await update(sheet, [{ id: d!, metadata: { seen: true } }])
    const passing = await insert(sheet, [createRow('passing')])
    await remove(sheet, [...passing.ids, c!])
    const made = await insert(sheet, [createRow('made')])
    expect(await engine.diffVersions(sheet, { from: seq })).toEqual({
      createdSince: { total: 1 },
      updatedSince: { total: 2, byField: { name: 2 } },
      deletedSince: { total: 1 },
    })
    const of = async (changeType?: 'createdSince' | 'updatedSince' | 'deletedSince') =>
      engine.diffRecords(sheet, { from: seq, changeType }, engine.createStore())
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
    await expect(engine.diffVersions(sheet, { from: 99 })).rejects.toMatchObject({
      message: expect.stringContaining('99'),
    })
  })

  it('reads only the edited cells, however large the sheet', async () => {
    const sheet = createPeopleSheet()
    const store = engine.createStore({ segmentRows: 1000, blobItemBytes: 1000 })
    async function* source() {
      yield { keys: ['code', 'name', 'amount'], rows: Array.from({ length: 20_000 }, (_, i) => [`c${i}`, 'n', i]) }
    }
    const { ids } = await importRows(sheet, source(), store)
    const [first] = [...ids]
    const { seq } = await engine.readVersion(sheet, store)
    await update(sheet, [createUpdate(first!, { name: 'changed' })], store)
    const cold = engine.createStore()
    cloud.meter.reset()
    expect((await engine.diffVersions(sheet, { from: seq }, cold)).updatedSince).toEqual({
      total: 1,
      byField: { name: 1 },
    })
    expect(cloud.meter.count()).toBeLessThanOrEqual(6)
  })

  it('reads each entry of the log a single time, also after restores', async () => {
    const sheet = createPeopleSheet()
    const { ids } = await insert(sheet, createRows(200))
    const edited = [...ids].slice(0, 100)
    const { seq } = await engine.readVersion(sheet)
    for (const [at, id] of edited.entries()) await update(sheet, [createUpdate(id, { name: `edit ${at} ${LONG}` })])
    for (let i = 0; i < 5; i++) {
      const { seq: to } = await engine.readVersion(sheet)
      await update(sheet, [createUpdate(edited[0]!, { name: `undone ${LONG}` })])
      await restoreVersion(sheet, { to })
    }
    cloud.meter.reset()
    expect((await engine.diffVersions(sheet, { from: seq })).updatedSince.total).toBe(100)
    expect(cloud.meter.count()).toBeLessThanOrEqual(8)
    expect(cloud.meter.read).toBeLessThan(60)
  })
})

const LONG = 'x'.repeat(600)

describe('restoring', () => {
  it('returns changed cells with their hook messages, and without messages where there were none', async () => {
    const sheet = createPeopleSheet()
    const hook = [{ type: 'warn' as const, message: 'looks odd' }]
    const [a, b] = (await insert(sheet, [createRow('a'), createRow('b')])).ids
    await update(sheet, [{ id: a!, values: { name: { value: 'seen', messages: hook } } }])
    const { seq } = await engine.readVersion(sheet)
    const told = [{ type: 'error' as const, message: 'worse' }]
    await update(sheet, [createUpdate(a!, { name: 'x' }), { id: b!, values: { name: { value: 'y', messages: told } } }])
    await restoreVersion(sheet, { to: seq, updated: true })
    const [first, second] = await readAll(sheet)
    expect(first!.values.name).toMatchObject({ value: 'seen', messages: [{ message: 'looks odd', type: 'warn' }] })
    expect(second!.values.name).toMatchObject({ value: 'n', messages: [], valid: true })
  })

  it('reads only the last edit to undo it, however long the log', async () => {
    const sheet = createPeopleSheet()
    const store = engine.createStore()
    const list = [...(await insert(sheet, createRows(20), store)).ids]
    const edit = (name: string) =>
      update(
        sheet,
        list.map((id) => createUpdate(id, { name })),
        store,
      )
    for (let i = 0; i < 60; i++) await edit(`edit ${i}`)
    const { seq } = await engine.readVersion(sheet, store)
    await edit('to be undone')
    cloud.meter.reset()
    expect((await restoreVersion(sheet, { to: seq }, store)).changed).toBe(true)
    expect(cloud.meter.read).toBeLessThanOrEqual(20)
    expect(new Set((await readAll(sheet)).map(({ values }) => values.name!.value))).toEqual(new Set(['edit 59']))
  }, 60_000)

  it('costs a few requests for a whole version and moves no record, at any size', async () => {
    const sheet = createPeopleSheet()
    const store = engine.createStore({ segmentRows: 1000 })
    async function* source() {
      yield { keys: ['code', 'name', 'amount'], rows: Array.from({ length: 50_000 }, (_, i) => [`c${i}`, 'n', i]) }
    }
    const { ids } = await importRows(sheet, source(), store)
    const [first] = [...ids]
    const { seq } = await engine.readVersion(sheet, store)
    await remove(sheet, { search: { value: 'c1' } }, store)
    await insert(sheet, [createRow('c7')], store)
    cloud.meter.reset()
    const { counts, commitId, changed } = await restoreVersion(sheet, { to: seq }, store)
    expect(cloud.meter.written).toBeLessThanOrEqual(3)
    expect(cloud.meter.count()).toBeLessThanOrEqual(6)
    expect(changed).toBe(true)
    expect(counts).toEqual({ total: 50_000, valid: 50_000, error: 0 })
    const [record] = (await engine.readRecords(sheet, { pageSize: 1 })).records
    expect(record!.id).toBe(first)
    const made = await engine.readCommitRecords(sheet, commitId!)
    expect(made).toMatchObject({ createdCount: 11_111, updated: [] })
    expect(await collect(made!.changes)).toEqual([])
    expect(made!.deleted).toHaveLength(1)
    expect([...made!.created]).toContain([...ids][1])
  }, 60_000)

  it('makes no commit when nothing differs', async () => {
    const sheet = createPeopleSheet()
    const { ids } = await insert(sheet, createRows(3))
    const { seq } = await engine.readVersion(sheet)
    const nothing = { changed: false, commitId: undefined, outbox: undefined }
    expect(await restoreVersion(sheet, { to: seq })).toMatchObject(nothing)
    const [a] = [...ids]
    await update(sheet, [createUpdate(a!, { name: 'x' })])
    await update(sheet, [createUpdate(a!, { name: 'name 0' })])
    for (const part of ['created', 'updated', 'deleted'])
      expect(await restoreVersion(sheet, { to: seq, [part]: true })).toMatchObject(nothing)
    expect(await restoreVersion(sheet, { to: seq })).toMatchObject(nothing)
    expect(await engine.listCommits(sheet.sheetId)).toHaveLength(3)
  })

  it('makes no commit for metadata only, or for a repeated operation', async () => {
    const sheet = createPeopleSheet()
    const { ids } = await insert(sheet, createRows(1))
    const { seq } = await engine.readVersion(sheet)
    await update(sheet, [{ id: [...ids][0]!, metadata: { seen: true } }])
    const ctx = createWriteContext()
    for (const store of [undefined, engine.createStore()])
      expect(await engine.restoreVersion(sheet, { to: seq }, ctx, store)).toMatchObject({
        changed: false,
        commitId: undefined,
      })
    expect((await readAll(sheet))[0]!.metadata).toEqual({})
    expect(await engine.listCommits(sheet.sheetId)).toHaveLength(1)
  })

  it('restores each kind of change separately, with flags and counts', async () => {
    for (const part of ['created', 'updated', 'deleted'] as const) {
      const sheet = createPeopleSheet()
      const { ids } = await insert(sheet, createRows(5))
      const [a, b, c] = [...ids]
      const { seq } = await engine.readVersion(sheet)
      await remove(sheet, [b!, c!])
      await update(sheet, [createUpdate(a!, { code: 'c4', name: '' })])
      const { ids: more } = await insert(sheet, [createRow('c1'), createRow('c3')])
      expect((await engine.countRecords(sheet)).error).toBe(4)
      const { commitId, counts } = await restoreVersion(sheet, { to: seq, [part]: true })
      const made = await engine.readCommitRecords(sheet, commitId!)
      const now = getCodes(await readAll(sheet))
      if (part === 'created') {
        expect(now).toEqual(['c4', 'c3', 'c4'])
        expect(counts).toEqual({ total: 3, valid: 1, error: 2 })
        expect(made).toMatchObject({ createdCount: 0, updated: [], deleted: [...more] })
      } else if (part === 'updated') {
        expect(now).toEqual(['c0', 'c3', 'c4', 'c1', 'c3'])
        expect(counts).toEqual({ total: 5, valid: 3, error: 2 })
        expect(made).toMatchObject({ createdCount: 0, updated: [a], deleted: [] })
        expect(await collect(made!.changes)).toHaveLength(2)
      } else {
        expect(now).toEqual(['c4', 'c1', 'c2', 'c3', 'c4', 'c1', 'c3'])
        expect(counts).toEqual({ total: 7, valid: 1, error: 6 })
        expect([...made!.created]).toEqual([b, c])
        expect(made).toMatchObject({ createdCount: 2, updated: [], deleted: [] })
        expect((await engine.readRecords(sheet, { commitId })).records.map(({ id }) => id)).toEqual([b, c])
      }
      expect(await engine.countRecords(sheet, {}, engine.createStore())).toEqual(counts)
    }
  })

  it('restores records whose segment was deleted, or merged without them', async () => {
    const sheet = createPeopleSheet()
    const store = engine.createStore({ mergeSegments: 3, inlineSegmentBytes: 0 })
    const ids: string[] = []
    for (let i = 0; i < 2; i++) ids.push(...(await insert(sheet, createRows(3, i * 3), store)).ids)
    const { seq } = await engine.readVersion(sheet, store)
    await remove(sheet, [ids[0]!, ids[1]!, ids[2]!, ids[4]!], store)
    for (let i = 2; i < 6; i++) ids.push(...(await insert(sheet, createRows(3, i * 3), store)).ids)
    await update(sheet, [createUpdate(ids[3]!, { code: 'c1' })], store)
    const { counts } = await restoreVersion(sheet, { to: seq, deleted: true }, store)
    const records = await readAll(sheet)
    expect(records.map(({ id }) => id)).toEqual(ids)
    expect(counts).toEqual({ total: 18, valid: 16, error: 2 })
    expect(records.filter(({ valid }) => !valid).map(({ id }) => id)).toEqual([ids[1], ids[3]])
    const fixed = await update(sheet, [createUpdate(ids[1]!, { code: 'c17' })])
    expect(fixed.counts).toEqual({ total: 18, valid: 16, error: 2 })
  })

  it('counts by the current constraints', async () => {
    const sheet = createPeopleSheet()
    await insert(sheet, [createRow('a', 'x', 1), createRow('b', '', 1)])
    const { seq } = await engine.readVersion(sheet)
    const changed = { ...sheet, fields: SHEETS[1]! }
    await remove(changed, { filter: 'all' })
    expect((await restoreVersion(changed, { to: seq })).counts).toEqual({
      total: 2,
      valid: 0,
      error: 2,
    })
    expect(await engine.countRecords(sheet)).toEqual({ total: 2, valid: 1, error: 1 })
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

const createText = (number: number): string => (number % 7 === 0 ? '' : `v${number}`)
const createCell = (value: unknown, hook: boolean) =>
  hook ? { value, messages: [{ type: 'error', message: 'from a hook' }] } : { value }

async function playHistory(steps: readonly Step[], options: object): Promise<void> {
  const model: Model = { fields: SHEETS[0]!, rows: [] }
  let sheet: SheetRef = createPeopleSheet()
  const stores = [engine.createStore(options), engine.createStore(options)]
  const saved: Saved[] = []
  let turn = 0
  const saveVersion = async (): Promise<void> => {
    const { seq, counts } = await engine.readVersion(sheet, stores[turn % 2])
    expect(counts).toEqual(wireCounts(wireRecords(model)))
    saved.push({ seq, sheet, model: copyModel(model) })
  }
  await saveVersion()
  for (const one of steps) {
    const store = stores[turn++ % 2]!
    const idAt = (at: number): string | undefined => model.rows[at % model.rows.length]?.id
    if (one.do === 'insert') {
      const rows = one.rows.map(({ code: c, name: n, amount: a, hook }) => ({
        values: { code: { value: createText(c) }, name: createCell(createText(n), hook), amount: { value: a } },
      }))
      const { ids } = await insert(sheet, rows, store)
      insertRows(model, [...ids], rows)
    } else if (one.do === 'update') {
      const updates = new Map<string, RecordUpdate>()
      for (const { at, key, value, hook } of one.edits) {
        const id = idAt(at)
        if (id)
          updates.set(id, { id, values: { [key]: createCell(key === 'amount' ? value : createText(value), hook) } })
      }
      await update(sheet, [...updates.values()], store)
      updateRows(model, [...updates.values()])
    } else if (one.do === 'remove') {
      const ids = [...new Set(one.at.flatMap((at) => idAt(at) ?? []))]
      await remove(sheet, ids, store)
      removeRows(model, ids)
    } else if (one.do === 'sheet') {
      model.fields = SHEETS[one.sheet]!
      sheet = { ...sheet, fields: model.fields }
    } else {
      const version = saved[one.to % saved.length]!
      const { to: _, do: __, ...parts } = one
      const before = wireRecords(model)
      const { commitId, counts } = await restoreVersion(sheet, { to: version.seq, ...parts }, store)
      const unrestored = copyModel(model)
      restoreRows(model, version.model, parts)
      const after = wireRecords(model)
      expect(counts).toEqual(wireCounts(after))
      const { createdSince, updatedSince, deletedSince } = computeDiff(unrestored, model)
      const made = commitId ? await engine.readCommitRecords(sheet, commitId, store) : undefined
      expect(made?.createdCount ?? 0).toBe(createdSince.total)
      expect(made?.updated.length ?? 0).toBe(updatedSince.total)
      expect(made?.deleted.length ?? 0).toBe(deletedSince.total)
      if (!commitId) expect(after.map(getValues)).toEqual(before.map(getValues))
    }
    await saveVersion()
  }
  expect(await readAll(sheet)).toEqual(wireRecords(model))
  for (const version of saved) {
    expect(await readRecordsAt(version.sheet, version.seq)).toEqual(wireRecords(version.model))
  }
  const fresh = engine.createStore()
  for (let i = 0; i < saved.length; i += 2) {
    const other = saved[(i * 7 + 3) % saved.length]!
    const [from, to] = saved[i]!.seq <= other.seq ? [saved[i]!, other] : [other, saved[i]!]
    const fields = [...sheet.fields]
    expect(await engine.diffVersions(sheet, { from: from.seq, to: to.seq }, fresh)).toEqual(
      computeDiff({ ...from.model, fields }, { ...to.model, fields }),
    )
  }
}

const getValues = ({ id, values }: WireRecord) => [id, Object.values(values).map(({ value }) => value)]

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
          fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 22 }), (steps) => playHistory(steps, options)),
          { numRuns: runs(4), endOnFailure: true },
        )
      },
      TIMEOUT_MS,
    )
})
