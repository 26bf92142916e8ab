/** Many writers of one sheet at once, each a process of its own to the engine: nothing is lost, nothing seen in part. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { StoreOptions } from '../../../lib/records/log/store.ts'
import type { CellChange, Field, RecordUpdate, SheetRef, WireRecord } from '../../../lib/records/sheet.ts'
import { seeded } from '../../support/record-writes.ts'
import { by, collected, newSheetId, type RecordCloud, recordCloud } from '../../support/records.ts'
import { PATIENCE, RUNS } from '../../support/runs.ts'

type Engine = typeof import('../../../lib/records/index.ts')
let cloud: RecordCloud
let engine: Engine

beforeAll(async () => {
  cloud = await recordCloud()
  engine = await import('../../../lib/records/index.ts')
})
afterAll(() => cloud.close())
beforeEach(() => {
  cloud.intercept.after = undefined
  cloud.intercept.refuse = undefined
})

const text = (key: string): Field => ({ key, type: 'string' })
const sheetOf = (...fields: Field[]): SheetRef => ({ sheetId: newSheetId(), fields })
const unique = (key: string): Field => ({ ...text(key), constraints: [{ type: 'unique' }] })
const seqOf = (commitId: string): number => Number(commitId.slice(commitId.lastIndexOf('_') + 1))
const cellsOf = (values: { [key: string]: unknown }) =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, { value }]))
const row = (values: { [key: string]: unknown }) => ({ values: cellsOf(values) })
const change = (id: string, values: { [key: string]: unknown }): RecordUpdate => ({ id, values: cellsOf(values) })

/** What must hold of any page of all records: flags and counts are those of its own values. */
function expectConsistent(records: readonly WireRecord[], total: number | undefined, key: string): void {
  expect(total).toBe(records.length)
  const holders = new Map<unknown, number>()
  for (const { values } of records) holders.set(values[key]!.value, (holders.get(values[key]!.value) ?? 0) + 1)
  for (const { values } of records) {
    const { value, valid } = values[key]!
    expect(valid, `${value}`).toBe(value === null || holders.get(value) === 1)
  }
}

const errorsIn = (records: readonly WireRecord[]): number => records.filter(({ valid }) => !valid).length

async function expectExactCounts(sheet: SheetRef): Promise<WireRecord[]> {
  const store = engine.newStore()
  const { records } = await engine.read(sheet, {}, store)
  const error = errorsIn(records)
  expect(await engine.counts(sheet, {}, store)).toEqual({
    total: records.length,
    valid: records.length - error,
    error,
  })
  const bad = await engine.read(sheet, { filter: 'error' }, store)
  expect(bad.records).toEqual(records.filter(({ valid }) => !valid))
  return records
}

/** Runs `look` again and again while the writers write; at least once after them. */
async function whileReading(writers: Promise<unknown>[], look: () => Promise<void>): Promise<number> {
  let writing = true
  const written = Promise.all(writers).finally(() => {
    writing = false
  })
  let looks = 0
  const reader = (async () => {
    do {
      await look()
      looks++
      // Writers are to meet each other more than the reader.
      await new Promise((resolve) => setTimeout(resolve, 25))
    } while (writing)
  })()
  await Promise.all([written, reader])
  await look()
  return looks + 1
}

/** Every commit's changes, oldest first, as the history tells them. */
async function historyOf(sheet: SheetRef, commitIds: readonly string[]): Promise<CellChange[][]> {
  const store = engine.newStore()
  const all: CellChange[][] = []
  for (const id of [...commitIds].sort((a, b) => seqOf(a) - seqOf(b)))
    all.push(await collected((await engine.recordsOfCommit(sheet, id, store))!.changes))
  return all
}

