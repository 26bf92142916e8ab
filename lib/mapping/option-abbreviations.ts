/** Finds options whose only word is shortened to some of its letters. Pure. */
import { areItsConsonants, isAbbreviation } from './abbreviations.ts'
import { isClipped } from './initials.ts'
import { listSenses } from './lexicon/lexicon.ts'
import type { Option, OptionName } from './option-words.ts'
import { findEntry } from './vocabulary.ts'

const MIN_CONTRACTED_LETTERS = 3

/** `abto.` for abierto. */
export const findContracted = (options: readonly Option[], { compact, words }: OptionName): Option[] =>
  words.length > 1 || compact.length < MIN_CONTRACTED_LETTERS
    ? []
    : options.filter(({ names }) =>
        names.some((other) => other.words.length === 1 && isAbbreviation(compact, other.compact)),
      )

const CONSONANTS = /^[^\daeiouy]{3,6}$/

export const findByConsonants = (options: readonly Option[], { compact, words }: OptionName): Option[] =>
  words.length > 1 || !CONSONANTS.test(compact)
    ? []
    : options.filter(({ names }) =>
        names.some((other) => other.words.length === 1 && areItsConsonants(compact, other.compact)),
      )

/** `Delivd` for delivered: its beginning and its last consonants. */
export const findClipped = (options: readonly Option[], { compact, words }: OptionName): Option[] =>
  words.length > 1 || compact.length < MIN_CLIPPED_LETTERS || listSenses(compact).size > 0 || findEntry(compact)
    ? []
    : options.filter(({ names }) =>
        names.some((other) => other.words.length === 1 && isClipped(compact, other.compact)),
      )

const MIN_CLIPPED_LETTERS = 5
