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
  it('count before a unit, and number it behind', () => {
    const days = { full: 'Deux jours', one: 'Jour 1 seulement', two: 'Jour 2 seulement' }
    expect(translate(days, '2 jours', 'J1', 'J2')).toEqual({ '2 jours': 'full', J1: 'one', J2: 'two' })
    expect(translate({ one: 'Day 1', two: 'Day 2' }, '2 days', 'day 2')).toEqual({ 'day 2': 'two' })
    expect(translate({ b: 'Dwa dni', c: 'Trzy dni' }, '2 dni', '3 dni')).toEqual({ '2 dni': 'b', '3 dni': 'c' })
  })
  it('can be fractions', () => {
    expect(translate({ q: 'Quarter plot', h: 'Half plot', f: 'Full plot' }, '1/4', '¼', '½', '1/2', '1/3')).toEqual({
      ...{ '1/4': 'q', '¼': 'q', '½': 'h', '1/2': 'h' },
    })
    expect(translate({ a: 'Low', b: 'Medium', c: 'Full' }, '1/2', '¼')).toEqual({})
  })
  it('say which option is meant if its label begins with them', () => {
    const levels = { m0: 'Keine Mahnung', m1: '1. Mahnung', m2: '2. Mahnung' }
    expect(translate(levels, '1', '2')).toEqual({ 1: 'm1', 2: 'm2' })
    expect(translate(levels, '1')).toEqual({})
    expect(translate(levels, '1', '2', '3')).toEqual({})
    expect(translate({ a: '1 month', b: '1 year', c: '2 years' }, '1', '2')).toEqual({})
  })
  it('can be the codes of options whose words differ', () => {
    const levels = { p1: '1 - Critical', p2: '2 - High', p3: '3 - Low' }
    expect(translate(levels, 'P3', 'High', '3', 'critical', '4')).toEqual({
      ...{ P3: 'p3', High: 'p2', 3: 'p3', critical: 'p1' },
    })
    expect(translate({ a: 'A: Excellent', b: 'B: Poor' }, 'A', 'poor')).toEqual({ A: 'a', poor: 'b' })
    expect(translate({ p1: '1 - Critical', p2: 'Medium' }, 'critical')).toEqual({})
    expect(translate({ w1: '1 - Week', w2: '2 - Week' }, 'week')).toEqual({})
  })
  it('say which option is meant as ordinals, if all options have one', () => {
    const courses = { '1eso': '1.º ESO', '2eso': '2.º ESO', '3eso': '3.º ESO' }
    expect(translate(courses, 'Segundo ESO', '3º', '1 ESO', '4º', '2')).toEqual({
      ...{ 'Segundo ESO': '2eso', '3º': '3eso', '1 ESO': '1eso' },
    })
    expect(translate({ one: '1.º ESO', two: '2.º Bach' }, '2º')).toEqual({})
  })
  it('say which range is meant, in other words and signs', () => {
    const ages = { a: 'Under 18', b: '18 to 34', c: '35 to 64', d: '65 and over' }
    expect(translate(ages, '<18', '18 bis 34', '35 - 64 yrs', '65+', '≥ 65', '65 ans et plus', '18-64', '66+')).toEqual(
      {
        ...{ '<18': 'a', '18 bis 34': 'b', '35 - 64 yrs': 'c' },
        ...{ '65+': 'd', '≥ 65': 'd', '65 ans et plus': 'd' },
      },
    )
    const sizes = { s: '1-10', m: '11-1,000', l: '> 1000' }
    expect(translate(sizes, '1 to 10', '11–1000 employees', 'über 1.000', '0-10', '1k+')).toEqual({
      ...{ '1 to 10': 's', '11–1000 employees': 'm', 'über 1.000': 'l', '1k+': 'l' },
    })
    const times = { short: '1-2 days', long: '3-5 days' }
    expect(translate(times, '1 à 2 jours', '3-5 weeks')).toEqual({ '1 à 2 jours': 'short' })
    expect(translate({ first: 'Under 5', other: 'Other' }, '< 5')).toEqual({})
  })
  it('say which of at least three levels is meant, also in Roman numerals', () => {
    const levels = Object.fromEntries([1, 2, 3, 4, 5].map((level) => [`${level}`, `Care level ${level}`]))
    expect(translate(levels, 'PG 2', 'PG3', 'PG 5', 'II', 'IV', 'III')).toEqual({
      ...{ 'PG 2': '2', PG3: '3', 'PG 5': '5', II: '2', IV: '4', III: '3' },
    })
    expect(translate(levels, 'PG 2', 'PG3', 'I', 'II')).toEqual({})
    expect(translate({ a: 'Class I', b: 'Class II' }, 'Cl. I', 'Cl. 2', 'class 1')).toEqual({
      ...{ 'Cl. I': 'a', 'Cl. 2': 'b', 'class 1': 'a' },
    })
    const colours = { '1': 'Red', '2': 'Green', '3': 'Blue', '4': 'Black' }
    expect(translate(colours, 'box 1', 'box 2', 'box 3', 'box 4', 'II', 'III', 'IV')).toEqual({})
    expect(translate({ c1: 'Red', c2: 'Green', c3: 'Blue' }, 'xyz 1', 'xyz 2', 'xyz 3')).toEqual({})
  })
  it('stand for ordinals', () => {
    const reminders = { none: 'No reminder', first: 'First reminder', second: 'Second reminder' }
    expect(translate(reminders, '1. Mahn.', '2. Mahn.', '3. Mahn.', '2ème')).toEqual({
      ...{ '1. Mahn.': 'first', '2. Mahn.': 'second', '2ème': 'second' },
    })
    expect(translate({ a: 'First dog', b: 'Further dog' }, '1. Hund', '1.Hund', 'Hund')).toEqual({
      ...{ '1. Hund': 'a', '1.Hund': 'a' },
    })
    expect(translate({ a: '1st class', b: '2nd class' }, 'First class', 'second class', '1st', 'class')).toEqual({
      ...{ 'First class': 'a', 'second class': 'b', '1st': 'a' },
    })
    expect(translate({ a: 'First assessment', b: 'Massage' }, 'A1', 'A 1')).toEqual({})
    expect(translate({ a: 'A1', b: 'A2', c: 'B' }, 'I', 'II')).toEqual({})
    expect(translate({ a: 'Repair', b: 'First aid' }, '1. Repair', '1.5 aid', '1 aid')).toEqual({ '1. Repair': 'a' })
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
