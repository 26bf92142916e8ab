/** Mapping rules: their results, complete error reports, and the same as a naive row-by-row interpreter. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileRules } from '../../../lib/mapping/rules/compile.ts'
import { validateRules } from '../../../lib/mapping/rules/validate.ts'
import { readValues } from '../../../lib/records/index.ts'
import { Field } from '../../../schemas/sheets/fields.ts'
import { applyRulesNaively, type Row } from './naive-rules.ts'

const fields = (...keys: string[]): Field[] => keys.map((key) => Field.parse({ key, type: 'string' }))
const SIDES = {
  source: [...fields('first', 'last', 'city', 'Unit Price'), Field.parse({ key: 'qty', type: 'number' })],
  destination: [...fields('a', 'b', 'c'), Field.parse({ key: 'tags', type: 'string-list' })],
}

const ROW: Row = { first: ' ada ', last: 'Lovelace', city: null, 'Unit Price': '2,50', qty: 4 }

function applyRules(rules: unknown[], rows: readonly Row[], batch = rows.length): Row[] {
  const { rules: checked, problems } = validateRules(rules, SIDES)
  expect(problems).toEqual([])
  const program = compileRules(checked, SIDES)
  const out: Row[] = []
  for (let from = 0; from < rows.length; from += batch) {
    const some = rows.slice(from, from + batch)
    const columns = new Map(program.reads.map((key) => [key, some.map((row) => row[key])]))
    const made = program.mapColumns(columns, some.length)
    out.push(
      ...some.map((_, row) => Object.fromEntries([...made].map(([key, cells]) => [key, readValues(cells)[row]]))),
    )
  }
  return out
}
const applyToRow = (...rules: unknown[]): Row => applyRules(rules, [ROW])[0]!

describe('mapping rule', () => {
  it.each([
    ['assign', { sourceField: 'last', destinationField: 'a' }, { a: 'Lovelace' }],
    ['assign', { sourceField: 'last', destinationField: 'tags' }, { tags: ['Lovelace'] }],
    ['constant', { destinationField: 'a', value: 100 }, { a: 100 }],
    ['ignore', { sourceField: 'last' }, {}],
    ['transform', { sourceField: 'first', destinationField: 'a', transform: 'trim' }, { a: 'ada' }],
    ['transform', { sourceField: 'first', destinationField: 'a', transform: 'titlecase' }, { a: ' Ada ' }],
    ['transform', { sourceField: 'last', destinationField: 'a', transform: 'uppercase' }, { a: 'LOVELACE' }],
    ['concatenate', { sourceFields: ['last', 'city', 'qty'], destinationField: 'a' }, { a: 'Lovelace,4' }],
    [
      'concatenate',
      { sourceFields: ['last', 'qty'], destinationField: 'a', separator: ' of ' },
      { a: 'Lovelace of 4' },
    ],
    ['coalesce', { sourceFields: ['city', 'qty', 'last'], destinationField: 'a' }, { a: 4 }],
    ['array', { sourceFields: ['last', 'city', 'qty'], destinationField: 'tags' }, { tags: ['Lovelace', '4'] }],
    [
      'interpolate',
      { sourceFields: ['last', 'city'], destinationField: 'a', template: 'Dr. {0} ({1})' },
      { a: 'Dr. Lovelace ()' },
    ],
    ['arithmetic', { sourceFields: ['qty'], destinationField: 'a', equation: '(qty * 4) + 10' }, { a: 26 }],
    [
      'arithmetic',
      {
        sourceFields: ['qty', 'Unit Price'],
        destinationField: 'a',
        equation: 'round({Unit Price} * qty / 3, 2)',
        locale: 'de-DE',
      },
      { a: 3.33 },
    ],
    ['arithmetic', { sourceFields: ['city', 'qty'], destinationField: 'a', equation: 'city + qty' }, { a: null }],
    ['arithmetic', { sourceFields: ['qty'], destinationField: 'a', equation: 'qty / (qty - 4)' }, { a: null }],
    ['number', { sourceField: 'Unit Price', destinationField: 'a', locale: 'de' }, { a: 2.5 }],
    ['number', { sourceField: 'Unit Price', destinationField: 'a' }, { a: '2,50' }],
    [
      'regex-extract',
      { sourceField: 'last', destinationFields: ['a', 'b'], regex: '^(Love)(.*)$' },
      { a: 'Love', b: 'lace' },
    ],
    ['regex-extract', { sourceField: 'last', destinationFields: ['a'], regex: '[0-9]+' }, { a: null }],
    ['split', { sourceField: 'last', destinationFields: ['a', 'b'], separator: 'e' }, { a: 'Lov', b: 'lace' }],
    [
      'split',
      { sourceField: 'last', destinationFields: ['a', 'b', 'c'], separator: '-' },
      { a: 'Lovelace', b: null, c: null },
    ],
    [
      'value-map',
      { sourceField: 'last', destinationField: 'a', values: [{ sourceValue: 'Lovelace', destinationValue: true }] },
      { a: true },
    ],
    [
      'value-map',
      {
        sourceField: 'qty',
        destinationField: 'a',
        values: [{ sourceValue: 5, destinationValue: 'five' }],
        otherwise: 'other',
      },
      { a: 'other' },
    ],
  ] as const)('%s %j', (type, config, expected) => expect(applyToRow({ type, config })).toEqual(expected))

  it('can read and overwrite earlier results, be filtered, grouped and reverted', () => {
    expect(
      applyToRow(
        { type: 'assign', config: { sourceField: 'last', destinationField: 'a' } },
        {
          type: 'find-replace',
          config: {
            destinationField: 'a',
            values: [
              { find: 'Love', replace: 'Hate' },
              { find: 'e', replace: '$&' },
            ],
          },
        },
        {
          type: 'interpolate',
          config: { sourceFields: ['destination!a'], destinationField: 'b', template: 'Hello, {0}!' },
        },
        { type: 'constant', config: { destinationField: 'c', value: 'x' } },
        { type: 'delete', config: { destinationField: 'c' } },
      ),
    ).toEqual({ a: 'Hat$&lac$&', b: 'Hello, Hat$&lac$&!' })
    const rules = [
      { type: 'assign', config: { sourceField: 'last', destinationField: 'a' } },
      { type: 'constant', config: { destinationField: 'a', value: 'D Dawg', filter: 'last like D%' } },
      {
        type: 'subprogram',
        config: {
          filter: 'qty gt 3',
          rules: [{ type: 'constant', destinationField: 'b', value: 'many', filter: 'city is not empty' }],
        },
      },
    ]
    expect(
      applyRules(rules, [ROW, { ...ROW, last: 'Dave', city: 'Ulm' }, { last: 'Dora', city: 'Ulm', qty: 1 }]),
    ).toEqual([
      { a: 'Lovelace', b: null },
      { a: 'D Dawg', b: 'many' },
      { a: 'D Dawg', b: null },
    ])
  })

  it.each([
    ['31.12.2024', { format: 'dd.MM.yyyy' }, '2024-12-31'],
    ['1. März 2024', { format: 'd. LLLL yyyy', locale: 'de' }, '2024-03-01'],
    ['3/9/24', { formats: ['yyyy-MM-dd', 'M/d/yy'] }, '2024-03-09'],
    ['2024-02-30', { format: 'yyyy-MM-dd' }, '2024-02-30'],
    ['soon', { format: 'yyyy-MM-dd' }, 'soon'],
    ['2024-12-31', { format: 'yyyy-MM-dd', output: 'd MMM yyyy', locale: 'fr' }, '31 déc. 2024'],
  ])('parses the date %s with %j', (text, config, expected) => {
    const rule = { type: 'date', config: { sourceField: 'last', destinationField: 'a', ...config } }
    expect(applyRules([rule], [{ last: text }, { last: null }])).toEqual([{ a: expected }, { a: null }])
  })

  it.each([
    ['1.234,5', 'de', 1234.5],
    ['1 234,5', 'fr', 1234.5],
    ["1'234.50", 'de-CH', 1234.5],
    ['(1,234.50)', 'en-US', -1234.5],
    ['€ -12', 'en-US', -12],
    ['12-', 'en-US', -12],
    ['12 %', 'en-US', 12],
    ['1,5', 'en-US', '1,5'],
    ['12 apples', 'en-US', '12 apples'],
  ])('parses the number %s in locale %s', (text, locale, expected) => {
    const rule = { type: 'number', config: { sourceField: 'last', destinationField: 'a', locale } }
    expect(applyRules([rule], [{ last: text }])).toEqual([{ a: expected }])
  })

  it.each([
    ['2 ^ 3 ^ 2', 512],
    ['-2 ^ 2', -4],
    ['2 ^ -1', 0.5],
    ['10 - 4 - 3', 3],
    ['7 % 4 * 2', 6],
    ['0.1 + 0.2', 0.3],
    ['max(1, min(5, 9), abs(-3))', 5],
    ['round(-2.5)', -3],
    ['round(1.005, 2)', 1.01],
    ['{0} * 2', 8],
  ])('computes %s', (equation, expected) => {
    const rule = { type: 'arithmetic', config: { sourceFields: ['qty'], destinationField: 'a', equation } }
    expect(applyToRow(rule)).toEqual({ a: expected })
  })

  it('takes linear time in the text, whatever the pattern', () => {
    const rule = { type: 'regex-extract', config: { sourceField: 'last', destinationFields: ['a'], regex: '^(a+)+$' } }
    expect(applyRules([rule], [{ last: `${'a'.repeat(5000)}!` }])).toEqual([{ a: null }])
  })
})

describe('problems in mapping rules', () => {
  it('are all reported together, each with its position', () => {
    const { problems, rules } = validateRules(
      [
        { type: 'assign', config: { sourceField: 'nope', destinationField: 'neither' } },
        { type: 'reverse', config: {} },
        { type: 'constant', config: { destinationField: 'a', value: { no: 'object' } } },
        { type: 'arithmetic', config: { sourceFields: ['qty'], destinationField: 'a', equation: 'qty * (2' } },
        { type: 'arithmetic', config: { sourceFields: ['qty'], destinationField: 'a', equation: 'process.exit(1)' } },
        { type: 'regex-extract', config: { sourceField: 'last', destinationFields: ['a', 'b'], regex: '(x' } },
        { type: 'regex-extract', config: { sourceField: 'last', destinationFields: ['a', 'b'], regex: '(x)' } },
        { type: 'interpolate', config: { sourceFields: ['last'], destinationField: 'a', template: '{1}' } },
        { type: 'date', config: { sourceField: 'last', destinationField: 'a', format: 'yyyy' } },
        { type: 'date', config: { sourceField: 'last', destinationField: 'a' } },
        { type: 'number', config: { sourceField: 'last', destinationField: 'a', locale: 'no such' } },
        { type: 'assign', config: { sourceField: 'last', destinationField: 'a', filter: 'nobody eq 1' } },
        { type: 'assign', config: { sourceField: 'last', destinationField: 'a', filter: 'last is error' } },
        { type: 'subprogram', config: { rules: [{ type: 'assign', sourceField: 'last', destinationField: 'z' }] } },
        { type: 'nest', config: {} },
        { type: 'ast', config: {} },
        'assign',
        { type: 'assign', config: { sourceField: 'destination!b', destinationField: 'a' } },
      ],
      SIDES,
    )
    expect(problems.map(({ key }) => key)).toEqual([
      'rules.0.config.sourceField',
      'rules.0.config.destinationField',
      'rules.1.type',
      'rules.2.config.value',
      'rules.3.config.equation',
      'rules.4.config.equation',
      'rules.5.config.regex',
      'rules.6.config.destinationFields',
      'rules.7.config.template',
      'rules.8.config.format',
      'rules.9.config.format',
      'rules.10.config.locale',
      'rules.11.config.filter',
      'rules.12.config.filter',
      'rules.13.config.rules.0.destinationField',
      'rules.14.type',
      'rules.15.type',
      'rules.16',
    ])
    expect(rules).toHaveLength(1)
  })

  it('limit depth and number', () => {
    const nestRules = (depth: number): object =>
      depth === 0
        ? { type: 'constant', destinationField: 'a', value: 1 }
        : { type: 'subprogram', rules: [nestRules(depth - 1)] }
    expect(validateRules([nestRules(3)], SIDES).problems).toEqual([])
    expect(validateRules([nestRules(4)], SIDES).problems[0]!.message).toMatch(/more than 3/)
    expect(validateRules(new Array(1001).fill(nestRules(0)), SIDES).problems[0]!.message).toMatch(/at most 1,000/)
  })
})

describe('any rules over any rows', () => {
  const source = fc.constantFrom('first', 'last', 'city', 'qty', 'destination!a', 'destination!b')
  const target = fc.constantFrom('a', 'b', 'c')
  const filter = fc.option(
    fc.constantFrom('qty gt 2', 'city is empty', 'not (last like A%) or qty lte 1', 'contains x'),
    { nil: undefined },
  )
  const some = fc.array(source, { minLength: 1, maxLength: 3 })
  const arbitraryRule = <T>(type: string, config: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
    fc.record({ ...config, filter }).map((made) => ({ type, config: made }))
  const values = fc.constant([
    { sourceValue: 'x', destinationValue: 'ex' },
    { sourceValue: 3, destinationValue: true },
  ])
  const plain = fc.oneof(
    arbitraryRule('assign', { sourceField: source, destinationField: target }),
    arbitraryRule('assign', { sourceField: source, destinationField: target, values }),
    arbitraryRule('constant', { destinationField: target, value: fc.constantFrom('k', 7, null) }),
    arbitraryRule('delete', { destinationField: target }),
    arbitraryRule('coalesce', { sourceFields: some, destinationField: target }),
    arbitraryRule('concatenate', { sourceFields: some, destinationField: target, separator: fc.constantFrom('-', '') }),
    arbitraryRule('interpolate', { sourceFields: some, destinationField: target, template: fc.constant('<{0}>') }),
    arbitraryRule('value-map', { sourceField: source, destinationField: target, values }),
    arbitraryRule('find-replace', { destinationField: target, values: fc.constant([{ find: 'x', replace: 'yy' }]) }),
    arbitraryRule('transform', {
      sourceField: source,
      destinationField: target,
      transform: fc.constantFrom('uppercase', 'lowercase', 'trim'),
    }),
    arbitraryRule('split', {
      sourceField: source,
      destinationFields: fc.constant(['a', 'b']),
      separator: fc.constantFrom(' ', 'x'),
    }),
    arbitraryRule('arithmetic', {
      sourceFields: fc.constant(['qty']),
      destinationField: target,
      equation: fc.constantFrom('qty + 1', '6 / qty'),
    }),
  )
  const group = fc
    .record({ rules: fc.array(plain, { maxLength: 3 }), filter })
    .map((config) => ({ type: 'subprogram', config }))
  const text = fc.constantFrom('x', 'Ada', 'axb', ' y ', 'a b', '', null)
  const row = fc.record({ first: text, last: text, city: text, qty: fc.constantFrom(0, 1, 3, 5, null, 'n/a', '4') })

  it('are applied to batches of columns as to single rows', () => {
    const rules = fc.array(fc.oneof({ weight: 5, arbitrary: plain }, { weight: 1, arbitrary: group }), {
      minLength: 1,
      maxLength: 8,
    })
    fc.assert(
      fc.property(rules, fc.array(row, { maxLength: 12 }), fc.integer({ min: 1, max: 5 }), (told, rows, batch) => {
        const wanted = rows.map((applyToRow) => applyRulesNaively(told, applyToRow as Row, SIDES))
        const got = applyRules(told, rows as Row[], batch)
        const full = (made: Row): Row => Object.fromEntries(['a', 'b', 'c'].map((key) => [key, made[key] ?? null]))
        expect(got.map(full)).toEqual(wanted.map(full))
      }),
      { numRuns: 500 },
    )
  })
})
