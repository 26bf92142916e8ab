/** Pairs the columns and fields that are left if their names are related, such as a defect and a description. Pure. */
import { memoize } from '../core/memo.ts'
import type { Column, Target } from './candidates.ts'
import { getMainMeanings } from './evidence.ts'
import { hasValuesOf, pairLeft } from './left.ts'
import { listLeft, type Match } from './matches.ts'
import { isLight, isOfKind, type Name } from './names.ts'
import related from './related-words.json' with { type: 'json' }
import { isContrasting } from './similarity.ts'
import { getConcepts, getMeaningfulWords, getMeanings } from './vocabulary.ts'

const groupsByWord = new Map<string, number[]>()
const groupsByMeaning = new Map<number, number[]>()

function addTo<T>(groups: Map<T, number[]>, key: T, group: number): void {
  groups.set(key, [...(groups.get(key) ?? []), group])
}

/** The first of the names with a meaning stands for it, such as `product` and not `equipment`. */
const firstNames = new Map<number, string>()

for (const [group, names] of related.groups.entries())
  for (const name of names) {
    const words = getMeaningfulWords(name)
    const [meaning, ...others] = getMeanings(words)
    const isOwn = meaning !== undefined && others.length === 0
    if (isOwn && !firstNames.has(meaning)) firstNames.set(meaning, name)
    if (isOwn && firstNames.get(meaning) === name) addTo(groupsByMeaning, meaning, group)
    if (words.length === 1) addTo(groupsByWord, getConcepts(words[0]!)[0]!, group)
  }

export function matchRelatedLeft(
  columns: readonly Column[],
  targets: readonly Target[],
  matches: readonly Match[],
): Match[] {
  return pairLeft(listLeft(columns, targets, matches), (row, column) => areRelated(columns[column]!, targets[row]!))
}

const areRelated = (column: Column, target: Target): boolean =>
  column.names.some(
    (own) =>
      !(own.isQuestion && own.words.length > MAX_MARKED_WORDS) &&
      target.names.some((other) => haveSameGroup(own, other) && !areOpposed(own, other)),
  ) && hasValuesOf(column, target)

/** `Opt-in?` is a name with a mark, and no question. */
const MAX_MARKED_WORDS = 2

const areOpposed = (a: Name, b: Name): boolean =>
  isContrasting(a, b) || (a.marks & ~b.marks) !== 0 || isOfKind(a, 'id') !== isOfKind(b, 'id')

const haveSameGroup = (a: Name, b: Name): boolean => {
  const groups = listGroups(b)
  return groups.length > 0 && listGroups(a).some((group) => groups.includes(group))
}

const MAX_MEANINGS = 2

const listGroups = memoize((name: Name): readonly number[] => {
  const known = getMainMeanings(name)
  const meanings = known.length > MAX_MEANINGS ? [] : known.flatMap((meaning) => groupsByMeaning.get(meaning) ?? [])
  const words = listMainConcepts(name).flatMap((word) => groupsByWord.get(word) ?? [])
  return [...meanings, ...words]
})

function listMainConcepts({ words, heads }: Name): readonly string[] {
  const heavy = words.filter(({ text, weight }) => weight === 1 && !isLight(text))
  const last = words.at(-1)
  const head = heavy.length > 1 ? words[heads.at(-1) ?? -1] : (heavy[0] ?? (words.length === 1 ? last : undefined))
  const main = last?.text === 'by' ? last : head
  return main ? [main.text, ...main.others] : []
}
