/** The problems of rows that are not stored, compared with those of the same rows once they are stored. */
import { describe, expect, it } from 'vitest'
import { countProblems } from '../../../lib/records/index.ts'
import type { SheetRef } from '../../../lib/records/sheet.ts'
import { startRecordSuite } from '../../support/record-suite.ts'
import { newSheetId } from '../../support/records.ts'

const { engine, insert } = await startRecordSuite()

const createSheet = (): SheetRef => ({
  sheetId: newSheetId(),
  fields: [
    { key: 'code', type: 'string', constraints: [{ type: 'unique' }, { type: 'required' }] },
    { key: 'age', type: 'number' },
    { key: 'from', type: 'date' },
    { key: 'to', type: 'date' },
  ],
  constraints: [
    { type: 'compare', config: { field: 'to', operator: 'gte', other: 'from', level: 'warn' } },
    { type: 'rule', fields: ['age'], config: { when: 'age gt 150', message: 'Nobody is that old', level: 'info' } },
  ] as never,
})

const ROWS = [
  { code: 'a', age: 1, from: '2024-01-02', to: '2024-01-01' },
  { code: 'a', age: 'old', from: null, to: null },
  { code: null, age: 'older', from: null, to: null },
  { code: 'b', age: 'old', from: '2024-01-02', to: '2024-01-03' },
  { code: 'b', age: 2, from: null, to: null },
  { code: 'b', age: 'aged', from: null, to: null },
  { code: 'c', age: 151, from: null, to: null },
]
const KEYS = ['code', 'age', 'from', 'to'] as const
const columns = new Map(KEYS.map((key) => [key, ROWS.map((row) => row[key] as unknown)]))
const count = (sheet = createSheet(), unread = new Map<string, (string | undefined)[]>()) =>
  countProblems(sheet, ROWS.length, columns, unread)

async function countStored(sheet: SheetRef) {
  const rows = ROWS.map((row) => Object.fromEntries(Object.entries(row).map(([key, value]) => [key, { value }])))
  await insert(
    sheet,
    rows.map((values) => ({ values })),
  )
  const { records } = await engine.readRecords(sheet)
  const counts = new Map<string, number>()
  for (const { values } of records)
    for (const { messages } of Object.values(values))
      for (const { type, field, message } of messages) {
        const key = [type, field, message].join('|')
        counts.set(key, (counts.get(key) ?? 0) + 1)
      }
  return { counts, invalid: records.filter(({ valid }) => !valid).length }
}

describe('the problems of rows that are not stored', () => {
  it('are counted as the rows have them once they are stored', async () => {
    const sheet = createSheet()
    const { problems, recordsWithErrors } = await count(sheet)
    const stored = await countStored(sheet)
    const counts = problems.map(({ type, field, message, count }) => [[type, field, message].join('|'), count] as const)
    expect(new Map(counts)).toEqual(stored.counts)
    expect(problems.map(({ type }) => type).toSorted()).toEqual(['error', 'error', 'error', 'info', 'warn'])
    expect(recordsWithErrors).toBe(stored.invalid)
    expect(recordsWithErrors).toBe(6)
  })

  it('come with the most frequent first, and with three different examples', async () => {
    const { problems } = await count()
    expect(problems.map(({ count }) => count)).toEqual([5, 4, 1, 1, 1])
    expect(problems[0]).toMatchObject({ field: 'code', type: 'error', examples: ['a', 'b'] })
    expect(problems[1]).toMatchObject({ field: 'age', type: 'error', examples: ['old', 'older', 'aged'] })
  })

  it('have no example of an empty cell', async () => {
    const { problems } = await count()
    const required = problems.find(({ field, count }) => field === 'code' && count === 1)
    expect(required).toMatchObject({ type: 'error', examples: [] })
  })

  it('take the message of a value that could not be read in place of its rules', async () => {
    const unread = new Map([['age', ROWS.map((_, row) => (row === 3 ? 'Day or month first?' : undefined))]])
    const { problems } = await count(createSheet(), unread)
    expect(problems.find(({ message }) => message === 'Day or month first?')).toEqual({
      ...{ type: 'error', field: 'age', message: 'Day or month first?' },
      ...{ count: 1, examples: ['old'] },
    })
    expect(problems.find(({ field, type, count }) => field === 'age' && type === 'error' && count === 3)).toBeDefined()
  })

  it('include references to values that the other sheet lacks, where its values are given', async () => {
    const reference = (key: string) => ({ key, type: 'reference', config: { ref: 'other', key: 'code' } })
    const sheet = {
      sheetId: newSheetId(),
      fields: [reference('one'), { ...reference('some'), type: 'reference-list' }, reference('open')],
    } as SheetRef
    const cells = new Map([
      ['one', ['a', 'x', null]],
      ['some', [['a', 'b'], ['a', 'x'], null]],
      ['open', ['x', 'x', 'x']],
    ])
    const linked = new Map(['one', 'some'].map((key) => [key, ['a', 'b']]))
    const { problems, recordsWithErrors } = await countProblems(sheet, 3, cells, new Map(), linked)
    expect(problems).toMatchObject([
      { field: 'one', type: 'error', count: 1, examples: ['x'] },
      { field: 'some', type: 'error', count: 1, examples: [['a', 'x']] },
    ])
    expect(recordsWithErrors).toBe(1)
  })

  it('include a required field that the rows do not have', async () => {
    const { problems, recordsWithErrors } = await countProblems(createSheet(), 2, new Map(), new Map())
    expect(problems).toMatchObject([{ field: 'code', type: 'error', count: 2, examples: [] }])
    expect(recordsWithErrors).toBe(2)
  })
})
