/** Generates messy CSV files with Intl, which the reader of values does not use for numbers and dates. */
import Papa from 'papaparse'
import type { Field } from '../../schemas/sheets/fields.ts'
import type { Meant, MessyFile } from './files.ts'

export const MESSY_LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl'] as const
export type Language = (typeof MESSY_LANGUAGES)[number]

interface Random {
  below(limit: number): number
  pick<T>(items: readonly T[]): T
}

function createRandom(seed: number): Random {
  let state = seed
  const below = (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
  return { below, pick: (items) => items[below(items.length)]! }
}

interface Written<T> {
  text: string
  meant: T
}
type Writer<T> = () => Written<T>

const NOT_KNOWN: Record<Language, string> = { en: 'n/a', de: 'k. A.', fr: 'n.c.', es: 's/d', it: 'n.d.', nl: 'n.v.t.' }
const ROWS = 200
const DAY_MS = 86_400_000
const FIRST_DAY = Date.UTC(2015, 0, 1) / DAY_MS
const DAYS = 4000

function createDateWriter(language: Language, random: Random): Writer<string> {
  const locale = language === 'en' ? random.pick(['en-US', 'en-GB']) : language
  const format = (options: Intl.DateTimeFormatOptions) => {
    const formatter = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options })
    return (at: number) => formatter.format(at)
  }
  const toIso = (at: number) => new Date(at).toISOString().slice(0, 10)
  const digits = { day: '2-digit', month: '2-digit', year: 'numeric' } as const
  const numeric = format(digits)
  const styles = [
    [numeric],
    [format({ dateStyle: 'short' })],
    [numeric, format({ dateStyle: 'long' })],
    [format({ ...digits, day: 'numeric', month: 'numeric' }), toIso],
    [format({ dateStyle: 'medium' }), format({ dateStyle: 'full' }), (at: number) => new Date(at).toUTCString()],
    [numeric, toIso, format({ dateStyle: 'medium' }), (at: number) => `${toIso(at)}T00:00:00.000Z`],
    [format({ ...digits, year: '2-digit' }), numeric],
    [format({ ...digits, month: 'short' }), (at: number) => `${numeric(at)} 00:00`],
    [format({ ...digits, weekday: 'short' })],
  ]
  const style = random.pick(styles)
  return () => {
    const at = (FIRST_DAY + random.below(DAYS)) * DAY_MS
    return { text: random.pick(style)(at), meant: toIso(at) }
  }
}

const LOCALES: Record<Language, string> = {
  en: 'en-US',
  de: 'de-DE',
  fr: 'fr-FR',
  es: 'es-ES',
  it: 'it-IT',
  nl: 'nl-NL',
}

function createNumberWriter(language: Language, random: Random): Writer<number> {
  const currency = random.pick(['EUR', 'USD', 'CHF'])
  const styles: Intl.NumberFormatOptions[] = [
    { minimumFractionDigits: 2 },
    { style: 'currency', currency },
    { style: 'currency', currency, currencyDisplay: 'code' },
    { style: 'unit', unit: 'kilogram', maximumFractionDigits: 1 },
    { style: 'unit', unit: 'percent', maximumFractionDigits: 1 },
  ]
  const style = random.pick(styles)
  const locale = language === 'de' ? random.pick(['de-DE', 'de-CH', 'de-AT']) : LOCALES[language]
  const format = new Intl.NumberFormat(locale, { maximumFractionDigits: 2, ...style })
  const hasTrailingMinus = random.below(4) === 0 && style.style === undefined
  const isAccounting = random.below(3) === 0 && style.style !== 'unit'
  return () => {
    const digits = format.resolvedOptions().maximumFractionDigits
    const value = Number(((random.below(4_000_000) - 1_000_000) / 100).toFixed(digits))
    const trailing = `${format.format(-value)}-`
    if (hasTrailingMinus && value < 0) return { text: trailing, meant: value }
    const text = isAccounting && value < 0 ? `(${format.format(-value)})` : format.format(value)
    return { text, meant: value }
  }
}

const BOOLEANS: Record<Language, [yes: string[], no: string[]]> = {
  en: [
    ['yes', 'Yes', 'TRUE', 'y'],
    ['no', 'No', 'FALSE', 'n'],
  ],
  de: [
    ['ja', 'Ja', 'WAHR', 'j'],
    ['nein', 'Nein', 'FALSCH', 'n'],
  ],
  fr: [
    ['oui', 'Oui', 'VRAI', 'o'],
    ['non', 'Non', 'FAUX', 'n'],
  ],
  es: [
    ['sí', 'Si', 'VERDADERO', 's'],
    ['no', 'No', 'FALSO', 'n'],
  ],
  it: [
    ['sì', 'Si', 'VERO', 's'],
    ['no', 'No', 'FALSO', 'n'],
  ],
  nl: [
    ['ja', 'Ja', 'WAAR', 'j'],
    ['nee', 'Nee', 'ONWAAR', 'n'],
  ],
}

