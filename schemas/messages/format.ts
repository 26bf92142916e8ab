/** Texts with values and plural forms, for screens and for the server's messages. */

/** One text for each plural category that a language distinguishes; `other` stands for those that are missing. */
export type PluralForms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }
export type Text = string | PluralForms
export type Values = Record<string, string | number>

const numberFormats = new Map<string, Intl.NumberFormat>()
const pluralRules = new Map<string, Intl.PluralRules>()

/** Creating a formatter is slow, so each language has one, created when it is first needed. */
export function numberFormat(language: string): Intl.NumberFormat {
  const format = numberFormats.get(language) ?? new Intl.NumberFormat(language)
  numberFormats.set(language, format)
  return format
}

/** English, the server's language, needs no Intl here: its first formatter takes 11 ms, at the cold start of some functions. */
const formatNumber = (value: number, language: string): string =>
  language === 'en' && Number.isSafeInteger(value)
    ? String(value).replace(/\B(?=(\d{3})+$)/g, ',')
    : numberFormat(language).format(value)

function pluralRule(count: number, language: string): Intl.LDMLPluralRule {
  if (language === 'en') return Math.abs(count) === 1 ? 'one' : 'other'
  const rules = pluralRules.get(language) ?? new Intl.PluralRules(language)
  pluralRules.set(language, rules)
  return rules.select(count)
}

/**
 * Replaces each `{name}` by its value; numbers are written as the language writes them. `values.count` chooses the plural form.
 *
 * @example
 * const text = { one: '{count} record', other: '{count} records' }
 * formatText(text, { count: 1 }, 'en') // '1 record'
 * formatText(text, { count: 5000 }, 'en') // '5,000 records'
 */
export function formatText(text: Text, values: Values, language: string): string {
  return pluralForm(text, values.count, language).replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    return typeof value === 'number' ? formatNumber(value, language) : (value ?? placeholder)
  })
}

function pluralForm(text: Text, count: string | number | undefined, language: string): string {
  if (typeof text === 'string') return text
  return (typeof count === 'number' ? text[pluralRule(count, language)] : undefined) ?? text.other
}
