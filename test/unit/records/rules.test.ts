/** Rules as they are compiled and judged: what each says, of whom, how loudly; and how lists of hashes meet. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Hashes, sortHashes } from '../../../lib/records/bytes/hash.ts'
import { absentFrom, judged, meetHashes } from '../../../lib/records/rules/meet.ts'
import {
  dictionary,
  errorSlots,
  hasError,
  messageWriter,
  readMessages,
  slotName,
  takeMessages,
  writeMessages,
} from '../../../lib/records/rules/messages.ts'
import {
  comparedTexts,
  fieldOfColumn,
  hookMessages,
  isErrorRule,
  isReference,
  judge,
  referenceText,
  rulesOf,
  signatureOf,
  storedCell,
  uniqueText,
  valueColumn,
} from '../../../lib/records/rules/rules.ts'
import { configOf, LIST_LIMIT, storedValue, takesAnyText, textOf } from '../../../lib/records/rules/values.ts'
import type { Field, Message, SheetConstraint, SheetRef } from '../../../lib/records/sheet.ts'

const sheetOf = (field: Partial<Field>, constraints?: SheetConstraint[]): SheetRef => ({
  sheetId: 'us_sh_rules',
  fields: [{ key: 'f', type: 'string', ...field }],
  constraints,
})
const fieldOf = (field: Partial<Field>) => rulesOf(sheetOf(field)).fields[0]!
/** What is said of a value that came. */
const said = (field: Partial<Field>, value: unknown): Message | undefined => {
  const rules = fieldOf(field)
  return judge(rules, storedCell(rules, value))[0]
}

describe('a message', () => {
  const artifact = (message: string) => ({ type: 'error', source: 'is-artifact', message, field: 'f' })

  it('says what a value is not', () => {
    expect(said({ type: 'number' }, 'x')).toEqual(
      artifact('This value is not a number: write digits only, with a point and a minus, such as -1234.5'),
    )
    expect(said({ type: 'number' }, '12345678901234567890')).toEqual(
      artifact('This number has more digits than a number keeps: a text field keeps them all'),
    )
    expect(said({ type: 'boolean' }, 'x')).toEqual(artifact('This value is not true or false'))
    expect(said({ type: 'date' }, 'x')).toEqual(artifact('This value is not a date: write it as YYYY-MM-DD'))
    expect(said({}, ['x'])).toEqual(artifact('This value is not a text'))
    expect(said({ type: 'string-list' }, 'x')).toEqual(artifact('This value is not a list'))
    expect(said({ type: 'string-list' }, ['x', {}])).toEqual(
      artifact('A list can hold texts, numbers and true or false only'),
    )
    expect(said({ type: 'string-list' }, Array(LIST_LIMIT).fill('x'))).toBeUndefined()
    expect(said({ type: 'string-list' }, Array(LIST_LIMIT + 1).fill('x'))).toEqual(
      artifact('A list can hold at most 100 values'),
    )
    const config = { options: [{ value: 'a' }, null] }
    expect(said({ type: 'enum', config }, 'b')).toEqual({
      ...artifact('This value is not one of the options'),
      source: 'invalid-option',
    })
    expect(said({ config: { size: 'tiny' } }, 'é'.repeat(128))).toEqual(artifact('This text is longer than 255 bytes'))
    expect(said({ config: { size: 'tiny' } }, {})).toEqual(artifact('This value is not a text'))
    expect(said({ config: { size: 'normal' } }, 'x'.repeat(65_535))).toBeUndefined()
    expect(said({ config: { size: 'normal' } }, 'x'.repeat(65_536))).toEqual(
      artifact('This text is longer than 65535 bytes'),
    )
    expect(said({ config: { size: 'tiny' } }, 5)).toBeUndefined()
  })

  it('is one object for one problem of a field', () => {
    expect(said({ type: 'number' }, 'x')).not.toBe(said({ type: 'number' }, 'x'))
    const rules = fieldOf({ type: 'number' })
    expect(judge(rules, 'x')[0]).toBe(judge(rules, 'y')[0])
  })

  it('of a missing value is what its constraint says, at its level', () => {
    const required = (config?: object, more: Partial<Field> = {}) =>
      said({ ...more, constraints: [{ type: 'required', config }] }, null)
    const standard = { type: 'error', source: 'required-constraint', message: 'This field is required', field: 'f' }
    expect(required()).toEqual(standard)
    expect(required({ level: 'info' })).toEqual({ ...standard, type: 'info' })
    expect(required({ level: 'loud', message: '' })).toEqual(standard)
    expect(required({ message: 5 })).toEqual(standard)
    expect(required({}, { type: 'boolean' })).toEqual(standard)
    expect(required({}, { type: 'boolean', config: { allowIndeterminate: true } })).toBeUndefined()
    expect(required({}, { config: { allowIndeterminate: true } })).toEqual(standard)
    expect(said({ constraints: [{ type: 'unique' }] }, null)).toBeUndefined()
  })

  it('of a hook keeps its text, its level and its path', () => {
    const inputs = [
      { type: 'warn', message: 'm', path: '$.a' },
      { message: 5, path: 5 },
      {},
      null,
      { source: 'unlinked', message: 'x' },
    ]
    expect(hookMessages('f', inputs as never)).toEqual([
      { type: 'warn', source: 'custom-logic', message: 'm', field: 'f', path: '$.a' },
      { type: 'error', source: 'custom-logic', message: '5', field: 'f' },
      { type: 'error', source: 'custom-logic', message: '', field: 'f' },
    ])
    for (const source of ['required-constraint', 'unique-constraint', 'invalid-option', 'is-artifact', 'unlinked'])
      expect(hookMessages('f', [{ source, message: 'own' }])).toEqual([])
  })
})

