import { describe, expect, it } from 'vitest'
import { suggestValues } from '../../../lib/mapping/enums.ts'
import { Field } from '../../../schemas/sheets/fields.ts'

function translate(options: Record<string, string>, ...texts: string[]) {
  const config = { options: Object.entries(options).map(([value, label]) => ({ value, label })) }
  const { mapping } = suggestValues(texts, Field.parse({ key: 'plan', type: 'enum', config }))!
  return Object.fromEntries(mapping.map(({ sourceValue, destinationValue }) => [sourceValue, destinationValue]))
}

const RATES = { one: 'Fixed 1 year', three: 'Fixed 3 years', free: 'Variable' }

describe('numbers in a column of options', () => {
  it('say which option is meant if the unit is the same and nothing else is written', () => {
    expect(translate({ all: '24 hours', night: '10 hours' }, '24h', '24 h', '10 Std.', '12 h')).toEqual({
      ...{ '24h': 'all', '24 h': 'all', '10 Std.': 'night' },
    })
    expect(translate({ month: '1 month', years: '3 years' }, '1 year', '3 weeks', '3')).toEqual({})
  })
  it('say what the words next to several of them mean', () => {
    expect(translate(RATES, 'xyz 1 jaar', 'XYZ 3 jaar')).toEqual({ 'xyz 1 jaar': 'one', 'XYZ 3 jaar': 'three' })
    expect(translate(RATES, 'xyz 3 jaar')).toEqual({})
    expect(translate({ small: 'Room for 4', large: 'Room for 6' }, '4p', 'xyz 6 pers.', 'xyz 4 pers.')).toEqual({
      ...{ 'xyz 4 pers.': 'small', 'xyz 6 pers.': 'large' },
    })
    expect(translate({ small: 'Room for 4', large: 'Room for 6' }, '4p', '6p', '8p')).toEqual({
      '4p': 'small',
      '6p': 'large',
    })
  })
  it('say nothing if some options with the same words are left', () => {
    expect(translate({ a: 'Floor 1', b: 'Floor 2', c: 'Floor 3' }, 'xyz 1', 'xyz 2')).toEqual({})
    expect(translate({ a: 'North 1', b: 'South 2', c: 'North 3' }, 'xyz 1', 'xyz 2', 'xyz 3')).toEqual({})
  })
  it('say nothing if two words compete for an option, or two options have the number', () => {
    expect(translate(RATES, 'xyz 1 jaar', 'xyz 3 jaar', 'abc 3 jaar')).toEqual({ 'xyz 1 jaar': 'one' })
    expect(translate({ a: 'Red 4', b: 'Blue 4', c: 'Red 6' }, 'xyz 4', 'xyz 6')).toEqual({})
  })
})
