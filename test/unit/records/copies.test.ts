/** Records copied into another sheet: whatever happens to both, the differences and what merging does are those of a naive model. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Difference, SheetRef } from '../../../lib/records/index.ts'
import { by, newSheetId, type RecordCloud, recordCloud } from '../../support/records.ts'
import { PATIENCE, RUNS } from '../../support/runs.ts'

type Engine = typeof import('../../../lib/records/index.ts')
let cloud: RecordCloud
let engine: Engine

beforeAll(async () => {
  cloud = await recordCloud()
  engine = await import('../../../lib/records/index.ts')
})
afterAll(() => cloud.close())

const FIELDS = ['a', 'b']
const sheetOf = (): SheetRef => ({ sheetId: newSheetId(), fields: FIELDS.map((key) => ({ key, type: 'number' })) })
const rows = (count: number, value: number) =>
  Array.from({ length: count }, (_, i) => ({ values: { a: { value: value + i }, b: { value: 0 } } }))

type Values = { [field: string]: unknown }
/** Records by id, in order. */
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

it('differ as a naive comparison says, and are merged as it would', { timeout: PATIENCE }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 12 }), steps, async (count, plan) => {
      // Segments of a few rows that merge early: rows move about.
      const store = engine.newStore({ segmentRows: 3, mergeSegments: 2, mergeRows: 6, editedRows: 2, compactEdits: 1 })
      const sheets = { source: sheetOf(), copy: sheetOf() }
      const tables: { source: Table; copy: Table } = { source: new Map(), copy: new Map() }
      /** By the copy's id: the source's, and the values when it was copied. */
      const copied = new Map<string, { id: string; base: Values }>()
      await insert('source', count, 10)
      await copyInto(1)
      for (const [which, one] of plan) await perform(which, one)

      const found = await engine.copyDifferences(sheets, store)
      const expected = naive()
      const shown = found.map(({ id, kind, cells }) => [id, kind, [...cells.keys()].sort()])
      expect(shown).toEqual(expected.map(({ id, kind, fields }) => [id, kind, fields]))

      const judge = (all: readonly Difference[]) =>
        all.map(({ kind, cells }) =>
          kind === 'changed'
            ? { cells: new Map([...cells].map(([field, { copy }]) => [field, copy])) }
            : { add: kind === 'added' },
        )
      const context = by()
      const merged = await engine.mergeCopy(sheets, judge, context, store)
      const added: Values[] = []
      for (const { id, kind, fields } of expected) {
        const own = tables.copy.get(id)!
        if (kind === 'added') added.push({ ...own })
        if (kind === 'changed') for (const field of fields) tables.source.get(copied.get(id)!.id)![field] = own[field]
      }
      expect(merged.changed).toBe(expected.some(({ kind }) => kind !== 'removed'))
      expect(await valuesIn(sheets.source)).toEqual([...tables.source.values(), ...added])
      // The same operation again, by a process that knows nothing of it.
      const again = await engine.mergeCopy(sheets, judge, context, engine.newStore())
      if (merged.changed) expect(again.commitId).toBe(merged.commitId)
      expect(await valuesIn(sheets.source)).toEqual([...tables.source.values(), ...added])

      async function insert(which: 'source' | 'copy', n: number, value: number): Promise<void> {
        const { ids } = await engine.insert(sheets[which], rows(n, value), by(), store)
        let i = 0
        for (const id of ids) tables[which].set(id, { a: value + i++, b: 0 })
      }

      /** Every `share`-th record of the source that is not in the copy. */
      async function copyInto(share: number): Promise<void> {
        const there = new Set([...tables.copy.keys()].flatMap((id) => copied.get(id)?.id ?? []))
        const wanted = [...tables.source.keys()].filter((_, i) => i % share === 0)
        const fresh = wanted.filter((id) => !there.has(id))
        const selection = { ids: wanted }
        const result = await engine.copyInto(sheets.source, selection, sheets.copy, by(), { additions: 100 }, store)
        expect(result?.created ?? 0).toBe(fresh.length)
        for (const [i, id] of [...(result?.createdIds ?? [])].entries()) {
          const base = tables.source.get(fresh[i]!)!
          copied.set(id, { id: fresh[i]!, base: { ...base } })
          tables.copy.set(id, { ...base })
        }
      }

      async function perform(which: 'source' | 'copy', one: (typeof plan)[number][1]): Promise<void> {
        if (one.do === 'insert') return insert(which, one.count, 100)
        if (one.do === 'copy') return copyInto(one.share)
        const ids = [...tables[which].keys()]
        const id = ids[one.at % Math.max(1, ids.length)]
        if (id === undefined) return
        if (one.do === 'remove') {
          await engine.remove(sheets[which], [id], by(), store)
          tables[which].delete(id)
        } else {
          const { field, value } = one
          await engine.update(sheets[which], [{ id, values: { [field]: { value } } }], by(), store)
          tables[which].get(id)![field] = value
        }
      }

      function naive(): { id: string; kind: Difference['kind']; fields: string[] }[] {
        return [...tables.copy].flatMap(([id, own]): ReturnType<typeof naive> => {
          const origin = copied.get(id)
          if (!origin) return [{ id, kind: 'added', fields: [] }]
          const changed = FIELDS.filter((field) => own[field] !== origin.base[field])
          const now = tables.source.get(origin.id)
          if (!now) return [{ id, kind: 'removed', fields: changed }]
          const fields = changed.filter((field) => own[field] !== now[field])
          return fields.length > 0 ? [{ id, kind: 'changed', fields }] : []
        })
      }

      async function valuesIn(sheet: SheetRef): Promise<Values[]> {
        const { records } = await engine.read(sheet, {}, engine.newStore())
        return records.map(({ values }) => Object.fromEntries(FIELDS.map((field) => [field, values[field]!.value])))
      }
    }),
    { numRuns: 30 * RUNS },
  )
})
