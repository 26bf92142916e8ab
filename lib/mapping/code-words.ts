/** Finds countries by their adjectives (`italiana`, `polskie`) and currencies by some of the words of their names. Pure. */
import { memoizeText } from '../core/memo.ts'
import { LANGUAGES } from '../values/languages.ts'
import { listCodes } from './codes.ts'
import { splitWords } from './tokenize.ts'

const MIN_STEM_LETTERS = 4
const MAX_CUT_LETTERS = 2

interface CountryWord {
  word: string
  code: string
}

const listNames = (language: string, type: 'region' | 'language', codes: readonly string[]) => {
  const names = new Intl.DisplayNames([language], { type, fallback: 'none' })
  return codes.flatMap((code) => {
    const words = splitWords(names.of(code) ?? '')
    return words.length === 1 ? [{ word: words[0]!, code }] : []
  })
}

const getSharedLetters = (a: string, b: string): number => {
  let shared = 0
  while (shared < Math.min(a.length, b.length) && a[shared] === b[shared]) shared++
  return shared
}

const STARTS_OF_SEVERAL = /^dominic|^guine|^kongo|^congo|^samoa/

/** The languages named as their country is in at least one language: `polski` and `Polska`, but not `català`. */
const findRegion = (language: string): string | undefined =>
  language === 'pt' ? 'PT' : new Intl.Locale(language).maximize().region

const IRREGULAR = [
  ...listWords('US', 'american americain americano amerikaans amerikanisch amerykanskie estadounidense statunitense'),
  ...listWords('GB', 'british britisch britannico britannique britanico brits brytyjskie anglais engels englisch'),
  ...listWords('GB', 'english ingles inglese'),
  ...listWords('BE', 'belg'),
  ...listWords('EC', 'ecuatoriano'),
  ...listWords('MA', 'marroqui'),
  ...listWords('VE', 'venezolano'),
]

function listWords(code: string, words: string): CountryWord[] {
  return words.split(' ').map((word) => ({ word, code }))
}

let countryWords: { countries: readonly CountryWord[]; adjectives: readonly CountryWord[] } | undefined

function listCountryWords() {
  const [regions, languages] = [listCodes('region'), listCodes('language')]
  const perLanguage = LANGUAGES.map((language) => ({
    countries: listNames(language, 'region', regions),
    adjectives: listNames(language, 'language', languages),
  }))
  const isNamedAs = (region: string, language: string): boolean =>
    perLanguage.some(({ countries, adjectives }) => {
      const [name, country] = [adjectives, countries].map((words, at) =>
        words.find(({ code }) => code === [language, region][at]),
      )
      return name && country && getSharedLetters(name.word, country.word) >= MIN_STEM_LETTERS
    })
  const national = new Map(
    languages.flatMap((language) => {
      const region = findRegion(language)
      return region !== undefined && isNamedAs(region, language) ? [[language, region] as const] : []
    }),
  )
  return {
    countries: perLanguage.flatMap(({ countries }) => countries).filter(({ word }) => !STARTS_OF_SEVERAL.test(word)),
    adjectives: [
      ...IRREGULAR,
      ...perLanguage.flatMap(({ adjectives }) =>
        adjectives.flatMap(({ word, code }) => (national.has(code) ? [{ word, code: national.get(code)! }] : [])),
      ),
    ],
  }
}

const ENDINGS = new Set([
  '',
  ...'a as ais ce che chi co e em en er es esa i ie iego ka ki ne nes o os s sa sas'.split(' '),
])

function isInflected(text: string, word: string): boolean {
  const shared = getSharedLetters(text, word)
  return shared >= MIN_STEM_LETTERS && ENDINGS.has(text.slice(shared)) && ENDINGS.has(word.slice(shared))
}

const SUFFIXES = new Set([
  ...'a aans aanse anisch ain aine ais aise an ana ano ans ca chi cki ckie co e eira eiro en ena enne eno ense er erisch es esa ese'.split(
    ' ',
  ),
  ...'esi hina hino i ian iana iano ien ienne ina ino isch ische ischer ka ki kie n na nas ne nisch nische nne'.split(
    ' ',
  ),
  ...'no nos o ois oise s sch sche se si ska ski skie vian viana viano vien vienne'.split(' '),
])
const COUNTRY_ENDING = /^[aeiou]*n?$/

/** The country whose name starts in the same way, by two letters more than any other. */
function findByStem(text: string, countries: readonly CountryWord[]): string | undefined {
  const longest = new Map<string, number>()
  for (const { word, code } of countries) {
    const shared = getSharedLetters(text, word)
    const isStem = shared >= Math.max(MIN_STEM_LETTERS, word.length - MAX_CUT_LETTERS)
    if (isStem && COUNTRY_ENDING.test(word.slice(shared)) && SUFFIXES.has(text.slice(shared)))
      longest.set(code, Math.max(longest.get(code) ?? 0, shared))
  }
  const [first, second] = [...longest].sort((a, b) => b[1] - a[1])
  return first && (!second || first[1] - second[1] >= MAX_CUT_LETTERS) ? first[0] : undefined
}

export const findCountryOfAdjective = memoizeText((text: string): string | undefined => {
  if (text.length < MIN_STEM_LETTERS) return undefined
  countryWords ??= listCountryWords()
  const { adjectives, countries } = countryWords
  const [named, ...others] = new Set(adjectives.filter(({ word }) => isInflected(text, word)).map(({ code }) => code))
  if (named !== undefined) return others.length === 0 ? named : undefined
  return STARTS_OF_SEVERAL.test(text) ? undefined : findByStem(text, countries)
})

const COUNTS = [1, 2, 5, 1.5]

const listCurrencyWords = memoizeText((currency: string): string => {
  const words = LANGUAGES.flatMap((language) => {
    const options = { style: 'currency', currency, currencyDisplay: 'name', minimumFractionDigits: 0 } as const
    const name = new Intl.NumberFormat(language, options)
    const names = COUNTS.map((count) => name.formatToParts(count).find(({ type }) => type === 'currency')?.value ?? '')
    return [...new Set([...names, new Intl.DisplayNames([language], { type: 'currency' }).of(currency) ?? ''])]
  })
  return words.map((name) => splitWords(name).join(' ')).join('|')
})

const MIN_CUT_LETTERS = 2
const NAMES_OF_MANY_CURRENCIES = /^(?:[ck][oor]{1,2}[rn]|peso|dinar|rup|rand)/

/** `Pounds`, `korony czeskie` and `Fr. suisse`: all words are in one name, in this order or not. */
export function findCurrenciesByWords(text: string, currencies: readonly string[]): string[] {
  const words = splitWords(text)
  const isLong = words.some(({ length }) => length >= MIN_STEM_LETTERS)
  if (!isLong || words.length > 3 || (words.length === 1 && NAMES_OF_MANY_CURRENCIES.test(words[0]!))) return []
  return currencies.filter((currency) =>
    listCurrencyWords(currency)
      .split('|')
      .some((name) => {
        const own = name.split(' ')
        return words.every((word) => own.some((other) => isPartOf(word, other)))
      }),
  )
}

const isPartOf = (word: string, other: string): boolean =>
  word === other || (word.length >= MIN_CUT_LETTERS && other.startsWith(word)) || isInflected(word, other)
