/** Records copied into another sheet: after any changes to both, diff and merge match a naive model. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Difference, SheetRef } from '../../../lib/records/index.ts'
import { startRecordSuite } from '../../support/record-suite.ts'
import { createWriteContext, newSheetId } from '../../support/records.ts'
import { runs, TIMEOUT_MS } from '../../support/runs.ts'

const { engine, insert, update, remove } = await startRecordSuite()

const FIELDS = ['a', 'b']
const createSheet = (): SheetRef => ({ sheetId: newSheetId(), fields: FIELDS.map((key) => ({ key, type: 'number' })) })
const createRows = (count: number, value: number) =>
  Array.from({ length: count }, (_, i) => ({ values: { a: { value: value + i }, b: { value: 0 } } }))

type Values = { [field: string]: unknown }
type Table = Map<string, Values>

const step = fc.oneof(
  fc.record({ do: fc.constant('insert' as const), count: fc.integer({ min: 1, max: 6 }) }),
  fc.record({
    do: fc.constant('change' as const),
    at: fc.nat(),
    field: fc.constantFrom(...FIELDS),
    value: fc.integer({ min: 0, max: 3 }),
  }),
  fc.record({ do: fc.constant('remove' as const), at: fc.nat() }),
  fc.record({ do: fc.constant('copy' as const), share: fc.integer({ min: 1, max: 3 }) }),
)
const steps = fc.array(fc.tuple(fc.constantFrom('source' as const, 'copy' as const), step), { maxLength: 14 })

it('copies differ as in a naive comparison, and merge accordingly', { timeout: TIMEOUT_MS }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 12 }), steps, async (count, plan) => {
      const store = engine.createStore({
        segmentRows: 3,
        mergeSegments: 2,
        mergeRows: 6,
        editedRows: 2,
        compactEdits: 1,
      })
      const sheets = { source: createSheet(), copy: createSheet() }
      const tables: { source: Table; copy: Table } = { source: new Map(), copy: new Map() }
      const copied = new Map<string, { id: string; base: Values }>()
      await insertInto('source', count, 10)
      await copyEveryNth(1)
      for (const [which, one] of plan) await performStep(which, one)

      const found = await engine.readCopyDifferences(sheets, store)
      const expected = diffNaively()
      const shown = found.map(({ id, kind, cells }) => [id, kind, [...cells.keys()].sort()])
      expect(shown).toEqual(expected.map(({ id, kind, fields }) => [id, kind, fields]))

      const decideByIndex = (all: readonly Difference[]) =>
        all.map(({ kind, cells }) =>
          kind === 'changed'
            ? { cells: new Map([...cells].map(([field, { copy }]) => [field, copy])) }
            : { add: kind === 'added' },
        )
      const context = createWriteContext()
      const merged = await engine.mergeCopy(sheets, decideByIndex, context, store)
      const added: Values[] = []
      for (const { id, kind, fields } of expected) {
        const own = tables.copy.get(id)!
        if (kind === 'added') added.push({ ...own })
        if (kind === 'changed') for (const field of fields) tables.source.get(copied.get(id)!.id)![field] = own[field]
      }
      expect(merged.changed).toBe(expected.some(({ kind }) => kind !== 'removed'))
      expect(await readValues(sheets.source)).toEqual([...tables.source.values(), ...added])
      const again = await engine.mergeCopy(sheets, decideByIndex, context, engine.createStore())
      if (merged.changed) expect(again.commitId).toBe(merged.commitId)
      expect(await readValues(sheets.source)).toEqual([...tables.source.values(), ...added])

      async function insertInto(which: 'source' | 'copy', n: number, value: number): Promise<void> {
        const { ids } = await insert(sheets[which], createRows(n, value), store)
        let i = 0
        for (const id of ids) tables[which].set(id, { a: value + i++, b: 0 })
      }

      async function copyEveryNth(share: number): Promise<void> {
        const copiedIds = new Set([...tables.copy.keys()].flatMap((id) => copied.get(id)?.id ?? []))
        const wanted = [...tables.source.keys()].filter((_, i) => i % share === 0)
        const fresh = wanted.filter((id) => !copiedIds.has(id))
        const selection = { ids: wanted }
        const result = await engine.copyRecords(
          sheets.source,
          selection,
          sheets.copy,
          createWriteContext(),
          { maxAdditions: 100 },
          store,
        )
        expect(result?.created ?? 0).toBe(fresh.length)
        for (const [i, id] of [...(result?.createdIds ?? [])].entries()) {
          const base = tables.source.get(fresh[i]!)!
          copied.set(id, { id: fresh[i]!, base: { ...base } })
          tables.copy.set(id, { ...base })
        }
      }

      async function performStep(which: 'source' | 'copy', one: (typeof plan)[number][1]): Promise<void> {
        if (one.do === 'insert') return insertInto(which, one.count, 100)
        if (one.do === 'copy') return copyEveryNth(one.share)
        const ids = [...tables[which].keys()]
        const id = ids[one.at % Math.max(1, ids.length)]
        if (id === undefined) return
        if (one.do === 'remove') {
          await remove(sheets[which], [id], store)
          tables[which].delete(id)
        } else {
          const { field, value } = one
          await update(sheets[which], [{ id, values: { [field]: { value } } }], store)
          tables[which].get(id)![field] = value
        }
      }

      function diffNaively(): { id: string; kind: Difference['kind']; fields: string[] }[] {
        return [...tables.copy].flatMap(([id, own]): ReturnType<typeof diffNaively> => {
          const origin = copied.get(id)
          if (!origin) return [{ id, kind: 'added', fields: [] }]
          const changed = FIELDS.filter((field) => own[field] !== origin.base[field])
          const now = tables.source.get(origin.id)
          if (!now) return [{ id, kind: 'removed', fields: changed }]
          const fields = changed.filter((field) => own[field] !== now[field])
          return fields.length > 0 ? [{ id, kind: 'changed', fields }] : []
        })
      }

      async function readValues(sheet: SheetRef): Promise<Values[]> {
        const { records } = await engine.readRecords(sheet, {}, engine.createStore())
        return records.map(({ values }) => Object.fromEntries(FIELDS.map((field) => [field, values[field]!.value])))
      }
    }),
    { numRuns: runs(30) },
  )
})