describe('two writers', () => {
  it('of different cells of one record both find their way, under whatever the other wrote', async () => {
    const sheet = sheetOf(text('a'), text('b'))
    const first = engine.newStore()
    const second = engine.newStore({ editedRows: 1 })
    const { ids } = await engine.insert(sheet, [row({ a: 0, b: 0 }), row({ a: 0, b: 0 })], by(), first)
    const all = [...ids]
    await engine.counts(sheet, {}, second)
    for (let i = 1; i <= 10; i++)
      await Promise.all([
        engine.update(
          sheet,
          all.map((id) => change(id, { a: i })),
          by(),
          first,
        ),
        engine.update(
          sheet,
          all.map((id) => change(id, { b: i })),
          by(),
          second,
        ),
      ])
    const records = await expectExactCounts(sheet)
    expect(records.map(({ values }) => [values.a!.value, values.b!.value])).toEqual([
      [10, 10],
      [10, 10],
    ])
  })

  it('of the same cell: the later in the log is what stays, and the history has both in order', async () => {
    const sheet = sheetOf(text('a'))
    const stores = [engine.newStore(), engine.newStore()]
    const [id] = [...(await engine.insert(sheet, [row({ a: 'start' })], by(), stores[0])).ids]
    const made: string[] = []
    for (let i = 0; i < 10; i++)
      await Promise.all(
        stores.map(async (store, w) => {
          const { commitId } = await engine.update(sheet, [change(id!, { a: `${w} ${i}` })], by(), store)
          made.push(commitId!)
        }),
      )
    const changes = (await historyOf(sheet, made)).flat()
    expect(changes).toHaveLength(20)
    changes.forEach(({ previousValue }, i) => {
      expect(previousValue).toBe(i === 0 ? 'start' : changes[i - 1]!.newValue)
    })
    const [record] = await expectExactCounts(sheet)
    expect(record!.values.a!.value).toBe(changes.at(-1)!.newValue)
  })
})

interface Scale {
  /** Of each writer. */
  edits: number
  options: Partial<StoreOptions>
}

