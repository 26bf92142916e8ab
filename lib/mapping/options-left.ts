/** Finds options for the few texts of a column that are left, by meanings that are less sure. Pure. */
import type { EnumValue } from '../../schemas/programs/plan.ts'
import type { NamedValue } from './initials.ts'
import { haveAnyMeaning, haveSameMeaning } from './lexicon/lexicon.ts'
import { SMALL_WORDS } from './option-index.ts'
import { compact, splitWords } from './tokenize.ts'

const MAX_TEXTS = 30
const MAX_OPTIONS = 300

/** Each of the texts means one of the options that no other text does, in a column most of whose texts are clear. */
export function readLeft(
  texts: readonly string[],
  mates: readonly NamedValue[],
  options: readonly NamedValue[],
): Map<string, EnumValue> {
  if (texts.length > MAX_TEXTS || options.length > MAX_OPTIONS) return new Map()
  const used = new Set(mates.map(({ value }) => value))
  const free = options.filter(({ value }) => !used.has(value))
  const isMostlyClear = used.size >= 1 && texts.length <= new Set(free.map(({ value }) => value)).size
  if (!isMostlyClear) return new Map()
  const pairs = texts.flatMap((text) => {
    const [value, ...others] = new Set(free.filter(({ name }) => mayMean(text, name)).map((one) => one.value))
    if (value === undefined || others.length > 0) return []
    const isOfUsed = options.some((one) => used.has(one.value) && isClearlyMeant(text, one.name))
    return isOfUsed ? [] : [[text, value] as const]
  })
  return new Map(pairs.filter(([text, value]) => pairs.every((one) => one[0] === text || one[1] !== value)))
}

const isClearlyMeant = (text: string, name: string): boolean =>
  compact(text) === compact(name) || haveSameMeaning(compact(text), compact(name))

function mayMean(text: string, name: string): boolean {
  if (/\d/.test(text + name)) return false
  const [words, others] = [text, name].map((one) => splitWords(one).filter((word) => !SMALL_WORDS.has(word)))
  const haveMates = (own: readonly string[], all: readonly string[]): boolean =>
    own.every((word) => all.some((other) => haveAnyMeaning(word, other)))
  return words!.length > 0 && haveMates(words!, others!) && haveMates(others!, words!)
}
