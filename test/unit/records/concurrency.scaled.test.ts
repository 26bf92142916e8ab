/** Concurrent writers of one sheet, each like its own process: no write is lost and none is partially visible. */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { StoreOptions } from '../../../lib/records/log/store.ts'
import type { CellChange, Field, RecordUpdate, SheetRef, WireRecord } from '../../../lib/records/sheet.ts'
import { startRecordSuite } from '../../support/record-suite.ts'
import { createRandom } from '../../support/record-writes.ts'
import { collect, createWriteContext, newSheetId } from '../../support/records.ts'
import { runs, TIMEOUT_MS } from '../../support/runs.ts'

const { cloud, engine, insert, importRows, update, remove } = await startRecordSuite()

const textField = (key: string): Field => ({ key, type: 'string' })
const createSheet = (...fields: Field[]): SheetRef => ({ sheetId: newSheetId(), fields })
const uniqueField = (key: string): Field => ({ ...textField(key), constraints: [{ type: 'unique' }] })
const parseSeq = (commitId: string): number => Number(commitId.slice(commitId.lastIndexOf('_') + 1))
const toCells = (values: { [key: string]: unknown }) =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, { value }]))
const createRow = (values: { [key: string]: unknown }) => ({ values: toCells(values) })
const createChange = (id: string, values: { [key: string]: unknown }): RecordUpdate => ({ id, values: toCells(values) })

function expectConsistent(records: readonly WireRecord[], total: number | undefined, key: string): void {
  expect(total).toBe(records.length)
  const holders = new Map<unknown, number>()
  for (const { values } of records) holders.set(values[key]!.value, (holders.get(values[key]!.value) ?? 0) + 1)
  for (const { values } of records) {
    const { value, valid } = values[key]!
    expect(valid, `${value}`).toBe(value === null || holders.get(value) === 1)
  }
}

const listErrors = (records: readonly WireRecord[]): number => records.filter(({ valid }) => !valid).length

async function expectExactCounts(sheet: SheetRef): Promise<WireRecord[]> {
  const store = engine.createStore()
  const { records } = await engine.readRecords(sheet, {}, store)
  const error = listErrors(records)
  expect(await engine.countRecords(sheet, {}, store)).toEqual({
    total: records.length,
    valid: records.length - error,
    error,
  })
  const bad = await engine.readRecords(sheet, { filter: 'error' }, store)
  expect(bad.records).toEqual(records.filter(({ valid }) => !valid))
  return records
}

async function readWhileWriting(writers: Promise<unknown>[], readOnce: () => Promise<void>): Promise<number> {
  let writing = true
  const written = Promise.all(writers).finally(() => {
    writing = false
  })
  let looks = 0
  const reader = (async () => {
    do {
      await readOnce()
      looks++
      await sleep(25)
    } while (writing)
  })()
  await Promise.all([written, reader])
  await readOnce()
  return looks + 1
}

async function readHistory(sheet: SheetRef, commitIds: readonly string[]): Promise<CellChange[][]> {
  const store = engine.createStore()
  const all: CellChange[][] = []
  for (const id of [...commitIds].sort((a, b) => parseSeq(a) - parseSeq(b)))
    all.push(await collect((await engine.readCommitRecords(sheet, id, store))!.changes))
  return all
}

describe('two writers', () => {
  it('with the same cell: the later entry wins, and the history has both in order', async () => {
    const sheet = createSheet(textField('a'))
    const stores = [engine.createStore(), engine.createStore()]
    const [id] = [...(await insert(sheet, [createRow({ a: 'start' })], stores[0])).ids]
    const made: string[] = []
    for (let i = 0; i < 10; i++)
      await Promise.all(
        stores.map(async (store, w) => {
          const { commitId } = await update(sheet, [createChange(id!, { a: `${w} ${i}` })], store)
          made.push(commitId!)
        }),
      )
    const changes = (await readHistory(sheet, made)).flat()
    expect(changes).toHaveLength(20)
    changes.forEach(({ previousValue }, i) => {
      expect(previousValue).toBe(i === 0 ? 'start' : changes[i - 1]!.newValue)
    })
    const [record] = await expectExactCounts(sheet)
    expect(record!.values.a!.value).toBe(changes.at(-1)!.newValue)
  })
})

