import { describe, expect, it } from 'vitest'
import { isFractionField } from '../../../lib/values/fractions.ts'
import { readColumn, summarize } from './read-column.ts'

describe('fields of fractions', () => {
  it.each([
    'As a fraction, e.g. 0.8',
    'Share (0-1)',
    'Between 0 and 1',
    'von 0 bis 1',
    'De 0 à 1',
    'Anteil (0 – 1)',
    '1 = full time',
    '1,0 = Vollzeit',
    '1 = 100 %',
    '0.8 = 80%',
    '0,5 für 50 %',
    'Fracción de jornada',
    'Wartość od 0 do 1, ułamek',
  ])('are described as %s', (text) => {
    expect(isFractionField(['ratio', 'Ratio', text])).toBe(true)
  })

  it.each([
    'Percentage, e.g. 0.5',
    'As a percentage from 0 to 1',
    'Fraction in percent',
    'e.g. 0.8',
    'From 0 to 10',
    'From 0 to 1.5',
    'From 0 to 100',
    '0-1.000 km',
    '1 = low, 5 = high',
    '0.5 = 0.5 %',
    '1 = 1 %',
    'Score 10-1',
    '2020-10-11',
    'Loan-to-value ratio',
  ])('are not described as %s', (text) => {
    expect(isFractionField(['ratio', 'Ratio', text])).toBe(false)
  })
})

const field = { key: 'ltv', label: 'Loan-to-value ratio', description: 'As a fraction, e.g. 0.8', type: 'number' }
const read = (texts: string[], columnName = 'LTV') => readColumn(field, texts, columnName)

describe('a column of fractions', () => {
  it.each<[string[], unknown[]]>([
    [
      ['55%', '62,5 %', '100 %', '0%'],
      [0.55, 0.625, 1, 0],
    ],
    [
      ['80%', '0.8', '1', '1.0', '100%'],
      [0.8, 0.8, 1, 1, 1],
    ],
    [
      ['0.8', '1.2', '80'],
      [0.8, 1.2, 80],
    ],
    [
      ['-5 %', '120%'],
      [-0.05, 1.2],
    ],
  ])('reads %j as %j', (texts, expected) => {
    expect(summarize(read(texts))).toEqual(expected)
  })

  it('asks whether 62 next to 80 % is a percentage', () => {
    const { question, ...column } = read(['80%', '62', '0.9'])
    expect(summarize({ ...column })).toEqual([0.8, '(unit)', '(unit)'])
    expect(question?.about).toBe('unit')
  })

  it('reads percentages that only the header names', () => {
    expect(summarize(read(['80', '62.5'], 'LTV %'))).toEqual([0.8, 0.625])
  })

  it('asks about 0.8 below a header with percentages', () => {
    expect(read(['80', '0.8'], 'LTV %').question?.about).toBe('unit')
    expect(read(['0.7', '0.8'], 'LTV %').question?.about).toBe('unit')
  })

  it('reads percentages in any other field as they are', () => {
    expect(summarize(readColumn({ key: 'ltv', label: 'Ratio', type: 'number' }, ['55%', '80%']))).toEqual([55, 80])
  })

  it('reads fractions that only the header names in a field of percentages', () => {
    const share = { key: 'share', label: 'Share (%)', type: 'number' }
    expect(summarize(readColumn(share, ['0.8', '1'], 'Share (0-1)'))).toEqual([80, 100])
    expect(readColumn(share, ['0.8', '80'], 'Share (0-1)').question?.about).toBe('unit')
  })
})
