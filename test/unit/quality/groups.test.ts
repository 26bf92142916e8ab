/** Groups of errors match a naive grouping of all cells. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { WireRecord } from '../../../lib/records/sheet.ts'
import { startRecordSuite } from '../../support/record-suite.ts'
import { createTable } from './create-table.ts'
import { FIELDS, table } from './tables.ts'

const suite = await startRecordSuite()
const { listErrorGroups } = await import('../../../lib/quality/groups.ts')
const { addFixes } = await import('../../../lib/quality/fixes.ts')
const { toPattern } = await import('../../../lib/quality/patterns.ts')

const toPatternNaively = (value: unknown): string =>
  (value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value))
    .replace(/\p{Lu}/gu, '⬆')
    .replace(/\p{L}/gu, 'a')
    .replace(/\p{N}/gu, '9')
    .replace(/⬆/gu, 'A')
    .replace(/(.)\1+/gsu, '$1')

interface NaiveGroup {
  count: number
  values: string[]
  ids: Map<string, string[]>
}

function groupNaively(records: readonly WireRecord[], level: string, field?: string): Map<string, NaiveGroup> {
  const groups = new Map<string, NaiveGroup>()
  for (const { id, values } of records)
    for (const [key, { value, messages }] of Object.entries(values))
      for (const message of messages) {
        if (message.type !== level || (field !== undefined && key !== field)) continue
        const name = JSON.stringify([key, message.source, message.message, toPatternNaively(value)])
        const group = groups.get(name) ?? { count: 0, values: [], ids: new Map<string, string[]>() }
        groups.set(name, group)
        group.count++
        const text = JSON.stringify(value)
        if (!group.values.includes(text)) group.values.push(text)
        group.ids.set(text, [...(group.ids.get(text) ?? []), id])
      }
  return groups
}

describe('a pattern', () => {
  it('collapses runs of digits and letters', () => {
    expect(toPattern('Müller-4711 ÄÖx')).toBe('Aa-9 Aa')
    expect(toPattern(null)).toBe('')
    expect(toPattern(-12.5)).toBe('-9.9')
    expect(toPattern('-.'.repeat(100))).toHaveLength(61)
  })
  it('equals replacements by regular expressions', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
        fc.pre(!text.includes('⬆') && toPatternNaively(text).length < 60)
        expect(toPattern(text)).toBe(toPatternNaively(text))
      }),
    )
  })
})

describe('error groups', () => {
  it('have the exact counts and examples of a naive grouping, also for a selection', async () => {
    const selections = fc.constantFrom<object>({}, { field: 'amount' }, { filter: 'error' }, { q: 'name eq "Ada"' })
    await fc.assert(
      fc.asyncProperty(table, selections, async (data, selection: { field?: string }) => {
        const ref = await createTable(suite, data)
        const { field, ...filter } = selection
        const { records } = await suite.engine.readRecords(ref, filter)
        const expected = groupNaively(records, 'error', field)
        const groups = await listErrorGroups(ref, { ...selection, level: 'error' })
        const found = new Map(
          groups.map((one) => [JSON.stringify([one.fieldKey, one.source, one.message, one.pattern]), one]),
        )
        expect([...found.keys()].sort()).toEqual([...expected.keys()].sort())
        for (const [name, { count, examples }] of found) {
          const naive = expected.get(name)!
          expect(count).toBe(naive.count)
          expect(examples).toHaveLength(Math.min(3, naive.values.length))
          for (const { recordId, value } of examples) expect(naive.ids.get(JSON.stringify(value))).toContain(recordId)
        }
        expect(groups.map(({ count }) => count)).toEqual(groups.map(({ count }) => count).sort((a, b) => b - a))
      }),
      { numRuns: 12 },
    )
  })

  it('keep their counts beyond the limit of groups', async () => {
    await fc.assert(
      fc.asyncProperty(table, fc.integer({ min: 1, max: 4 }), async (data, limit) => {
        const ref = await createTable(suite, data)
        const sum = (groups: { count: number }[]) => groups.reduce((total, { count }) => total + count, 0)
        const all = await listErrorGroups(ref, { level: 'error' })
        const limited = await listErrorGroups(ref, { level: 'error' }, limit)
        expect(sum(limited)).toBe(sum(all))
        expect(limited.filter(({ pattern }) => pattern !== null).length).toBe(Math.min(limit, all.length))
      }),
      { numRuns: 6 },
    )
  })
})

describe('a fix', () => {
  const rows = [
    { amount: '1.234,50 €', born: '31.12.2019', color: 'Red', tags: 'a; b' },
    { amount: '7,5 €', born: '1.2.2020', color: 'DARK-BLUE', tags: 'c; d' },
    { amount: 'n/a', born: '01/02/2020', color: 'pink', tags: null },
  ].map((row) => ({ name: 'x', code: null, ...row }))

  const readGroups = async () => {
    const ref = await createTable(suite, { rows, updates: [], deletes: [] } as never)
    return addFixes({ ...ref, fields: FIELDS }, await listErrorGroups(ref, { level: 'error' }), { thisYear: 2026 })
  }
  const findGroup = async (fieldKey: string, pattern: string) =>
    (await readGroups()).find((group) => group.fieldKey === fieldKey && group.pattern === pattern)!

  it('reads numbers and dates as the whole column decides', async () => {
    expect((await findGroup('amount', '9.9,9 €')).fix).toMatchObject({
      ...{ type: 'read', fieldKey: 'amount', pattern: '9.9,9 €', reading: { type: 'number', units: ['€'] } },
    })
    expect((await findGroup('born', '9.9.9')).fix).toMatchObject({ type: 'read', reading: { orders: { '.': 'dmy' } } })
    expect((await findGroup('amount', 'a/a')).fix).toBeUndefined()
  })
  it('asks when values have two readings', async () => {
    const { fix, question } = await findGroup('born', '9/9/9')
    expect(fix).toBeUndefined()
    expect(question!.alternatives).toMatchObject([
      { reading: { orders: { '/': 'dmy' } } },
      { reading: { orders: { '/': 'mdy' } } },
    ])
  })
  it('replaces spellings by options, and splits lists', async () => {
    expect((await findGroup('color', 'Aa')).fix).toEqual({
      ...{ type: 'replace', fieldKey: 'color', replacements: [{ from: 'Red', to: 'red' }] },
    })
    expect((await findGroup('color', 'A-A')).fix).toMatchObject({
      replacements: [{ from: 'DARK-BLUE', to: 'dark blue' }],
    })
    expect((await findGroup('color', 'a')).fix).toBeUndefined()
    expect((await findGroup('tags', 'a; a')).fix).toMatchObject({ type: 'split', separator: ';' })
  })
})
