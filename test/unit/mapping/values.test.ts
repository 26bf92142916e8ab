import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { translation } from '../../../lib/mapping/apply.ts'
import { assign } from '../../../lib/mapping/assign.ts'
import { conversionOf } from '../../../lib/mapping/conversions.ts'
import { suggestValues } from '../../../lib/mapping/enums.ts'
import { delimiterOf, itemsOf } from '../../../lib/mapping/lists.ts'
import { Field } from '../../../schemas/fields.ts'
import { Edge, type EnumValue } from '../../../schemas/mapping.ts'

const options = (...values: (string | { value: string; label?: string; alternativeNames?: string[] })[]): Field =>
  Field.parse({
    key: 'f',
    type: 'enum',
    config: { options: values.map((value) => (typeof value === 'string' ? { value } : value)) },
  })

const translated = (values: EnumValue[], destination: Field) =>
  Object.fromEntries(
    suggestValues(values, destination)!.mapping.map(({ sourceValue, destinationValue }) => [
      String(sourceValue),
      destinationValue,
    ]),
  )

describe('values of an enum field', () => {
  it('match by value, label and alternative name whatever the case and accents', () => {
    const field = options({ value: 'de', label: 'Deutschland' }, { value: 'cafe', alternativeNames: ['Kaffeehaus'] })
    expect(translated(['DEUTSCHLAND', 'Café', 'kaffeehaus'], field)).toEqual({
      DEUTSCHLAND: 'de',
      Café: 'cafe',
      kaffeehaus: 'cafe',
    })
  })

  it('match by what many files mean', () => {
    expect(translated(['M', 'f', 'Herr', 'w'], options('male', 'female'))).toEqual({
      M: 'male',
      f: 'female',
      Herr: 'male',
      w: 'female',
    })
    expect(translated(['Yes', 'nein', '1'], Field.parse({ key: 'b', type: 'boolean' }))).toEqual({
      Yes: true,
      nein: false,
      1: true,
    })
  })

  it('match countries by code and by name in several languages', () => {
    expect(
      translated(['Germany', 'Österreich', 'États-Unis', 'UK', 'nl'], options('DE', 'AT', 'US', 'GB', 'NL')),
    ).toEqual({
      Germany: 'DE',
      Österreich: 'AT',
      'États-Unis': 'US',
      UK: 'GB',
      nl: 'NL',
    })
  })

  it('match misspelt and abbreviated values, unless two options are as near', () => {
    expect(translated(['shiped', 'canc'], options('shipped', 'cancelled', 'open'))).toEqual({
      shiped: 'shipped',
      canc: 'cancelled',
    })
    expect(translated(['pa'], options('paid', 'partial'))).toEqual({})
  })

  it('tell what is left over on both sides', () => {
    expect(suggestValues(['red', 'mauve'], options('red', 'green'))).toEqual({
      mapping: [{ sourceValue: 'red', destinationValue: 'red' }],
      unusedSourceValues: ['mauve'],
      unusedDestinationValues: ['green'],
    })
  })

  it('are not translated for a field without options', () => {
    expect(suggestValues(['a'], Field.parse({ key: 's', type: 'string' }))).toBeUndefined()
  })
})

describe('carrying values over an edge', () => {
  it('translates values that have a translation and leaves the others', () => {
    const carry = translation({ values: [{ sourceValue: 'M', destinationValue: 'male' }], isList: false })
    expect(['M', ' M ', 'X', null, 7].map(carry)).toEqual(['male', 'male', 'X', null, 7])
  })

  it('splits a list in one cell and translates its items', () => {
    const values = [{ sourceValue: 'a', destinationValue: 'A' }]
    const carry = translation({ values, delimiter: ';', isList: true })
    expect(carry('a; b ;')).toEqual(['A', 'b'])
    expect(carry(['a', 'c'])).toEqual(['A', 'c'])
  })
})

