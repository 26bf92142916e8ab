/** Validation of values of each type, and the messages of constraints. */
import { describe, expect, it } from 'vitest'
import {
  computeSignature,
  formatUniqueText,
  rulesOf,
  toHookMessages,
  toStoredCell,
  validateCell,
} from '../../../lib/records/fields/rules.ts'
import type { Field, SheetConstraint } from '../../../lib/records/sheet.ts'

const compileRules = (field: Partial<Field>, constraints: SheetConstraint[] = []) =>
  rulesOf({ sheetId: 'us_sh_values', fields: [{ key: 'f', type: 'string', ...field }], constraints })

const getSource = (field: Partial<Field>, value: unknown): string | undefined => {
  const [only] = compileRules(field).fields
  return validateCell(only!, toStoredCell(only!, value))[0]?.source
}

const options = { options: [{ value: 'a' }, { value: 2 }, { value: true }] }
const many = Array.from({ length: 101 }, (_, i) => String(i))

describe('value', () => {
  it.each([
    ['number', 1.5],
    ['number', '12'],
    ['number', '-1.50'],
    ['boolean', false],
    ['boolean', 'true'],
    ['date', '2024-02-29'],
    ['date', '2024-02-28T00:00:00.000Z'],
    ['string', 5],
    ['string', 'text'],
    ['string-list', ['a', 'b']],
    ['reference', 'x'],
    ['reference-list', ['x']],
    ['something else', { a: 1 }],
  ])('in a %s field can be %j', (type, value) => {
    expect(getSource({ type }, value)).toBeUndefined()
  })

  it.each([
    ['number', 'n/a'],
    ['number', '0x10'],
    ['number', '1,234'],
    ['number', '.5'],
    ['number', '1.'],
    ['number', '007'],
    ['number', '+7'],
    ['number', ' 7 '],
    ['number', '1e3'],
    ['number', '12345678901234567890'],
    ['number', true],
    ['number', ' '],
    ['boolean', 1],
    ['boolean', 0],
    ['boolean', '1'],
    ['boolean', 'yes'],
    ['boolean', 'TRUE'],
    ['boolean', ' true'],
    ['date', '2023-02-29'],
    ['date', '31/11/2020'],
    ['date', '01/02/2020'],
    ['date', '2024-02-28T10:00:00Z'],
    ['date', '2024-00-10'],
    ['date', '2024-01-32'],
    ['date', 20240101],
    ['string', ['a']],
    ['string', { a: 1 }],
    ['string-list', 'a,b'],
    ['string-list', many],
    ['string-list', [['a']]],
    ['reference', ['x']],
  ])('that is invalid for a %s field, such as %j, is stored with an error', (type, value) => {
    expect(getSource({ type }, value)).toBe('is-artifact')
  })

  it('in an enum field is one of its options, compared as text', () => {
    for (const value of ['a', 2, '2', 'true', true])
      expect(getSource({ type: 'enum', config: options }, value)).toBeUndefined()
    expect(getSource({ type: 'enum', config: options }, 'A')).toBe('invalid-option')
    expect(getSource({ type: 'enum', config: options }, ['a'])).toBe('is-artifact')
    expect(getSource({ type: 'enum', config: { ...options, allowCustom: true } }, 'other')).toBeUndefined()
    expect(getSource({ type: 'enum', config: options, multi: true }, ['a', 2])).toBeUndefined()
    expect(getSource({ type: 'enum', config: options, isArray: true }, ['a', 'b'])).toBe('invalid-option')
    expect(getSource({ type: 'enum-list', config: options }, ['a', 'x'])).toBe('invalid-option')
  })

  it('longer than the configured size of its field is an error', () => {
    expect(getSource({ config: { size: 'tiny' } }, 'x'.repeat(255))).toBeUndefined()
    expect(getSource({ config: { size: 'tiny' } }, 'x'.repeat(256))).toBe('is-artifact')
    expect(getSource({ config: { size: 'tiny' } }, 'é'.repeat(128))).toBe('is-artifact')
    expect(getSource({}, 'x'.repeat(100_000))).toBeUndefined()
  })

  it('is empty when it is null, an empty text or an empty list', () => {
    const required = { constraints: [{ type: 'required' }] }
    for (const value of [null, undefined, '', []]) expect(getSource(required, value)).toBe('required-constraint')
    for (const value of [false, 0, ' ']) expect(getSource({ ...required, type: 'x' }, value)).toBeUndefined()
  })

  it.each([
    ['number', '42', 42],
    ['number', '-1.5', -1.5],
    ['number', '12.50', 12.5],
    ['number', '0', 0],
    ['number', '-0', 0],
    ['number', '0.0000001', 1e-7],
    ['number', '123456789012345', 123456789012345],
    ['boolean', 'true', true],
    ['boolean', 'false', false],
    ['date', '2024-02-28T00:00:00.000Z', '2024-02-28'],
    ['date', 'Thu, 02 Jan 2020 00:00:00 GMT', '2020-01-02'],
    ['number', ['1', 'n/a', 2], [1, 'n/a', 2]],
  ])('in the canonical form of a %s field, such as %j, is stored typed', (type, value, stored) => {
    expect(toStoredCell(compileRules({ type }).fields[0]!, value)).toEqual(stored)
  })

  it.each([
    ['number', '12345678901234567890'],
    ['number', '007'],
    ['number', ' 7 '],
    ['number', '1e3'],
    ['boolean', 'TRUE'],
    ['boolean', '1'],
    ['boolean', 1],
    ['date', '2024-02-28T10:00:00.000Z'],
    ['date', '01/02/2020'],
    ['string', '42'],
    ['string', 'true'],
    ['enum', '42'],
    ['string-list', ['42']],
  ])('in a %s field in any other form, such as %j, is stored as received', (type, value) => {
    expect(toStoredCell(compileRules({ type }).fields[0]!, value)).toEqual(value)
  })
})

