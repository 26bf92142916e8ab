/** A user's function as text, and what runs it: without a function of its own around it, for that see the API tests. */
import { describe, expect, it } from 'vitest'
import { ApiError } from '../../../lib/core/errors.ts'
import { type Answer, handler } from '../../../lib/jobs/mutation/runner.ts'
import { programOf, SOURCE_CHARACTERS } from '../../../lib/jobs/mutation/source.ts'

type Rows = [id: string, values: Record<string, unknown>][]
const ROWS: Rows = [
  ['r1', { name: 'Ada', age: 36, tags: ['a', 'b'] }],
  ['r2', { name: null, age: null, tags: null }],
]

const answer = (source: string, rows: Rows = ROWS, milliseconds = 2000): Answer =>
  handler({
    program: programOf(source, 'mutateRecord'),
    filename: 'mutateRecord.js',
    records: JSON.stringify({
      ids: rows.map(([id]) => id),
      columns: Object.fromEntries(Object.keys(rows[0]![1]).map((key) => [key, rows.map(([, values]) => values[key])])),
    }),
    milliseconds,
  })
const changes = (source: string, rows?: Rows): unknown => {
  const given = answer(source, rows)
  if (!('changes' in given)) return given
  const byRow = new Map<number, Record<string, unknown>>()
  const columns = JSON.parse(given.changes) as Record<string, [places: number[], values: unknown[]]>
  for (const [key, [places, values]] of Object.entries(columns))
    for (const [i, at] of places.entries()) byRow.set(at, { ...byRow.get(at), [key]: values[i] })
  return [...byRow].sort(([a], [b]) => a - b)
}

describe('a function', () => {
  it.each([
    ["r => r.set('age', 1)"],
    ["(r) => r.set('age', 1);"],
    ['({ values }) => ({ values: { ...values, age: 1 } })'],
    ["async r => (await 1, r.set('age', 1))"],
    ["function (r) { return r.set('age', 1) }"],
    ["async function mutateRecord(r) { r.set('age', 1) }"],
    ["/* a */ // b\n export default (r) => r.set('age', 1)"],
    ["module.exports = (r) => r.set('age', 1)"],
    ['let mutateRecord = (r) => { r.values.age.value = 1 }'],
    ['record.values.age = 1'],
    ["// just so\nrecord.set('age', 1)\nreturn record"],
  ])('%j is one', (source) => {
    expect(changes(source)).toEqual([
      [0, { age: 1 }],
      [1, { age: 1 }],
    ])
  })

  it.each(['(record', 'function (', 'return return', '}', '() => { } }', 'import fs from "node:fs"'])(
    '%j is none',
    (source) => {
      expect(() => programOf(source, 'key')).toThrow(ApiError)
    },
  )

  it('has a length that ends', () => {
    expect(() => programOf(`() => '${'x'.repeat(SOURCE_CHARACTERS)}'`, 'key')).toThrow(/65536/)
  })
})

describe('what a function makes of records', () => {
  it('is what differs: equal values, dates, lists and unknown members', () => {
    expect(changes('(r) => r')).toEqual([])
    expect(changes("(r) => r.set('name', r.get('name'))")).toEqual([])
    expect(changes("(r) => { r.values.tags.value?.push('c') }")).toEqual([[0, { tags: ['a', 'b', 'c'] }]])
    expect(changes("(r) => r.set('name', new Date(0))", [ROWS[0]!])).toEqual([
      [0, { name: '1970-01-01T00:00:00.000Z' }],
    ])
    expect(changes("(r) => r.set('age', undefined)")).toEqual([[0, { age: null }]])
    expect(changes("(r) => { delete r.values.name; r.note = 'x'; r.values.age.messages.push(1) }")).toEqual([])
    expect(changes("(r) => r.set('age', 0 / 0)")).toEqual([[0, { age: null }]])
  })

  it('stays with its record, whatever order promises end in', () => {
    const rows = Array.from({ length: 50 }, (_, i): Rows[number] => [`r${i}`, { age: i }])
    const slow =
      "async (r) => { for (let i = r.get('age'); i < 50; i++) await null; return r.set('age', r.get('age') + 100) }"
    expect(changes(slow, rows)).toEqual(rows.map((_, i) => [i, { age: i + 100 }]))
  })

  it('does not outlive its call, and cannot spoil the next', () => {
    const counting =
      "globalThis.n = (globalThis.n ?? 0) + 1\nJSON.stringify = () => 'spoilt'\nrecord.set('age', globalThis.n)"
    const expected = [
      [0, { age: 1 }],
      [1, { age: 2 }],
    ]
    expect(changes(counting)).toEqual(expected)
    expect(changes(counting)).toEqual(expected)
  })
})

describe('a function that fails', () => {
  it.each([
    [
      "(r) => {\n  if (r.id === 'r2') throw new TypeError('no')\n}",
      { kind: 'threw', at: 1, message: 'TypeError: no (line 2)' },
    ],
    ['(r) => { throw 5 }', { kind: 'threw', at: 0, message: '5' }],
    ['() => 7', { kind: 'threw', at: 0, message: expect.stringContaining('must return the record') }],
    ['() => [1]', { kind: 'threw', at: 0, message: expect.stringContaining('must return the record') }],
    ["(r) => r.set('age', [{}])", { kind: 'threw', at: 0, message: expect.stringContaining('the value of age') }],
    ["(r) => r.set('age', 5n)", { kind: 'threw', at: 0, message: expect.stringContaining('the value of age') }],
    ['const mutateRecord = 1', { kind: 'threw', message: expect.stringContaining('it is no function') }],
    ['throw new Error("at once"); function mutateRecord() {}', { kind: 'load', message: 'Error: at once' }],
    ['() => require("node:fs")', { kind: 'threw', at: 0, message: expect.stringContaining('require is not defined') }],
    ['() => fetch("http://127.0.0.1")', { kind: 'threw', at: 0, message: expect.stringContaining('fetch is not') }],
    ['() => process.exit()', { kind: 'threw', at: 0, message: expect.stringContaining('process is not defined') }],
  ])('%j says why', (source, failed) => {
    expect(answer(source)).toEqual({ failed: expect.objectContaining(failed) })
  })

  it.each([
    "(r) => { while (r.id === 'r2'); }",
    "async (r) => { while (r.id === 'r2') await null }",
    "(r) => (r.id === 'r2' ? { get values() { for (;;); } } : r)",
  ])('%j is ended in its time, with the place', (source) => {
    const began = Date.now()
    expect(answer(source, ROWS, 300)).toMatchObject({ failed: { kind: 'time', at: 1 } })
    expect(Date.now() - began).toBeLessThan(5000)
  })
})
