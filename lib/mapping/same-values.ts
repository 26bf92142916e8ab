/** Words that mean the same value of a field with options, in eight languages. */
import { memoizeText } from '../core/memo.ts'
import families from './same-values.json' with { type: 'json' }
import siblings from './sibling-values.json' with { type: 'json' }
import { isMisspelledWord } from './tokenize.ts'

const familiesByWord = new Map<string, (readonly string[])[]>()
for (const [name, words] of Object.entries(families)) {
  const family = [name, ...words]
  for (const word of family) {
    const known = familiesByWord.get(word)
    if (known) known.push(family)
    else familiesByWord.set(word, [family])
  }
}

const listFamily = memoizeText((word: string): ReadonlySet<string> => new Set(familiesByWord.get(word)!.flat()))

/** Kinds of what a family means, such as credit and debit cards: each is a card, but not the other. */
const kinds = new Map(
  Object.entries(siblings).flatMap(([family, words]) =>
    Object.entries(words).flatMap(([kind, ofKind]) => ofKind.map((word) => [word, { family, kind }] as const)),
  ),
)

function areSiblings(a: string, b: string): boolean {
  const [own, other] = [kinds.get(a), kinds.get(b)]
  return own !== undefined && own.family === other?.family && own.kind !== other.kind
}

const MIN_INFLECTED_LETTERS = 6
const GENDERS: readonly (readonly [RegExp, string])[] = [
  [/a$/, 'o'],
  [/a$/, 'y'],
  [/o$/, 'a'],
  [/y$/, 'a'],
  [/ee$/, 'e'],
  [/e$/, 'ee'],
  [/[eo]$/, 'y'],
  [/e$/, 'a'],
  [/i$/, 'o'],
]

function findFamily(word: string): ReadonlySet<string> | undefined {
  if (familiesByWord.has(word)) return listFamily(word)
  if (word.length < MIN_INFLECTED_LETTERS) return undefined
  const forms = GENDERS.filter(([ending]) => ending.test(word)).map(([ending, other]) => word.replace(ending, other))
  const known = forms.find((form) => familiesByWord.has(form))
  return known === undefined ? undefined : listFamily(known)
}

export const listSameValues = (word: string): readonly string[] =>
  [...(findFamily(word) ?? [])].filter((other) => !areSiblings(word, other))

export const isSameValue = (a: string, b: string): boolean =>
  (findFamily(a)?.has(b) === true || findFamily(b)?.has(a) === true) && !areSiblings(a, b)

const wordsByInitial = new Map<string, string[]>()
for (const word of familiesByWord.keys()) {
  const known = wordsByInitial.get(word[0]!)
  if (known) known.push(word)
  else wordsByInitial.set(word[0]!, [word])
}

/** Empty if the word is known itself, or can be a misspelling of words with different meanings. */
export const listSameValuesOfMisspelled = memoizeText((word): readonly string[] => {
  if (familiesByWord.has(word)) return []
  const found = (wordsByInitial.get(word[0]!) ?? []).filter((known) => isMisspelledWord(known, word))
  const [first, ...others] = found
  if (first === undefined || others.some((other) => !isSameValue(first, other))) return []
  return listSameValues(first)
})

const MIN_CUT_LETTERS = 3
const MIN_CUT_SHARE = 0.25

export const listSameValuesOfCut = (start: string): readonly string[] =>
  start.length < MIN_CUT_LETTERS
    ? []
    : (wordsByInitial.get(start[0]!) ?? [])
        .filter((word) => word.startsWith(start) && start.length >= word.length * MIN_CUT_SHARE)
        .flatMap(listSameValues)

type Gender = 'male' | 'female'

/** Letters that occur together: homme and femme, hombre and mujer, jongen and meisje, garçon and fille, kobieta. */
const GENDER_LETTERS: readonly Readonly<Record<string, Gender>>[] = [
  { h: 'male', f: 'female' },
  { h: 'male', m: 'female' },
  { j: 'male', m: 'female' },
  { g: 'male', f: 'female' },
  { c: 'male', d: 'female' },
  { h: 'male', d: 'female' },
  { m: 'male', k: 'female' },
  { m: 'male', f: 'female' },
  { m: 'male', w: 'female' },
]
/** Macho and hembra are hombre and mujer unless a word says so. */
const ANIMAL_LETTERS: Readonly<Record<string, Gender>> = { m: 'male', h: 'female' }
const NEUTRAL_LETTERS = new Set(['d', 'x', 'u', 'o', 'n'])

const GENDER_NAMES: readonly (readonly [RegExp, Readonly<Record<string, Gender>>])[] = [
  [/geslacht|\bgesl\b|\bm\s?\/\s?v\b/i, { m: 'male', v: 'female' }],
  [/sexo|g[eé]nero/i, { m: 'female', v: 'male' }],
]

/** Next to `V`, `M` is either, as the column says: man and vrouw, or mujer and varon. It is left open next to others. */
export function readGenderLetters(
  words: ReadonlySet<string>,
  columnName = '',
): ReadonlyMap<string, Gender | undefined> {
  const named = words.has('v') && words.has('m') ? GENDER_NAMES.find(([name]) => name.test(columnName))?.[1] : undefined
  if (named) return new Map(Object.entries(named))
  const letters = [...words].filter((word) => word.length === 1)
  const spelledOut = listGenders(words)
  const isAnimals = spelledOut.some(({ initial, gender }) => initial === 'h' && gender === 'female')
  const pairs = [...GENDER_LETTERS, ...(isAnimals ? [ANIMAL_LETTERS] : [])].filter(
    (pair) =>
      Object.keys(pair).every((letter) => words.has(letter)) &&
      spelledOut.every(({ initial, gender }) => (pair[initial] ?? gender) === gender),
  )
  const [pair, ...others] = pairs
  if (pair && others.length === 0 && letters.every((letter) => letter in pair || NEUTRAL_LETTERS.has(letter)))
    return new Map(Object.entries(pair))
  if (words.has('k') && !words.has('m')) return new Map([['k', 'female']])
  if (['f', 'w'].some((letter) => words.has(letter)) || !words.has('m')) return new Map()
  const isGenderKnown = [...words].some((word) => word !== 'm' && word.length > 1 && hasGender(word))
  const isAlone = letters.every((letter) => letter === 'm' || NEUTRAL_LETTERS.has(letter))
  return isGenderKnown && isAlone ? new Map() : new Map([['m', undefined]])
}

const listGenders = (words: ReadonlySet<string>): { initial: string; gender: Gender }[] =>
  [...words].flatMap((word) => {
    const gender = (['male', 'female'] as const).find((one) => word.length > 1 && isSameValue(one, word))
    return gender ? [{ initial: word[0]!, gender }] : []
  })

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