interface Scale {
  edits: number
  options: Partial<StoreOptions>
}

describe('eight writers', () => {
  const WRITERS = 8

  async function retryUntilDone<T>(write: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await write()
      } catch (error) {
        if (!cloud.intercept.throttle) throw error
      }
    }
  }

  async function runEdits(sheet: SheetRef, ids: readonly string[], scale: Scale, readOnce: () => Promise<void>) {
    const done: { seq: number; commitId: string; updates: RecordUpdate[] }[] = []
    const writers = Array.from({ length: WRITERS }, async (_, w) => {
      const random = createRandom(w)
      const store = engine.createStore(scale.options)
      for (let i = 0; i < scale.edits; i++) {
        const at = Math.floor(random() * ids.length)
        const value = `w${w} ${i}`
        const code = { code: random() < 0.5 ? `code ${Math.floor(random() * 40)}` : value }
        const updates =
          i % 3 === 0
            ? [createChange(ids[at]!, code)]
            : [
                createChange(ids[at]!, { a: value, b: value }),
                createChange(ids[(at + 7) % ids.length]!, { note: value }),
              ]
        const ctx = createWriteContext(`us_usr_${w}`, { at: () => new Date() })
        const { commitId } = await retryUntilDone(() => engine.update(sheet, updates, ctx, store))
        if (commitId) done.push({ seq: parseSeq(commitId), commitId, updates })
      }
    })
    const looks = await readWhileWriting(writers, () => retryUntilDone(readOnce))
    expect(looks).toBeGreaterThan(2)
    return done.sort((a, b) => a.seq - b.seq)
  }

  async function runRace({ edits, options }: Scale): Promise<void> {
    const sheet = createSheet(uniqueField('code'), textField('a'), textField('b'), textField('note'))
    const rows = Array.from({ length: 40 }, (_, i) => createRow({ code: `code ${i}`, a: 'start', b: 'start' }))
    const ctx = createWriteContext()
    const { ids, commitId: start } = await retryUntilDone(() =>
      engine.insert(sheet, rows, ctx, engine.createStore(options)),
    )
    const reader = engine.createStore()
    const done = await runEdits(sheet, [...ids], { edits, options }, async () => {
      const { records, total } = await engine.readRecords(sheet, { includeLength: true }, reader)
      expectConsistent(records, total, 'code')
      for (const { values } of records) expect(values.a!.value).toBe(values.b!.value)
    })
    cloud.intercept.loseResponse = undefined
    cloud.intercept.throttle = undefined
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
    const commits = (await engine.listCommits(sheet.sheetId, { pageSize: runs(2000) })).reverse()
    expect(commits.map(({ id }) => id)).toEqual([start, ...done.map(({ commitId }) => commitId)])
    const times = commits.map(({ createdAt }) => createdAt)
    expect(times).toEqual(times.toSorted())
    await expectHistory(
      sheet,
      done.filter((_, i) => i % 40 === 0),
    )
  }

  async function expectHistory(sheet: SheetRef, some: { commitId: string; updates: RecordUpdate[] }[]): Promise<void> {
    const history = await readHistory(
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
    'make hundreds of edits: all are in the history, and the last one of each cell wins',
    () => runRace({ edits: runs(40), options: {} }),
    TIMEOUT_MS,
  )

  it(
    'make edits while columns are rewritten concurrently',
    () => runRace({ edits: runs(16, 4), options: { editedRows: 6, segmentRows: 10, inlineSegmentBytes: 0 } }),
    TIMEOUT_MS,
  )

  it(
    'make edits while responses are lost and three of ten requests are throttled',
    async () => {
      const random = createRandom(7)
      cloud.intercept.loseResponse = (operation) => operation === 'UpdateItem' && random() < 0.05
      cloud.intercept.throttle = () => random() < 0.3
      await runRace({ edits: runs(6, 4), options: { inlineEntryBytes: 100 } })
    },
    TIMEOUT_MS,
  )
})

