/** Types and constraints as the API sees them: messages and counts of every field type, before and after a sheet's fields change. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Field, SheetConstraint, SheetRef } from '../../../lib/records/sheet.ts'
import { by, newSheetId, type RecordCloud, recordCloud } from '../../support/records.ts'

type Engine = typeof import('../../../lib/records/index.ts')
let cloud: RecordCloud
let engine: Engine

beforeAll(async () => {
  cloud = await recordCloud()
  engine = await import('../../../lib/records/index.ts')
})
afterAll(() => cloud.close())

const sheetOf = (fields: Field[], constraints: SheetConstraint[] = []): SheetRef => ({
  sheetId: newSheetId(),
  fields,
  constraints,
})
const changed = (sheet: SheetRef, fields: Field[], constraints: SheetConstraint[] = []): SheetRef => ({
  ...sheet,
  fields,
  constraints,
})
const add = (sheet: SheetRef, rows: { [field: string]: unknown }[]) =>
  engine.insert(
    sheet,
    rows.map((row) => ({ values: Object.fromEntries(Object.entries(row).map(([key, value]) => [key, { value }])) })),
    by(),
  )

/** Per record, `<source>/<type>` of a field's messages; checks that all counts agree. */
async function judged(sheet: SheetRef, field: string): Promise<string[]> {
  const { records } = await engine.read(sheet)
  const error = records.filter(({ valid }) => !valid).length
  const byField = await engine.counts(sheet, { byField: true })
  expect(byField).toMatchObject({ total: records.length, valid: records.length - error, error })
  for (const { key } of sheet.fields) {
    const cells = records.map(({ values }) => values[key]!)
    const bad = cells.filter(({ valid }) => !valid).length
    const empty = cells.filter(({ value }) => value === null).length
    expect(byField.byField![key]).toEqual({ total: cells.length, valid: cells.length - bad, error: bad, empty })
    expect(byField.errorsByField?.[key] ?? 0).toBe(bad)
  }
  return records.map(({ values }) =>
    values[field]!.messages.map(({ source, type, field: on }) => {
      expect(on === undefined || on === field).toBe(true)
      return `${source}/${type}`
    }).join(),
  )
}
const values = async (sheet: SheetRef, field: string) =>
  (await engine.read(sheet)).records.map((record) => record.values[field]!.value)

describe('a value of a field', () => {
  const list = (length: number) => Array.from({ length }, (_, i) => `v${i}`)
  const options = { options: [{ value: 'a' }, { value: 1 }, { value: false }, { value: '2' }] }
  it.each<[string, Partial<Field>, unknown[], unknown[], unknown[]]>([
    ['text', { type: 'string' }, ['x', 5, true], [['x'], { a: 1 }], []],
    ['tiny text', { type: 'string', config: { size: 'tiny' } }, ['x'.repeat(255)], ['x'.repeat(256)], []],
    [
      'text up to 64 kB',
      { type: 'string', config: { size: 'normal' } },
      ['x'.repeat(65_535)],
      ['x'.repeat(65_536)],
      [],
    ],
    ['number', { type: 'number' }, [0, -1.5, 12], [' 1e3 ', 'n/a', true, '1,5', [1]], []],
    ['number with decimals', { type: 'number', config: { decimalPlaces: 2 } }, [1.23456], ['x'], []],
    ['list of numbers', { type: 'number', isArray: true }, [[1, 2], 3], [[1, 'x'], [[1]], [null]], []],
    ['boolean', { type: 'boolean' }, [true, false], ['TRUE', 1, 0, 'yes', [true]], []],
    ['date', { type: 'date' }, ['2024-02-29'], ['2023-02-29', '01.02.2024', 20240229], []],
    ['option', { type: 'enum', config: options }, ['a', 1, '1', false, 2], [['a']], ['A', 'b', true, 'a ']],
    ['any option', { type: 'enum', config: { ...options, allowCustom: true } }, ['zzz', 9], [['a']], []],
    ['options', { type: 'enum', config: options, multi: true }, [['a', 1], 'a'], [[['a']]], [['a', 'b']]],
    ['list of options', { type: 'enum-list', config: options }, [['a', 1, false]], ['a'], [['a', 'b']]],
    ['list of texts', { type: 'string-list' }, [['a', 1], list(100)], ['a', list(101), [{}]], []],
    ['reference', { type: 'reference', config: { ref: 'x', key: 'y' } }, ['a', 1], [['a']], []],
    [
      'list of references',
      { type: 'reference-list', config: { ref: 'x', key: 'y' } },
      [['a', 1]],
      ['a', list(101)],
      [],
    ],
    ['computed value', { type: 'string', constraints: [{ type: 'computed' }] }, ['x'], [], []],
    [
      'value checked by listeners',
      { type: 'string', constraints: [{ type: 'external', config: { level: 'error' } }, { type: 'stored' }] },
      ['x', null],
      [],
      [],
    ],
    ['value of an unknown type', { type: 'geometry' }, [{ a: 1 }, ['x'], 'x', 1], [], []],
  ])('(%s) is kept as it came, with a message when it cannot be one', async (_, field, good, bad, notOptions) => {
    const sheet = sheetOf([{ key: 'f', type: 'string', ...field }])
    const all = [...good, ...bad, ...notOptions]
    await add(
      sheet,
      all.map((f) => ({ f })),
    )
    expect(await values(sheet, 'f')).toEqual(all)
    expect(await judged(sheet, 'f')).toEqual([
      ...good.map(() => ''),
      ...bad.map(() => 'is-artifact/error'),
      ...notOptions.map(() => 'invalid-option/error'),
    ])
  })

  it('that is empty is none of its type, and an error only where it is required', async () => {
    const types = [
      'string',
      'number',
      'boolean',
      'date',
      'enum',
      'enum-list',
      'string-list',
      'reference',
      'reference-list',
    ]
    const config = { options: [{ value: 'a' }], allowIndeterminate: true, ref: 'x', key: 'y' }
    const sheet = sheetOf(types.map((type) => ({ key: type, type, config })))
    const required = changed(
      sheet,
      sheet.fields.map((field) => ({ ...field, constraints: [{ type: 'required' }] })),
    )
    await add(sheet, [
      {},
      Object.fromEntries(types.map((type) => [type, ''])),
      Object.fromEntries(types.map((type) => [type, []])),
    ])
    for (const type of types) {
      expect(await judged(sheet, type)).toEqual(['', '', ''])
      // An indeterminate boolean is its third value, not a missing one.
      const missing = type === 'boolean' ? '' : 'required-constraint/error'
      expect(await judged(required, type)).toEqual([missing, missing, missing])
    }
    const two = changed(sheet, [
      { key: 'boolean', type: 'boolean', config: { allowIndeterminate: false }, constraints: [{ type: 'required' }] },
    ])
    expect(await judged(two, 'boolean')).toEqual(Array(3).fill('required-constraint/error'))
  })
})

