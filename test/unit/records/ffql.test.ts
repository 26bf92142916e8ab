/** The query language: syntax, error messages, and the same matches as a naive evaluator. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../../../lib/core/errors.ts'
import { bitsToRows } from '../../../lib/records/columns/bits.ts'
import { joinColumn } from '../../../lib/records/columns/columns.ts'
import { createLikeTest } from '../../../lib/records/fields/ffql/like.ts'
import { parseQuery } from '../../../lib/records/fields/ffql/parser.ts'
import { rulesOf } from '../../../lib/records/fields/rules.ts'
import { valueColumn } from '../../../lib/records/format/column-names.ts'
import { compileQuery } from '../../../lib/records/read/compile-query.ts'
import type { Field, WireRecord } from '../../../lib/records/sheet.ts'
import type { Segment } from '../../../lib/records/state/state.ts'
import { EMPTY_SEGMENT } from '../../support/segment.ts'
import { matches, type Naive } from './naive.ts'

const FIELDS: Field[] = [
  { key: 'name', type: 'string', label: 'Full name' },
  { key: 'Code', type: 'string', label: 'name' },
  { key: 'age', type: 'number' },
  { key: 'born', type: 'date' },
  { key: 'active', type: 'boolean' },
  { key: 'tags', type: 'string-list' },
]
const named = FIELDS.map(({ key, label }) => ({ key, label: label ?? undefined }))
const parseNamed = (q: string) => parseQuery(q, named)
const compare = (field: string | undefined, operator: string, value: string) => ({
  kind: 'compare',
  field,
  operator,
  value,
})

describe('FFQL parses', () => {
  it.each([
    ['name eq Ada', compare('name', 'eq', 'Ada')],
    ['eq Ada', compare(undefined, 'eq', 'Ada')],
    ['"full NAME" EQ "Ada L"', compare('name', 'eq', 'Ada L')],
    ['NAME eq x', compare('Code', 'eq', 'x')],
    [`name = 'it''s "so"'`, compare('name', 'eq', `it's "so"`)],
    ['name eq "a \\"b\\" \\\\ \\%"', compare('name', 'eq', 'a "b" \\ \\%')],
    ['name eq ""', compare('name', 'eq', '')],
    ['name eq """"', compare('name', 'eq', '"')],
    [`name eq O'Brien`, compare('name', 'eq', `O'Brien`)],
    ['age>=5', compare('age', 'gte', '5')],
    ['age != -5', compare('age', 'ne', '-5')],
    ['age<5', compare('age', 'lt', '5')],
    ['like like', compare(undefined, 'like', 'like')],
    ['name is Error', { kind: 'is', field: 'name', state: 'error' }],
    ['is not empty', { kind: 'not', of: { kind: 'is', field: undefined, state: 'empty' } }],
  ])('%s', (q, wanted) => {
    expect(parseNamed(q)).toEqual(wanted)
  })

  it('binds not before and, and before or', () => {
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((value) => compare(undefined, 'eq', value))
    expect(parseNamed('eq a or not eq b and eq c or eq d')).toEqual({
      kind: 'or',
      of: [a, { kind: 'and', of: [{ kind: 'not', of: b }, c] }, d],
    })
    expect(parseNamed('(eq a OR eq b) And (eq c)')).toEqual({ kind: 'and', of: [{ kind: 'or', of: [a, b] }, c] })
  })

  it('accepts a chain of the maximum length', () => {
    const q = Array.from({ length: 1000 }, () => 'eq a').join(' or ')
    expect(parseNamed(q)).toMatchObject({ kind: 'or', of: { length: 1000 } })
  })
})

describe('FFQL reports errors in', () => {
  it.each([
    ['', 'At column 1: expected a field or an operator.'],
    ['name', 'At column 5: expected an operator (eq, ne, lt, gt, lte, gte, like, ilike, contains, is) after "name".'],
    ['name eq', 'At column 8: expected a value after "eq"; put and, or, not and signs in quotes.'],
    ['name eq and', 'At column 9: expected a value after "eq"; put and, or, not and signs in quotes.'],
    [
      'name eq Ada Lovelace',
      'At column 13: expected "and", "or" or the end, not "Lovelace"; a text with spaces needs quotes.',
    ],
    ['(name eq a', 'At column 1: this parenthesis is not closed.'],
    ['name eq a)', 'At column 10: this parenthesis was not opened.'],
    ['(name eq a b)', 'At column 12: expected "and", "or" or ")", not "b".'],
    ['name eq "a', 'At column 9: the quote " is not closed.'],
    ['name eq a and nope eq b', 'At column 15: the sheet has no field "nope".'],
    ['name is odd', 'At column 9: expected one of error, valid, warning, info, empty after "is".'],
    ['and eq 5', 'At column 1: expected a field or an operator, not "and".'],
    ['__proto__ eq 5', 'At column 1: the sheet has no field "__proto__".'],
    [`${'('.repeat(101)}eq a`, 'At column 101: a query can nest at most 100 levels deep.'],
    [`eq ${'a'.repeat(10_000)}`, 'A query can have at most 10,000 characters.'],
  ])('%s', (q, message) => {
    expect(() => parseNamed(q)).toThrow(expect.objectContaining({ code: 'invalid', problems: [{ key: 'q', message }] }))
  })

  it('only in these ways', () => {
    const part = fc.oneof(
      fc.constantFrom('name', 'age', 'and', 'or', 'not', 'is', 'eq', '>=', '(', ')', '"', "'", '\\', ' ', 'empty', '!'),
      fc.string({ maxLength: 3 }),
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), fc.constantFrom('', ' '), (parts, space) => {
        try {
          compileQuery(parts.join(space), rules)
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError)
        }
      }),
      { numRuns: 2000 },
    )
  })
})

const rules = rulesOf({ sheetId: 'us_sh_ffql', fields: FIELDS })

function findRows(q: string, columns: { [key: string]: unknown[] }, rows: number): number[] {
  const query = compileQuery(q, rules)
  const segment: Segment = {
    ...EMPTY_SEGMENT,
    rows,
    inline: new Map(Object.keys(columns).map((key) => [valueColumn(key), ''])),
    signature: rules.signature,
    nulls: new Map(Object.entries(columns).map(([key, list]) => [key, list.filter((one) => one === null).length])),
  }
  const texts = Object.entries(columns).map(([key, list]): [string, Buffer] => [
    valueColumn(key),
    joinColumn(list.map((one) => JSON.stringify(one))),
  ])
  const raw = new Map(texts.filter(([name]) => query.names.includes(name)))
  const matches = bitsToRows(query.rows({ segment, raw })).filter((row) => row < rows)
  if (!query.canMatch(segment)) expect(matches).toEqual([])
  return matches
}

describe('FFQL matches', () => {
  const columns = {
    name: ['Ada', 'ada', null, 'Bob%', 'B_b', '50'],
    Code: ['c', 'c', 'c', 'c', 'c', 'c'],
    age: [5, '5.0', 'n/a', null, 10, '-3'],
    born: ['2024-02-29', '2023-12-31', 'soon', null, '2024-02-30', '2024-03-01'],
    active: [true, 'TRUE', false, null, 'no', 1],
    tags: [['a', 'b'], ['ab'], 'abc', null, [1, 2], []],
  }
  it.each([
    ['name eq Ada', [0]],
    ['name ne Ada', [1, 2, 3, 4, 5]],
    ['name eq ""', [2]],
    ['name ne ""', [0, 1, 3, 4, 5]],
    ['name like A%', [0]],
    ['name ilike a%', [0, 1]],
    ['name like "%\\%"', [3]],
    ['name like b_b', []],
    ['name ilike b\\_b', [4]],
    ['name contains DA', [0, 1]],
    ['name eq 50', [5]],
    ['name lt b', [0, 1, 5]],
    ['age eq 5', [0, 1]],
    ['age eq n/a', [2]],
    ['age ne 5', [2, 3, 4, 5]],
    ['age gt 5', [4]],
    ['age lte 5', [0, 1, 5]],
    ['age lt x', []],
    ['born gt 2023-12-31', [0, 5]],
    ['born lte 2023-12-31T12:00', [1]],
    ['born gte 2024-02-29 and born lt 2024-03-01', [0]],
    ['active eq True', [0, 1]],
    ['tags contains B', [0, 2]],
    ['tags contains ab', [1, 2]],
    ['tags eq a', [0]],
    ['tags ne a', [1, 2, 3, 4, 5]],
    ['tags gt 1', [0, 1, 2, 4]],
    ['eq 5', [0, 1]],
    ['contains ob', [3]],
    ['is empty', [2, 3]],
    ['name is empty or not age is not empty', [2, 3]],
  ])('%s', (q, rows) => {
    expect(findRows(q, columns, 6)).toEqual(rows)
  })

  it('returns quickly for a pattern that makes a backtracking matcher run forever', () => {
    expect(createLikeTest(`${'%a'.repeat(500)}%b`)('a'.repeat(20_000))).toBe(false)
    expect(createLikeTest(`${'%a_'.repeat(500)}%b`)('a'.repeat(5000))).toBe(false)
  })
})

const pieces = [...'aAb%_\\"éÉςΣσ\u212akİi😀\n,1-']
const text = fc.array(fc.constantFrom(...pieces), { maxLength: 5 }).map((list) => list.join(''))
const number = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom(0.5, 1e21, '1', '-0', '1.50', '.5', '2e0', ' 3', 'x'),
)
const day = fc.constantFrom('2024-01-01', '2024-01-02', '2023-02-30', '2023-12-31', 'x')
const list = fc.array(fc.oneof(text, fc.integer({ min: 0, max: 2 })), { minLength: 1, maxLength: 3 })
const orEmpty = <T>(of: fc.Arbitrary<T>) => fc.option(of, { freq: 5 }).map((one) => (one === '' ? null : one))
const record = fc.record({
  name: orEmpty(fc.oneof(text, fc.boolean(), number, list)),
  Code: orEmpty(text),
  age: orEmpty(fc.oneof(number, text)),
  born: orEmpty(fc.oneof(day, text)),
  active: orEmpty(fc.constantFrom<unknown>(true, false, 'true', 'FALSE')),
  tags: orEmpty(fc.oneof(list, text)),
})
const operand = fc.oneof(text, number.map(String), day, fc.constantFrom('TRUE', '[', 'null', '%a%', '_', ''))
const test: fc.Arbitrary<Naive> = fc.oneof(
  fc.record({
    kind: fc.constant('compare' as const),
    field: fc.option(fc.constantFrom(...FIELDS.map(({ key }) => key)), { nil: undefined }),
    operator: fc.constantFrom('eq', 'ne', 'lt', 'gt', 'lte', 'gte', 'like', 'ilike', 'contains'),
    value: operand,
  }),
  fc.record({
    kind: fc.constant('is' as const),
    field: fc.constantFrom('name', 'age', undefined),
    state: fc.constant('empty'),
  }),
)
const condition = fc.letrec<{ one: Naive }>((tie) => ({
  one: fc.oneof(
    { depthSize: 'small' },
    { weight: 3, arbitrary: test },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('not' as const), of: tie('one') }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constantFrom('and' as const, 'or' as const),
        of: fc.array(tie('one'), { minLength: 2, maxLength: 3 }),
      }),
    },
  ),
})).one

const quoteText = (one: string): string => `'${one.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
const formatCondition = (one: Naive): string => {
  if (one.kind === 'not') return `not (${formatCondition(one.of)})`
  if (one.kind === 'is') return `${one.field ?? ''} is ${one.state}`
  if (one.kind === 'compare') return `${one.field ? quoteText(one.field) : ''} ${one.operator} ${quoteText(one.value)}`
  return one.of.map((part) => `(${formatCondition(part)})`).join(` ${one.kind} `)
}

it('matches the same as evaluating values one by one for any condition', () => {
  fc.assert(
    fc.property(fc.array(record, { minLength: 1, maxLength: 12 }), condition, (records, one) => {
      const columns = Object.fromEntries(
        FIELDS.map(({ key }) => [key, records.map((values) => values[key as keyof typeof values] as unknown)]),
      )
      const wire = records.map(
        (values, i): WireRecord => ({
          id: String(i),
          values: Object.fromEntries(
            Object.entries(values).map(([key, value]) => [key, { value, messages: [], valid: true }]),
          ),
          valid: true,
          metadata: {},
          config: {},
        }),
      )
      const wanted = wire.flatMap((own, i) => (matches(one, FIELDS, own) ? [i] : []))
      expect(findRows(formatCondition(one), columns, records.length)).toEqual(wanted)
    }),
    { numRuns: 1500 },
  )
})