describe('constraints', () => {
  it('take message and level from their config', () => {
    const config = { message: 'Please fill', level: 'warn' }
    const [field] = compileRules({ constraints: [{ type: 'required', config }] }).fields
    expect(validateCell(field!, null)).toEqual([
      { type: 'warn', source: 'required-constraint', message: 'Please fill', field: 'f' },
    ])
  })

  it('ignore empty cells in unique columns by default', () => {
    const compileUnique = (config: object) => compileRules({ constraints: [{ type: 'unique', config }] }).unique[0]!
    expect(formatUniqueText(compileUnique({}), () => null)).toBeUndefined()
    expect(formatUniqueText(compileUnique({ ignoreEmpty: false }), () => null)).toBeDefined()
    expect(formatUniqueText(compileUnique({}), () => 'A')).toBe('A')
    expect(formatUniqueText(compileUnique({ caseSensitive: false }), () => 'A')).toBe('a')
    expect(formatUniqueText(compileUnique({}), () => 5)).toBe(formatUniqueText(compileUnique({}), () => '5'))
  })

  it('over several fields compare them all, and need the required ones', () => {
    const fields = ['a', 'b'].map((key) => ({ key, type: 'string' }))
    const sheet = (more: object) => ({
      sheetId: 'us_sh_values',
      fields: [...fields],
      constraints: [{ type: 'unique', name: 'both', fields: ['a', 'b'], ...more }],
    })
    const text = (more: object, a: unknown, b: unknown) =>
      formatUniqueText(rulesOf(sheet(more)).unique[0]!, (key) => (key === 'a' ? a : b))
    expect(text({}, 'x', 'yz')).not.toBe(text({}, 'xy', 'z'))
    expect(text({}, null, 'z')).toBeDefined()
    expect(text({}, null, null)).toBeUndefined()
    expect(text({ requiredFields: ['a'] }, null, 'z')).toBeUndefined()
  })

  it('have a signature that ignores labels and order, and covers everything that is validated', () => {
    const a: Field = { key: 'a', type: 'string' }
    const b: Field = { key: 'b', type: 'enum', config: options }
    const getSignature = (...fields: Field[]) => computeSignature({ sheetId: 'us_sh_x', fields })
    const base = getSignature(a, b)
    expect(getSignature(b, { ...a, label: 'A' })).toBe(base)
    const changed = [
      getSignature({ ...a, type: 'number' }, b),
      getSignature({ ...a, constraints: [{ type: 'required' }] }, b),
      getSignature({ ...a, constraints: [{ type: 'unique', config: { caseSensitive: false } }] }, b),
      getSignature(a, { ...b, config: { options: [{ value: 'a' }] } }),
      getSignature(a),
    ]
    for (const other of changed) expect(other).not.toBe(base)
    expect(new Set(changed).size).toBe(changed.length)
  })
})

describe('hook messages', () => {
  it('are stored in their standard shape, without messages of the platform', () => {
    expect(
      toHookMessages('f', [
        { type: 'info', message: 'hi', source: 'custom-logic', path: '$.x' },
        { message: 'no type' },
        { type: 'error', message: 'echo', source: 'unique-constraint' },
        { type: 'nonsense', message: 'odd', source: 'elsewhere' },
      ]),
    ).toEqual([
      { type: 'info', source: 'custom-logic', message: 'hi', field: 'f', path: '$.x' },
      { type: 'error', source: 'custom-logic', message: 'no type', field: 'f' },
      { type: 'error', source: 'custom-logic', message: 'odd', field: 'f' },
    ])
  })
})
