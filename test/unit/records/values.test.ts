/** How values of each type are stored and validated. */
import { describe, expect, it } from 'vitest'
import { rulesOf, toStoredCell, validateCell } from '../../../lib/records/fields/rules.ts'
import { acceptsAnyText, toConfigObject, toStoredValue, valueToText } from '../../../lib/records/fields/values.ts'
import type { Field, Message } from '../../../lib/records/sheet.ts'

const compileRules = (field: Partial<Field>) =>
  rulesOf({ sheetId: 'us_sh_values', fields: [{ key: 'f', type: 'string', ...field }] })

const findMessage = (field: Partial<Field>, value: unknown): Message | undefined => {
  const [only] = compileRules(field).fields
  return validateCell(only!, toStoredCell(only!, value))[0]
}

const many = Array.from({ length: 101 }, (_, i) => String(i))

describe('value', () => {
  it.each([
    ['number', 1.5],
    ['number', '12'],
    ['number', '-1.50'],
    ['number', 0],
    ['number', '0.5'],
    ['number', '-0.25'],
    ['number', '123456789012345'],
    ['boolean', true],
    ['date', '2024-12-31'],
    ['date', '2024-04-30'],
    ['date', '2000-02-29'],
    ['date', '2024-10-01'],
    ['date', '2024-01-29'],
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
    expect(findMessage({ type }, value)).toBeUndefined()
  })

  it.each<[string, unknown]>([
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
    ...['-1.', '+.5', '1E-5', ' 1 ', '1.5e+10', '01', '1x', 'x1', '.', 'e5', '1e', '1 2', '--1', '1e5x', '+'].map(
      (text): [string, string] => ['number', text],
    ),
    ['number', [1]],
    ...['True', ' false ', 'truex', 'xtrue', 'true false', 'falsey'].map((text): [string, string] => ['boolean', text]),
    ...['2024-04-31', '1900-02-29', '2024-13-01', '2024-02-30', '2024-06-31'].map((text): [string, string] => [
      'date',
      text,
    ]),
    ...['x2024-01-01', '2024-01-011', '2024-01-1x'].map((text): [string, string] => ['date', text]),
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
    expect(findMessage({ type }, value)).toMatchObject({ source: 'is-artifact' })
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

  it('in a text field is stored as received unless it counts as empty; dates received as times become days', () => {
    for (const value of [undefined, null, '', [], Number.NaN, Number.POSITIVE_INFINITY])
      expect(toStoredValue('string', value)).toBeNull()
    for (const value of [' ', 0, false, ['a'], [''], { a: 1 }, '2024-01-01T00:00:00Z'])
      expect(toStoredValue('string', value)).toEqual(value)
    expect(toStoredValue('date', '2024-01-01T00:00:00Z')).toBe('2024-01-01')
    expect(toStoredValue('date', '2024-01-01T00:00:00.000Z')).toBe('2024-01-01')
    for (const text of [
      '2024-01-01T00:00:00.001Z',
      'x2024-01-01T00:00:00Z',
      '2024-01-01T00:00:00Zx',
      '2024-01-01T00:00:00.Z',
    ])
      expect(toStoredValue('date', text)).toBe(text)
  })

  it('has a text for comparison', () => {
    expect([5, '5', true, ['a', 1], null].map(valueToText)).toEqual(['5', '5', 'true', '["a",1]', 'null'])
  })

  it('in a multi-value field is a list or a single value', () => {
    for (const more of [{ isArray: true }, { multi: true }]) {
      expect(findMessage({ type: 'number', ...more }, '5')).toBeUndefined()
      expect(findMessage({ type: 'number', ...more }, 'x')).toMatchObject({ source: 'is-artifact' })
      expect(findMessage({ type: 'number', ...more }, ['5', 6])).toBeUndefined()
      expect(findMessage({ type: 'number', ...more }, ['5', 'x'])).toMatchObject({ source: 'is-artifact' })
    }
    const list = { type: 'enum-list', config: { options: [{ value: 'a' }] } }
    expect(findMessage(list, ['a'])).toBeUndefined()
    expect(findMessage(list, 'a')).toMatchObject({ message: 'This value is not a list' })
    expect(findMessage({ ...list, config: { ...list.config, allowCustom: true } }, ['b'])).toBeUndefined()
    expect(findMessage({ ...list, config: {} }, ['b'])).toBeUndefined()
    expect(findMessage({ type: 'reference-list' }, ['b'])).toBeUndefined()
    expect(findMessage({ type: 'reference-list' }, 'b')).toMatchObject({ source: 'is-artifact' })
  })

  it('needs no validation when any text is valid', () => {
    const any = (field: Partial<Field>) => acceptsAnyText({ key: 'f', type: 'string', ...field })
    expect([{}, { type: 'reference' }, { config: { size: 'odd' } }].map(any)).toEqual([true, true, true])
    expect([{ type: 'number' }, { config: { size: 'tiny' } }, { type: 'enum' }].map(any)).toEqual([false, false, false])
    expect([undefined, null, 'x', 5].map((config) => toConfigObject({ config }))).toEqual([{}, {}, {}, {}])
  })
})