describe('a constraint', () => {
  it('says what its config says, at its level', async () => {
    const config = { level: 'warn', message: 'Look here' }
    const sheet = sheetOf([
      { key: 'r', type: 'string', constraints: [{ type: 'required', config }] },
      { key: 'u', type: 'string', constraints: [{ type: 'unique', config: { ...config, level: 'info' } }] },
    ])
    await add(sheet, [{ u: 'x' }, { r: 'y', u: 'x' }])
    expect(await judged(sheet, 'r')).toEqual(['required-constraint/warn', ''])
    expect(await judged(sheet, 'u')).toEqual(['unique-constraint/info', 'unique-constraint/info'])
    const [record] = (await engine.read(sheet)).records
    expect(record).toMatchObject({ valid: true, values: { r: { valid: true }, u: { valid: true } } })
    for (const cell of Object.values(record!.values)) expect(cell.messages[0]!.message).toBe('Look here')
  })

  it('of uniqueness knows every row of a segment that was stored by itself', async () => {
    const sheet = sheetOf([{ key: 'code', type: 'string', constraints: [{ type: 'unique' }] }])
    const rows = Array.from({ length: 5000 }, (_, i) => ({ code: `c${i}` }))
    await add(sheet, rows)
    await add(sheet, [{ code: 'c7' }, { code: 'c4999' }, { code: 'new' }])
    const { error } = await engine.counts(sheet)
    expect(error).toBe(4)
  })

  it('of uniqueness heeds letter case and empty cells as its config says', async () => {
    const unique = (config?: object): Field[] => [
      { key: 'u', type: 'string', constraints: [{ type: 'unique', config }] },
    ]
    const sheet = sheetOf(unique())
    await add(sheet, [{ u: 'A' }, { u: 'a' }, {}, {}, { u: 5 }, { u: '5' }])
    const duplicate = 'unique-constraint/error'
    expect(await judged(sheet, 'u')).toEqual(['', '', '', '', duplicate, duplicate])
    const lax = changed(sheet, unique({ caseSensitive: false }))
    expect(await judged(lax, 'u')).toEqual([duplicate, duplicate, '', '', duplicate, duplicate])
    const strict = changed(sheet, unique({ ignoreEmpty: false }))
    expect(await judged(strict, 'u')).toEqual(['', '', duplicate, duplicate, duplicate, duplicate])
  })

  it.each(['concat', 'hash'])('over several fields marks them all, by strategy %s', async (strategy) => {
    const fields = ['a', 'b'].map((key): Field => ({ key, type: 'string' }))
    const both = (more: object = {}) => [{ type: 'unique', name: 'both', fields: ['a', 'b'], strategy, ...more }]
    const sheet = sheetOf(fields, both())
    await add(sheet, [{ a: 'x', b: 'yz' }, { a: 'xy', b: 'z' }, { a: 'x', b: 'yz' }, { a: 'x' }, { a: 'x' }, {}, {}])
    const no = 'unique-constraint/error'
    for (const field of ['a', 'b']) expect(await judged(sheet, field)).toEqual([no, '', no, no, no, '', ''])
    const needing = changed(sheet, fields, both({ requiredFields: ['b'] }))
    expect(await judged(needing, 'a')).toEqual([no, '', no, '', '', '', ''])
    const warning = changed(sheet, fields, both({ config: { level: 'warn', message: 'Twice' } }))
    expect((await judged(warning, 'b'))[0]).toBe('unique-constraint/warn')
    const [record] = (await engine.read(warning)).records
    expect(record!.values.a!.messages).toEqual([{ type: 'warn', source: 'unique-constraint', message: 'Twice' }])
    expect(await judged(changed(sheet, fields), 'a')).toEqual(Array(7).fill(''))
  })
})

