import { describe, expect, it } from 'vitest'
import { suggestValues } from '../../../lib/mapping/enums.ts'
import { Field } from '../../../schemas/sheets/fields.ts'

function translate(options: string[], ...texts: string[]) {
  const config = { options: options.map((value) => ({ value })) }
  const { mapping } = suggestValues(texts, Field.parse({ key: 'state', type: 'enum', config }))!
  return Object.fromEntries(mapping.map(({ sourceValue, destinationValue }) => [sourceValue, destinationValue]))
}

const STATES = ['paid', 'open', 'cancelled']

describe('letters in a column of options', () => {
  it('stand for the words of the column that start with them', () => {
    expect(translate(STATES, 'bezahlt', 'B')).toEqual({ bezahlt: 'paid', B: 'paid' })
  })
  it('stand for options if the column has other options by name', () => {
    const options = ['weekly', 'bi-weekly', 'monthly']
    expect(translate(options, 'Weekly', 'BW', 'M')).toEqual({ Weekly: 'weekly', BW: 'bi-weekly', M: 'monthly' })
  })
  it('stand for all options if the column has nothing else', () => {
    expect(translate(['high', 'medium', 'low'], 'H', 'M', 'L')).toEqual({ H: 'high', M: 'medium', L: 'low' })
    expect(translate(['high', 'medium', 'low', 'none'], 'H', 'M', 'L')).toEqual({})
  })
  it('stand for a word of the column if they contract it', () => {
    const colours = ['red', 'white', 'sparkling']
    expect(translate(colours, 'rouge', 'rge', 'blanc', 'blc', 'xyz')).toEqual({
      ...{ rouge: 'red', rge: 'red', blanc: 'white', blc: 'white' },
    })
  })
  it('stand for nothing if two words start with them, or words of another language', () => {
    expect(translate(['active', 'archived'], 'Active', 'Archived', 'A')).not.toHaveProperty('A')
    expect(translate(STATES, 'bezahlt', 'C')).toEqual({ bezahlt: 'paid' })
  })
})
