import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { WireRecord } from '../../../lib/records/sheet.ts'
import type { ClusterMethod } from '../../../schemas/quality/shape.ts'
import { startRecordSuite } from '../../support/record-suite.ts'
import { createWriteContext } from '../../support/records.ts'
import { createTable } from './create-table.ts'
import { table } from './tables.ts'

const suite = await startRecordSuite()
const { requireVersion } = await import('../../../lib/commits/write.ts')
const { engine } = suite
const { listDuplicates } = await import('../../../lib/quality/duplicates.ts')
const { planMerges, toWriteParts } = await import('../../../lib/quality/merges.ts')
const { KEYS } = await import('../../../lib/quality/keys.ts')

const allPages = { pageSize: 100, pageNumber: 1 }
const toText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

function groupNaively(records: readonly WireRecord[], fields: readonly string[], toKey: (text: string) => string) {
  const groups = new Map<string, string[]>()
  for (const { id, values } of records) {
    const keys = fields.map((field) => (values[field]!.value === null ? '' : toKey(toText(values[field]!.value))))
    if (keys.includes('')) continue
    const name = JSON.stringify(keys)
    groups.set(name, [...(groups.get(name) ?? []), id])
  }
  return [...groups.values()].filter((ids) => ids.length > 1)
}

describe('duplicates', () => {
  it('are those of a naive grouping, in sheet order', async () => {
    const methods = fc.constantFrom<Exclude<ClusterMethod, 'distance'>>('fingerprint', 'ngram', 'phonetic')
    const fieldLists = fc.constantFrom(['name'], ['name', 'code'], ['amount'], ['tags', 'color'])
    await fc.assert(
      fc.asyncProperty(table, methods, fieldLists, async (data, method, fields) => {
        const ref = await createTable(suite, data)
        const { records } = await engine.readRecords(ref)
        const expected = groupNaively(records, fields, KEYS[method].toKey)
        const found = await listDuplicates(ref, { fields, method, radius: 2, selection: {} }, allPages)
        expect(found.groups.map((group) => group.records.map(({ id }) => id))).toEqual(expected)
        expect(found.groups.map(({ count }) => count)).toEqual(expected.map((ids) => ids.length))
        expect(found.total).toBe(expected.length)
        const second = await listDuplicates(
          ref,
          { fields, method, radius: 2, selection: {} },
          { pageSize: 1, pageNumber: 2 },
        )
        expect(second.groups).toEqual(found.groups.slice(1, 2))
      }),
      { numRuns: 12 },
    )
  })

  it('can have near values', async () => {
    const rows = ['Lovelace', 'Lovelase', 'Turing', null, null].map((name) => ({ name }))
    const ref = await createTable(suite, { rows, updates: [], deletes: [] } as never)
    const query = { fields: ['name'], method: 'distance', radius: 1, selection: {} } as const
    const { groups } = await listDuplicates(ref, query, allPages)
    expect(groups.map(({ records }) => records.map(({ values }) => values.name))).toEqual([['Lovelace', 'Lovelase']])
  })
})

describe('a merge', () => {
  it('deletes and changes exactly what the preview of all suggestions shows', async () => {
    await fc.assert(
      fc.asyncProperty(table, async (data) => {
        const ref = await createTable(suite, data)
        const { records: before } = await engine.readRecords(ref)
        const query = { fields: ['name'], method: 'fingerprint', radius: 1, selection: {} } as const
        const { groups, version } = await listDuplicates(ref, query, allPages)
        fc.pre(groups.length > 0)
        const plan = await planMerges(
          ref,
          groups.map(({ merge }) => merge),
          version,
        )
        await engine.write(ref, toWriteParts(plan), {
          ...createWriteContext(),
          assertUnchanged: requireVersion(plan.version),
        })
        const { records: after } = await engine.readRecords(ref)
        const removed = new Set(plan.merges.flatMap(({ remove }) => remove))
        const expected = before
          .filter(({ id }) => !removed.has(id))
          .map(({ id, values }) => {
            const changes = plan.merges.find(({ keep }) => keep === id)?.values ?? {}
            return [id, Object.entries(values).map(([key, { value }]) => changes[key]?.after ?? value)]
          })
        expect(after.map(({ id, values }) => [id, Object.values(values).map(({ value }) => value)])).toEqual(expected)
        expect(plan.deleted).toBe(removed.size)
        expect((await listDuplicates(ref, query, allPages)).total).toBe(0)
      }),
      { numRuns: 10 },
    )
  })

  it('keeps the record with most valid values, and fills its gaps', async () => {
    const rows = [
      { name: 'Ada', amount: 'n/a', born: null, color: 'red' },
      { name: 'ADA', amount: 7, born: '2020-01-02', color: null },
      { name: 'ada', amount: 8, born: null, color: 'green' },
    ]
    const ref = await createTable(suite, { rows, updates: [], deletes: [] } as never)
    const query = { fields: ['name'], method: 'fingerprint', radius: 1, selection: {} } as const
    const [group] = (await listDuplicates(ref, query, allPages)).groups
    const ids = group!.records.map(({ id }) => id)
    expect(group!.merge).toEqual({ keep: ids[1], remove: [ids[0], ids[2]], values: { color: ids[0] } })
  })

  it('is rejected for another version, a missing record and contradictions', async () => {
    const ref = await createTable(suite, { rows: [{ name: 'a' }, { name: 'b' }], updates: [], deletes: [] } as never)
    const [a, b] = (await engine.readRecords(ref)).records.map(({ id }) => id) as [string, string]
    const { seq } = await engine.readVersion(ref)
    await expect(planMerges(ref, [{ keep: a, remove: [b] }], seq + 1)).rejects.toMatchObject({ code: 'conflict' })
    await expect(planMerges(ref, [{ keep: a, remove: ['us_rc_x'] }], seq)).rejects.toMatchObject({ code: 'not-found' })
    const wrong = [
      { keep: a, remove: [a, b], values: { name: 'us_rc_x', none: b } },
      { keep: b, remove: [b] },
    ]
    await expect(planMerges(ref, wrong, seq)).rejects.toMatchObject({
      problems: [
        { key: 'merges.0.remove.0' },
        { key: 'merges.0.values.name' },
        { key: 'merges.0.values.none' },
        { key: 'merges.1.keep' },
        { key: 'merges.1.remove.0' },
      ],
    })
  })
})