describe('eight writers', () => {
  const WRITERS = 8

  /** A refused or unheard write is tried again under its operation id, as callers do. */
  async function insistent<T>(write: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await write()
      } catch (error) {
        if (!cloud.intercept.refuse) throw error
      }
    }
  }

  /** Edits of each writer, with what the log says of their order. */
  async function manyEdits(sheet: SheetRef, ids: readonly string[], scale: Scale, look: () => Promise<void>) {
    const done: { seq: number; commitId: string; updates: RecordUpdate[] }[] = []
    const writers = Array.from({ length: WRITERS }, async (_, w) => {
      const random = seeded(w)
      const store = engine.newStore(scale.options)
      for (let i = 0; i < scale.edits; i++) {
        const at = Math.floor(random() * ids.length)
        const value = `w${w} ${i}`
        const code = { code: random() < 0.5 ? `code ${Math.floor(random() * 40)}` : value }
        const updates =
          i % 3 === 0
            ? [change(ids[at]!, code)]
            : [change(ids[at]!, { a: value, b: value }), change(ids[(at + 7) % ids.length]!, { note: value })]
        const ctx = by(`us_usr_${w}`)
        const { commitId } = await insistent(() => engine.update(sheet, updates, ctx, store))
        if (commitId) done.push({ seq: seqOf(commitId), commitId, updates })
      }
    })
    const looks = await whileReading(writers, () => insistent(look))
    expect(looks).toBeGreaterThan(2)
    return done.sort((a, b) => a.seq - b.seq)
  }

  async function race({ edits, options }: Scale): Promise<void> {
    const sheet = sheetOf(unique('code'), text('a'), text('b'), text('note'))
    const rows = Array.from({ length: 40 }, (_, i) => row({ code: `code ${i}`, a: 'start', b: 'start' }))
    const ctx = by()
    const { ids, commitId: start } = await insistent(() => engine.insert(sheet, rows, ctx, engine.newStore(options)))
    const reader = engine.newStore()
    const done = await manyEdits(sheet, [...ids], { edits, options }, async () => {
      const { records, total } = await engine.read(sheet, { includeLength: true }, reader)
      expectConsistent(records, total, 'code')
      for (const { values } of records) expect(values.a!.value).toBe(values.b!.value)
    })
    cloud.intercept.after = undefined
    cloud.intercept.refuse = undefined
    expect(done.length).toBeGreaterThan(0.9 * WRITERS * edits)
    const last = new Map<string, unknown>()
    for (const { updates } of done)
      for (const { id, values } of updates)
        for (const [key, cell] of Object.entries(values!)) last.set(`${id} ${key}`, cell.value)
    const records = await expectExactCounts(sheet)
    const final = new Map(records.map((record) => [record.id, record]))
    for (const [cell, value] of last) {
      const [id, key] = cell.split(' ')
      expect(final.get(id!)!.values[key!]!.value).toBe(value)
    }
    const commits = (await engine.commits(sheet.sheetId, { pageSize: 2000 * RUNS })).map(({ id }) => id).reverse()
    expect(commits).toEqual([start, ...done.map(({ commitId }) => commitId)])
    await expectHistory(
      sheet,
      done.filter((_, i) => i % 40 === 0),
    )
  }

  async function expectHistory(sheet: SheetRef, some: { commitId: string; updates: RecordUpdate[] }[]): Promise<void> {
    const history = await historyOf(
      sheet,
      some.map(({ commitId }) => commitId),
    )
    some.forEach(({ updates }, i) => {
      const wanted = updates.flatMap(({ id, values }) =>
        Object.entries(values!).map(([fieldKey, { value }]) => ({ recordId: id, fieldKey, newValue: value })),
      )
      for (const told of history[i]!)
        expect(wanted).toContainEqual(
          expect.objectContaining({ recordId: told.recordId, fieldKey: told.fieldKey, newValue: told.newValue }),
        )
      expect(history[i]!.length).toBeGreaterThan(0)
    })
  }

  it(
    'make hundreds of edits: each is in the history, and the last of each cell is what stays',
    () => race({ edits: 40 * RUNS, options: {} }),
    PATIENCE,
  )

  it(
    'make them while columns are written anew under each other',
    () => race({ edits: 16 * RUNS, options: { editedRows: 6, segmentRows: 10, inlineSegmentBytes: 0 } }),
    PATIENCE,
  )

  it(
    'make them while answers are lost and three of ten requests refused',
    async () => {
      const random = seeded(7)
      cloud.intercept.after = (operation) => operation === 'UpdateItem' && random() < 0.05
      cloud.intercept.refuse = () => random() < 0.3
      await race({ edits: 6 * RUNS, options: { inlineEntryBytes: 100 } })
    },
    PATIENCE,
  )
})