describe('a value', () => {
  it('is read by its whole text', () => {
    const good = {
      number: ['1', '-1', '0.5', '-0.25', '1.50', 0, '12.25', '123456789012345'],
      boolean: [true, false, 'true', 'false'],
      date: ['2024-12-31', '2024-04-30', '2000-02-29', '2024-10-01', '2024-01-29'],
    }
    const bad = {
      number: [
        '-1.',
        '+.5',
        '1E-5',
        ' 1 ',
        '1.5e+10',
        '01',
        '1x',
        'x1',
        '.',
        'e5',
        '1e',
        '1 2',
        '--1',
        '1e5x',
        '+',
        true,
        [1],
      ],
      boolean: ['True', ' false ', 'truex', 'xtrue', 'true false', 1, 'falsey'],
      date: [
        '2024-04-31',
        '1900-02-29',
        '2024-13-01',
        '2024-02-30',
        'x2024-01-01',
        '2024-01-011',
        '2024-01-1x',
        '2024-06-31',
      ],
    }
    for (const [type, values] of Object.entries(good))
      for (const value of values) expect(said({ type }, value)).toBeUndefined()
    for (const [type, values] of Object.entries(bad))
      for (const value of values) expect(said({ type }, value)).toMatchObject({ source: 'is-artifact' })
  })

  it('of a text field is stored as it came but for what counts as empty, and days are that came as times', () => {
    for (const value of [undefined, null, '', [], Number.NaN, Number.POSITIVE_INFINITY])
      expect(storedValue('string', value)).toBeNull()
    for (const value of [' ', 0, false, ['a'], [''], { a: 1 }, '2024-01-01T00:00:00Z'])
      expect(storedValue('string', value)).toEqual(value)
    expect(storedValue('date', '2024-01-01T00:00:00Z')).toBe('2024-01-01')
    expect(storedValue('date', '2024-01-01T00:00:00.000Z')).toBe('2024-01-01')
    for (const text of [
      '2024-01-01T00:00:00.001Z',
      'x2024-01-01T00:00:00Z',
      '2024-01-01T00:00:00Zx',
      '2024-01-01T00:00:00.Z',
    ])
      expect(storedValue('date', text)).toBe(text)
  })

  it('has a text by which it is compared', () => {
    expect([5, '5', true, ['a', 1], null].map(textOf)).toEqual(['5', '5', 'true', '["a",1]', 'null'])
  })

  it('of a field of many is a list or one of them', () => {
    for (const more of [{ isArray: true }, { multi: true }]) {
      expect(said({ type: 'number', ...more }, '5')).toBeUndefined()
      expect(said({ type: 'number', ...more }, 'x')).toMatchObject({ source: 'is-artifact' })
      expect(said({ type: 'number', ...more }, ['5', 6])).toBeUndefined()
      expect(said({ type: 'number', ...more }, ['5', 'x'])).toMatchObject({ source: 'is-artifact' })
    }
    const list = { type: 'enum-list', config: { options: [{ value: 'a' }] } }
    expect(said(list, ['a'])).toBeUndefined()
    expect(said(list, 'a')).toMatchObject({ message: 'This value is not a list' })
    expect(said({ ...list, config: { ...list.config, allowCustom: true } }, ['b'])).toBeUndefined()
    expect(said({ ...list, config: {} }, ['b'])).toBeUndefined()
    expect(said({ type: 'reference-list' }, ['b'])).toBeUndefined()
    expect(said({ type: 'reference-list' }, 'b')).toMatchObject({ source: 'is-artifact' })
  })

  it('need not be judged where any text passes', () => {
    const any = (field: Partial<Field>) => takesAnyText({ key: 'f', type: 'string', ...field })
    expect([{}, { type: 'reference' }, { config: { size: 'odd' } }].map(any)).toEqual([true, true, true])
    expect([{ type: 'number' }, { config: { size: 'tiny' } }, { type: 'enum' }].map(any)).toEqual([false, false, false])
    expect([undefined, null, 'x', 5].map((config) => configOf({ config }))).toEqual([{}, {}, {}, {}])
  })
})

