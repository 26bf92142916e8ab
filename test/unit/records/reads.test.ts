/** Searching and sorting cells by their bytes gives the same results as by their values. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bitsToRows } from '../../../lib/records/columns/bits.ts'
import { joinColumn } from '../../../lib/records/columns/columns.ts'
import {
  createCellTest,
  createNumberTest,
  extractNeedle,
  parseNumber,
} from '../../../lib/records/fields/ffql/compare.ts'
import { createLikeTest, findLongestRun } from '../../../lib/records/fields/ffql/like.ts'
import type { Operator } from '../../../lib/records/fields/ffql/parser.ts'
import { createSearcher } from '../../../lib/records/read/search.ts'
import { addSortKey, createSortKeys, sortPositions, sortTiedTexts, toSortKey } from '../../../lib/records/read/sort.ts'
import type { OpenSegment } from '../../../lib/records/segments/open.ts'
import type { Segment } from '../../../lib/records/state/state.ts'

function openSegment(
  columns: { [name: string]: unknown[] },
  edits: { [row: number]: { [name: string]: unknown } } = {},
) {
  const segment = {
    key: '0.0',
    rows: Object.values(columns)[0]?.length ?? 3,
    deleted: null,
    edits: new Map(
      Object.entries(edits).map(([row, values]) => [
        Number(row),
        { values: new Map(Object.entries(values).map(([name, value]) => [name, JSON.stringify(value)])) },
      ]),
    ),
  } as unknown as Segment
  const texts = Object.entries(columns).map(([name, list]): [string, Buffer] => [
    name,
    joinColumn(list.map((one) => JSON.stringify(one))),
  ])
  return { segment, raw: new Map(texts) } as OpenSegment
}
const search = (value: string, open: OpenSegment, columns = ['a']) => bitsToRows(createSearcher(value)(open, columns))

describe('searching', () => {
  const open = openSegment({
    a: ['Ada', 'ADA L', null, 'b"d', 'é Ada', ['x', 'ada'], 12, true],
    b: ['x', 'x', 'ada', 'x', 'x', 'x', 'x', 'x'],
  })

  it('finds a part of a text ignoring case, in any of the columns', () => {
    expect(search('ada', open)).toEqual([0, 1, 4, 5])
    expect(search('ada', open, ['a', 'b'])).toEqual([0, 1, 2, 4, 5])
    expect(search('DA l', open)).toEqual([1])
    expect(search('b"', open)).toEqual([3])
    expect(search('É', open)).toEqual([4])
    expect(search('1', open)).toEqual([6])
    expect(search('TRU', open)).toEqual([7])
    expect(search('nul', open)).toEqual([])
    expect(search('ada', open, ['none'])).toEqual([])
  })

  it('finds whole texts in quotes, and empty cells by empty quotes', () => {
    expect(search('"ada"', open)).toEqual([0])
    expect(search('"é ADA"', open)).toEqual([4])
    expect(search('"ad', open)).toEqual([5])
    expect(search('""', open)).toEqual([2])
    expect(search('""', open, ['none'])).toHaveLength(8)
    expect(search('"a\nb"', openSegment({ a: ['A\nB', 'b'] }))).toEqual([0])
  })

  it('uses edited cells instead of the replaced ones', () => {
    const edited = openSegment({ a: ['Ada', 'Bob', 'Ada'] }, { 0: { a: 'Eve' }, 1: { a: 'adam' }, 2: { b: 'x' } })
    expect(search('ada', edited)).toEqual([1, 2])
    expect(search('eve', edited)).toEqual([0])
    expect(search('ada', openSegment({}, { 1: { a: 'Ada' } }))).toEqual([1])
  })

  it('finds k and i also for the Kelvin sign and the dotted I', () => {
    const strange = openSegment({ a: ['5 \u212a', '5 k', '\u0130stanbul', 'x'] })
    expect(search('5 k', strange)).toEqual([0, 1])
    expect(search('i\u0307stan', strange)).toEqual([2])
  })

  it('finds the same as checking each value', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'A', 'k', '\u212a', '\u0130', 'i', '"', '\\', 'é', '\n', ','),
      maxLength: 4,
    })
    fc.assert(
      fc.property(fc.array(fc.option(text), { minLength: 1, maxLength: 6 }), text, (values, searched) => {
        if (!searched || /^".*"$/s.test(searched)) return
        const wanted = values.flatMap((one, row) => (one?.toLowerCase().includes(searched.toLowerCase()) ? [row] : []))
        expect(search(searched, openSegment({ a: values }))).toEqual(wanted)
      }),
    )
  })
})

describe('sorting', () => {
  const sortValues = (type: string, values: readonly unknown[], direction: 'asc' | 'desc') => {
    const keys = createSortKeys(values.length, type)
    for (const value of values) {
      const bytes = Buffer.from(`[${JSON.stringify(value)}]`)
      addSortKey(keys, type, bytes, 1, bytes.length - 1)
    }
    const sorted = sortPositions(keys, direction)
    const texts = new Map(values.map((value, i) => [i, String(toSortKey(type, value))]))
    sortTiedTexts(sorted, texts, direction)
    return [...sorted.positions]
  }
  const sortNaively = (type: string, values: readonly unknown[], direction: 'asc' | 'desc') => {
    const sign = direction === 'asc' ? 1 : -1
    const keys = values.map((value) => toSortKey(type, value))
    return values
      .map((_, i) => i)
      .sort((a, b) => {
        const [x, y] = [keys[a]!, keys[b]!]
        if (x === null || y === null) return (x === null ? 1 : 0) - (y === null ? 1 : 0) || a - b
        if (typeof x !== typeof y) return (typeof x === 'number' ? -1 : 1) * sign
        return (x < y ? -sign : x > y ? sign : 0) || a - b
      })
  }

  it('puts numbers by size before texts alphabetically, and empty cells last', () => {
    const values = ['b', 10, null, '9', 'A', -1, 0, '-0', 1e300, -1e300, 'aa', null, 0.5, '']
    expect(sortValues('number', values, 'asc')).toEqual([9, 5, 6, 7, 13, 12, 3, 1, 8, 4, 10, 0, 2, 11])
    expect(sortValues('number', values, 'desc')).toEqual([0, 10, 4, 8, 1, 3, 12, 6, 7, 13, 5, 9, 2, 11])
    expect(sortValues('string', ['b', 10, null, '9', 'A', true, ['a']], 'asc')).toEqual([1, 3, 6, 4, 0, 5, 2])
  })

  it('matches sorting values one by one, in both directions', () => {
    const unit = fc.constantFrom(...'aB\u0001\u007e\u007f\u0080\u07fe\u07ff\u0800\ufffe\uffff😀"\\\n')
    const text = fc.oneof(
      fc.string({ unit, maxLength: 5 }),
      fc
        .tuple(fc.constantFrom(36, 38, 39, 40, 41, 47), fc.string({ unit, maxLength: 3 }))
        .map(([n, tail]) => 'x'.repeat(n) + tail),
      fc.constantFrom('12345678', '1234567', '123456789', '1234567812345678'),
    )
    const number = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ noNaN: true, noDefaultInfinity: true }))
    const value = fc.option(
      fc.oneof(text, number, number.map(String), fc.boolean(), fc.array(text, { minLength: 1, maxLength: 2 })),
    )
    fc.assert(
      fc.property(
        fc.constantFrom('string', 'number'),
        fc.constantFrom('asc' as const, 'desc' as const),
        fc.array(value, { maxLength: 40 }),
        (type, direction, values) => {
          expect(sortValues(type, values, direction)).toEqual(sortNaively(type, values, direction))
        },
      ),
    )
  })

  it('compares long texts completely, and short ones by their key only', () => {
    const keys = createSortKeys(4, 'string')
    for (const text of ['y', 'x'.repeat(50), 'x'.repeat(45), 'y']) {
      const bytes = Buffer.from(JSON.stringify(text))
      addSortKey(keys, 'string', bytes, 0, bytes.length)
    }
    expect(sortPositions(keys, 'asc').ties).toEqual([[0, 2]])
    expect(keys.count).toBe(4)
  })

  it('derives the sort key from the type', () => {
    expect(['12', 12, 'x', true, null, undefined, ['B']].map((value) => toSortKey('number', value))).toEqual(
      [12, 12, 'x', 1, null, null, '["b"]'].map((key, i) => (i === 6 ? '["b"]' : key)),
    )
    expect(['12', 12, 'X', true, null].map((value) => toSortKey('string', value))).toEqual([
      '12',
      '12',
      'x',
      'true',
      null,
    ])
  })
})

describe('comparing', () => {
  const evaluate = (operator: Operator, type: string, operand: string, values: readonly unknown[]) =>
    values.filter((value) => createCellTest(operator, type, operand)(value))

  it('compares times by instant, and days by midnight UTC', () => {
    const times = [
      '2024-01-01',
      '2024-01-01T00:00',
      '2024-01-01T00:00:00.000Z',
      '2024-01-01T01:00+01:00',
      '2024-01-01T00:00:00Z',
    ]
    expect(evaluate('eq', 'date', '2024-01-01', times)).toEqual(times)
    expect(evaluate('gt', 'date', '2023-12-31T23:59:59.999', times)).toEqual(times)
    expect(evaluate('lt', 'date', '2024-01-01T00:00:00.001Z', times)).toEqual(times)
    const none = [
      '2024-13-01',
      '2024-00-01',
      '2024-02-30',
      '2024-1-1',
      'x2024-01-01',
      '2024-01-01x',
      20240101,
      '2024-01-01T',
    ]
    expect(evaluate('gte', 'date', '0001-01-01', none)).toEqual([])
    expect(evaluate('eq', 'date', '2024-13-01', none)).toEqual(['2024-13-01'])
  })

  it('compares texts in lower case, with equal ones on either side of a bound', () => {
    const texts = ['A', 'b', 'B', 'c', null]
    expect(evaluate('lt', 'string', 'B', texts)).toEqual(['A'])
    expect(evaluate('lte', 'string', 'B', texts)).toEqual(['A', 'b', 'B'])
    expect(evaluate('gt', 'string', 'B', texts)).toEqual(['c'])
    expect(evaluate('gte', 'string', 'B', texts)).toEqual(['b', 'B', 'c'])
    expect(evaluate('lt', 'number', '2', [1, '1.5', 2, 'x', ' ', ''])).toEqual([1, '1.5'])
  })

  it('matches a list by any of its values, and contains by a whole one', () => {
    const lists = [['a', 'b'], ['ab'], ['A'], [null, 1], 'ab']
    expect(evaluate('eq', 'string-list', 'a', lists)).toEqual([['a', 'b']])
    expect(evaluate('ne', 'string-list', 'a', lists)).toEqual([['ab'], ['A'], [null, 1], 'ab'])
    expect(evaluate('contains', 'string-list', 'a', lists)).toEqual([['a', 'b'], ['A'], 'ab'])
    expect(evaluate('eq', 'string-list', 'null', lists)).toEqual([])
    expect(evaluate('eq', 'string', '', [null, 'a', ' '])).toEqual([null])
  })

  it('by size agrees with comparing values', () => {
    const operators: Operator[] = ['eq', 'ne', 'lt', 'gt', 'lte', 'gte']
    for (const operator of operators) {
      const bySize = createNumberTest(operator, 'number', '2')!
      for (const size of [1, 2, 3]) expect(bySize(size)).toBe(createCellTest(operator, 'number', '2')(size))
    }
    for (const operator of ['like', 'ilike', 'contains'] as const)
      expect(createNumberTest(operator, 'number', '2')).toBeUndefined()
    expect(createNumberTest('eq', 'string', '2')).toBeUndefined()
    expect(createNumberTest('eq', 'number', 'x')).toBeUndefined()
    expect([parseNumber(1), parseNumber(' 1 '), parseNumber(' '), parseNumber(''), parseNumber(true)]).toEqual([
      1,
      1,
      Number.NaN,
      Number.NaN,
      Number.NaN,
    ])
  })

  it('derives a text that every match contains, if there is one', () => {
    expect(extractNeedle('contains', 'number', 'Ab')).toBe('ab')
    expect(extractNeedle('like', 'string', 'A%Bcd_e')).toBe('bcd')
    expect(extractNeedle('ilike', 'string', '%')).toBe(findLongestRun('%'))
    expect(extractNeedle('eq', 'string', 'Ab')).toBe('ab')
    for (const type of ['number', 'date']) expect(extractNeedle('eq', type, '1')).toBeUndefined()
    for (const operator of ['ne', 'lt', 'gt'] as const) expect(extractNeedle(operator, 'string', 'a')).toBeUndefined()
  })

  it('by a pattern agrees with a regular expression', () => {
    const part = fc.constantFrom('a', 'b', '%', '_', '\\%', '\\_', '\\\\', '😀', '%%')
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '%', '_', '\\', '😀'), maxLength: 7 })
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), text, (parts, one) => {
        const wanted = parts.map((own) =>
          /^%+$/.test(own) ? '.*' : own === '_' ? '.' : own.replace(/^\\/, '').replace(/[\\]/, '\\\\'),
        )
        expect(createLikeTest(parts.join(''))(one)).toBe(new RegExp(`^${wanted.join('')}$`, 'su').test(one))
        const run = findLongestRun(parts.join(''))
        if (run && createLikeTest(parts.join(''))(one)) expect(one).toContain(run)
      }),
      { numRuns: 1000 },
    )
    expect(createLikeTest('a\\')('a\\')).toBe(true)
  })

  it('by a long pattern agrees with a table of matching prefixes', () => {
    const part = fc.constantFrom('a', 'a', 'a', 'b', '_', '_', '%', '😀')
    const text = fc.string({ unit: fc.constantFrom('a', 'a', 'a', 'a', 'b', '😀'), minLength: 30, maxLength: 120 })
    const long = fc.array(part, { minLength: 20, maxLength: 90 })
    const cut = fc.tuple(text, fc.nat(20), fc.nat(20), fc.array(fc.tuple(fc.nat(120), fc.constantFrom('_', '%'))))
    const checkPattern = (parts: readonly string[], one: string) => {
      expect(createLikeTest(parts.join(''))(one)).toBe(matchesByTable(parts, Array.from(one)))
    }
    fc.assert(fc.property(long, text, checkPattern), { numRuns: 500 })
    fc.assert(
      fc.property(cut, ([one, before, after, changes]) => {
        const parts = Array.from(one).slice(before, Array.from(one).length - after)
        for (const [at, wild] of changes) if (at < parts.length) parts[at] = wild
        checkPattern(['%', ...parts, '%'], one)
        checkPattern(parts, one)
      }),
      { numRuns: 500 },
    )
  })
})

/** A regular expression with a dozen `.*` backtracks for minutes on some texts, so the reference fills a table instead. */
function matchesByTable(parts: readonly string[], characters: readonly string[]): boolean {
  let matches = [true, ...characters.map(() => false)]
  for (const part of parts) {
    const next = [part === '%' && matches[0]!]
    for (const [index, character] of characters.entries())
      next.push(
        part === '%' ? matches[index + 1]! || next[index]! : matches[index]! && (part === '_' || part === character),
      )
    matches = next
  }
  return matches.at(-1)!
}
