/** Words that mean the same value of a field with options, in eight languages. */
import families from './same-values.json' with { type: 'json' }
import { isMisspelledWord } from './tokenize.ts'

const sameValues = new Map<string, Set<string>>()
for (const [name, words] of Object.entries(families)) {
  const family = [name, ...words]
  for (const word of family) {
    const known = sameValues.get(word) ?? new Set()
    for (const other of family) known.add(other)
    sameValues.set(word, known)
  }
}

export const listSameValues = (word: string): readonly string[] => [...(sameValues.get(word) ?? [])]

export const isSameValue = (a: string, b: string): boolean => sameValues.get(a)?.has(b) === true

/** A misspelled word keeps its first letter. */
const wordsByInitial = new Map<string, string[]>()
for (const word of sameValues.keys()) {
  const initial = word[0]!
  wordsByInitial.set(initial, [...(wordsByInitial.get(initial) ?? []), word])
}

/** Empty if the word can be a misspelling of words with different meanings. */
export function listSameValuesOfMisspelled(word: string): readonly string[] {
  const found = (wordsByInitial.get(word[0]!) ?? []).filter((known) => isMisspelledWord(known, word))
  const [first, ...others] = found
  if (first === undefined || others.some((other) => !isSameValue(first, other))) return []
  return listSameValues(first)
}

const MIN_CUT_LETTERS = 3

/** `afger.` is short for afgerond. */
export const listSameValuesOfCut = (start: string): readonly string[] =>
  start.length < MIN_CUT_LETTERS
    ? []
    : (wordsByInitial.get(start[0]!) ?? []).filter((word) => word.startsWith(start)).flatMap(listSameValues)

type Gender = 'male' | 'female'

/**
 * `M` is male next to `F`, and female next to `H` (hombre, mujer). Next to `V` it is either: man and vrouw, or mujer
 * and varon.
 */
export function readGenderLetters(words: ReadonlySet<string>): ReadonlyMap<string, Gender | undefined> {
  if (['f', 'w', 'd'].some((letter) => words.has(letter))) return new Map()
  if (words.has('k')) return new Map([['k', 'female']])
  if (words.has('h') && words.has('m'))
    return new Map([
      ['h', 'male'],
      ['m', 'female'],
    ])
  if (!words.has('m')) return new Map()
  const isGenderKnown = [...words].some((word) => word !== 'm' && word.length > 1 && hasGender(word))
  return isGenderKnown ? new Map() : new Map([['m', undefined]])
}

const SIDE_LETTERS: readonly Readonly<Record<string, 'debit' | 'credit'>>[] = [
  { s: 'debit', h: 'credit' },
  { d: 'debit', h: 'credit' },
  { d: 'debit', c: 'credit' },
  { d: 'debit', a: 'credit' },
]

/** `S` is a debit next to `H` (Soll, Haben), and `D` next to `C`. Both letters of a pair must occur. */
export const readSideLetters = (words: ReadonlySet<string>): ReadonlyMap<string, 'debit' | 'credit'> => {
  const pairs = SIDE_LETTERS.filter((pair) => Object.keys(pair).every((letter) => words.has(letter)))
  return pairs.length === 1 ? new Map(Object.entries(pairs[0]!)) : new Map()
}

const hasGender = (word: string): boolean =>
  (['male', 'female', 'mr', 'ms'] as const).some((name) => isSameValue(name, word))
