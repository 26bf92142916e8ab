import { FRACTION } from './fractions.ts'
import { LANGUAGES } from './languages.ts'
import { withoutAccents } from './texts.ts'
import unitWords from './unit-words.json' with { type: 'json' }

export const normalizeUnit = (unit: string): string => {
  const name = unit.replace(/[.\s]/g, '').replace('º', '°').replace('²', '2').replace('³', '3').toLowerCase()
  if (pieces.has(withoutAccents(name))) return 'pcs'
  return VOLUME_PERCENT.test(name) || PERCENT.test(name) ? '%' : name
}

const VOLUME_PERCENT = /^%(?:vol|abv)$/
const PERCENT = /^(?:per|por|pour)-?(?:cent|ciento|cento)$|^(?:pro[cz]ent|proz|procent|pct|vh)$/

const pieces = new Set(unitWords.piece)

let currencies: Map<string, Set<string>> | undefined
let multipliers: Set<string> | undefined
let units: Set<string> | undefined

export function findCurrencies(unit: string): ReadonlySet<string> | undefined {
  currencies ??= listCurrencies()
  return currencies.get(normalizeUnit(unit))
}

const MORE_SIGNS = {
  ...{ euro: 'EUR', euros: 'EUR', fr: 'CHF', sfr: 'CHF', franken: 'CHF', tl: 'TRY', pounds: 'GBP', quid: 'GBP' },
  ...{ $us: 'USD', $ca: 'CAD', c$: 'CAD', $au: 'AUD', rs: 'INR' },
  ...{ zloty: 'PLN', złoty: 'PLN', złote: 'PLN', złotych: 'PLN', zlotych: 'PLN' },
}

function listCurrencies(): Map<string, Set<string>> {
  const codesBySign = new Map(Object.entries(MORE_SIGNS).map(([sign, code]) => [sign, new Set([code])]))
  for (const [language, currencyDisplay] of [
    ['en', 'narrowSymbol'],
    ['en', 'symbol'],
    ['en-CA', 'symbol'],
  ] as const)
    for (const currency of Intl.supportedValuesOf('currency')) {
      const parts = new Intl.NumberFormat(language, { style: 'currency', currency, currencyDisplay }).formatToParts(1)
      const sign = normalizeUnit(parts.find(({ type }) => type === 'currency')!.value)
      for (const name of [sign, currency.toLowerCase()])
        codesBySign.set(name, (codesBySign.get(name) ?? new Set()).add(currency))
    }
  return codesBySign
}

export const isMultiplier = (unit: string): boolean => {
  multipliers ??= listMultipliers()
  const name = normalizeUnit(unit)
  return multipliers.has(name) || (endsWithCurrency(name) && findUnits(name).size === 0)
}

const MONEY_POWERS: Readonly<Record<string, number>> = {
  ...{ k: 3, tsd: 3, tys: 3, tis: 3 },
  ...{ m: 6, mio: 6, mln: 6, mn: 6, mlj: 6, milj: 6 },
  ...{ b: 9, bn: 9, mrd: 9, mld: 9, md: 9 },
}
const MONEY_MULTIPLIER = /^(\p{L}{1,4})\.?\s?(.*)$/u
const LETTERS_BEFORE_SIGN = /^([km])(\P{L}.*|[a-z]{3})$/iu

/** `£5k`, `1,2 Mio. €` and `3 k€`. Without a currency, `5m` can be something else. */
export function findMoneyMultiplier(suffix: string, prefix: string): { unit: string; power: number } | undefined {
  const bare = suffix.replace(/\.$/, '').toLowerCase()
  if (prefix === '' && BARE_MULTIPLIERS.has(bare)) return { unit: `${bare}${MULTIPLIED}`, power: MONEY_POWERS[bare]! }
  if (prefix === '' && findCurrencies(suffix)) return undefined
  const [, name = '', rest = ''] = LETTERS_BEFORE_SIGN.exec(suffix) ?? MONEY_MULTIPLIER.exec(suffix) ?? []
  const power = MONEY_POWERS[name.toLowerCase()]
  const currency = prefix === '' ? rest : rest === '' ? prefix : ''
  if (power === undefined || currency === '' || !findCurrencies(currency)) return undefined
  return { unit: `${name.toLowerCase()}${MULTIPLIED}${normalizeUnit(currency)}`, power }
}

const NAMED_MONEY =
  /(?:^|[\s([_])(?:in\s)?((\p{Sc}|[A-Z]{3}\s?)?(?:k|T|M|m|bn|mn|(?:[Mm]io|[Mm]ln|[Mm]rd|[Mm]ld|[Tt]sd|[Tt]ys)\.?)\s?(\p{Sc}|[A-Z]{3}|zł)?)[)\]]?$/u
const MAX_MONEY_LENGTH = 16

/** `k*€` of `Value (k€)`, `Umsatz TEUR` and `Revenue ($m)`. */
export function findNamedMoney(name: string): string | undefined {
  const [, whole, sign = '', currency = ''] = NAMED_MONEY.exec(name.trim().slice(-MAX_MONEY_LENGTH)) ?? []
  if (whole === undefined || (sign === '') === (currency === '')) return undefined
  return findMoneyMultiplier(
    whole
      .slice(sign.length)
      .trim()
      .replace(/^T(?![a-z])/, 'k'),
    sign.trim(),
  )?.unit
}