describe('all kinds of writes at once', () => {
  it('leave what the log says, with exact counts', async () => {
    const fields = [unique('code'), text('a')]
    const sheet = sheetOf(...fields)
    const required = { ...sheet, fields: [fields[0]!, { ...fields[1]!, constraints: [{ type: 'required' }] }] }
    const options = { segmentRows: 50, editedRows: 5, inlineSegmentBytes: 100 }
    const store = () => engine.newStore(options)
    const start = Array.from({ length: 200 }, (_, i) => row({ code: `c${i}`, a: i % 4 ? 'x' : null }))
    const ids = [...(await engine.insert(sheet, start, by(), store())).ids]
    async function* file(tag: number) {
      for (let i = 0; i < 4; i++)
        yield {
          keys: ['code', 'a'],
          rows: Array.from({ length: 60 }, (_, n) => [`c${tag * 100 + i * 60 + n}`, n % 2 ? 'x' : null]),
        }
    }
    const many = async (count: number, write: (i: number, own: ReturnType<typeof store>) => Promise<unknown>) => {
      const own = store()
      for (let i = 0; i < count; i++) await write(i, own)
    }
    let now: SheetRef = sheet
    const writers = [
      many(4, (i, own) => engine.importRows(now, file(i), by(), own)),
      many(30, (i, own) => engine.update(now, [change(ids[i * 3]!, { a: `edit ${i}` })], by(), own)),
      many(30, (i, own) => engine.update(now, [change(ids[i * 3 + 1]!, { code: `c${i % 20}` })], by(), own)),
      many(10, (i, own) => engine.remove(now, [ids[i * 3 + 2]!], by(), own)),
      many(20, (i, own) => engine.insert(now, [row({ code: `c${i * 9}`, a: null })], by(), own)),
      many(2, async (_, own) => {
        await new Promise((resolve) => setTimeout(resolve, 200))
        now = now === sheet ? required : sheet
        return engine.counts(now, {}, own)
      }),
    ]
    const reader = engine.newStore()
    await whileReading(writers, async () => {
      const { records, total } = await engine.read(now, { includeLength: true }, reader)
      expectConsistent(records, total, 'code')
    })
    for (const as of [sheet, required]) {
      const records = await expectExactCounts(as)
      expect(records).toHaveLength(200 + 4 * 240 - 10 + 20)
      const byId = new Map(records.map((record) => [record.id, record.values]))
      for (let i = 0; i < 30; i++) {
        expect(byId.get(ids[i * 3]!)!.a!.value).toBe(`edit ${i}`)
        expect(byId.get(ids[i * 3 + 1]!)!.code!.value).toBe(`c${i % 20}`)
      }
      for (let i = 0; i < 10; i++) expect(byId.has(ids[i * 3 + 2]!)).toBe(false)
      expectConsistent(records, records.length, 'code')
      for (const { values } of records) expect(values.a!.valid).toBe(as === sheet || values.a!.value !== null)
    }
    expect(await engine.commits(sheet.sheetId, { pageSize: 1000 })).toHaveLength(1 + 4 + 30 + 30 + 10 + 20)
  }, 120_000)
})

describe('unique cells edited by eight writers', () => {
  it(
    'are flagged exactly after each round and in every page seen meanwhile',
    async () => {
      const sheet = sheetOf(unique('code'))
      const options = { segmentRows: 8, editedRows: 4, inlineSegmentBytes: 0 }
      const rows = Array.from({ length: 24 }, (_, i) => row({ code: `c${i}` }))
      const ids = [...(await engine.insert(sheet, rows, by(), engine.newStore(options))).ids]
      const stores = Array.from({ length: 8 }, () => engine.newStore(options))
      const random = seeded(3)
      const reader = engine.newStore()
      for (let round = 0; round < 8 * RUNS; round++) {
        const writers = stores.map((store) => {
          const at = Math.floor(random() * ids.length)
          return engine.update(sheet, [change(ids[at]!, { code: `c${Math.floor(random() * 12)}` })], by(), store)
        })
        await whileReading(writers, async () => {
          const { records, total } = await engine.read(sheet, { includeLength: true }, reader)
          expectConsistent(records, total, 'code')
        })
        await expectExactCounts(sheet)
      }
    },
    PATIENCE,
  )
})

describe('an import and the edits after it', () => {
  it('are all there though three of ten requests are refused', async () => {
    const sheet = sheetOf(unique('name'), text('note'))
    let request = 0
    cloud.intercept.refuse = () => ++request % 10 < 3
    async function* source() {
      yield { keys: ['name'], rows: Array.from({ length: 500 }, (_, i) => [`row ${i}`]) }
    }
    await engine.importRows(sheet, source(), by(), engine.newStore({ segmentRows: 100, blobItemBytes: 1e9 }))
    const { ids } = await engine.insert(sheet, [row({ name: 'row 7' })], by())
    await engine.update(sheet, [change([...ids][0]!, { note: 'kept' })], by())
    cloud.intercept.refuse = undefined
    expect(await engine.counts(sheet, {}, engine.newStore())).toEqual({ total: 501, valid: 499, error: 2 })
  }, 60_000)
})
