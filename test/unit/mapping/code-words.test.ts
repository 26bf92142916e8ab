import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findCountryOfAdjective } from '../../../lib/mapping/code-words.ts'
import { suggestValues } from '../../../lib/mapping/enums.ts'
import { compact } from '../../../lib/mapping/tokenize.ts'
import { LANGUAGES } from '../../../lib/values/languages.ts'
import { Field } from '../../../schemas/sheets/fields.ts'

function translate(options: readonly string[], texts: readonly string[], columnName?: string) {
  const config = { options: options.map((value) => ({ value })) }
  const { mapping } = suggestValues(texts, Field.parse({ key: 'kind', type: 'enum', config }), undefined, columnName)!
  return Object.fromEntries(mapping.map(({ sourceValue, destinationValue }) => [sourceValue, destinationValue]))
}

describe('adjectives of countries', () => {
  it.each([
    ['IT', 'italiana italienisch italienne italiano Italiaanse'],
    ['DE', 'deutsch tedesca allemande alemana niemieckie Duitse alemã'],
    ['MA', 'marroquí marocaine marokkanisch marocchina'],
    ['BE', 'Belg belge belgisch'],
    ['BR', 'brasileira brasiliano'],
    ['NG', 'nigerian nigériane'],
    ['GB', 'British englisch britannique'],
    ['CN', 'cinese chinesa chinesisch'],
  ])('are found for %s', (code, words) => {
    for (const word of words.split(' ')) expect(findCountryOfAdjective(compact(word)), word).toBe(code)
  })

  it.each([
    ...['Germantown', 'Australasia', 'Austral', 'catalan', 'kurdish', 'dominicana', 'guineana', 'coreana', 'nigérien'],
    ...['European', 'unknown', 'other', 'congolese'],
  ])('do not include %s', (word) => expect(findCountryOfAdjective(compact(word))).toBeUndefined())

  it('which name a language are the country of it in every language, or none', () => {
    const nations = {
      de: 'DE',
      fr: 'FR',
      it: 'IT',
      pl: 'PL',
      ro: 'RO',
      pt: 'PT',
      el: 'GR',
      hu: 'HU',
      bg: 'BG',
      uk: 'UA',
    }
    fc.assert(
      fc.property(
        fc.constantFrom(...LANGUAGES),
        fc.constantFrom(...Object.entries(nations)),
        (language, [own, code]) => {
          const name = new Intl.DisplayNames([language], { type: 'language' }).of(own)!
          expect([code, undefined]).toContain(findCountryOfAdjective(compact(name)))
        },
      ),
    )
  })
})

describe('options that are codes', () => {
  it('match by signs and cut words of eight languages', () => {
    expect(translate(['PLN', 'USD', 'EUR'], ['dolary amer.', '$ US', '€\u200e', 'dolary'])).toEqual({
      ...{ 'dolary amer.': 'USD', '$ US': 'USD', '€\u200e': 'EUR', dolary: 'USD' },
    })
    expect(translate(['IE', 'CZ', 'GB'], ['Rep. of Ireland', 'Tschech. Republik', 'Republik'])).toEqual({
      ...{ 'Rep. of Ireland': 'IE', 'Tschech. Republik': 'CZ' },
    })
    expect(translate(['nl', 'en', 'de'], ['EN-GB', 'de_CH', 'fr-FR', 'GB-EN'])).toEqual({ 'EN-GB': 'en', de_CH: 'de' })
  })
  it('match by words', () => {
    expect(translate(['IT', 'RO', 'MA'], ['italiana', 'rumeno', 'VR China', 'apolide'])).toEqual({
      ...{ italiana: 'IT', rumeno: 'RO' },
    })
    expect(translate(['PLN', 'CZK', 'EUR'], ['złote', 'korony czeskie', 'korony', 'euros'])).toEqual({
      ...{ złote: 'PLN', 'korony czeskie': 'CZK', euros: 'EUR' },
    })
    expect(translate(['USD', 'CAD', 'GBP'], ['Pounds', 'Dollars', 'Canadian dollars'])).toEqual({
      ...{ Pounds: 'GBP', 'Canadian dollars': 'CAD' },
    })
  })
})

describe('options behind a word', () => {
  it('are read if the column has the word as its name', () => {
    expect(translate(['A1', 'A2', 'B1'], ['Liv. A1', 'Liv. C2', 'Not A2'], 'Livello')).toEqual({ 'Liv. A1': 'A1' })
  })
  it('are not read if the word is only the start of a name', () => {
    expect(translate(['Owner', 'Tenant'], ['Co Owner', 'Cont. Tenant'], 'Contact')).toEqual({
      'Cont. Tenant': 'Tenant',
    })
  })
  it('are read if several have it', () => {
    expect(translate(['1', '2', '3', '4'], ['Kl. II', 'Kl. IV', 'Gr. 3'])).toEqual({ 'Kl. II': '2', 'Kl. IV': '4' })
    expect(translate(['1', '2', '3', '4'], ['from 2', 'from 3'])).toEqual({})
    expect(translate(['A', 'B', 'C'], ['Not A', 'Not B'])).toEqual({})
  })
})

describe('words with a prefix', () => {
  it('are other words', () => {
    expect(translate(['Rechnung', 'Austausch', 'Einkauf'], ['Abrechnung', 'Tausch', 'Verkauf'])).toEqual({})
    expect(translate(['Used', 'New'], ['verbraucht', 'gebraucht'])).toEqual({ gebraucht: 'Used' })
  })
})