/** `k*€` is 10 to the power of 3 of `€`. */
export function splitMoney(unit: string): { power: number; currencies: ReadonlySet<string> } | undefined {
  const [power, currency] = unit.includes(MULTIPLIED) ? unit.split(MULTIPLIED) : ['', unit]
  const currencies = findCurrencies(currency!)
  return currencies && { power: MONEY_POWERS[power!] ?? 0, currencies }
}

const MULTIPLIED = '*'
const BARE_MULTIPLIERS = new Set(['k', 'tsd', 'tys', 'mio', 'mln', 'mrd', 'mld', 'bn'])

/** The `k` of `12k`, which are thousands in a column of money only. */
export const isBareMultiplier = (unit: string): boolean => unit.endsWith(MULTIPLIED)

const RATE =
  /^(\P{L}|\p{L}{2,4}\.?)?\s?(?:p?\/|(?<!\p{L})(?:per|pro|par|por|al|alla|je)\s)\s?(\p{L}{1,12}[23²³]?)\.?$/iu
const EACH = /^(?:each|ea)\.?$/i
const BASIS =
  /^(\P{L}|\p{L}{2,4}\.?)?\s?(ttc|ht|brutto|netto|gross|net|bruto|neto|lordi|netti|c\/u|cad|pp|p\.\s?a|p\.?\s?\/?st|p\.?c\.?m|(?:inkl?|incl?|excl?|zzgl|plus)\.?(?:\s(?:mwst|ust|vat|btw|iva|tva))?)\.?$/iu

/** `20 €/mese`, `$3/hr`, `$5 each` and `12 € TTC`, of which only the amount is read. */
export function findRate(suffix: string, prefix: string): string | undefined {
  const [whole, sign = '', per = ''] = EACH.test(suffix)
    ? [suffix, '', 'each']
    : (RATE.exec(suffix) ?? BASIS.exec(suffix) ?? [])
  const currency = prefix === '' ? sign : sign === '' ? prefix : ''
  if (whole === undefined || currency === '' || !findCurrencies(currency)) return undefined
  return `${normalizeUnit(currency)}${PER}${per.toLowerCase()}`
}

const PER = '/'

export const getPer = (unit: string): string | undefined =>
  unit.includes(PER) && findCurrencies(unit.split(PER)[0]!) ? unit.split(PER)[1] : undefined

/** `€` of `k*€` and `€/month`. */
export function toPlainUnit(unit: string): string {
  const [plain, per] = [unit.slice(unit.indexOf(MULTIPLIED) + 1), getPer(unit)]
  return per === undefined ? plain : plain.slice(0, plain.indexOf(PER))
}

export const isMultiplied = (unit: string): boolean => unit.includes(MULTIPLIED)

const BOTTLES = 'btl'

const endsWithCurrency = (name: string): boolean =>
  name !== BOTTLES && /^[kmtb]./u.test(name) && !findCurrencies(name) && findCurrencies(name.slice(1)) !== undefined

const MORE_MULTIPLIERS = [
  'tsd',
  'tausend',
  'mn',
  'bn',
  'mm',
  'tys',
  'tis',
  'mille',
  'mio',
  'mrd',
  'lakh',
  'crore',
  'cr',
  'dr',
]

function listMultipliers(): Set<string> {
  const names = new Set(MORE_MULTIPLIERS)
  for (const language of LANGUAGES)
    for (const compactDisplay of ['short', 'long'] as const)
      for (const value of [1, 2, 5].flatMap((digit) => [3, 4, 6, 9, 12].map((power) => digit * 10 ** power))) {
        const format = new Intl.NumberFormat(language, { notation: 'compact', compactDisplay })
        const name = format.formatToParts(value).find(({ type }) => type === 'compact')?.value
        if (name) names.add(normalizeUnit(name))
      }
  return names
}

let unitsByName: Map<string, Set<string>> | undefined
const NO_UNITS: ReadonlySet<string> = new Set()

/** All units with this name: `Std.` and `hours` are hours, `m` can be metres or minutes. Empty if it has none. */
export function findUnits(name: string): ReadonlySet<string> {
  unitsByName ??= nameUnits()
  const unit = withoutAccents(normalizeUnit(name))
  return unitsByName.get(unit) ?? unitsByName.get(unit.replace(/s$/, '')) ?? NO_UNITS
}

function nameUnits(): Map<string, Set<string>> {
  const named = new Map([
    ['pcs', new Set(['piece'])],
    [FRACTION, new Set([FRACTION])],
  ])
  const addName = (name: string, unit: string) => named.set(name, (named.get(name) ?? new Set()).add(unit))
  for (const [unit, names] of Object.entries(unitWords)) for (const name of names) addName(name, unit)
  for (const unit of Intl.supportedValuesOf('unit'))
    for (const language of LANGUAGES)
      for (const unitDisplay of ['long', 'short', 'narrow'] as const)
        for (const name of listUnitNames(language, { unit, unitDisplay }, [1, 2, 2.5, 5]))
          addName(withoutAccents(name), unit)
  return named
}

export function isUnit(text: string): boolean {
  units ??= new Set(
    Intl.supportedValuesOf('unit').flatMap((unit) =>
      (['short', 'narrow'] as const).flatMap((unitDisplay) => listUnitNames('en', { unit, unitDisplay }, [2])),
    ),
  )
  return units.has(normalizeUnit(text))
}

function listUnitNames(language: string, options: Intl.NumberFormatOptions, values: readonly number[]): string[] {
  const format = new Intl.NumberFormat(language, { style: 'unit', ...options })
  return values.map((value) => {
    const part = format.formatToParts(value).find(({ type }) => type === 'unit' || type === 'percentSign')
    return normalizeUnit(part?.value ?? '%')
  })
}
