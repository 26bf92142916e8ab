/** Looks up countries, currencies and languages by their names in the runtime's CLDR data, and states of the USA. */
import { LANGUAGES } from '../values/languages.ts'
import { compact, isMisspelledWord } from './tokenize.ts'
import { US_STATES } from './us-states.ts'

export const CODE_KINDS = ['region', 'currency', 'language', 'us-state'] as const
export type CodeKind = (typeof CODE_KINDS)[number]

const EXTRA_NAMES: { readonly [kind in CodeKind]: Record<string, string> } = {
  region: {
    usa: 'US',
    unitedstatesofamerica: 'US',
    america: 'US',
    uk: 'GB',
    greatbritain: 'GB',
    england: 'GB',
    scotland: 'GB',
    wales: 'GB',
    northernireland: 'GB',
    holland: 'NL',
    brd: 'DE',
    gbr: 'GB',
    deu: 'DE',
    fra: 'FR',
    ita: 'IT',
    esp: 'ES',
    nld: 'NL',
    aut: 'AT',
    che: 'CH',
    can: 'CA',
    czechrepublic: 'CZ',
    tschechischerepublik: 'CZ',
    republiquetcheque: 'CZ',
    republicacheca: 'CZ',
    repubblicaceca: 'CZ',
    grossbritannien: 'GB',
    grandebretagne: 'GB',
    granbretana: 'GB',
    granbretagna: 'GB',
    grootbrittannie: 'GB',
    turkey: 'TR',
    bel: 'BE',
    pol: 'PL',
    prt: 'PT',
    dnk: 'DK',
    swe: 'SE',
    nor: 'NO',
    eire: 'IE',
    republicofireland: 'IE',
    repofireland: 'IE',
    tschechrepublik: 'CZ',
    rfa: 'DE',
    reinounido: 'GB',
    runido: 'GB',
    rpchine: 'CN',
    prc: 'CN',
    vrchina: 'CN',
    eeuu: 'US',
    eua: 'US',
    dtl: 'DE',
  },
  currency: { sterling: 'GBP', poundsterling: 'GBP' },
  language: {},
  'us-state': US_STATES,
}

/** The letters on cars, which people write in addresses. */
const REGIONS_BY_LETTER: Readonly<Record<string, string>> = {
  ...{ a: 'AT', b: 'BE', d: 'DE', e: 'ES', f: 'FR', h: 'HU', i: 'IT', l: 'LU', m: 'MT', n: 'NO', p: 'PT', s: 'SE' },
}

const indexes = new Map<CodeKind, ReadonlyMap<string, string>>()
let currencyPlurals: ReadonlyMap<string, string> | undefined

export function findCode(kind: CodeKind, name: string): string | undefined {
  const index = getIndex(kind)
  return index.get(name) ?? (name.startsWith('the') ? index.get(name.slice(3)) : undefined)
}

/** Also finds codes by names that are too short or too many to tell that a field has codes. */
export function findCodeOfValue(kind: CodeKind, name: string): string | undefined {
  const code = findCode(kind, name)
  if (code !== undefined || kind === 'language' || kind === 'us-state') return code
  if (kind === 'region') return REGIONS_BY_LETTER[name]
  currencyPlurals ??= buildNames('currency', (language, currency) => [formatPlural(language, currency)])
  return currencyPlurals.get(name)
}

export function findMisspelledCode(kind: CodeKind, name: string): string | undefined {
  const codes = new Set<string>()
  for (const [other, code] of getIndex(kind)) if (isMisspelledWord(other, name)) codes.add(code)
  const [code, ...others] = codes
  return others.length === 0 ? code : undefined
}

export function findCutCodes(kind: CodeKind, start: string): ReadonlySet<string> {
  const names = [...getIndex(kind)].filter(([name]) => name.length > start.length && name.startsWith(start))
  return new Set(names.map(([, code]) => code))
}

function getIndex(kind: CodeKind): ReadonlyMap<string, string> {
  let index = indexes.get(kind)
  if (!index) {
    index = buildIndex(kind)
    indexes.set(kind, index)
  }
  return index
}

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz']
const LETTER_PAIRS = LETTERS.flatMap((first) => LETTERS.map((second) => first + second))

export function listCodes(kind: CodeKind): string[] {
  if (kind === 'currency') return Intl.supportedValuesOf('currency')
  if (kind === 'language') return LETTER_PAIRS
  if (kind === 'us-state') return Object.values(US_STATES)
  return LETTER_PAIRS.map((pair) => pair.toUpperCase()).filter(
    (code) => Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`,
  )
}

function formatPlural(language: string, currency: string): string {
  const format = new Intl.NumberFormat(language, { style: 'currency', currency, currencyDisplay: 'name' })
  return format.formatToParts(5).find(({ type }) => type === 'currency')?.value ?? ''
}

function buildIndex(kind: CodeKind): ReadonlyMap<string, string> {
  const names = kind === 'us-state' ? new Map<string, string>() : buildDisplayNames(kind)
  for (const code of kind === 'us-state' ? listCodes(kind) : new Set(names.values()))
    names.set(code.toLowerCase(), code)
  for (const [name, code] of Object.entries(EXTRA_NAMES[kind])) names.set(name, code)
  return names
}

function buildDisplayNames(kind: Exclude<CodeKind, 'us-state'>): Map<string, string> {
  const displays = new Map(
    LANGUAGES.map((language) => [language, new Intl.DisplayNames([language], { type: kind, fallback: 'none' })]),
  )
  return buildNames(kind, (language, code) => {
    const name = displays.get(language)!.of(code)
    return name ? [name, name.replace(/\(.*\)/, '')] : []
  })
}

type Language = (typeof LANGUAGES)[number]

function buildNames(
  kind: Exclude<CodeKind, 'us-state'>,
  listSpellings: (language: Language, code: string) => readonly string[],
): Map<string, string> {
  const codes = listCodes(kind)
  const names = new Map<string, string>()
  const ambiguous = new Set(['congo', 'kongo'])
  for (const language of LANGUAGES)
    for (const code of codes)
      for (const spelling of new Set(listSpellings(language, code).map(compact))) {
        if ((names.get(spelling) ?? code) !== code) ambiguous.add(spelling)
        names.set(spelling, code)
      }
  for (const name of [...ambiguous, '']) names.delete(name)
  return names
}
