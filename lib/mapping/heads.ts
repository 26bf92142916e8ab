/** Finds the word of a name that says what a column holds: the date in `Price date`, and its kind, not its owner. Pure. */
import { isNoun } from './lexicon/lexicon.ts'
import { splitWords } from './tokenize.ts'
import { findEntry, getConcepts, isKnownWord } from './vocabulary.ts'

const OF = new Set([
  'of',
  'de',
  'du',
  'des',
  'd',
  'der',
  'vom',
  'von',
  'van',
  'di',
  'della',
  'del',
  'dello',
  'do',
  'da',
  'l',
])

/** English puts the main word last (`customer birth date`), phrases with `of` and other languages first. */
export function hasMainPartFirst(raw: string, words: readonly string[]): boolean {
  if (splitWords(raw).some((word, at) => at > 0 && OF.has(word))) return true
  const languages = words.flatMap((word) => findEntry(word)?.languages ?? [])
  const isOnly = (own: ReadonlySet<string>, wanted: boolean): boolean =>
    [...own].every((language) => MAIN_LAST.has(language) === wanted)
  return languages.some((own) => isOnly(own, false)) && !languages.some((own) => isOnly(own, true))
}

const MAIN_LAST: ReadonlySet<string> = new Set(['en', 'de', 'nl'])

const LISTED = /[,;/&|+]|(?<!\p{L})(?:and|or|und|oder|et|ou|y|o|e|en|of|i|lub)(?!\p{L})/iu
const ABBREVIATED = /\p{L}\.(?:\s|$)/u
const DONE = /(?:ed|sent|paid|done|made)$/

/** The positions of the head and of light words after it (before it where the main part is first); empty if not clear. */
export function findHeads(raw: string, parts: readonly string[], isLight: (concept: string) => boolean): number[] {
  if (LISTED.test(raw) || ABBREVIATED.test(raw)) return []
  const order = [...parts.keys()].filter((at) => !/^\d/.test(parts[at]!))
  if (!hasMainPartFirst(raw, parts)) order.reverse()
  const first = order.findIndex((at) => !getConcepts(parts[at]!).some(isLight))
  if (first < 0) return order
  const head = parts[order[first]!]!
  const concept = getConcepts(head)[0]!
  const isClear = !DONE.test(concept) && (isNoun(concept) || (!isKnownWord(head) && isNoun(head)))
  return isClear ? order.slice(0, first + 1) : []
}