function createBooleanWriter(language: Language, random: Random): Writer<boolean> {
  const [yes, no] = random.pick([
    BOOLEANS[language],
    [
      ['1', ...BOOLEANS[language][0]],
      ['0', ...BOOLEANS[language][1]],
    ],
    [['x', 'X'], ['']],
  ])
  return () => {
    const meant = random.below(2) === 1
    return { text: random.pick(meant ? yes! : no!), meant }
  }
}

const COUNTRIES = ['DE', 'FR', 'ES', 'IT', 'NL', 'GB', 'US', 'CH', 'AT', 'BE', 'PL', 'SE', 'AU', 'SK', 'SI']

function createCountryWriter(language: Language, random: Random): Writer<string> {
  const names = new Intl.DisplayNames([language], { type: 'region' })
  return () => {
    const meant = random.pick(COUNTRIES)
    const name = names.of(meant)!
    const misspelled = `${name.slice(0, 3)}${name[2]}${name.slice(3)}`
    if (name.length > 6 && random.below(100) === 0) return { text: misspelled, meant }
    return { text: random.pick([name, name, name.toUpperCase(), meant, meant.toLowerCase(), ` ${name} `]), meant }
  }
}

const STATES = ['open', 'closed', 'cancelled'] as const
const STATE_WORDS: Record<Language, Record<(typeof STATES)[number], string>> = {
  en: { open: 'Open', closed: 'Closed', cancelled: 'Canceled' },
  de: { open: 'offen', closed: 'geschlossen', cancelled: 'storniert' },
  fr: { open: 'Ouvert', closed: 'Fermé', cancelled: 'Annulé' },
  es: { open: 'Abierto', closed: 'Cerrado', cancelled: 'Cancelado' },
  it: { open: 'Aperto', closed: 'Chiuso', cancelled: 'Annullato' },
  nl: { open: 'Open', closed: 'Gesloten', cancelled: 'Geannuleerd' },
}

function createStateWriter(language: Language, random: Random): Writer<string> {
  return () => {
    const meant = random.pick(STATES)
    const word = STATE_WORDS[language][meant]
    return { text: random.pick([word, word.toUpperCase(), `${word}\u00a0`, meant]), meant }
  }
}

const NAMES = ['Ada Lovelace', 'Blaise Pascal', 'Carl Gauß', 'Émilie du Châtelet', 'María Wonenburger', 'Łukasz Nowak']

function createNameWriter(random: Random): Writer<string> {
  return () => {
    const meant = random.pick(NAMES)
    return {
      text: random.pick([meant, ` ${meant}`, `${meant}\u00a0`, meant.replace(' ', '\u00a0'), `\ufeff${meant}`]),
      meant,
    }
  }
}

const toOptions = (values: readonly string[]) => ({ options: values.map((value) => ({ value })) })

export function generateMessyFile(language: Language, seed: number): MessyFile {
  const random = createRandom(seed * 7919 + MESSY_LANGUAGES.indexOf(language))
  const columns: [Field, Writer<Meant>][] = [
    [{ key: 'name', type: 'string' }, createNameWriter(random)],
    [{ key: 'ordered', type: 'date' }, createDateWriter(language, random)],
    [{ key: 'shipped', type: 'date' }, createDateWriter(language, random)],
    [{ key: 'amount', type: 'number' }, createNumberWriter(language, random)],
    [{ key: 'discount', type: 'number' }, createNumberWriter(language, random)],
    [{ key: 'paid', type: 'boolean' }, createBooleanWriter(language, random)],
    [{ key: 'country', type: 'enum', config: toOptions(COUNTRIES) }, createCountryWriter(language, random)],
    [{ key: 'state', type: 'enum', config: toOptions(STATES) }, createStateWriter(language, random)],
  ]
  const createCell = ({ type }: Field, write: Writer<Meant>): Written<Meant> =>
    type !== 'string' && type !== 'boolean' && random.below(200) === 0
      ? { text: NOT_KNOWN[language], meant: null }
      : write()
  const cells = columns.map(([field, write]) => Array.from({ length: ROWS }, () => createCell(field, write)))
  const listRows = <T>(toValue: (cell: Written<Meant>) => T): T[][] =>
    Array.from({ length: ROWS }, (_, row) => cells.map((column) => toValue(column[row]!)))
  const keys = columns.map(([{ key }]) => key)
  return {
    name: `generated ${language} ${seed}.csv`,
    language,
    bytes: Buffer.from(Papa.unparse([keys, ...listRows(({ text }) => text)])),
    fields: columns.map(([field]) => field),
    rows: listRows(({ meant }) => meant).map((row) => Object.fromEntries(row.map((meant, i) => [keys[i]!, meant]))),
    columns: {},
    asked: [],
  }
}
