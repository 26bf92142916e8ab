/** Finds options that end with a word of the same meaning as a text: `deska` is a board, and so is a snowboard. Pure. */
import { memoizeText } from '../core/memo.ts'
import { isListed, listSenses } from './lexicon/lexicon.ts'
import type { Option } from './option-words.ts'

const MAX_OPTIONS = 100
const MIN_START_LETTERS = 3
const MIN_END_LETTERS = 4

export function endsOtherOption(text: string, found: Option, options: readonly Option[]): boolean {
  if (options.length > MAX_OPTIONS) return false
  const own = new Set(found.names.map(({ compact }) => compact))
  const senses = listSenses(text)
  const means = (end: string): boolean => !own.has(end) && [...listSenses(end)].some((sense) => senses.has(sense))
  return options.some(
    (option) =>
      option !== found && option.names.some(({ words }) => words.length === 1 && listEnds(words[0]!).some(means)),
  )
}

const listEnds = memoizeText((word: string): string[] => {
  const ends: string[] = []
  for (let at = MIN_START_LETTERS; at <= word.length - MIN_END_LETTERS; at++)
    if (isListed(word.slice(0, at)) && isListed(word.slice(at))) ends.push(word.slice(at))
  return ends
})
