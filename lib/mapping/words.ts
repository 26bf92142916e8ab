/** Names as people write them, brought to words: accents, case, punctuation, camelCase and plural endings do not count. Pure. */

/** Words that say nothing about which field is meant. */
const FILLERS = new Set([
  'the',
  'of',
  'a',
  'an',
  'your',
  'our',
  'please',
  'enter',
  'field',
  'column',
  'value',
  'de',
  'du',
  'la',
  'le',
  'der',
  'die',
  'das',
  'des',
  'del',
  'd',
  'l',
  'el',
  'di',
  'van',
  'het',
  'required',
  'optional',
])

const withoutAccents = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').replace(/ß/g, 'ss').replace(/[øØ]/g, 'o').replace(/[æÆ]/g, 'ae')

/** The words of a name, lower-case: `"E-Mail Adresse (privat)"` is `["e","mail","adresse","privat"]`. */
export function wordsOf(name: string): string[] {
  return withoutAccents(name)
    .replace(/[#№]|\bn[°º]/gi, ' number ')
    .replace(/%/g, ' percent ')
    .replace(/&/g, ' and ')
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/(\p{L})(\p{N})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}

/** The words that carry meaning, singular; all of them when every one is a filler. */
export function meaningfulWords(name: string): string[] {
  const words = wordsOf(name)
  const telling = words.filter((word) => !FILLERS.has(word))
  return (telling.length > 0 ? telling : words).map((word) => singular(written(word)))
}

/** German compounds abbreviate their end: `kundennr`, `hauptstr`. */
const written = (word: string): string =>
  word.length > 4 ? word.replace(/nr$/, 'nummer').replace(/str$/, 'strasse') : word

/** Without the commonest plural endings. */
export function singular(word: string): string {
  if (word.endsWith('ungen')) return word.slice(0, -2)
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (word.length > 4 && /(ss|x|ch|sh)es$/.test(word)) return word.slice(0, -2)
  if (word.length > 3 && word.endsWith('s') && !/(ss|us|is)$/.test(word)) return word.slice(0, -1)
  return word
}

/** The words without what stands between them: `e-mail`, `E Mail` and `email` are one. */
export const compact = (name: string): string => wordsOf(name).join('')

/**
 * Edits (insert, delete, replace, swap of neighbours) that make one text the other.
 * @param atMost more of them are not counted: then any number above it is returned
 */
export function editDistance(a: string, b: string, atMost = Number.POSITIVE_INFINITY): number {
  let beforeLast = new Uint32Array(b.length + 2)
  let last = Uint32Array.from({ length: b.length + 2 }, (_, column) => column)
  let current = new Uint32Array(b.length + 2)
  for (let row = 1; row <= a.length; row++) {
    // Farther from the diagonal there are more edits than asked for.
    const first = Math.max(1, row - atMost)
    const end = Math.min(b.length, row + atMost)
    current[first - 1] = first === 1 ? row : FAR
    let least = FAR
    for (let column = first; column <= end; column++) {
      const isSame = a.charCodeAt(row - 1) === b.charCodeAt(column - 1)
      let best = Math.min(current[column - 1]! + 1, last[column]! + 1, last[column - 1]! + (isSame ? 0 : 1))
      if (row > 1 && column > 1 && isSwapped(a, row, b, column)) best = Math.min(best, beforeLast[column - 2]! + 1)
      current[column] = best
      if (best < least) least = best
    }
    if (least > atMost) return least
    current[end + 1] = FAR
    const spare = beforeLast
    beforeLast = last
    last = current
    current = spare
  }
  return last[b.length]!
}

/** More edits than any two texts need. */
const FAR = 0x7fffffff

const isSwapped = (a: string, row: number, b: string, column: number): boolean =>
  a.charCodeAt(row - 1) === b.charCodeAt(column - 2) && a.charCodeAt(row - 2) === b.charCodeAt(column - 1)

/** Longer texts are compared as a whole only: edits are counted in time that grows with the square of the length. */
const SPELLED_CHARACTERS = 200

/** A text and which letters are in it: most pairs of texts are told apart by those. */
export interface Spelling {
  text: string
  letters: number
}

/** How much is left of the work that comparing names may be: one for each pair of letters that is looked at. */
export interface Effort {
  left: number
}

export const spellingOf = (text: string): Spelling => ({ text, letters: lettersOf(text) })

/**
 * How much of the longer text stays as it is, from `atLeast` to 1; 0 below that. Texts under four letters are alike only
 * when equal: one letter is too much of them.
 */
export function spelledAlike(one: Spelling, other: Spelling, atLeast: number, effort?: Effort): number {
  const [a, b] = [one.text, other.text]
  if (a === b) return 1
  const longer = Math.max(a.length, b.length)
  const edits = Math.floor(longer * (1 - atLeast))
  if (longer < 4 || longer > SPELLED_CHARACTERS || edits === 0 || Math.abs(a.length - b.length) > edits) return 0
  // An edit changes the set of letters by two at most: most pairs need no count of edits.
  if (bitsOf(one.letters ^ other.letters) > 2 * edits) return 0
  if (effort) effort.left -= longer * (2 * edits + 3)
  if (effort && effort.left < 0) return 0
  // One edit more than the floor may still reach `atLeast`, as fractions are rounded.
  const alike = 1 - editDistance(a, b, edits + 1) / longer
  return alike >= atLeast ? alike : 0
}

/** Which letters a text has, as bits; other characters share the remaining ones. */
function lettersOf(text: string): number {
  let bits = 0
  for (let index = 0; index < text.length; index++) bits |= 1 << (text.charCodeAt(index) & 31)
  return bits
}

function bitsOf(value: number): number {
  let count = 0
  for (let rest = value; rest !== 0; rest &= rest - 1) count++
  return count
}
