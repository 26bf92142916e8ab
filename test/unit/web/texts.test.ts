/** The application's texts in all languages, and how values and plural forms are put into them. */
import { describe, expect, it } from 'vitest'
import { formatText, numberFormat, type PluralForms, type Text } from '../../../schemas/messages/format.ts'
import ar from '../../../web/shared/texts/ar.ts'
import de from '../../../web/shared/texts/de.ts'
import en from '../../../web/shared/texts/en.ts'
import es from '../../../web/shared/texts/es.ts'
import fr from '../../../web/shared/texts/fr.ts'

const LANGUAGES: Record<string, Record<string, Text>> = { en, de, fr, es, ar }
const ALL = Object.entries(LANGUAGES).flatMap(([language, texts]) =>
  Object.entries(texts).map(([key, text]): [string, string, Text] => [language, key, text]),
)
const COUNTS = [0, 1, 2, 5, 100, 1_000_000]

/** In these languages the words after the number do not depend on it. */
const INVARIANT = new Set([
  'en.errorCount',
  'de.errorCount',
  'fr.errorCount',
  'es.errorCount',
  'en.selected',
  'de.selected',
])

const formsOf = (text: Text): [string, string][] => Object.entries(typeof text === 'string' ? { other: text } : text)
const placeholdersIn = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g))].sort()
const withoutCount = (text: string): string[] => placeholdersIn(text).filter((name) => name !== '{count}')

describe('the texts', () => {
  it.each(Object.keys(LANGUAGES))('have the same keys in %s as in English', (language) => {
    expect(Object.keys(LANGUAGES[language]!).sort()).toEqual(Object.keys(en).sort())
  })

  it.each(Object.keys(LANGUAGES))('have the same placeholders in %s as in English', (language) => {
    for (const [key, text] of Object.entries(LANGUAGES[language]!)) {
      const english: Text = en[key as keyof typeof en]
      const expected = typeof english === 'string' ? english : english.other
      for (const [form, value] of formsOf(text)) {
        const where = `${language}.${key}.${form}`
        expect(withoutCount(value), where).toEqual(withoutCount(expected))
        if (form === 'other') expect(placeholdersIn(value), where).toEqual(placeholdersIn(expected))
      }
    }
  })

  it('have plural forms wherever a number is next to a word', () => {
    const plain = ALL.filter(([, , text]) => typeof text === 'string' && text.includes('{count}'))
      .filter(([, , text]) => !/: \{count\}$/.test(text as string))
      .map(([language, key]) => `${language}.${key}`)
    expect(new Set(plain)).toEqual(INVARIANT)
  })

  it('have a form for every plural category, except for the millions of French and Spanish', () => {
    for (const [language, key, text] of ALL) {
      if (typeof text === 'string') continue
      const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
      const optional = ['fr', 'es'].includes(language) ? ['many'] : []
      const missing = pluralCategories.filter((category) => !(category in text) && !optional.includes(category))
      const unknown = Object.keys(text).filter((form) => !(pluralCategories as string[]).includes(form))
      expect({ missing, unknown }, `${language}.${key}`).toEqual({ missing: [], unknown: [] })
    }
  })

  it('never leave a number out where several numbers share a form', () => {
    for (const [language, key, text] of ALL) {
      const forms = formsOf(text)
      if (!forms.some(([, value]) => value.includes('{count}'))) continue
      for (const [form, value] of forms)
        if (!value.includes('{count}')) expect(['zero', 'one', 'two'], `${language}.${key}.${form}`).toContain(form)
    }
  })
})

describe('formatText', () => {
  const texts = (language: string): Record<string, Text> => LANGUAGES[language]!
  it.each([
    ['en', ['N records', 'N record', 'N records', 'N records', 'N records', 'N records']],
    ['de', ['N Datensätze', 'N Datensatz', 'N Datensätze', 'N Datensätze', 'N Datensätze', 'N Datensätze']],
    [
      'fr',
      [
        'N enregistrement',
        'N enregistrement',
        'N enregistrements',
        'N enregistrements',
        'N enregistrements',
        'N enregistrements',
      ],
    ],
    ['es', ['N registros', 'N registro', 'N registros', 'N registros', 'N registros', 'N registros']],
    ['ar', ['لا سجلات', 'سجل واحد', 'سجلان', 'N سجلات', 'N سجل', 'N سجل']],
  ])('chooses the plural form of 0, 1, 2, 5, 100 and 1,000,000 in %s', (language, expected) => {
    const found = COUNTS.map((count) => formatText(texts(language).recordCount!, { count }, language))
    expect(found).toEqual(
      expected.map((text, i) => text.replace('N', new Intl.NumberFormat(language).format(COUNTS[i]!))),
    )
  })

  it('distinguishes few and many in Arabic', () => {
    const found = [3, 10, 11, 99, 100, 103].map((count) => formatText(ar.recordCount, { count }, 'ar').split(' ')[1])
    expect(found).toEqual(['سجلات', 'سجلات', 'سجلًا', 'سجلًا', 'سجل', 'سجلات'])
  })

  it('writes numbers as the language does', () => {
    expect(formatText('{count} / {total}', { count: 1_000_000, total: 5000 }, 'en')).toBe('1,000,000 / 5,000')
    expect(formatText('{count} / {total}', { count: 1_000_000, total: 5000 }, 'de')).toBe('1.000.000 / 5.000')
  })

  it('leaves text values and unknown placeholders as they are', () => {
    expect(formatText('{name}: {year} {missing} {toString}', { name: '{year}', year: '2024' }, 'en')).toBe(
      '{year}: 2024 {missing} {toString}',
    )
  })

  it('falls back to the form for other numbers', () => {
    const forms: PluralForms = { one: 'one', other: 'other' }
    expect(formatText(forms, { count: 1_000_000 }, 'fr')).toBe('other')
    expect(formatText(forms, {}, 'en')).toBe('other')
    expect(formatText(forms, { count: '1' }, 'en')).toBe('other')
  })

  it('uses a form that is empty', () => {
    expect(formatText({ one: '', other: 'other' }, { count: 1 }, 'en')).toBe('')
  })

  it('creates one number format per language', () => {
    expect(numberFormat('es')).toBe(numberFormat('es'))
    expect(numberFormat('es')).not.toBe(numberFormat('en'))
  })
})