describe('values written otherwise than the field takes them', () => {
  const conversion = (type: string, ...samples: string[]) => {
    const destinationField = { key: 'f', type }
    return conversionOf({ ...Edge.parse({ sourceField: { key: 's' }, destinationField }) }, samples)?.config
  }
  const own = { sourceField: 'destination!f', destinationField: 'f' }

  it('are brought into form where there is one way to read them', () => {
    expect(conversion('date', '31.12.2024', '1.2.2025')).toEqual({ ...own, format: 'd.M.yyyy' })
    expect(conversion('date', '31/12/2024', '01/02/2025')).toEqual({ ...own, format: 'd/M/yyyy' })
    expect(conversion('date', '12/31/2024', '01/02/2025')).toEqual({ ...own, format: 'M/d/yyyy' })
    expect(conversion('number', '1.234,50 €', '7')).toEqual({ ...own, locale: 'de' })
    expect(conversion('number', '$1,234.50', '7')).toEqual({ ...own, locale: 'en-US' })
    expect(conversion('number', '12 %', '7')).toEqual({ ...own, locale: 'en-US' })
  })

  it('stay where they are in form, could mean several things, or are too few', () => {
    expect(conversion('date', '2024-12-31', '2025-01-01')).toBeUndefined()
    expect(conversion('date', '01/02/2024', '03/04/2025')).toBeUndefined()
    expect(conversion('date', '31.12.2024')).toBeUndefined()
    expect(conversion('date', '31.12.2024', 'soon')).toBeUndefined()
    expect(conversion('number', '1.5', '7')).toBeUndefined()
    expect(conversion('number', '1,234', '5,678')).toBeUndefined()
    expect(conversion('string', '31.12.2024', '1.2.2025')).toBeUndefined()
  })
})

describe('lists', () => {
  it.each([
    [['a;b', 'c'], ';'],
    [['a, b', 'c, d', 'e;f'], ','],
    [['one'], undefined],
  ])('%j are separated by %j', (texts, delimiter) => {
    expect(delimiterOf(texts)).toBe(delimiter)
  })

  it.each<[string, string | undefined, string[]]>([
    ['a; b;;c ', ';', ['a', 'b', 'c']],
    ['["a","b,c"," d"]', undefined, ['a', 'b,c', ' d']],
    ['["a","b,c"]', ',', ['a', 'b,c']],
    ['[1,true]', undefined, ['1', 'true']],
    ['[a],[b]', ',', ['[a]', '[b]']],
    ['[{"a":1}]', undefined, ['[{"a":1}]']],
    ['["half"', undefined, ['["half"']],
  ])('%s by %s are %j', (text, delimiter, items) => {
    expect(itemsOf(text, delimiter)).toEqual(items)
  })

  it('as JSON are not taken for texts with commas', () => {
    expect(delimiterOf(['["a","b"]', '["c","d"]'])).toBeUndefined()
  })
})

describe('assignment', () => {
  const best = (weights: number[][]): number => {
    const go = (row: number, taken: Set<number>): number => {
      if (row === weights.length) return 0
      const skipped = go(row + 1, taken)
      return Math.max(
        skipped,
        ...weights[row]!.map((weight, column) =>
          taken.has(column) ? 0 : weight + go(row + 1, new Set([...taken, column])),
        ),
      )
    }
    return go(0, new Set())
  }

  it('finds the best total of any small table, one to one', () => {
    const table = fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 })).chain(([rows, columns]) =>
      fc.array(fc.array(fc.integer({ min: 0, max: 9 }), { minLength: columns, maxLength: columns }), {
        minLength: rows,
        maxLength: rows,
      }),
    )
    fc.assert(
      fc.property(table, (weights) => {
        const chosen = assign(weights)
        const columns = chosen.filter((column) => column >= 0)
        expect(new Set(columns).size).toBe(columns.length)
        const total = chosen.reduce((sum, column, row) => sum + (column < 0 ? 0 : weights[row]![column]!), 0)
        expect(total).toBe(best(weights))
      }),
    )
  })
})
