/** Finds the few options whose names can match, so that a value is not compared with thousands of options. */
import { toSingular } from './tokenize.ts'

export interface NamedOption {
  names: readonly { compact: string; words: readonly string[] }[]
}

export interface OptionIndex<T> {
  named: (compact: string) => readonly T[]
  singular: (words: readonly string[]) => readonly T[]
  misspelled: (words: readonly string[]) => readonly T[]
  cut: (prefix: string) => readonly T[]
  core: (words: readonly string[]) => readonly T[]
}

export function createOptionIndex<T extends NamedOption>(options: readonly T[], minPrefix: number): OptionIndex<T> {
  const named = createLookup(options, ({ compact }) => [compact])
  const singular = createLookup(options, ({ words }) => [buildSingularKey(words)])
  const misspelled = createLookup(options, ({ words }) => listSpellingKeys(words))
  const cut = createLookup(options, ({ words: [word = ''] }) =>
    Array.from({ length: Math.max(0, word.length - minPrefix + 1) }, (_, i) => word.slice(0, minPrefix + i)),
  )
  const core = createLookup(options, ({ words }) => [buildCoreKey(words)])
  return {
    named: (compact) => [...named([compact])],
    singular: (words) => [...singular([buildSingularKey(words)])],
    misspelled: (words) => [...misspelled(listSpellingKeys(words))],
    cut: (prefix) => [...cut([prefix])],
    core: (words) => (buildCoreKey(words) === '' ? [] : [...core([buildCoreKey(words)])]),
  }
}

const buildSingularKey = (words: readonly string[]): string => JSON.stringify(words.map(toSingular))

export const SMALL_WORDS = new Set(
  'a al by da das de del den der des di die do du durch een el em en het il im in la las le les lo los of par per por the van von'.split(
    ' ',
  ),
)

const buildCoreKey = (words: readonly string[]): string => words.filter((word) => !SMALL_WORDS.has(word)).join(' ')

function createLookup<T extends NamedOption>(
  options: readonly T[],
  listKeys: (name: NamedOption['names'][number]) => readonly string[],
): (keys: readonly string[]) => ReadonlySet<T> {
  let byKey: Map<string, T[]> | undefined
  return (keys) => {
    byKey ??= groupByKey(options, listKeys)
    return new Set(keys.flatMap((key) => byKey!.get(key) ?? []))
  }
}

function groupByKey<T extends NamedOption>(
  options: readonly T[],
  listKeys: (name: NamedOption['names'][number]) => readonly string[],
): Map<string, T[]> {
  const byKey = new Map<string, T[]>()
  for (const option of options)
    for (const key of new Set(option.names.flatMap(listKeys))) {
      const group = byKey.get(key)
      if (group) group.push(option)
      else byKey.set(key, [option])
    }
  return byKey
}

const MAX_SPELLED_LETTERS = 60

/** Words that differ by one letter are equal after one letter is removed from one or both of them. */
function listSpellingKeys(words: readonly string[]): string[] {
  if (words.reduce((sum, { length }) => sum + length, 0) > MAX_SPELLED_LETTERS) return []
  return words.flatMap((word, index) => {
    const spellings = [word, ...Array.from(word, (_, at) => word.slice(0, at) + word.slice(at + 1))]
    return spellings.map((spelling) => JSON.stringify(words.with(index, spelling)))
  })
}
