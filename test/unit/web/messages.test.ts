/** The catalogue of messages in all languages, and how the application recognizes and translates a message. */
import { performance } from 'node:perf_hooks'
import { describe, expect, it } from 'vitest'
import { formatText, type Text } from '../../../schemas/messages/format.ts'
import { MESSAGES, type MessageKey } from '../../../schemas/messages/index.ts'
import ar from '../../../web/shared/messages/ar/index.ts'
import de from '../../../web/shared/messages/de/index.ts'
import es from '../../../web/shared/messages/es/index.ts'
import fr from '../../../web/shared/messages/fr/index.ts'
import { createTranslator, type Translations } from '../../../web/shared/messages/translate.ts'

const LANGUAGES: Record<string, Translations> = { de, fr, es, ar }
const ENTRIES = Object.entries(MESSAGES) as [MessageKey, Text][]
const ALL = Object.entries(LANGUAGES).flatMap(([language, translations]) =>
  (Object.entries(translations) as [MessageKey, Text][]).map(([key, text]): [string, MessageKey, Text] => [
    language,
    key,
    text,
  ]),
)

const getForms = (text: Text): string[] => (typeof text === 'string' ? [text] : Object.values(text))
const getPlaceholders = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g))].sort()
const getShapes = (text: Text): string[] => getForms(text).map((form) => form.replace(/\{\w+\}/g, '{}'))
const getNames = (text: Text): string[] => [
  ...new Set(getForms(text).flatMap((form) => getPlaceholders(form).map((name) => name.slice(1, -1)))),
]

const COUNTS = [0, 1, 2, 5, 1234]

function getSamples(text: Text): string[] {
  const names = getNames(text)
  const toValues = (count: number) =>
    Object.fromEntries(names.map((name, index) => [name, name === 'count' ? count : `${name} ${index}`]))
  const counts = names.includes('count') || typeof text !== 'string' ? COUNTS : [1]
  return [...new Set(counts.map((count) => formatText(text, { ...toValues(count), count }, 'en')))]
}

const readBack = createTranslator(MESSAGES, 'en')
const recognize = createTranslator(
  Object.fromEntries(
    ENTRIES.map(([key, text]) => [key, [key, ...getNames(text).map((name) => `${name}={${name}}`)].join('|')]),
  ) as Translations,
  'en',
)

describe('the catalogue of messages', () => {
  it.each(ENTRIES)('%s is recognized, with its values', (key, text) => {
    for (const sample of getSamples(text)) {
      expect(readBack(sample)).toBe(sample)
      const recognized = recognize(sample).split('|')[0] as MessageKey
      if (recognized !== key) expect(getShapes(MESSAGES[recognized]), sample).toContain(getShapes(text).at(-1))
    }
  })

  it.each(Object.keys(LANGUAGES))('has the same keys in %s as in English', (language) => {
    expect(Object.keys(LANGUAGES[language]!).sort()).toEqual(Object.keys(MESSAGES).sort())
  })

  it('has the same placeholders in every language', () => {
    const wrong = ALL.filter(([, key, text]) => {
      const expected = getNames(MESSAGES[key])
      const forms: [string, string][] = Object.entries(typeof text === 'string' ? { other: text } : text)
      return !forms.every(([category, form]) => {
        const names = getNames(form)
        // A form for exactly one number may leave it out, and without records there is nothing else to say about them.
        const isOptional = (name: string) => category !== 'other' && (name === 'count' || category === 'zero')
        return (
          names.every((name) => expected.includes(name)) &&
          expected.every((name) => names.includes(name) || isOptional(name))
        )
      })
    })
    expect(wrong.map(([language, key]) => `${language} ${key}`)).toEqual([])
  })

  it('has a form for every plural category, except for the millions of French and Spanish', () => {
    const wrong = ALL.filter(([language, , text]) => {
      if (typeof text === 'string') return false
      const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
      const optional = ['fr', 'es'].includes(language) ? ['many'] : []
      return pluralCategories.some((category) => !(category in text) && !optional.includes(category))
    })
    expect(wrong.map(([language, key]) => `${language} ${key}`)).toEqual([])
  })

  it('never leaves a number out where several numbers share a form', () => {
    for (const [language, key, text] of ALL) {
      if (typeof text === 'string' || !getNames(MESSAGES[key]).includes('count')) continue
      for (const [category, form] of Object.entries(text))
        if (!form.includes('{count}')) expect(['zero', 'one', 'two'], `${language} ${key}`).toContain(category)
    }
  })

  it('has no placeholders without text between them, whose values would be ambiguous', () => {
    const ambiguous = ENTRIES.filter(([, text]) => getForms(text).some((form) => form.includes('}{')))
    expect(ambiguous).toEqual([])
  })
})