describe('rules of a sheet', () => {
  const two = ['a', 'b'].map((key) => ({ key, type: 'string' }))
  const unique = (more: object = {}) =>
    rulesOf({
      sheetId: 'us_sh_rules',
      fields: [...two],
      constraints: [{ type: 'unique', fields: ['a', 'b'], ...more }],
    }).unique

  it('are compiled once per fields and constraints', () => {
    const sheet = sheetOf({}, [])
    expect(rulesOf(sheet)).toBe(rulesOf({ ...sheet }))
    expect(rulesOf({ ...sheet, constraints: [] })).not.toBe(rulesOf(sheet))
    expect(rulesOf({ ...sheet, sheetId: 'us_sh_other' }).sheetId).toBe('us_sh_other')
    expect(rulesOf(sheetOf({ label: null as never })).fields[0]).toMatchObject({
      key: 'f',
      label: undefined,
      column: 'v.f',
      type: 'string',
      anyText: true,
    })
    expect([fieldOfColumn(valueColumn('x.y')), fieldOfColumn('m')]).toEqual(['x.y', undefined])
  })

  it('of uniqueness are named by level and place, the first of a field and each of the sheet', () => {
    const field = {
      constraints: [{ type: 'unique', config: { level: 'warn' } }, { type: 'unique' }, { type: 'other' }],
    }
    const [one, ...more] = rulesOf(sheetOf(field)).unique
    expect(more).toEqual([])
    expect(one).toEqual({
      id: 'warn:field:f',
      fields: ['f'],
      marks: ['f'],
      requiredFields: [],
      caseSensitive: true,
      ignoreEmpty: true,
      message: { type: 'warn', source: 'unique-constraint', message: 'This value is not unique', field: 'f' },
    })
    expect(
      unique({ name: 'both', requiredFields: ['a', 'c'], config: { caseSensitive: false, ignoreEmpty: false } }),
    ).toEqual([
      {
        id: 'error:sheet:both',
        fields: ['a', 'b'],
        marks: ['a', 'b'],
        requiredFields: ['a'],
        caseSensitive: false,
        ignoreEmpty: false,
        message: { type: 'error', source: 'unique-constraint', message: 'This combination of values is not unique' },
      },
    ])
    expect(unique()[0]!.id).toBe('error:sheet:0')
    expect(unique({ fields: ['a', 'none'] })[0]!.message).toMatchObject({
      message: 'This value is not unique',
      field: 'a',
    })
    for (const none of [{ fields: ['none'] }, { fields: undefined }, { type: 'other' }])
      expect(unique(none)).toEqual([])
    expect([isErrorRule('error:field:f'), isErrorRule('warn:error:f')]).toEqual([true, false])
  })

  it('compare rows by texts no two different rows share', () => {
    const [rule] = unique()
    const text = (a: unknown, b: unknown, of = rule!) => uniqueText(of, (key) => (key === 'a' ? a : b))
    expect(text('x', 'y')).toBe('1:x1:y')
    expect(text(null, 'y')).toBe('1:\u00001:y')
    expect(text(null, undefined)).toBeUndefined()
    expect(text(null, null, unique({ config: { ignoreEmpty: false } })[0]!)).toBe('1:\u00001:\u0000')
    expect(text(null, 'y', unique({ requiredFields: ['b'] })[0]!)).toBe('1:\u00001:y')
    expect(text('y', null, unique({ requiredFields: ['b'] })[0]!)).toBeUndefined()
    expect(text('X', 'Y', unique({ config: { caseSensitive: false } })[0]!)).toBe('1:x1:y')
    expect(comparedTexts(rule!, () => null)).toEqual([])
    expect(comparedTexts(rule!, () => 1)).toEqual(['1:11:1'])
  })

  it('of a reference look up each value of a cell, within its filter', () => {
    const reference = (config: object, type = 'reference') => rulesOf(sheetOf({ type, config })).references
    const to = { ref: '/books/authors', key: 'id' }
    expect(reference(to)).toEqual([
      {
        id: 'error:link:f',
        field: 'f',
        fields: ['f'],
        marks: ['f'],
        ref: 'authors',
        key: 'id',
        filter: undefined,
        hasOne: false,
        message: {
          type: 'error',
          source: 'unlinked',
          message: 'This value is not in the sheet it refers to',
          field: 'f',
        },
      },
    ])
    const filter = { refField: 'land', recordField: 'home' }
    const [filtered] = reference({ ...to, ref: 'authors', filter, relationship: 'has-one' })
    expect(filtered).toMatchObject({ ref: 'authors', fields: ['f', 'home'], filter, hasOne: true })
    expect(reference({ ...to, filter: { refField: 'land' } })[0]).toMatchObject({ fields: ['f'], filter: undefined })
    expect(reference({ ...to, filter: { recordField: 'land' } })[0]).toMatchObject({ fields: ['f'], filter: undefined })
    expect(reference({ ...to, relationship: 'has-one' }, 'reference-list')[0]!.hasOne).toBe(false)
    expect(reference({ ...to, relationship: 'has-many' })[0]!.hasOne).toBe(false)
    for (const none of [{ ref: 'x' }, { key: 'x' }, {}]) expect(reference(none)).toEqual([])
    expect(reference(to, 'string')).toEqual([])
    const rules = rulesOf(sheetOf({ type: 'reference', config: to, constraints: [{ type: 'unique' }] }))
    expect(rules.flagRules).toEqual([...rules.unique, ...rules.references])
    expect(rules.flagRules.map(isReference)).toEqual([false, true])
    const cells = (own: unknown, home: unknown) => comparedTexts(filtered!, (key) => (key === 'f' ? own : home))
    expect(cells(null, 'x')).toEqual([])
    expect(cells(['a', 1], 'x')).toEqual(['1:ax', '1:1x'])
    expect(cells('a', null)).toEqual([referenceText('a', [null])])
    expect(referenceText('a', [null])).toBe('1:a\0')
    expect(comparedTexts(reference(to)[0]!, () => 'a')).toEqual(['a'])
  })

  it('have a signature of everything that is judged, and of nothing else', () => {
    const base: Field = {
      key: 'f',
      type: 'enum',
      config: { options: [{ value: 'a' }] },
      constraints: [{ type: 'unique', config: { level: 'warn' } }],
    }
    const other: Field = { key: 'g', type: 'boolean' }
    const of = (field: Partial<Field> = {}, constraints?: SheetConstraint[], second: Partial<Field> = {}) =>
      signatureOf({
        sheetId: 'us_sh_x',
        fields: [
          { ...base, ...field },
          { ...other, ...second },
        ],
        constraints,
      })
    const same = [
      of(),
      of({ label: 'L' } as never),
      of({ config: { options: [{ value: 'a', label: 'A' }], note: 1, allowCustom: false } }),
      of({ isArray: false, multi: false }),
      of({}, []),
      of({}, [{ type: 'other' } as never]),
      of({ constraints: [...base.constraints!, { type: 'other' } as never] }),
      signatureOf({ sheetId: 'us_sh_y', fields: [other, base] }),
    ]
    expect(new Set(same).size).toBe(1)
    const options = base.config as object
    const different = [
      of(),
      of({ key: 'h' }),
      of({ isArray: true }),
      of({ multi: true }),
      of({ config: { ...options, allowCustom: true } }),
      of({ config: { ...options, size: 'tiny' } }),
      of({ config: { ...options, ref: 'x' } }),
      of({ config: { ...options, key: 'x' } }),
      of({ config: { ...options, filter: {} } }),
      of({ constraints: [{ type: 'unique', config: { level: 'info' } }] }),
      of({ constraints: [{ type: 'unique', config: { level: 'warn', message: 'm' } }] }),
      of({ constraints: [{ type: 'unique', config: { level: 'warn', ignoreEmpty: false } }] }),
      of({ constraints: [{ type: 'required', config: { level: 'warn' } }] }),
      of({ constraints: [] }),
      of({}, [{ type: 'unique', fields: ['f'] }]),
      of({}, [{ type: 'unique', fields: ['f'], name: 'n' }]),
      of({}, [{ type: 'unique', fields: ['f'], requiredFields: ['f'] }]),
      of({}, [{ type: 'unique', fields: ['f'], config: { caseSensitive: false } }]),
      of({}, undefined, { config: { allowIndeterminate: true } }),
    ]
    expect(new Set(different).size).toBe(different.length)
  })
})