describe('a change of the fields', () => {
  const field = (type: string, more: Partial<Field> = {}): Field[] => [{ key: 'f', type, ...more }]

  it('shows in messages and counts at the next look; values stay', async () => {
    const sheet = sheetOf(field('string'))
    const given = ['12', 'x', null, '2024-02-29', true, 7]
    await add(
      sheet,
      given.map((f) => ({ f })),
    )
    const no = 'is-artifact/error'
    const expected: [SheetRef, string[]][] = [
      [changed(sheet, field('number')), ['', no, '', no, no, '']],
      [changed(sheet, field('date')), [no, no, '', '', no, no]],
      [changed(sheet, field('boolean')), [no, no, '', no, '', no]],
      [changed(sheet, field('string-list')), [no, no, '', no, no, no]],
      [
        changed(sheet, field('string', { constraints: [{ type: 'required' }] })),
        ['', '', 'required-constraint/error', '', '', ''],
      ],
      [sheet, ['', '', '', '', '', '']],
    ]
    for (const [now, messages] of expected) {
      expect(await judged(now, 'f')).toEqual(messages)
      expect(await values(now, 'f')).toEqual(given)
    }
    expect(await engine.commits(sheet.sheetId)).toHaveLength(1)
  })

  it('that takes an option away or brings it back is seen', async () => {
    const options = (...of: unknown[]) => field('enum', { config: { options: of.map((value) => ({ value })) } })
    const sheet = sheetOf(options('a', 'b'))
    await add(sheet, [{ f: 'a' }, { f: 'b' }])
    expect(await judged(sheet, 'f')).toEqual(['', ''])
    expect(await judged(changed(sheet, options('a')), 'f')).toEqual(['', 'invalid-option/error'])
    expect(await judged(changed(sheet, options('a', 'b', 'c')), 'f')).toEqual(['', ''])
    const custom = field('enum', { config: { options: [], allowCustom: true } })
    expect(await judged(changed(sheet, custom), 'f')).toEqual(['', ''])
  })

  it('that removes a field takes its messages out of the counts, those of hooks too; it brings back what it had', async () => {
    const g: Field = { key: 'g', type: 'string' }
    const number = field('number', { constraints: [{ type: 'unique' }] })
    const sheet = sheetOf([...number, g])
    const { ids } = await add(sheet, [
      { f: 'x', g: 'a' },
      { f: 1, g: 'b' },
      { f: 1, g: 'c' },
    ])
    const hook = { type: 'error', message: 'no', path: '$.f[0]' }
    await engine.update(sheet, [{ id: [...ids][1]!, values: { f: { messages: [hook] } } }], by())
    const duplicate = 'unique-constraint/error'
    expect(await judged(sheet, 'f')).toEqual(['is-artifact/error', `custom-logic/error,${duplicate}`, duplicate])
    const without = changed(sheet, [g])
    expect(await judged(without, 'g')).toEqual(['', '', ''])
    expect(await engine.counts(without)).toEqual({ total: 3, valid: 3, error: 0 })
    expect((await engine.read(without, { filter: 'error' })).records).toEqual([])
    expect((await judged(sheet, 'f'))[0]).toBe('is-artifact/error')
    expect(await values(sheet, 'f')).toEqual(['x', 1, 1])
  })
})

describe("a hook's message", () => {
  it('keeps the path it was given', async () => {
    const sheet = sheetOf([{ key: 'f', type: 'string-list' }])
    const messages = [{ type: 'warn', source: 'custom-logic', message: 'second', path: '$.f[1]' }]
    await engine.insert(sheet, [{ values: { f: { value: ['a', 'b'], messages } } }], by())
    const [record] = (await engine.read(sheet)).records
    expect(record!.values.f!.messages).toEqual([{ ...messages[0], field: 'f' }])
  })
})
