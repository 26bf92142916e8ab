/** Texts with values. English, the server's language, is written without Intl but in the same way. */
import { describe, expect, it, vi } from 'vitest'
import { formatText } from '../../../schemas/messages/format.ts'

const NUMBERS = [0, 1, -1, 12, 999, 1000, -1000, 12_345, 123_456, 1_234_567, -9_876_543_210, 0.5, 1234.5678, 1e21]
const FORMS = { one: 'one', two: 'two', few: 'few', many: 'many', other: 'other' }

describe('formatText in English', () => {
  it.each([...NUMBERS, Number.MAX_SAFE_INTEGER, Number.POSITIVE_INFINITY])('writes %d as Intl does', (n) => {
    expect(formatText('{n}', { n }, 'en')).toBe(new Intl.NumberFormat('en').format(n))
  })

  it.each(NUMBERS)('chooses the plural form of %d as Intl does', (count) => {
    expect(formatText(FORMS, { count }, 'en')).toBe(new Intl.PluralRules('en').select(count))
  })

  it('creates no formatter for whole numbers', () => {
    const spies = [vi.spyOn(Intl, 'NumberFormat'), vi.spyOn(Intl, 'PluralRules')]
    expect(formatText({ one: '{count} row', other: '{count} rows' }, { count: 5000 }, 'en')).toBe('5,000 rows')
    for (const spy of spies) expect(spy).not.toHaveBeenCalled()
    vi.restoreAllMocks()
  })
})

it('formatText writes other languages with Intl', () => {
  expect(formatText({ one: '{count} Zeile', other: '{count} Zeilen' }, { count: 5000 }, 'de')).toBe('5.000 Zeilen')
})
