/** The EventBridge pattern language as a table: pattern, event detail, whether it matches. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEventFields } from '../src/eventbridge/event-fields.ts'
import { compileFieldsTest } from '../src/eventbridge/pattern.ts'

function compilePattern(pattern: unknown): (event: unknown) => boolean {
  const test = compileFieldsTest(typeof pattern === 'string' ? pattern : JSON.stringify(pattern))
  return (event) => test(createEventFields(event))
}

type Case = [pattern: unknown, detail: unknown, matches: boolean]

const tables: Record<string, Case[]> = {
  'exact values, strict in their type': [
    [{ a: ['x'] }, { a: 'x' }, true],
    [{ a: ['x', 'y'] }, { a: 'y' }, true],
    [{ a: ['x'] }, { a: 'X' }, false],
    [{ a: ['x'] }, {}, false],
    [{ a: ['5'] }, { a: 5 }, false],
    [{ a: [5] }, { a: '5' }, false],
    [{ a: [5] }, { a: 5.0 }, true],
    [{ a: [true] }, { a: true }, true],
    [{ a: [true] }, { a: 'true' }, false],
    [{ a: [null] }, { a: null }, true],
    [{ a: [null] }, {}, false],
    [{ a: [''] }, { a: '' }, true],
    [{ a: [''] }, { a: null }, false],
  ],
  'nested fields, all of which must match': [
    [{ a: { b: ['x'] }, c: [1] }, { a: { b: 'x' }, c: 1 }, true],
    [{ a: { b: ['x'] }, c: [1] }, { a: { b: 'x' }, c: 2 }, false],
    [{ a: { b: ['x'] } }, { a: 'x' }, false],
    [{ a: ['x'] }, { a: { b: 'x' } }, false],
  ],
  'array values, of which any may match': [
    [{ a: ['y'] }, { a: ['x', 'y'] }, true],
    [{ a: ['z'] }, { a: ['x', 'y'] }, false],
    [{ a: ['x'] }, { a: [] }, false],
    [{ a: ['x'] }, { a: [['x']] }, true],
  ],
  'objects in arrays: every field in the same element': [
    [
      { i: { id: ['a'], n: [1] } },
      {
        i: [
          { id: 'a', n: 1 },
          { id: 'b', n: 2 },
        ],
      },
      true,
    ],
    [
      { i: { id: ['a'], n: [2] } },
      {
        i: [
          { id: 'a', n: 1 },
          { id: 'b', n: 2 },
        ],
      },
      false,
    ],
    [{ i: { id: ['a'], t: ['y'] } }, { i: [{ id: 'a', t: ['x', 'y'] }] }, true],
    [
      { i: { j: { k: [1] }, n: [2] } },
      {
        i: [
          { j: [{ k: 1 }], n: 1 },
          { j: [{ k: 3 }], n: 2 },
        ],
      },
      false,
    ],
    [{ a: { x: [1] }, b: { x: [2] } }, { a: [{ x: 1 }], b: [{ x: 0 }, { x: 2 }] }, true],
    [{ i: { id: ['a'], x: [{ exists: false }] } }, { i: [{ id: 'a' }, { id: 'b', x: 1 }] }, true],
    [{ i: { id: ['a'], x: [{ exists: false }] } }, { i: [{ id: 'a', x: 1 }, { id: 'b' }] }, false],
  ],
  prefix: [
    [{ a: [{ prefix: 'foo' }] }, { a: 'foobar' }, true],
    [{ a: [{ prefix: 'Foo' }] }, { a: 'foobar' }, false],
    [{ a: [{ prefix: '' }] }, { a: 'x' }, true],
    [{ a: [{ prefix: '1' }] }, { a: 12 }, false],
  ],
  wildcard: [
    [{ a: [{ wildcard: 'f*b*r' }] }, { a: 'foobar' }, true],
    [{ a: [{ wildcard: 'f*z' }] }, { a: 'foobar' }, false],
    [{ a: [{ wildcard: '*' }] }, { a: '' }, true],
    [{ a: [{ wildcard: 'ab*ba' }] }, { a: 'aba' }, false],
    [{ a: [{ wildcard: 'a*bc*c' }] }, { a: 'abcbc' }, true],
    [{ a: [{ wildcard: 'a\\*c' }] }, { a: 'a*c' }, true],
    [{ a: [{ wildcard: 'a\\*c' }] }, { a: 'abc' }, false],
    [{ a: [{ wildcard: 'a\\\\*' }] }, { a: 'a\\b' }, true],
    [{ a: [{ wildcard: 'a.c' }] }, { a: 'abc' }, false],
  ],
  'anything-but, of a field that is there': [
    [{ a: [{ 'anything-but': 'x' }] }, { a: 'y' }, true],
    [{ a: [{ 'anything-but': 'x' }] }, { a: 'x' }, false],
    [{ a: [{ 'anything-but': 'x' }] }, {}, false],
    [{ a: [{ 'anything-but': ['x', 'y'] }] }, { a: 'y' }, false],
    [{ a: [{ 'anything-but': [1, 2] }] }, { a: 3 }, true],
    [{ a: [{ 'anything-but': 1 }] }, { a: '1' }, true],
    [{ a: [{ 'anything-but': ['x'] }] }, { a: ['x', 'y'] }, true],
    [{ a: [{ 'anything-but': ['x'] }] }, { a: ['x', 'x'] }, false],
    [{ a: [{ 'anything-but': ['x'] }] }, { a: [] }, false],
  ],
  'exists, of leaf values': [
    [{ a: [{ exists: true }] }, { a: null }, true],
    [{ a: [{ exists: true }] }, {}, false],
    [{ a: [{ exists: false }] }, {}, true],
    [{ a: [{ exists: false }] }, { a: 0 }, false],
    [{ a: [{ exists: false }] }, { a: [] }, true],
    [{ a: { b: [{ exists: false }] } }, {}, true],
    [{ a: [{ exists: true }] }, { a: { b: 1 } }, false],
    [{ a: [{ exists: false }, 'x'] }, { a: 'x' }, true],
    [{ a: [{ exists: false }, 'x'] }, { a: 'y' }, false],
  ],
  '$or at any level': [
    [{ $or: [{ a: [1] }, { b: [2] }] }, { b: 2 }, true],
    [{ $or: [{ a: [1] }, { b: [2] }] }, { a: 2, b: 1 }, false],
    [{ c: [3], $or: [{ a: [1] }, { b: [2] }] }, { a: 1 }, false],
    [{ x: { $or: [{ a: [1] }, { b: [2] }] } }, { x: { a: 1 } }, true],
    [{ $or: [{ a: [1], $or: [{ b: [1] }, { c: [1] }] }, { d: [1] }] }, { a: 1, c: 1 }, true],
    [{ $or: [{ a: [1] }, { b: [2] }], x: { $or: [{ a: [1] }, { b: [2] }] } }, { b: 2, x: { b: 2 } }, true],
    [
      { i: { id: ['a'], $or: [{ n: [1] }, { m: [1] }] } },
      {
        i: [
          { id: 'a', n: 2 },
          { id: 'b', m: 1 },
        ],
      },
      false,
    ],
  ],
}

describe.each(Object.entries(tables))('%s', (_operator, cases) => {
  it.each(cases)('matches pattern %j against %j: %s', (pattern, detail, matches) => {
    expect(compilePattern(pattern)(detail)).toBe(matches)
    expect(compilePattern({ detail: pattern })({ source: 's', detail })).toBe(matches)
  })
})

const invalid: [pattern: unknown, reason: RegExp][] = [
  ['not json', /not JSON/],
  [[], /Filter is not an object/],
  [{}, /Empty objects/],
  [{ a: {} }, /Empty objects/],
  [{ a: [] }, /Empty arrays/],
  [{ a: 'x' }, /"a" must be an object or an array/],
  [{ a: [['x']] }, /Match value must be/],
  [{ a: [{}] }, /name not found/],
  [{ a: [{ numeric: ['>', 1] }] }, /does not know the match type numeric/],
  [{ a: [{ constructor: 1 }] }, /does not know the match type constructor/],
  [{ a: [{ prefix: 'a', wildcard: 'b' }] }, /Only one key/],
  [{ a: [{ prefix: 1 }] }, /prefix match pattern must be a string/],
  [{ a: [{ exists: 'yes' }] }, /true or false/],
  [{ a: [{ wildcard: 'a**b' }] }, /Consecutive wildcard/],
  [{ a: [{ wildcard: 'a\\b' }] }, /Invalid escape/],
  [{ a: [{ 'anything-but': [1, 'x'] }] }, /mixed type/],
  [{ a: [{ 'anything-but': null }] }, /must be an array or single/],
  [{ a: [{ 'anything-but': { prefix: 'x' } }] }, /must be an array or single/],
  [{ $or: [{ a: [1] }] }, /at least 2/],
  [{ $or: 'x' }, /must be an Array/],
  [{ $or: [{ prefix: [1] }, { a: [1] }] }, /reserved/],
  [{ a: [1], $or: [{ a: [2] }, { b: [1] }] }, /multiple times/],
  [{ a: ['x'.repeat(2048)] }, /longer than 2048/],
]

it.each(invalid)('rejects %j', (pattern, reason) => {
  expect(() => compilePattern(pattern)).toThrow(
    expect.objectContaining({ type: 'InvalidEventPatternException', message: expect.stringMatching(reason) }),
  )
})

it('rejects a pattern whose $or lists multiply to more than 1,000', () => {
  const $or = Array.from({ length: 11 }, (_, i) => ({ [`k${i}`]: [1] }))
  expect(() => compilePattern({ a: { $or }, b: { $or }, c: { $or } })).toThrow(/combinations/)
})

describe('any event', () => {
  const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null))

  it('matches its own value, and anything-but is the opposite for a single value', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(compilePattern({ k: [a] })({ k: b })).toBe(a === b)
        expect(compilePattern({ k: [{ 'anything-but': a }] })({ k: b })).toBe(a !== b)
      }),
    )
  })

  it('never matches both exists true and exists false', () => {
    fc.assert(
      fc.property(fc.oneof(value, fc.array(value), fc.record({ x: value })), (k) => {
        const [there, absent] = [true, false].map((exists) => compilePattern({ k: [{ exists }] })({ k }))
        expect(there).toBe(!absent)
      }),
    )
  })

  it('matches a wildcard like the equivalent regular expression', () => {
    const character = fc.constantFrom('a', 'b', '*')
    const pattern = fc.array(character, { maxLength: 8 }).map((c) => c.join('').replace(/\*+/g, '*'))
    const text = fc.array(fc.constantFrom('a', 'b'), { maxLength: 12 }).map((c) => c.join(''))
    fc.assert(
      fc.property(pattern, text, (wildcard, k) => {
        const expected = new RegExp(`^${wildcard.replaceAll('*', '.*')}$`).test(k)
        expect(compilePattern({ k: [{ wildcard }] })({ k })).toBe(expected)
      }),
      { numRuns: 500 },
    )
  })

  it('matches a $or exactly when one of its branches matches', () => {
    const branch = fc.record({
      a: fc.tuple(fc.integer({ min: 0, max: 2 })),
      b: fc.tuple(fc.integer({ min: 0, max: 2 })),
    })
    const event = fc.record({ a: fc.integer({ min: 0, max: 2 }), b: fc.integer({ min: 0, max: 2 }) })
    fc.assert(
      fc.property(branch, branch, event, (left, right, detail) => {
        const either = compilePattern(left)(detail) || compilePattern(right)(detail)
        expect(compilePattern({ $or: [left, right] })(detail)).toBe(either)
      }),
    )
  })
})
