/** Previews of writes: they equal what the write commits, and a write conditional on a position follows no other commit. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Store } from '../../../lib/records/log/store.ts'
import type { Field, RecordInput, SheetRef, WireRecord } from '../../../lib/records/sheet.ts'
import type { WritePart } from '../../../lib/records/write/write.ts'
import { startRecordSuite } from '../../support/record-suite.ts'
import { createWriteContext, newSheetId } from '../../support/records.ts'
import { runs, TIMEOUT_MS } from '../../support/runs.ts'

const { cloud, engine, insert } = await startRecordSuite()

const FIELDS: Field[] = [
  { key: 'code', type: 'string', constraints: [{ type: 'unique' }] },
  { key: 'name', type: 'string', constraints: [{ type: 'required' }, { type: 'unique', config: { level: 'warn' } }] },
  { key: 'amount', type: 'number' },
  { key: 'owner', type: 'reference', config: { ref: 'owners', key: 'id' } },
]
const KEYS = FIELDS.map(({ key }) => key)

function createSheets() {
  const owners: SheetRef = { sheetId: newSheetId(), fields: [{ key: 'id', type: 'string' }] }
  const sheet: SheetRef = { sheetId: newSheetId(), fields: FIELDS, findLinkedSheet: async () => owners }
  return { owners, sheet }
}

const text = (letters: string) => fc.constantFrom(null, ...letters)
const row = fc.tuple(text('abcdef'), text('uvwxyz'), fc.constantFrom(null, 1, '2', 'many'), text('pq'))
type Row = readonly [unknown, unknown, unknown, unknown]
const change = fc.record({ at: fc.nat(), field: fc.constantFrom(...KEYS), value: text('abpq1') })
const toRecord = (cells: Row): RecordInput => ({
  values: Object.fromEntries(KEYS.map((key, i) => [key, { value: cells[i] }])),
})
async function* generate(parts: readonly WritePart[]) {
  yield* parts
}
const withoutIds = (records: readonly WireRecord[]) => records.map(({ values, valid }) => ({ values, valid }))

async function readCreated(sheet: SheetRef, ids: Iterable<string>, store: Store): Promise<WireRecord[]> {
  const created = new Set(ids)
  return (await engine.readRecords(sheet, {}, store)).records.filter(({ id }) => created.has(id))
}

describe('the preview of a write', () => {
  it('equals what the write then commits', { timeout: TIMEOUT_MS }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          existing: fc.array(row, { maxLength: 12 }),
          added: fc.array(row, { maxLength: 25 }),
          changes: fc.array(change, { maxLength: 4 }),
          removed: fc.array(fc.nat(), { maxLength: 3 }),
          truncate: fc.boolean(),
          recordCount: fc.nat({ max: 30 }),
        }),
        async ({ existing, added, changes, removed, truncate, recordCount }) => {
          const store = engine.createStore({ segmentRows: 7 })
          const { owners, sheet } = createSheets()
          await insert(owners, [{ values: { id: { value: 'p' } } }], store)
          const ids = [...(await insert(sheet, existing.map(toRecord), store)).ids]
          const pick = (at: number) => ids[at % Math.max(1, ids.length)] ?? 'us_rc_0_0_0_0'
          const parts: WritePart[] = [
            { keys: KEYS, rows: added },
            { updates: changes.map(({ at, field, value }) => ({ id: pick(at), values: { [field]: { value } } })) },
            { deletes: removed.map(pick) },
          ]
          const preview = await engine.previewWrite(sheet, generate(parts), { truncate, recordCount }, store)
          const result = await engine.write(sheet, generate(parts), createWriteContext(), { truncate }, store)
          const created = await readCreated(sheet, result.createdIds, store)
          expect(preview).toMatchObject({
            created: result.created,
            createdErrors: created.filter(({ valid }) => !valid).length,
            updated: result.updated,
            removed: result.removed,
          })
          expect(result.createdErrors).toBe(preview.createdErrors)
          expect(withoutIds(preview.records)).toEqual(withoutIds(created.slice(0, recordCount)))
        },
      ),
      { numRuns: runs(400) },
    )
  })

  it('stores nothing', async () => {
    const { sheet } = createSheets()
    await insert(sheet, [toRecord(['a', 'u', 1, null])])
    cloud.meter.reset()
    const rows = Array.from({ length: 30_000 }, (_, i): Row => [`c${i}`, `n${i}`, i, null])
    const preview = await engine.previewWrite(sheet, generate([{ keys: KEYS, rows }]), { recordCount: 2 })
    expect(preview).toMatchObject({ created: 30_000, createdErrors: 0 })
    expect([...cloud.meter.requests.keys()].filter((name) => !/^(Get|BatchGet|Query|Head)/.test(name))).toEqual([])
  })

  it('rejects what the write would reject', async () => {
    const { sheet } = createSheets()
    const store = engine.createStore({ sheetRows: 2 })
    await insert(sheet, [toRecord(['a', 'u', 1, null])], store)
    const parts = [{ keys: KEYS, rows: [1, 2].map((i): Row => [`c${i}`, 'n', i, null]) }]
    const write = () => engine.write(sheet, generate(parts), createWriteContext(), {}, store)
    const preview = () => engine.previewWrite(sheet, generate(parts), { recordCount: 1 }, store)
    for (const attempt of [write, preview])
      await expect(attempt()).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('2') })
  })
})

describe('a write with assertUnchanged', () => {
  const ROWS: WritePart = { keys: KEYS, rows: [['new', 'n', 1, null]] }
  const readCodes = async (sheet: SheetRef) =>
    (await engine.readRecords(sheet)).records.map(({ values }) => values.code!.value)

  async function startConditional() {
    const { sheet } = createSheets()
    await insert(sheet, [toRecord(['old', 'o', 1, null])])
    const expected = await engine.readNewestCommitId(sheet)
    const seen: (string | undefined)[] = []
    const assertUnchanged = async ({ commitId }: { commitId: string | undefined }) => {
      seen.push(commitId)
      if (commitId !== expected) throw new Error('changed')
    }
    const write = (parts: AsyncIterable<WritePart>) =>
      engine.write(sheet, parts, { ...createWriteContext(), assertUnchanged })
    const intrude = () => insert(sheet, [toRecord(['intruder', 'i', 1, null])])
    return { sheet, expected, seen, write, intrude }
  }

  it('follows the expected commit', async () => {
    const { sheet, expected, seen, write } = await startConditional()
    await write(generate([ROWS]))
    expect(await readCodes(sheet)).toEqual(['old', 'new'])
    expect(new Set(seen)).toEqual(new Set([expected]))
  })

  it('writes nothing when a commit came before it started', async () => {
    const { sheet, write, intrude } = await startConditional()
    await intrude()
    let hasRead = false
    const parts = (async function* () {
      hasRead = true
      yield ROWS
    })()
    await expect(write(parts)).rejects.toThrow('changed')
    expect(hasRead).toBe(false)
    expect(await readCodes(sheet)).toEqual(['old', 'intruder'])
  })

  it('writes nothing when a commit comes while it reads its rows', async () => {
    const { sheet, write, intrude } = await startConditional()
    const parts = (async function* () {
      yield ROWS
      await intrude()
    })()
    await expect(write(parts)).rejects.toThrow('changed')
    expect(await readCodes(sheet)).toEqual(['old', 'intruder'])
  })

  it('writes nothing when a commit comes between its last check and its append', async () => {
    const { sheet, seen, write, intrude } = await startConditional()
    let intruded = false
    cloud.intercept.beforeRequest = async (operation) => {
      if (operation !== 'UpdateItem' || intruded) return
      intruded = true
      await intrude()
    }
    await expect(write(generate([ROWS]))).rejects.toThrow('changed')
    expect(seen).toHaveLength(3)
    expect(await readCodes(sheet)).toEqual(['old', 'intruder'])
  })

  it('is appended after an entry without values, such as a revalidation', async () => {
    const { sheet, seen, write } = await startConditional()
    const stricter: SheetRef = {
      ...sheet,
      fields: FIELDS.map((field) => (field.key === 'amount' ? { ...field, type: 'date' } : field)),
    }
    let revalidated = false
    cloud.intercept.beforeRequest = async (operation) => {
      if (operation !== 'UpdateItem' || revalidated) return
      revalidated = true
      await engine.revalidateSheet(stricter, engine.createStore())
    }
    await write(generate([ROWS]))
    expect(seen).toHaveLength(3)
    expect(await readCodes(sheet)).toEqual(['old', 'new'])
  })
})