describe('messages of a segment', () => {
  const message = (text: string, type: Message['type'] = 'error'): Message => ({
    type,
    source: 'custom-logic',
    message: text,
    field: 'f',
  })

  it('come back by row, field and slot, each text stored once', () => {
    const writer = messageWriter()
    writeMessages(writer, 0, 'f', 'rules', [message('a')])
    writeMessages(writer, 0, 'f', 'hooks', [message('a'), message('b', 'warn')])
    writeMessages(writer, 7, 'g', 'hooks', [message('b', 'warn')])
    const raw = takeMessages(writer)
    expect(JSON.parse(raw.toString())).toEqual({
      d: [message('a'), message('b', 'warn')],
      c: ['f', 'g'],
      t: [0, 0, 0, 0, 1, 0, 0, 1, 1, 7, 3, 1],
    })
    const rows = readMessages(raw)
    expect([...rows.keys()]).toEqual([0, 7])
    expect(rows.get(0)!.get('f')).toEqual({ rules: [message('a')], hooks: [message('a'), message('b', 'warn')] })
    expect(rows.get(7)!.get('g')).toEqual({ hooks: [message('b', 'warn')] })
    expect(readMessages(raw)).toBe(rows)
    expect(errorSlots(rows.get(0))).toEqual(['r.f', 'h.f'])
    expect(errorSlots(rows.get(7))).toEqual([])
    expect(errorSlots(undefined)).toEqual([])
    expect([slotName('rules', 'f'), slotName('hooks', 'f')]).toEqual(['r.f', 'h.f'])
  })

  it('are no bytes where there is none', () => {
    expect(takeMessages(messageWriter()).length).toBe(0)
    expect([readMessages(undefined), readMessages(Buffer.alloc(0))].map(({ size }) => size)).toEqual([0, 0])
    expect([undefined, [], [message('a', 'warn')], [message('a', 'warn'), message('b')]].map(hasError)).toEqual([
      false,
      false,
      false,
      true,
    ])
  })

  it('are numbered by what they say', () => {
    const numbered = dictionary<object | string>()
    const first = { a: 1 }
    expect([first, 'x', { a: 1 }, first, 'x', '{"b":1}'].map(numbered.indexOf)).toEqual([0, 1, 0, 0, 1, 2])
    expect(numbered.entries).toEqual([first, 'x', '{"b":1}'])
  })
})