describe('all kinds of concurrent writes', () => {
  it('result in the state of the log, with exact counts', async () => {
    const fields = [uniqueField('code'), textField('a')]
    const sheet = createSheet(...fields)
    const required = { ...sheet, fields: [fields[0]!, { ...fields[1]!, constraints: [{ type: 'required' }] }] }
    const options = { segmentRows: 50, editedRows: 5, inlineSegmentBytes: 100 }
    const store = () => engine.createStore(options)
    const start = Array.from({ length: 200 }, (_, i) => createRow({ code: `c${i}`, a: i % 4 ? 'x' : null }))
    const ids = [...(await insert(sheet, start, store())).ids]
    async function* generateFile(tag: number) {
      for (let i = 0; i < 4; i++)
        yield {
          keys: ['code', 'a'],
          rows: Array.from({ length: 60 }, (_, n) => [`c${tag * 100 + i * 60 + n}`, n % 2 ? 'x' : null]),
        }
    }
    const repeatWrites = async (
      count: number,
      write: (i: number, own: ReturnType<typeof store>) => Promise<unknown>,
    ) => {
      const own = store()
      for (let i = 0; i < count; i++) await write(i, own)
    }
    let now: SheetRef = sheet
    const writers = [
      repeatWrites(4, (i, own) => importRows(now, generateFile(i), own)),
      repeatWrites(30, (i, own) => update(now, [createChange(ids[i * 3]!, { a: `edit ${i}` })], own)),
      repeatWrites(30, (i, own) => update(now, [createChange(ids[i * 3 + 1]!, { code: `c${i % 20}` })], own)),
      repeatWrites(10, (i, own) => remove(now, [ids[i * 3 + 2]!], own)),
      repeatWrites(20, (i, own) => insert(now, [createRow({ code: `c${i * 9}`, a: null })], own)),
      repeatWrites(2, async (_, own) => {
        await sleep(200)
        now = now === sheet ? required : sheet
        return engine.countRecords(now, {}, own)
      }),
    ]
    const reader = engine.createStore()
    await readWhileWriting(writers, async () => {
      const { records, total } = await engine.readRecords(now, { includeLength: true }, reader)
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
    expect(await engine.listCommits(sheet.sheetId, { pageSize: 1000 })).toHaveLength(1 + 4 + 30 + 30 + 10 + 20)
  }, 120_000)
})

describe('unique cells edited by eight writers', () => {
  it(
    'are flagged exactly after each round and in every page read meanwhile',
    async () => {
      const sheet = createSheet(uniqueField('code'))
      const options = { segmentRows: 8, editedRows: 4, inlineSegmentBytes: 0 }
      const rows = Array.from({ length: 24 }, (_, i) => createRow({ code: `c${i}` }))
      const ids = [...(await insert(sheet, rows, engine.createStore(options))).ids]
      const stores = Array.from({ length: 8 }, () => engine.createStore(options))
      const random = createRandom(3)
      const reader = engine.createStore()
      for (let round = 0; round < runs(8, 2); round++) {
        const writers = stores.map((store) => {
          const at = Math.floor(random() * ids.length)
          return update(sheet, [createChange(ids[at]!, { code: `c${Math.floor(random() * 12)}` })], store)
        })
        await readWhileWriting(writers, async () => {
          const { records, total } = await engine.readRecords(sheet, { includeLength: true }, reader)
          expectConsistent(records, total, 'code')
        })
        await expectExactCounts(sheet)
      }
    },
    TIMEOUT_MS,
  )
})

describe('an import and later edits', () => {
  it('are all stored although three of ten requests are throttled', async () => {
    const sheet = createSheet(uniqueField('name'), textField('note'))
    let request = 0
    cloud.intercept.throttle = () => ++request % 10 < 3
    async function* source() {
      yield { keys: ['name'], rows: Array.from({ length: 500 }, (_, i) => [`row ${i}`]) }
    }
    await importRows(sheet, source(), engine.createStore({ segmentRows: 100, blobItemBytes: 1e9 }))
    const { ids } = await insert(sheet, [createRow({ name: 'row 7' })])
    await update(sheet, [createChange([...ids][0]!, { note: 'kept' })])
    cloud.intercept.throttle = undefined
    expect(await engine.countRecords(sheet, {}, engine.createStore())).toEqual({ total: 501, valid: 499, error: 2 })
  }, 60_000)
})
