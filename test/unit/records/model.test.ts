/** Any history of writes, by workers that know more or less of it and partly at the same time, ends as the model says. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Field, RecordInput, RecordUpdate, SheetRef } from '../../../lib/records/sheet.ts'
import type { Store } from '../../../lib/records/store.ts'
import { by, newSheetId, type RecordCloud, recordCloud } from '../../support/records.ts'
import { insertRows, type Model, type ModelRow, removeRows, updateRows, wireCounts, wireRecords } from './model.ts'

type Engine = typeof import('../../../lib/records/index.ts')
let cloud: RecordCloud
let engine: Engine

beforeAll(async () => {
  cloud = await recordCloud()
  engine = await import('../../../lib/records/index.ts')
})
afterAll(async () => {
  cloud.intercept.before = undefined
  await cloud.close()
})

const code: Field = { key: 'code', type: 'string', constraints: [{ type: 'unique' }] }
const name: Field = {
  key: 'name',
  type: 'string',
  constraints: [{ type: 'required' }, { type: 'unique', config: { caseSensitive: false, level: 'warn' } }],
}
const amount: Field = { key: 'amount', type: 'number' }
const kind: Field = { key: 'kind', type: 'enum', config: { options: [{ value: 'a' }, { value: 'b' }] } }
/** Sheets a history goes through: constraints come and go, a field comes. */
const SHEETS: Field[][] = [
  [code, name, amount, kind],
  [{ ...code, constraints: [] }, name, amount, kind],
  [code, { ...name, constraints: [{ type: 'required', config: { level: 'warn' } }] }, amount, kind],
  [
    code,
    name,
    { ...amount, constraints: [{ type: 'required' }, { type: 'unique' }] },
    kind,
    { key: 'extra', type: 'string', constraints: [{ type: 'required' }] },
  ],
]

const value = fc.oneof(
  fc.constantFrom<unknown>('x', 'X', 'y', 'ü "q"', '', null, 1, 7, '7', 'n/a', 'a', 'b', 'line\nbreak'),
  fc.nat(40).map((number) => `v${number}`),
)
const messages = fc.array(
  fc.record({ type: fc.constantFrom('error', 'warn', 'info'), message: fc.constantFrom('m1', 'm2') }),
  { maxLength: 2 },
)
const key = fc.constantFrom('code', 'name', 'amount', 'kind')
const cell = fc.record({ value, messages }, { requiredKeys: [] })
const cells = fc
  .uniqueArray(fc.tuple(key, cell), { selector: ([field]) => field, maxLength: 4 })
  .map((list) => Object.fromEntries(list))
const object = fc.constantFrom<{ [k: string]: unknown }>({}, { a: 1 }, { b: { c: ['ü'] } })
const input = fc.record({ values: cells, metadata: object, config: object }, { requiredKeys: ['values'] })
const row = fc.nat(1000)

const edit = fc.record({ row, values: cells, metadata: object, config: object }, { requiredKeys: ['row'] })

