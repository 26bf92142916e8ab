/** Finds options by a word that has the same meaning, written with one typing error: `Stom`, `Hnod`, `Pintuar`. Pure. */
import { isListed, isNoun } from './lexicon/lexicon.ts'
import type { Option } from './option-words.ts'
import { listSameValues } from './same-values.ts'
import { editDistance, toSingular } from './tokenize.ts'
import { findEntry } from './vocabulary.ts'

type FindOptions = (text: string) => readonly Option[]

const MAX_OPTIONS = 100
const WORD = /^[a-z]{4,}$/

export function indexTypingErrors(
  options: readonly Option[],
  listMoreNames: (option: Option) => readonly string[],
): FindOptions {
  let names: readonly Name[] | undefined
  return (text) => {
    if (options.length > MAX_OPTIONS || !WORD.test(text) || isKnown(text)) return []
    names ??= listNames(options, listMoreNames)
    const near = names.filter(({ word, isSure }) => (isSure || !isListed(text)) && isTypingError(text, word))
    return [...new Set(near.map(({ option }) => option))]
  }
}

interface Name {
  word: string
  option: Option
  isSure: boolean
}

const listNames = (options: readonly Option[], listMoreNames: (option: Option) => readonly string[]): Name[] =>
  options.flatMap((option) => {
    const own = option.names.flatMap(({ words, compact }) => [
      ...(words.length === 1 ? words : []),
      ...listSameValues(compact),
    ])
    const sure = new Set(own)
    const words = new Set([...own, ...listMoreNames(option)].filter((word) => WORD.test(word)))
    return [...words].map((word) => ({ word, option, isSure: sure.has(word) }))
  })

const isKnown = (word: string): boolean =>
  listSameValues(word).length > 0 ||
  findEntry(word) !== undefined ||
  (isListed(word) && isNoun(word)) ||
  (toSingular(word) !== word && isListed(toSingular(word)))

const MIN_LONGER_LETTERS = 5
const MIN_REPLACED_LETTERS = 7

/** Two letters are swapped, one is missing or doubled, or one of many is another. `Constant` is not `Contant`. */
function isTypingError(written: string, meant: string): boolean {
  if (written[0] !== meant[0] || editDistance(written, meant, 1) !== 1) return false
  if (isListed(written) && written.length >= meant.length) return false
  if (written.length === meant.length && sortLetters(written) === sortLetters(meant)) return true
  const minLetters = written.length === meant.length ? MIN_REPLACED_LETTERS : MIN_LONGER_LETTERS
  return Math.max(written.length, meant.length) >= minLetters && written.at(-1) === meant.at(-1)
}

const sortLetters = (word: string): string => [...word].sort().join('')
