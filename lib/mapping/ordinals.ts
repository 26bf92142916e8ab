/** Reads `1.`, `2nd`, `dritte`, `IV` and `two` as numbers. Pure. */
import { splitWords } from './tokenize.ts'

const WORDS: readonly string[] = [
  'first erste erster erstes premier premiere primer primero primera primo prima eerste primeiro primeira pierwszy pierwsza pierwsze',
  'second zweite zweiter zweites deuxieme seconde segundo segunda secondo seconda tweede drugi druga drugie',
  'third dritte dritter drittes troisieme tercer tercero tercera terzo terza derde terceiro terceira trzeci trzecia trzecie',
  'fourth vierte vierter viertes quatrieme cuarto cuarta vierde quarta czwarty czwarta czwarte',
  'fifth funfte funfter funftes cinquieme quinto quinta vijfde piaty piata piate',
]
const numberWords = (lists: readonly string[], first: number): ReadonlyMap<string, string> =>
  new Map(lists.flatMap((words, at) => words.split(' ').map((word) => [word, String(at + first)] as const)))
const numbers = numberWords(WORDS, 1)
const ENGLISH = WORDS.map((words) => words.split(' ')[0]!)

const CARDINALS: readonly string[] = [
  'two zwei deux dos due twee dois duas dwa dwie',
  'three drei trois tres tre drie trzy',
  'four vier quatre cuatro quattro quatro cztery',
  'five funf cinq cinco cinque vijf piec',
  'six sechs seis sei zes szesc',
]
const counts = numberWords(CARDINALS, 2)

export const spellCount = (text: string): string => {
  const [first = '', ...others] = splitWords(text)
  const count = counts.get(first)
  return count === undefined || others.length === 0 ? text : [count, ...others].join(' ')
}

export const findOrdinal = (word: string): string | undefined => numbers.get(word)

const ENDINGS = 'st|nd|rd|th|ª|º|°|er|re|ere|ère|eme|ème|e|a|o|ste|de|te|szy|sza|sze'
const ORDINAL = new RegExp(
  `(?<![\\p{L}\\d.,/-])([1-5])(?:\\.(?=\\s?\\p{L}{2})|\\s?(?:${ENDINGS})(?![\\p{L}\\d])\\.?)`,
  'iu',
)

/** `1. Mahnung` as `first Mahnung`. */
export const spellOrdinal = (text: string): string =>
  text.replace(ORDINAL, (_, digit: string) => `${ENGLISH[Number(digit) - 1]!} `)

const ROMAN = ['I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX', 'X', 'XI', 'XII']
const LAST_ROMAN = /(?<![\p{L}\d])([IVX]{1,4})$/u

/** `Class IV` as `Class 4`. */
export const spellRoman = (text: string): string =>
  text.replace(LAST_ROMAN, (numeral) => (ROMAN.includes(numeral) ? String(ROMAN.indexOf(numeral) + 1) : numeral))
