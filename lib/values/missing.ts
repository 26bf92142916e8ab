/** Words that people and programs write where a value is missing. */
import freeWords from './free-words.json' with { type: 'json' }
import textWords from './missing-texts.json' with { type: 'json' }
import words from './missing-words.json' with { type: 'json' }
import { cleanText, withoutAccents } from './texts.ts'
import unknownWords from './unknown-words.json' with { type: 'json' }

const DASHES = /^(?:[-–—_?]{1,5}|\/{1,3})$/
/** Compared without spaces and accents. */
const WORDS = new Set(
  Object.values(words)
    .flat()
    .map((word) => word.replace(/ /g, '')),
)
/** `so` can be a Sunday, but `s.o.` is missing. */
const DOTTED_WORDS = new Set([...WORDS].filter((word) => word.includes('.')).map((word) => word.replace(/\.$/, '')))
const MAX_LENGTH = 24
const DIGIT = /\d/
const TEXT_DASHES = /^[-–—]{1,5}$/
const MISSING_TEXTS = new Set(textWords)
/** The zero date of databases and of SAP. */
const ZERO_DATE = /^(?:0{8}|0{1,4}([-./])0{1,2}\1\s?0{1,4})(?:[ T]0{1,2}(?::0{2}){1,2}(?:\.0+)?)?$/

/** @param word without surrounding and invisible characters */
const toPlainWord = (word: string): string => withoutAccents(word.toLowerCase()).replace(/[\s()<>[\]]/g, '')

export function isMissingWord(text: string): boolean {
  if (text.length > MAX_LENGTH || DIGIT.test(text)) return false
  const word = cleanText(text)
  if (DASHES.test(word)) return true
  const plain = toPlainWord(word)
  return WORDS.has(plain.replace(/\./g, '')) || DOTTED_WORDS.has(plain.replace(/\.$/, ''))
}

const NONE = new Set(
  'none no keine keiner ohne aucun aucune sans ninguno ninguna sin nessuno nessuna senza geen zonder nenhum nenhuma sem brak bez'.split(
    ' ',
  ),
)

/** `keine` and `none`, which an option such as `No discount` can mean. */
export const startsWithNone = (text: string): boolean =>
  NONE.has(withoutAccents(cleanText(text).toLowerCase()).split(/[\s._-]/)[0]!)

const listWords = (words: Record<string, readonly string[]>): ReadonlySet<string> =>
  new Set(
    Object.values(words)
      .flat()
      .map((word) => toPlainWord(word).replace(/\./g, '')),
  )

const UNKNOWN_WORDS = listWords(unknownWords.unknown)
const NO_DATE_WORDS = listWords(unknownWords.noDate)
const isOneOf = (words: ReadonlySet<string>, text: string): boolean =>
  text.length <= MAX_LENGTH && words.has(toPlainWord(cleanText(text)).replace(/\./g, ''))

/** Not a number or a date, as `to be confirmed`; but it can be an option. */
export const isUnknownWord = (text: string): boolean => isOneOf(UNKNOWN_WORDS, text)

const NOT_KNOWN = /^(?:unk|unbekannt|inconnu|desco|sconosc|onbekend|nieznan|folgt|volgt)/

export const isUndecidedWord = (text: string): boolean =>
  isUnknownWord(text) && !NOT_KNOWN.test(toPlainWord(cleanText(text)))

const STATE =
  /stat|stand\b|stage|phase|fase|etap|estado|situa|zustand|etat\b|result|resposta|antwo|answer|reply|rsvp|note|comment|bemerk|anmerk|remark|observ|opmerk|uwag|descri|beschr|opis|decis|entsch/

export const namesState = (name: string): boolean => STATE.test(withoutAccents(name.toLowerCase()))

export const isNoDateWord = (text: string): boolean => isOneOf(NO_DATE_WORDS, text)

export const isDash = (text: string): boolean => DASHES.test(cleanText(text))

/** Words that cannot be a text, unlike `none` or the name `Null`. */
export function isMissingText(text: string): boolean {
  if (text.length > MAX_LENGTH) return false
  const word = cleanText(text)
  const isNull = /^[(<]?(?:NULL|null)[)>]?$/.test(word)
  return isNull || isTextDash(word) || MISSING_TEXTS.has(withoutAccents(word.toLowerCase()).replace(/\s/g, ''))
}

export const isTextDash = (text: string): boolean => TEXT_DASHES.test(cleanText(text))

export const isZeroDate = (text: string): boolean => text.length <= MAX_LENGTH && ZERO_DATE.test(cleanText(text))

const FREE_WORDS = listWords(freeWords.free)
const MONEY_WORDS = Object.values(freeWords.money).flat()

export const isFreeWord = (text: string): boolean => isOneOf(FREE_WORDS, text)

const MIN_COMPOUND_LETTERS = 5

export const namesMoney = (name: string): boolean =>
  withoutAccents(name.toLowerCase())
    .split(/[^\p{L}]+/u)
    .some((own) =>
      MONEY_WORDS.some((word) => own === word || (word.length >= MIN_COMPOUND_LETTERS && own.endsWith(word))),
    )