describe('the translator', () => {
  const german = createTranslator(de, 'de')
  const english = 'This token does not have the {permission} permission.'
  const permission = (name: string) => english.replace('{permission}', () => name)
  const [permissionKey] = ENTRIES.find(([, text]) => text === english)!
  const inGerman = (name: string) => formatText(de[permissionKey], { permission: name }, 'de')

  it('translates a message and keeps its values', () => {
    expect(german(permission('jobs:write'))).toBe(inGerman('jobs:write'))
    expect(german(permission('jobs:write'))).not.toContain('This token')
  })

  it('leaves an unknown message as it is', () => {
    for (const text of ['', 'Please call Grace.', `${permission('a')} Ask Ada.`, 'constructor', '{count}'])
      expect(german(text)).toBe(text)
  })

  it('selects the plural form of the language', () => {
    const arabic = createTranslator(ar, 'ar')
    const forms = COUNTS.map((count) => arabic(formatText(MESSAGES['jobs.recordsDeleted'], { count }, 'en')))
    expect(forms).toEqual(COUNTS.map((count) => formatText(ar['jobs.recordsDeleted'], { count }, 'ar')))
    expect(new Set(forms).size).toBe(COUNTS.length)
  })

  it('keeps the direction of a value apart from that of an Arabic text', () => {
    const arabic = createTranslator(ar, 'ar')
    expect(arabic(permission('jobs:write'))).toBe(
      formatText(ar[permissionKey], { permission: '\u2068jobs:write\u2069' }, 'ar'),
    )
  })

  it('starts an Arabic text in its direction, even with a Latin value', () => {
    const arabic = createTranslator({ ...ar, [permissionKey]: '{permission}: مطلوب' }, 'ar')
    expect(arabic(permission('jobs:write'))).toBe('\u200f\u2068jobs:write\u2069: مطلوب')
  })

  it('translates a message within a message', () => {
    expect(german(permission(permission('jobs:write')))).toBe(inGerman(inGerman('jobs:write')))
  })

  it('writes a number as the language does, and leaves names that look like numbers', () => {
    expect(german('Deleted 1,234 records')).toContain('1.234')
    expect(german(permission('1,234.5'))).toBe(inGerman('1.234,5'))
    for (const name of ['2024', '1,23', '2.0', '007', '12345678901234567890', '1e3'])
      expect(german(permission(name))).toBe(inGerman(name))
  })

  it('does not take a text for a count', () => {
    expect(german('Deleted all records')).toBe('Deleted all records')
  })

  it.each(['$&', '$1', '.*', '(a|b)', '[x', '\\', '{permission}', '{count}', 'two\nlines', ''])(
    'keeps the value %j',
    (value) => {
      expect(german(permission(value))).toBe(inGerman(value))
    },
  )

  it('translates 1,000 different messages within 2 seconds', () => {
    const translate = createTranslator(de, 'de')
    const messages = Array.from({ length: 1000 }, (_, index) => {
      const [, text] = ENTRIES[index % ENTRIES.length]!
      const values = Object.fromEntries(getNames(text).map((name) => [name, `${name} ${index}`]))
      return formatText(text, { ...values, count: index }, 'en')
    })
    const start = performance.now()
    for (const message of messages) translate(message)
    expect(performance.now() - start).toBeLessThan(2000)
  })

  it('takes no longer for a long text that resembles many messages', () => {
    const translate = createTranslator(de, 'de')
    const start = performance.now()
    translate(ENTRIES.map(([, text]) => getForms(text)[0]).join(' '))
    translate('a: '.repeat(20_000))
    translate(`"${'" "'.repeat(20_000)}"`)
    expect(performance.now() - start).toBeLessThan(2000)
  })

  it('still translates after more messages than its cache holds', () => {
    const translate = createTranslator(de, 'de')
    for (let index = 0; index < 6000; index++) translate(permission(`p${index}`))
    expect(translate(permission('p0'))).toBe(inGerman('p0'))
  })
})