type Step =
  | { do: 'insert'; rows: RecordInput[] }
  | { do: 'import'; rows: RecordInput[] }
  | { do: 'update'; edits: { row: number; values?: object; metadata?: object; config?: object }[] }
  | { do: 'remove'; rows: number[] }
  | { do: 'copy'; rows: number[] }
  | { do: 'removeErrors'; field: string | undefined }
  | { do: 'sheet'; sheet: number }
  | {
      do: 'race'
      edits: { row: number; key: string }[]
      bulk: number[]
      insert: RecordInput[]
      remove: number | undefined
    }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('insert' as const), rows: fc.array(input, { minLength: 1, maxLength: 4 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('import' as const), rows: fc.array(input, { maxLength: 20 }) }) },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('update' as const), edits: fc.array(edit, { minLength: 1, maxLength: 5 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('remove' as const), rows: fc.array(row, { minLength: 1, maxLength: 3 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('copy' as const), rows: fc.array(row, { minLength: 1, maxLength: 9 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('removeErrors' as const),
      field: fc.constantFrom(undefined, 'name', 'amount'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('sheet' as const), sheet: fc.nat(SHEETS.length - 1) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('race' as const),
      edits: fc.array(fc.record({ row, key }), { minLength: 1, maxLength: 4 }),
      bulk: fc.array(row, { maxLength: 8 }),
      insert: fc.array(input, { minLength: 1, maxLength: 2 }),
      remove: fc.option(row, { nil: undefined }),
    }),
  },
)

interface World {
  model: Model
  sheet: SheetRef
  stores: Store[]
  turn: number
  fresh: number
}

const storeOf = (world: World): Store => world.stores[world.turn++ % world.stores.length]!
const pick = (world: World, at: number): string | undefined =>
  world.model.rows.length ? world.model.rows[at % world.model.rows.length]!.id : undefined

async function* batchesOf(world: World, rows: readonly RecordInput[]) {
  for (let from = 0; from < rows.length; from += 5) {
    const part = rows.slice(from, from + 5)
    yield {
      keys: world.model.fields.map(({ key: field }) => field),
      rows: part.map(({ values }) => world.model.fields.map(({ key: field }) => values[field]?.value)),
    }
  }
}

async function perform(world: World, one: Step): Promise<void> {
  const { model, sheet } = world
  if (one.do === 'insert') {
    const result = await engine.insert(sheet, one.rows, by(), storeOf(world))
    insertRows(model, [...result.ids], one.rows)
    expect(result.counts).toEqual(wireCounts(wireRecords(model)))
  } else if (one.do === 'import') {
    const rows = one.rows.map(({ values }) => ({
      values: Object.fromEntries(Object.entries(values).map(([field, { value: v }]) => [field, { value: v }])),
    }))
    const result = await engine.importRows(sheet, batchesOf(world, rows), by(), storeOf(world))
    expect(result.created).toBe(rows.length)
    insertRows(model, [...result.ids], rows)
  } else if (one.do === 'update') await update(world, one.edits)
  else if (one.do === 'copy') {
    const rows = one.rows.flatMap((at) => copyOf(model.rows[at % Math.max(1, model.rows.length)]))
    const result = await engine.insert(sheet, rows, by(), storeOf(world))
    insertRows(model, [...result.ids], rows)
    expect(result.counts).toEqual(wireCounts(wireRecords(model)))
  } else if (one.do === 'remove') {
    const ids = [...new Set(one.rows.map((at) => pick(world, at)).filter((id) => id !== undefined))]
    const result = await engine.remove(sheet, ids, by(), storeOf(world))
    expect(result.removed).toBe(ids.length)
    removeRows(model, ids)
    expect(result.counts).toEqual(wireCounts(wireRecords(model)))
  } else if (one.do === 'removeErrors') {
    const bad = wireRecords(model).filter((record) => (one.field ? !record.values[one.field]!.valid : !record.valid))
    const result = await engine.remove(sheet, { filter: 'error', filterField: one.field }, by(), storeOf(world))
    expect([...result.ids].sort()).toEqual(bad.map(({ id }) => id).sort())
    removeRows(model, [...result.ids])
  } else if (one.do === 'sheet') {
    model.fields = SHEETS[one.sheet]!
    world.sheet = { ...sheet, fields: model.fields }
  } else await race(world, one)
}

const copyOf = (row: ModelRow | undefined): RecordInput[] =>
  row ? [{ values: Object.fromEntries([...row.values].map(([field, v]) => [field, { value: v }])) }] : []

async function update(world: World, edits: Extract<Step, { do: 'update' }>['edits']): Promise<void> {
  const merged = new Map<string, RecordUpdate>()
  for (const { row: at, ...rest } of edits) {
    const id = pick(world, at)
    if (id) merged.set(id, { ...(rest as Partial<RecordUpdate>), id })
  }
  const updates = [...merged.values()]
  const result = await engine.update(world.sheet, [...updates, { id: 'us_rc_0_0_0_0' }], by(), storeOf(world))
  const changed = updateRows(world.model, updates)
  expect(result.missing).toEqual(['us_rc_0_0_0_0'])
  expect([...result.updated].sort()).toEqual(changed.sort())
  expect(result.changed).toBe(changed.length > 0)
  expect(result.counts).toEqual(wireCounts(wireRecords(world.model)))
}

/** Writes at the same time by different workers; the log says afterwards in which order they happened. */
async function race(world: World, { edits, bulk, insert, remove }: Extract<Step, { do: 'race' }>): Promise<void> {
  const { model, sheet } = world
  const happened: { seq: number; apply: () => void }[] = []
  const note = (commitId: string | undefined, apply: () => void): void => {
    if (commitId) happened.push({ seq: Number(commitId.slice(commitId.lastIndexOf('_') + 1)), apply })
  }
  // Cells with a hook's message are left out: whether a new value ends it depends on what its writer had seen.
  const freshCell = (at: number, field: string): RecordUpdate[] => {
    const id = pick(world, at)
    if (!id || model.rows.find((one) => one.id === id)!.hooks.get(field)?.length) return []
    return [{ id, values: { [field]: { value: `fresh${world.fresh++} ${at % 3}` } } }]
  }
  const bulkUpdates = [...new Map(bulk.flatMap((at) => freshCell(at, 'kind')).map((one) => [one.id, one])).values()]
  const writes = [...edits.map(({ row: at, key: field }) => freshCell(at, field)), bulkUpdates].map(async (updates) => {
    if (!updates.length) return
    const { commitId } = await engine.update(sheet, updates, by(), storeOf(world))
    note(commitId, () => updateRows(model, updates))
  })
  writes.push(
    (async () => {
      const { commitId, ids } = await engine.insert(sheet, insert, by(), storeOf(world))
      note(commitId, () => insertRows(model, [...ids], insert))
    })(),
  )
  const gone = remove === undefined ? undefined : pick(world, remove)
  if (gone)
    writes.push(
      (async () => {
        const { commitId } = await engine.remove(sheet, [gone], by(), storeOf(world))
        note(commitId, () => removeRows(model, [gone]))
      })(),
    )
  await Promise.all(writes)
  for (const { apply } of happened.sort((a, b) => a.seq - b.seq)) apply()
}

/** A worker that never saw the sheet, and one that saw part of its history, answer what the model says. */
async function check(world: World): Promise<void> {
  const wanted = wireRecords(world.model)
  for (const store of [engine.newStore(), storeOf(world)]) {
    const { records, total } = await engine.read(world.sheet, { includeLength: true }, store)
    expect(records).toEqual(wanted)
    expect(total).toBe(wanted.length)
    expect(await engine.counts(world.sheet, {}, store)).toEqual(wireCounts(wanted))
    for (const filter of ['valid', 'error'] as const) {
      const listed = await engine.read(world.sheet, { filter }, store)
      expect(listed.records).toEqual(wanted.filter(({ valid }) => valid === (filter === 'valid')))
    }
    const counts = await engine.counts(world.sheet, { byField: true }, store)
    expect(counts).toMatchObject(wireCounts(wanted))
    for (const { key: field } of world.model.fields) {
      const cellsOf = wanted.map(({ values }) => values[field]!)
      const error = cellsOf.filter((one) => !one.valid).length
      const empty = cellsOf.filter((one) => one.value === null).length
      expect(counts.byField?.[field]).toEqual({ total: wanted.length, valid: wanted.length - error, error, empty })
    }
  }
}

const run = (options: Partial<Store>, numRuns: number) =>
  fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 30 }), async (steps) => {
      const sheetId = newSheetId()
      const world: World = {
        model: { fields: SHEETS[0]!, rows: [] },
        sheet: { sheetId, fields: SHEETS[0]! },
        stores: Array.from({ length: 5 }, () => engine.newStore(options)),
        turn: 0,
        fresh: 0,
      }
      for (const [i, one] of steps.entries()) {
        await perform(world, one)
        if (i % 5 === 4) await check(world)
      }
      await check(world)
    }),
    { numRuns: numRuns * Number(process.env.MODEL_RUNS ?? 1), endOnFailure: false },
  )

describe('any history of writes', () => {
  it('ends as the model says, with tiny segments and early rewriting', async () => {
    await run({ segmentRows: 6, editedRows: 2, inlineSegmentBytes: 120 }, 40)
  }, 1_200_000)

  it('ends as the model says, with everything in DynamoDB items and bodies beside the log', async () => {
    await run(
      { segmentRows: 4, inlineSegmentBytes: 0, inlineEntryBytes: 100, blobItemBytes: Number.POSITIVE_INFINITY },
      25,
    )
  }, 1_200_000)

  it('ends as the model says, with every blob in S3', async () => {
    await run({ segmentRows: 10, editedRows: 3, inlineSegmentBytes: 60, blobItemBytes: 0 }, 25)
  }, 1_200_000)
})
