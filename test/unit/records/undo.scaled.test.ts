/** Undoing a commit restores its records, keeps later records of others, and is refused if its records were changed. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ColumnBatch, Store, WriteContext } from '../../../lib/records/index.ts'
import type { SheetRef } from '../../../lib/records/sheet.ts'
import { startRecordSuite } from '../../support/record-suite.ts'
import { createWriteContext, newSheetId } from '../../support/records.ts'
import { runs, TIMEOUT_MS } from '../../support/runs.ts'

const { cloud, engine, insert } = await startRecordSuite()

const createSheet = (): SheetRef => ({
  sheetId: newSheetId(),
  fields: [
    { key: 'code', type: 'number', constraints: [{ type: 'unique' }] },
    { key: 'name', type: 'string' },
  ],
})

const toInputs = (codes: readonly number[], name: string) =>
  codes.map((code) => ({ values: { code: { value: code }, name: { value: name } } }))

const MODES = ['add', 'upsert', 'update', 'replace'] as const
type Mode = (typeof MODES)[number]

async function importRows(sheet: SheetRef, mode: Mode, codes: readonly number[], ctx: WriteContext, store: Store) {
  async function* readBatches(): AsyncGenerator<ColumnBatch> {
    const names = codes.map(() => 'imported')
    yield {
      length: codes.length,
      columns: new Map<string, readonly unknown[]>([
        ['code', codes],
        ['name', names],
      ]),
    }
  }
  if (mode === 'add') return engine.importRows(sheet, readBatches(), ctx, store)
  if (mode === 'replace') return engine.write(sheet, readBatches(), ctx, { truncate: true }, store)
  const options = { key: ['code'], fields: ['code', 'name'], addsNew: mode === 'upsert' }
  return engine.importByKey(sheet, readBatches, options, ctx, store)
}

const readRows = async (sheet: SheetRef) => {
  const { records } = await engine.readRecords(sheet, {}, engine.createStore())
  return records.map(({ id, values, valid }) => ({ id, code: values.code!.value, name: values.name!.value, valid }))
}

const undo = (sheet: SheetRef, commitId: string, op: string, store?: Store, ctx = createWriteContext('us_usr_undo')) =>
  engine.undoCommit(sheet, { commitId, isOperation: (found) => found === op }, ctx, store)

describe('undoing an import', () => {
  const Codes = fc.uniqueArray(fc.nat(20), { minLength: 1, maxLength: 12 })
  const LaterWrite = fc.record({
    kind: fc.constantFrom('insert', 'update', 'delete', 'describe', 'compact'),
    row: fc.nat(20),
    actor: fc.constantFrom('us_usr_ada', 'us_ag_hook'),
  })

  it(
    'is exact in every mode, or refused with who changed which records, for random later writes',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          Codes,
          Codes,
          fc.constantFrom(...MODES),
          fc.array(LaterWrite, { maxLength: 4 }),
          fc.record({ segmentRows: fc.constantFrom(3, 100), editedRows: fc.constantFrom(1, 500) }),
          async (codes, imported, mode, laterWrites, limits) => {
            const sheet = createSheet()
            const store = engine.createStore(limits)
            await insert(sheet, toInputs(codes, 'before'), store)
            const before = await readRows(sheet)
            const ctx = createWriteContext()
            const { commitId } = await importRows(sheet, mode, imported, ctx, store)
            if (!commitId) return
            const after = await readRows(sheet)
            const stays = new Set(before.map(({ id, name }) => `${id} ${name}`))
            const touched = new Set(after.filter(({ id, name }) => !stays.has(`${id} ${name}`)).map(({ id }) => id))
            const later = new Map<string, Set<string>>()
            const added = new Set<string>()
            for (const { kind, row, actor } of laterWrites) {
              const rows = await readRows(sheet)
              const id = rows[row % Math.max(1, rows.length)]?.id
              const by = createWriteContext(actor)
              if (kind === 'insert') {
                const { ids } = await engine.insert(sheet, toInputs([100 + added.size], 'later'), by, store)
                for (const newId of ids) added.add(newId)
              } else if (kind === 'compact') await engine.revalidateSheet(sheet, store)
              else if (!id) continue
              else if (kind === 'describe') await engine.update(sheet, [{ id, metadata: { seen: true } }], by, store)
              else {
                if (kind === 'update')
                  await engine.update(sheet, [{ id, values: { name: { value: 'later' } } }], by, store)
                else await engine.remove(sheet, [id], by, store)
                const changed = kind === 'delete' || rows.find((found) => found.id === id)!.name !== 'later'
                if (changed && touched.has(id)) later.set(actor, new Set([...(later.get(actor) ?? []), id]))
              }
            }
            const current = await readRows(sheet)
            const undone = (await undo(sheet, commitId, ctx.op, store))!
            if (later.size > 0) {
              if (!('later' in undone)) throw new Error('The undo was not refused')
              expect(new Map(undone.later.map(({ actorId, examples }) => [actorId, examples.length]))).toEqual(
                new Map([...later].map(([actor, ids]) => [actor, Math.min(3, ids.size)])),
              )
              expect(await readRows(sheet)).toEqual(current)
              return
            }
            if (!('result' in undone)) throw new Error('The undo was refused')
            const beforeById = new Map(before.map((record) => [record.id, record]))
            const currentById = new Map(current.map((record) => [record.id, record]))
            const gone = new Set(before.map(({ id }) => id).filter((id) => !after.some((record) => record.id === id)))
            const expected = [
              ...before.flatMap(({ id }) => {
                const record = gone.has(id) || touched.has(id) ? beforeById.get(id) : currentById.get(id)
                return record ? [{ id, code: record.code, name: record.name }] : []
              }),
              ...[...added].flatMap((id) => {
                const record = currentById.get(id)
                return record ? [{ id, code: record.code, name: record.name }] : []
              }),
            ]
            const restored = await readRows(sheet)
            expect(restored.map(({ valid: _, ...record }) => record)).toEqual(expected)
            for (const { valid } of restored) expect(valid).toBe(true)
            const counts = await engine.countRecords(sheet, {}, engine.createStore())
            expect(counts).toMatchObject({ total: expected.length, valid: expected.length, error: 0 })
          },
        ),
        { numRuns: runs(400, 60) },
      )
    },
    TIMEOUT_MS,
  )

  it('stores only a pointer when nothing was written since, however many records it takes back', async () => {
    const sheet = createSheet()
    const codes = Array.from({ length: 3000 }, (_, i) => i)
    await insert(sheet, toInputs(codes, 'before'))
    const ctx = createWriteContext()
    const { commitId } = await importRows(sheet, 'upsert', [...codes, 5000], ctx, engine.createStore())
    cloud.meter.reset()
    const undone = await undo(sheet, commitId!, ctx.op, engine.createStore())
    expect(undone).toMatchObject({ result: { changed: true, counts: { total: 3000, valid: 3000, error: 0 } } })
    expect(cloud.meter.written).toBeLessThan(20)
    expect(cloud.meter.count('PUT')).toBe(0)
    expect(new Set((await readRows(sheet)).map(({ name }) => name))).toEqual(new Set(['before']))
  })

  it('happens once when it is repeated, and not at all for the commit of another operation', async () => {
    const sheet = createSheet()
    const ctx = createWriteContext()
    const { commitId } = await importRows(sheet, 'add', [1, 2], ctx, engine.createStore())
    expect(await undo(sheet, commitId!, 'another')).toBeUndefined()
    const undoContext = createWriteContext()
    const first = await undo(sheet, commitId!, ctx.op, engine.createStore(), undoContext)
    const again = await undo(sheet, commitId!, ctx.op, engine.createStore(), undoContext)
    expect(again).toMatchObject({ result: { commitId: (first as { result: { commitId: string } }).result.commitId } })
    expect(await undo(sheet, commitId!, ctx.op)).toMatchObject({
      later: [{ actorId: 'us_usr_test', updated: 0, deleted: 2 }],
    })
  })
})
