/** Splits names into normalized words, ignoring accents, case, punctuation and plural endings. Pure. */

const withoutAccents = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/ß/g, 'ss')
    .replace(/[øØłŁæÆ]/g, (letter) => PLAIN_LETTERS[letter]!)

const PLAIN_LETTERS: Readonly<Record<string, string>> = { ø: 'o', Ø: 'O', ł: 'l', Ł: 'L', æ: 'ae', Æ: 'AE' }

/** `Garan- tia`, whose second part is on the next line, but not `Vor- und Nachname`. */
const HYPHENATED = /(\p{L}{2})-\s+(?!(?:und|u|oder|and|or|et|ou|y|e|o|i|en|of|lub)\s)(\p{Ll})/gu

const SHORT_PARTICIPLE = /(?<!\p{L})(\p{L}{3,})['’]d(?!\p{L})/gu

const PLAIN_WORDS = /^[a-z]+(?: [a-z]+)*$/

export function splitWords(name: string): string[] {
  // Most names of the vocabulary are plain, and there are thousands.
  if (PLAIN_WORDS.test(name) && !name.includes('e mail')) return name.split(' ')
  return withoutAccents(name)
    .replace(HYPHENATED, '$1$2')
    .replace(/[#№]|\bn[°º]/gi, ' number ')
    .replace(SHORT_PARTICIPLE, '$1d')
    .replace(/(?<!\p{L})e[-_. ]?mail/giu, 'email')
    .replace(/(?<!\p{L})(\p{L})\.(?=\p{L}{1,3}(?!\p{L}))/gu, '$1')
    .replace(/(?<!\p{L})(\p{Lu})\/(?=\p{Lu}(?!\p{L}))/gu, '$1')
    .replace(/(?<!\p{L})\p{L}{1,2}\$/gu, ' ')
    .replace(/%/g, ' percent ')
    .replace(/&/g, ' and ')
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/(\p{L})(\p{N})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}

export function toSingular(word: string): string {
  if (word.endsWith('ungen')) return word.slice(0, -2)
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (word.length > 4 && /(ss|x|ch|sh)es$/.test(word)) return word.slice(0, -2)
  if (word.length > 3 && word.endsWith('s') && !/(ss|us|is)$/.test(word)) return word.slice(0, -1)
  return word
}

export const compact = (name: string): string => splitWords(name).join('')

/** Counts inserts, deletes, replacements and swaps of neighbors. Stops above `maxEdits` with any larger number. */
export function editDistance(a: string, b: string, maxEdits = Number.POSITIVE_INFINITY): number {
  let beforeLast = new Uint32Array(b.length + 2)
  let last = Uint32Array.from({ length: b.length + 2 }, (_, column) => column)
  let current = new Uint32Array(b.length + 2)
  for (let row = 1; row <= a.length; row++) {
    // Cells farther from the diagonal exceed `maxEdits`.
    const first = Math.max(1, row - maxEdits)
    const end = Math.min(b.length, row + maxEdits)
    current[first - 1] = first === 1 ? row : UNREACHABLE
    let rowMinimum = UNREACHABLE
    for (let column = first; column <= end; column++) {
      const isSame = a.charCodeAt(row - 1) === b.charCodeAt(column - 1)
      let best = Math.min(current[column - 1]! + 1, last[column]! + 1, last[column - 1]! + (isSame ? 0 : 1))
      if (row > 1 && column > 1 && isSwapped(a, row, b, column)) best = Math.min(best, beforeLast[column - 2]! + 1)
      current[column] = best
      if (best < rowMinimum) rowMinimum = best
    }
    if (rowMinimum > maxEdits) return rowMinimum
    current[end + 1] = UNREACHABLE
    const recycled = beforeLast
    beforeLast = last
    last = current
    current = recycled
  }
  return last[b.length]!
}

const MIN_MISSPELLED_LETTERS = 5

/** One letter differs, but not the last or the first, except C and K: `employer` is not `employee`. Digits are never wrong. */
export function isMisspelledWord(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false
  if (Math.min(a.length, b.length) < MIN_MISSPELLED_LETTERS) return hasLetterTwice(a, b)
  if (!haveSameStart(a, b) || (a.length === b.length && a.at(-1) !== b.at(-1)) || /\d/.test(a + b)) return false
  return editDistance(a, b, 1) === 1
}

const MIN_DOUBLED_LETTERS = 4

function hasLetterTwice(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  if (short.length < MIN_DOUBLED_LETTERS || short.length === long.length) return false
  return [...short].some((letter, at) => `${short.slice(0, at)}${letter}${short.slice(at)}` === long)
}

const haveSameStart = (a: string, b: string): boolean => a[0] === b[0] || /^(?:ck|kc)$/.test(a[0]! + b[0]!)

const UNREACHABLE = 0x7fffffff

const isSwapped = (a: string, row: number, b: string, column: number): boolean =>
  a.charCodeAt(row - 1) === b.charCodeAt(column - 2) && a.charCodeAt(row - 2) === b.charCodeAt(column - 1)

/** Counting edits takes quadratic time, so longer texts are compared by their groups of three letters. */
const MAX_EDITED_CHARACTERS = 32
/** Longer texts must be equal. */
const MAX_SPELLING_CHARACTERS = 200

export interface Spelling {
  text: string
  letters: number
  /** Sorted; empty for texts whose edits are counted. */
  triples: Int32Array
}

export const toSpelling = (text: string): Spelling => ({
  text,
  letters: getLetterBits(text),
  triples:
    text.length > MAX_EDITED_CHARACTERS && text.length <= MAX_SPELLING_CHARACTERS ? getTriples(text) : NO_TRIPLES,
})

const NO_TRIPLES = new Int32Array()

const getTriples = (text: string): Int32Array =>
  Int32Array.from({ length: text.length - 2 }, (_, at) =>
    [0, 1, 2].reduce((code, offset) => (code * 1031 + text.charCodeAt(at + offset)) | 0, 0),
  ).sort()

/** The unchanged share of the longer text, or 0 below `minSimilarity`. Texts under four letters must be equal. */
export function getSpellingSimilarity(first: Spelling, second: Spelling, minSimilarity: number): number {
  const [a, b] = [first.text, second.text]
  if (a === b) return 1
  const maxLength = Math.max(a.length, b.length)
  const edits = Math.floor(maxLength * (1 - minSimilarity))
  if (maxLength < 4 || maxLength > MAX_SPELLING_CHARACTERS || edits === 0 || Math.abs(a.length - b.length) > edits)
    return 0
  const similarity =
    maxLength > MAX_EDITED_CHARACTERS
      ? getSharedTriples(first, second, minSimilarity)
      : countUnchanged(first, second, edits)
  return similarity >= minSimilarity ? similarity : 0
}

function countUnchanged(first: Spelling, second: Spelling, edits: number): number {
  // An edit changes at most two bits of the letter sets.
  if (countBits(first.letters ^ second.letters) > 2 * edits) return 0
  // One more than the floor, because fractions are rounded.
  return 1 - editDistance(first.text, second.text, edits + 1) / Math.max(first.text.length, second.text.length)
}

function getSharedTriples({ triples: a }: Spelling, { triples: b }: Spelling, minSimilarity: number): number {
  const length = a.length + b.length
  let different = Math.floor(length * (1 - minSimilarity))
  let [left, right, shared] = [0, 0, 0]
  while (left < a.length && right < b.length && different >= 0) {
    const difference = a[left]! - b[right]!
    if (difference === 0) shared++
    else different--
    if (difference <= 0) left++
    if (difference >= 0) right++
  }
  return (2 * shared) / Math.max(1, length)
}

function getLetterBits(text: string): number {
  let bits = 0
  for (let index = 0; index < text.length; index++) bits |= 1 << (text.charCodeAt(index) & 31)
  return bits
}

function countBits(value: number): number {
  let count = 0
  for (let remaining = value; remaining !== 0; remaining &= remaining - 1) count++
  return count
}
