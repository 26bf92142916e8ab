/** Types and constraints of every field type: messages and counts, before and after the fields change. */
import { describe, expect, it } from 'vitest'
import type { Field, SheetConstraint, SheetRef } from '../../../lib/records/sheet.ts'
import { startRecordSuite } from '../../support/record-suite.ts'
import { newSheetId } from '../../support/records.ts'

const { engine, insert, update } = await startRecordSuite()

const createSheet = (fields: Field[], constraints: SheetConstraint[] = []): SheetRef => ({
  sheetId: newSheetId(),
  fields,
  constraints,
})
const withFields = (sheet: SheetRef, fields: Field[], constraints: SheetConstraint[] = []): SheetRef => ({
  ...sheet,
  fields,
  constraints,
})
const insertRows = (sheet: SheetRef, rows: { [createFields: string]: unknown }[]) =>
  insert(
    sheet,
    rows.map((row) => ({ values: Object.fromEntries(Object.entries(row).map(([key, value]) => [key, { value }])) })),
  )

async function readMessages(sheet: SheetRef, createFields: string): Promise<string[]> {
  const { records } = await engine.readRecords(sheet)
  const error = records.filter(({ valid }) => !valid).length
  const byField = await engine.countRecords(sheet, { byField: true })
  expect(byField).toMatchObject({ total: records.length, valid: records.length - error, error })
  for (const { key } of sheet.fields) {
    const cells = records.map(({ values: readValues }) => readValues[key]!)
    const bad = cells.filter(({ valid }) => !valid).length
    const empty = cells.filter(({ value }) => value === null).length
    expect(byField.byField![key]).toEqual({ total: cells.length, valid: cells.length - bad, error: bad, empty })
    expect(byField.errorsByField?.[key] ?? 0).toBe(bad)
  }
  return records.map(({ values: readValues }) =>
    readValues[createFields]!.messages.map(({ source, type, field: on }) => {
      expect(on === undefined || on === createFields).toBe(true)
      return `${source}/${type}`
    }).join(),
  )
}
const readValues = async (sheet: SheetRef, createFields: string) =>
  (await engine.readRecords(sheet)).records.map((record) => record.values[createFields]!.value)

describe('field value', () => {
  const createList = (length: number) => Array.from({ length }, (_, i) => `v${i}`)
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
    ['list of texts', { type: 'string-list' }, [['a', 1], createList(100)], ['a', createList(101), [{}]], []],
    ['reference', { type: 'reference', config: { ref: 'x', key: 'y' } }, ['a', 1], [['a']], []],
    [
      'list of references',
      { type: 'reference-list', config: { ref: 'x', key: 'y' } },
      [['a', 1]],
      ['a', createList(101)],
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
  ])(
    '(%s) is stored as received, with a message when it is invalid',
    async (_, createFields, good, bad, notOptions) => {
      const sheet = createSheet([{ key: 'f', type: 'string', ...createFields }])
      const all = [...good, ...bad, ...notOptions]
      await insertRows(
        sheet,
        all.map((f) => ({ f })),
      )
      expect(await readValues(sheet, 'f')).toEqual(all)
      expect(await readMessages(sheet, 'f')).toEqual([
        ...good.map(() => ''),
        ...bad.map(() => 'is-artifact/error'),
        ...notOptions.map(() => 'invalid-option/error'),
      ])
    },
  )

  it('that is empty has no type, and is an error only when required', async () => {
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
    const sheet = createSheet(types.map((type) => ({ key: type, type, config })))
    const required = withFields(
      sheet,
      sheet.fields.map((createFields) => ({ ...createFields, constraints: [{ type: 'required' }] })),
    )
    await insertRows(sheet, [
      {},
      Object.fromEntries(types.map((type) => [type, ''])),
      Object.fromEntries(types.map((type) => [type, []])),
    ])
    for (const type of types) {
      expect(await readMessages(sheet, type)).toEqual(['', '', ''])
      const missing = type === 'boolean' ? '' : 'required-constraint/error'
      expect(await readMessages(required, type)).toEqual([missing, missing, missing])
    }
    const two = withFields(sheet, [
      { key: 'boolean', type: 'boolean', config: { allowIndeterminate: false }, constraints: [{ type: 'required' }] },
    ])
    expect(await readMessages(two, 'boolean')).toEqual(Array(3).fill('required-constraint/error'))
  })
})

