/** Compiled validation rules and their messages, and the intersection of hash lists. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Hashes, sortHashes } from '../../../lib/records/columns/hash.ts'
import { intersectSorted, markAbsent, markAbsentCached } from '../../../lib/records/columns/hash-intersection.ts'
import {
  computeSignature,
  formatReferenceText,
  formatUniqueText,
  getComparedTexts,
  isErrorRule,
  isReference,
  rulesOf,
  toHookMessages,
  toStoredCell,
  validateCell,
} from '../../../lib/records/fields/rules.ts'
import { MAX_VALUES_PER_LIST } from '../../../lib/records/fields/values.ts'
import { fieldOfColumn, valueColumn } from '../../../lib/records/format/column-names.ts'
import {
  createDictionary,
  createMessageWriter,
  encodeMessages,
  findErrorSlots,
  formatSlotKey,
  hasError,
  readMessages,
  writeMessages,
} from '../../../lib/records/format/message-chunk.ts'
import type { Field, Message, SheetConstraint, SheetRef } from '../../../lib/records/sheet.ts'

const createSheet = (field: Partial<Field>, constraints?: SheetConstraint[]): SheetRef => ({
  sheetId: 'us_sh_rules',
  fields: [{ key: 'f', type: 'string', ...field }],
  constraints,
})
const compileField = (field: Partial<Field>) => rulesOf(createSheet(field)).fields[0]!
const getMessage = (field: Partial<Field>, value: unknown): Message | undefined => {
  const rules = compileField(field)
  return validateCell(rules, toStoredCell(rules, value))[0]
}

describe('message', () => {
  const artifactMessage = (createMessage: string) => ({
    type: 'error',
    source: 'is-artifact',
    message: createMessage,
    field: 'f',
  })

  it('states what is wrong with a value', () => {
    expect(getMessage({ type: 'number' }, 'x')).toEqual(
      artifactMessage('This value is not a number: use only digits, a decimal point and a minus sign, such as -1234.5'),
    )
    expect(getMessage({ type: 'number' }, '12345678901234567890')).toEqual(
      artifactMessage('This number has too many digits to be stored exactly: use a text field instead'),
    )
    expect(getMessage({ type: 'boolean' }, 'x')).toEqual(
      artifactMessage('This value is not a boolean: use true or false'),
    )
    expect(getMessage({ type: 'date' }, 'x')).toEqual(
      artifactMessage('This value is not a date: use the format YYYY-MM-DD'),
    )
    expect(getMessage({}, ['x'])).toEqual(artifactMessage('This value is not text'))
    expect(getMessage({ type: 'string-list' }, 'x')).toEqual(artifactMessage('This value is not a list'))
    expect(getMessage({ type: 'string-list' }, ['x', {}])).toEqual(
      artifactMessage('A list can only contain text, numbers and booleans'),
    )
    expect(getMessage({ type: 'string-list' }, Array(MAX_VALUES_PER_LIST).fill('x'))).toBeUndefined()
    expect(getMessage({ type: 'string-list' }, Array(MAX_VALUES_PER_LIST + 1).fill('x'))).toEqual(
      artifactMessage('A list can have at most 100 values'),
    )
    const config = { options: [{ value: 'a' }, null] }
    expect(getMessage({ type: 'enum', config }, 'b')).toEqual({
      ...artifactMessage('This value is not one of the options'),
      source: 'invalid-option',
    })
    expect(getMessage({ config: { size: 'tiny' } }, 'é'.repeat(128))).toEqual(
      artifactMessage('This text is longer than 255 bytes'),
    )
    expect(getMessage({ config: { size: 'tiny' } }, {})).toEqual(artifactMessage('This value is not text'))
    expect(getMessage({ config: { size: 'normal' } }, 'x'.repeat(65_535))).toBeUndefined()
    expect(getMessage({ config: { size: 'normal' } }, 'x'.repeat(65_536))).toEqual(
      artifactMessage('This text is longer than 65,535 bytes'),
    )
    expect(getMessage({ config: { size: 'tiny' } }, 5)).toBeUndefined()
  })

  it('is one shared object per problem of a field', () => {
    expect(getMessage({ type: 'number' }, 'x')).not.toBe(getMessage({ type: 'number' }, 'x'))
    const rules = compileField({ type: 'number' })
    expect(validateCell(rules, 'x')[0]).toBe(validateCell(rules, 'y')[0])
  })

  it('has the text and level of its constraint for a missing value', () => {
    const compileRequired = (config?: object, more: Partial<Field> = {}) =>
      getMessage({ ...more, constraints: [{ type: 'required', config }] }, null)
    const standard = { type: 'error', source: 'required-constraint', message: 'This field is required', field: 'f' }
    expect(compileRequired()).toEqual(standard)
    expect(compileRequired({ level: 'info' })).toEqual({ ...standard, type: 'info' })
    expect(compileRequired({ level: 'loud', message: '' })).toEqual(standard)
    expect(compileRequired({ message: 5 })).toEqual(standard)
    expect(compileRequired({}, { type: 'boolean' })).toEqual(standard)
    expect(compileRequired({}, { type: 'boolean', config: { allowIndeterminate: true } })).toBeUndefined()
    expect(compileRequired({}, { config: { allowIndeterminate: true } })).toEqual(standard)
    expect(getMessage({ constraints: [{ type: 'unique' }] }, null)).toBeUndefined()
  })

  it('keeps the text, level and path a hook sets', () => {
    const inputs = [
      { type: 'warn', message: 'm', path: '$.a' },
      { type: 'nonsense', source: 'elsewhere', message: 5, path: 5 },
      {},
      null,
      { source: 'unlinked', message: 'x' },
    ]
    expect(toHookMessages('f', inputs as never)).toEqual([
      { type: 'warn', source: 'custom-logic', message: 'm', field: 'f', path: '$.a' },
      { type: 'error', source: 'custom-logic', message: '5', field: 'f' },
      { type: 'error', source: 'custom-logic', message: '', field: 'f' },
    ])
    for (const source of ['required-constraint', 'unique-constraint', 'invalid-option', 'is-artifact', 'unlinked'])
      expect(toHookMessages('f', [{ source, message: 'own' }])).toEqual([])
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
    const sheet = createSheet({}, [])
    expect(rulesOf(sheet)).toBe(rulesOf({ ...sheet }))
    expect(rulesOf({ ...sheet, constraints: [] })).not.toBe(rulesOf(sheet))
    expect(rulesOf({ ...sheet, sheetId: 'us_sh_other' }).sheetId).toBe('us_sh_other')
    expect(rulesOf(createSheet({ label: null as never })).fields[0]).toMatchObject({
      key: 'f',
      label: undefined,
      column: 'v.f',
      type: 'string',
      anyText: true,
    })
    expect([fieldOfColumn(valueColumn('x.y')), fieldOfColumn('m')]).toEqual(['x.y', undefined])
  })

  it('on uniqueness are identified by level and position: first of a field, and each of the sheet', () => {
    const field = {
      constraints: [{ type: 'unique', config: { level: 'warn' } }, { type: 'unique' }, { type: 'other' }],
    }
    const [one, ...more] = rulesOf(createSheet(field)).unique
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

  it('compare rows by texts that no two different rows share', () => {
    const [rule] = unique()
    const text = (a: unknown, b: unknown, of = rule!) => formatUniqueText(of, (key) => (key === 'a' ? a : b))
    expect(text('x', 'y')).toBe('1:x1:y')
    expect(text(null, 'y')).toBe('1:\u00001:y')
    expect(text(null, undefined)).toBeUndefined()
    expect(text(null, null, unique({ config: { ignoreEmpty: false } })[0]!)).toBe('1:\u00001:\u0000')
    expect(text(null, 'y', unique({ requiredFields: ['b'] })[0]!)).toBe('1:\u00001:y')
    expect(text('y', null, unique({ requiredFields: ['b'] })[0]!)).toBeUndefined()
    expect(text('X', 'Y', unique({ config: { caseSensitive: false } })[0]!)).toBe('1:x1:y')
    expect(getComparedTexts(rule!, () => null)).toEqual([])
    expect(getComparedTexts(rule!, () => 1)).toEqual(['1:11:1'])
  })

  it('look up each value of a reference cell, within its filter', () => {
    const reference = (config: object, type = 'reference') => rulesOf(createSheet({ type, config })).references
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
          message: 'This value does not exist in the referenced sheet',
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
    const rules = rulesOf(createSheet({ type: 'reference', config: to, constraints: [{ type: 'unique' }] }))
    expect(rules.flagRules).toEqual([...rules.unique, ...rules.references])
    expect(rules.flagRules.map(isReference)).toEqual([false, true])
    const cells = (own: unknown, home: unknown) => getComparedTexts(filtered!, (key) => (key === 'f' ? own : home))
    expect(cells(null, 'x')).toEqual([])
    expect(cells(['a', 1], 'x')).toEqual(['1:ax', '1:1x'])
    expect(cells('a', null)).toEqual([formatReferenceText('a', [null])])
    expect(formatReferenceText('a', [null])).toBe('1:a\0')
    expect(getComparedTexts(reference(to)[0]!, () => 'a')).toEqual(['a'])
  })

  it('have a signature that covers exactly what affects validation', () => {
    const base: Field = {
      key: 'f',
      type: 'enum',
      config: { options: [{ value: 'a' }] },
      constraints: [{ type: 'unique', config: { level: 'warn' } }],
    }
    const other: Field = { key: 'g', type: 'boolean' }
    const of = (field: Partial<Field> = {}, constraints?: SheetConstraint[], second: Partial<Field> = {}) =>
      computeSignature({
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
      computeSignature({ sheetId: 'us_sh_y', fields: [other, base] }),
    ]
    expect(new Set(same).size).toBe(1)
    const options = base.config as object
    const different = [
      of(),
      of({ key: 'h' }),
      of({ type: 'string' }),
      of({ config: { options: [{ value: 'b' }] } }),
      computeSignature({ sheetId: 'us_sh_x', fields: [base] }),
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
  const createMessage = (text: string, type: Message['type'] = 'error'): Message => ({
    type,
    source: 'custom-logic',
    message: text,
    field: 'f',
  })

  it('round-trip by row, field and slot, with each text stored once', () => {
    const writer = createMessageWriter()
    writeMessages(writer, 0, 'f', 'rules', [createMessage('a')])
    writeMessages(writer, 0, 'f', 'hooks', [createMessage('a'), createMessage('b', 'warn')])
    writeMessages(writer, 7, 'g', 'hooks', [createMessage('b', 'warn')])
    const raw = encodeMessages(writer)
    expect(JSON.parse(raw.toString())).toEqual({
      d: [createMessage('a'), createMessage('b', 'warn')],
      c: ['f', 'g'],
      t: [0, 0, 0, 0, 1, 0, 0, 1, 1, 7, 3, 1],
    })
    const rows = readMessages(raw)
    expect([...rows.keys()]).toEqual([0, 7])
    expect(rows.get(0)!.get('f')).toEqual({
      rules: [createMessage('a')],
      hooks: [createMessage('a'), createMessage('b', 'warn')],
    })
    expect(rows.get(7)!.get('g')).toEqual({ hooks: [createMessage('b', 'warn')] })
    expect(readMessages(raw)).toBe(rows)
    expect(findErrorSlots(rows.get(0))).toEqual(['r.f', 'h.f'])
    expect(findErrorSlots(rows.get(7))).toEqual([])
    expect(findErrorSlots(undefined)).toEqual([])
    expect([formatSlotKey('rules', 'f'), formatSlotKey('hooks', 'f')]).toEqual(['r.f', 'h.f'])
  })

  it('are empty bytes when there are none', () => {
    expect(encodeMessages(createMessageWriter()).length).toBe(0)
    expect([readMessages(undefined), readMessages(Buffer.alloc(0))].map(({ size }) => size)).toEqual([0, 0])
    expect(
      [undefined, [], [createMessage('a', 'warn')], [createMessage('a', 'warn'), createMessage('b')]].map(hasError),
    ).toEqual([false, false, false, true])
  })

  it('are numbered by their content', () => {
    const numbered = createDictionary<object | string>()
    const first = { a: 1 }
    expect([first, 'x', { a: 1 }, first, 'x', '{"b":1}'].map(numbered.indexOf)).toEqual([0, 1, 0, 0, 1, 2])
    expect(numbered.entries).toEqual([first, 'x', '{"b":1}'])
  })
})

describe('hash lists', () => {
  type Hash = readonly [hi: number, lo: number]
  const createHashList = (hashes: readonly Hash[]): Hashes =>
    sortHashes({
      hi: Uint32Array.from(hashes, ([hi]) => hi),
      lo: Uint32Array.from(hashes, ([, lo]) => lo),
      at: Uint32Array.from(hashes, (_, i) => i),
    })
  const has = (list: Hashes, hi: number, lo: number) => list.hi.some((own, i) => own === hi && list.lo[i] === lo)
  const hash = fc.tuple(fc.oneof(fc.nat(3), fc.nat(30)), fc.nat(2))
  const hashes = fc.array(hash, { maxLength: 30 }).map(createHashList)
  const intersectNaively = (list: Hashes, others: readonly Hashes[]) =>
    Array.from(list.hi, (hi, i) => (others.some((other) => has(other, hi, list.lo[i]!)) ? 0 : 1))

  it('intersect group by group', () => {
    fc.assert(
      fc.property(hashes, hashes, (a, b) => {
        const met: Hash[] = []
        intersectSorted(a, b, (from, to, first, last) => {
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

  it('know which of their values no other list has, also after other lists change', () => {
    fc.assert(
      fc.property(
        fc.array(hashes, { maxLength: 5 }),
        fc.array(hashes, { maxLength: 5 }),
        fc.array(hashes, { maxLength: 5 }),
        (lists, stay, turn) => {
          expect(markAbsent(lists, stay).map((one) => [...one])).toEqual(
            lists.map((list) => intersectNaively(list, stay)),
          )
          const total = lists.reduce((sum, { hi }) => sum + hi.length, 0)
          for (const [i, others] of [stay, [...stay, ...turn], turn, turn].entries()) {
            const { absent, recomputed } = markAbsentCached(lists, others)
            expect(absent.map((one) => [...one])).toEqual(lists.map((list) => intersectNaively(list, others)))
            expect(recomputed).toBe(i === 0 ? total : 0)
          }
        },
      ),
    )
  })

  it('are recomputed when many of the other lists changed', () => {
    const list = createHashList([
      [1, 1],
      [2, 2],
    ])
    const others = Array.from({ length: 20 }, (_, i) => createHashList([[i * 2, i * 2]]))
    expect(markAbsentCached([list], others.slice(0, 17))).toEqual({ absent: [Uint8Array.of(1, 0)], recomputed: 2 })
    expect(markAbsentCached([list], others.slice(0, 1))).toEqual({ absent: [Uint8Array.of(1, 1)], recomputed: 0 })
    expect(markAbsentCached([list], others.slice(1, 18))).toEqual({ absent: [Uint8Array.of(1, 0)], recomputed: 2 })
    const many = Array.from({ length: 20 }, () =>
      createHashList([
        [2, 2],
        [3, 3],
      ]),
    )
    expect(markAbsent(many, others).map((one) => [...one])).toEqual(many.map(() => [0, 1]))
  })
})