describe('lists of hashes', () => {
  type Hash = readonly [hi: number, lo: number]
  const listOf = (hashes: readonly Hash[]): Hashes =>
    sortHashes({
      hi: Uint32Array.from(hashes, ([hi]) => hi),
      lo: Uint32Array.from(hashes, ([, lo]) => lo),
      at: Uint32Array.from(hashes, (_, i) => i),
    })
  const has = (list: Hashes, hi: number, lo: number) => list.hi.some((own, i) => own === hi && list.lo[i] === lo)
  const hash = fc.tuple(fc.oneof(fc.nat(3), fc.nat(30)), fc.nat(2))
  const hashes = fc.array(hash, { maxLength: 30 }).map(listOf)
  const naive = (list: Hashes, others: readonly Hashes[]) =>
    Array.from(list.hi, (hi, i) => (others.some((other) => has(other, hi, list.lo[i]!)) ? 0 : 1))

  it('meet where they have equal ones, group by group', () => {
    fc.assert(
      fc.property(hashes, hashes, (a, b) => {
        const met: Hash[] = []
        meetHashes(a, b, (from, to, first, last) => {
          for (const [list, start, end] of [
            [a, from, to],
            [b, first, last],
          ] as const) {
            for (let i = start; i < end; i++) expect([list.hi[i], list.lo[i]]).toEqual([a.hi[from], a.lo[from]])
            if (end < list.hi.length) expect([list.hi[end], list.lo[end]]).not.toEqual([a.hi[from], a.lo[from]])
          }
          met.push([a.hi[from]!, a.lo[from]!])
        })
        const both = Array.from(a.hi, (hi, i): Hash => [hi, a.lo[i]!]).filter(([hi, lo]) => has(b, hi, lo))
        expect(met).toEqual(both.filter(([hi, lo], i) => both.findIndex((one) => one[0] === hi && one[1] === lo) === i))
      }),
    )
  })

  it('know which of theirs no other has, also after others came and went', () => {
    fc.assert(
      fc.property(
        fc.array(hashes, { maxLength: 5 }),
        fc.array(hashes, { maxLength: 5 }),
        fc.array(hashes, { maxLength: 5 }),
        (lists, stay, turn) => {
          expect(absentFrom(lists, stay).map((one) => [...one])).toEqual(lists.map((list) => naive(list, stay)))
          const total = lists.reduce((sum, { hi }) => sum + hi.length, 0)
          for (const [i, others] of [stay, [...stay, ...turn], turn, turn].entries()) {
            const { absent, anew } = judged(lists, others)
            expect(absent.map((one) => [...one])).toEqual(lists.map((list) => naive(list, others)))
            expect(anew).toBe(i === 0 ? total : 0)
          }
        },
      ),
    )
  })

  it('are judged anew when many of the others changed', () => {
    const list = listOf([
      [1, 1],
      [2, 2],
    ])
    const others = Array.from({ length: 20 }, (_, i) => listOf([[i * 2, i * 2]]))
    expect(judged([list], others.slice(0, 17))).toEqual({ absent: [Uint8Array.of(1, 0)], anew: 2 })
    expect(judged([list], others.slice(0, 1))).toEqual({ absent: [Uint8Array.of(1, 1)], anew: 0 })
    expect(judged([list], others.slice(1, 18))).toEqual({ absent: [Uint8Array.of(1, 0)], anew: 2 })
    const many = Array.from({ length: 20 }, () =>
      listOf([
        [2, 2],
        [3, 3],
      ]),
    )
    expect(absentFrom(many, others).map((one) => [...one])).toEqual(many.map(() => [0, 1]))
  })
})