describe('constraint', () => {
  it('reports its configured message at its level', async () => {
    const config = { level: 'warn', message: 'Look here' }
    const sheet = createSheet([
      { key: 'r', type: 'string', constraints: [{ type: 'required', config }] },
      { key: 'u', type: 'string', constraints: [{ type: 'unique', config: { ...config, level: 'info' } }] },
    ])
    await insertRows(sheet, [{ u: 'x' }, { r: 'y', u: 'x' }])
    expect(await readMessages(sheet, 'r')).toEqual(['required-constraint/warn', ''])
    expect(await readMessages(sheet, 'u')).toEqual(['unique-constraint/info', 'unique-constraint/info'])
    const [record] = (await engine.readRecords(sheet)).records
    expect(record).toMatchObject({ valid: true, values: { r: { valid: true }, u: { valid: true } } })
    for (const cell of Object.values(record!.values)) expect(cell.messages[0]!.message).toBe('Look here')
  })

  it('on uniqueness covers every row of a segment stored separately', async () => {
    const sheet = createSheet([{ key: 'code', type: 'string', constraints: [{ type: 'unique' }] }])
    const rows = Array.from({ length: 5000 }, (_, i) => ({ code: `c${i}` }))
    await insertRows(sheet, rows)
    await insertRows(sheet, [{ code: 'c7' }, { code: 'c4999' }, { code: 'new' }])
    const { error } = await engine.countRecords(sheet)
    expect(error).toBe(4)
  })

  it('on uniqueness forgets the earlier value of an edited row in a large import', async () => {
    const sheet = createSheet([{ key: 'code', type: 'string', constraints: [{ type: 'unique' }] }])
    const rows = Array.from({ length: 5000 }, (_, i) => ({ code: `c${i}` }))
    const { ids } = await insertRows(sheet, rows)
    await update(sheet, [{ id: [...ids][7]!, values: { code: { value: 'edited' } } }])
    await insertRows(sheet, [{ code: 'c7' }, { code: 'edited' }])
    const { records } = await engine.readRecords(sheet, { filter: 'error' })
    expect(records.map(({ values }) => values.code!.value)).toEqual(['edited', 'edited'])
  })

  it('on uniqueness handles case and empty cells as configured', async () => {
    const unique = (config?: object): Field[] => [
      { key: 'u', type: 'string', constraints: [{ type: 'unique', config }] },
    ]
    const sheet = createSheet(unique())
    await insertRows(sheet, [{ u: 'A' }, { u: 'a' }, {}, {}, { u: 5 }, { u: '5' }])
    const duplicate = 'unique-constraint/error'
    expect(await readMessages(sheet, 'u')).toEqual(['', '', '', '', duplicate, duplicate])
    const lax = withFields(sheet, unique({ caseSensitive: false }))
    expect(await readMessages(lax, 'u')).toEqual([duplicate, duplicate, '', '', duplicate, duplicate])
    const strict = withFields(sheet, unique({ ignoreEmpty: false }))
    expect(await readMessages(strict, 'u')).toEqual(['', '', duplicate, duplicate, duplicate, duplicate])
  })

  it.each(['concat', 'hash'])('over several fields marks them all, with strategy %s', async (strategy) => {
    const fields = ['a', 'b'].map((key): Field => ({ key, type: 'string' }))
    const uniqueTogether = (more: object = {}) => [
      { type: 'unique', name: 'both', fields: ['a', 'b'], strategy, ...more },
    ]
    const sheet = createSheet(fields, uniqueTogether())
    await insertRows(sheet, [
      { a: 'x', b: 'yz' },
      { a: 'xy', b: 'z' },
      { a: 'x', b: 'yz' },
      { a: 'x' },
      { a: 'x' },
      {},
      {},
    ])
    const no = 'unique-constraint/error'
    for (const createFields of ['a', 'b'])
      expect(await readMessages(sheet, createFields)).toEqual([no, '', no, no, no, '', ''])
    const needing = withFields(sheet, fields, uniqueTogether({ requiredFields: ['b'] }))
    expect(await readMessages(needing, 'a')).toEqual([no, '', no, '', '', '', ''])
    const warning = withFields(sheet, fields, uniqueTogether({ config: { level: 'warn', message: 'Twice' } }))
    expect((await readMessages(warning, 'b'))[0]).toBe('unique-constraint/warn')
    const [record] = (await engine.readRecords(warning)).records
    expect(record!.values.a!.messages).toEqual([{ type: 'warn', source: 'unique-constraint', message: 'Twice' }])
    expect(await readMessages(withFields(sheet, fields), 'a')).toEqual(Array(7).fill(''))
  })
})

describe('change of the fields', () => {
  const createFields = (type: string, more: Partial<Field> = {}): Field[] => [{ key: 'f', type, ...more }]

  it('updates messages and counts on the next read, and keeps values', async () => {
    const sheet = createSheet(createFields('string'))
    const given = ['12', 'x', null, '2024-02-29', true, 7]
    await insertRows(
      sheet,
      given.map((f) => ({ f })),
    )
    const no = 'is-artifact/error'
    const expected: [SheetRef, string[]][] = [
      [withFields(sheet, createFields('number')), ['', no, '', no, no, '']],
      [withFields(sheet, createFields('date')), [no, no, '', '', no, no]],
      [withFields(sheet, createFields('boolean')), [no, no, '', no, '', no]],
      [withFields(sheet, createFields('string-list')), [no, no, '', no, no, no]],
      [
        withFields(sheet, createFields('string', { constraints: [{ type: 'required' }] })),
        ['', '', 'required-constraint/error', '', '', ''],
      ],
      [sheet, ['', '', '', '', '', '']],
    ]
    for (const [now, messages] of expected) {
      expect(await readMessages(now, 'f')).toEqual(messages)
      expect(await readValues(now, 'f')).toEqual(given)
    }
    expect(await engine.listCommits(sheet.sheetId)).toHaveLength(1)
  })

  it('that removes or restores an option is detected', async () => {
    const options = (...of: unknown[]) => createFields('enum', { config: { options: of.map((value) => ({ value })) } })
    const sheet = createSheet(options('a', 'b'))
    await insertRows(sheet, [{ f: 'a' }, { f: 'b' }])
    expect(await readMessages(sheet, 'f')).toEqual(['', ''])
    expect(await readMessages(withFields(sheet, options('a')), 'f')).toEqual(['', 'invalid-option/error'])
    expect(await readMessages(withFields(sheet, options('a', 'b', 'c')), 'f')).toEqual(['', ''])
    const custom = createFields('enum', { config: { options: [], allowCustom: true } })
    expect(await readMessages(withFields(sheet, custom), 'f')).toEqual(['', ''])
  })

  it('that removes a field removes its messages, including those of hooks; restoring it restores its values', async () => {
    const g: Field = { key: 'g', type: 'string' }
    const number = createFields('number', { constraints: [{ type: 'unique' }] })
    const sheet = createSheet([...number, g])
    const { ids } = await insertRows(sheet, [
      { f: 'x', g: 'a' },
      { f: 1, g: 'b' },
      { f: 1, g: 'c' },
    ])
    const hook = { type: 'error', message: 'no', path: '$.f[0]' }
    await update(sheet, [{ id: [...ids][1]!, values: { f: { messages: [hook] } } }])
    const duplicate = 'unique-constraint/error'
    expect(await readMessages(sheet, 'f')).toEqual(['is-artifact/error', `custom-logic/error,${duplicate}`, duplicate])
    const without = withFields(sheet, [g])
    expect(await readMessages(without, 'g')).toEqual(['', '', ''])
    expect(await engine.countRecords(without)).toEqual({ total: 3, valid: 3, error: 0 })
    expect((await engine.readRecords(without, { filter: 'error' })).records).toEqual([])
    expect((await readMessages(sheet, 'f'))[0]).toBe('is-artifact/error')
    expect(await readValues(sheet, 'f')).toEqual(['x', 1, 1])
  })
})

describe('hook message', () => {
  it('keeps its path', async () => {
    const sheet = createSheet([{ key: 'f', type: 'string-list' }])
    const messages = [{ type: 'warn', source: 'custom-logic', message: 'second', path: '$.f[1]' }]
    await insert(sheet, [{ values: { f: { value: ['a', 'b'], messages } } }])
    const [record] = (await engine.readRecords(sheet)).records
    expect(record!.values.f!.messages).toEqual([{ ...messages[0], field: 'f' }])
  })
})
