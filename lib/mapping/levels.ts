/** Reads `P1` to `P4` as the options of a field with as many levels, from the highest, and `urgent` as the highest. Pure. */
import type { EnumValue } from '../../schemas/programs/plan.ts'
import type { NamedValue } from './initials.ts'
import { isSameValue } from './same-values.ts'
import { compact } from './tokenize.ts'

const LEVELS = [['critical', 'urgent'], ['high'], ['medium'], ['low']]
const LEVEL = /^p(?:rio(?:rity|rität)?)?\s?([1-4])$/i
const MIN_LEVELS = 3

export function readLevels(texts: readonly string[], options: readonly NamedValue[]): Map<string, EnumValue> {
  const found = LEVELS.map((words) => findValues(words, options)).filter((values) => values.size > 0)
  const count = new Set(options.map(({ value }) => value)).size
  const levels = texts.flatMap((text) => {
    const number = Number(LEVEL.exec(text.trim())?.[1] ?? 0)
    return number > 0 ? [{ text, number }] : []
  })
  const isComplete = count >= MIN_LEVELS && found.length === count && found.every((values) => values.size === 1)
  if (!isComplete) return new Map()
  const [highest] = found[0]!
  const urgent = texts.filter((text) => isSameValue('urgent', compact(text))).map((text) => [text, highest!] as const)
  const isNumbered = Math.max(0, ...levels.map(({ number }) => number)) === count
  const numbered = isNumbered ? levels.map(({ text, number }) => [text, [...found[number - 1]!][0]!] as const) : []
  return new Map([...urgent, ...numbered])
}

const findValues = (words: readonly string[], options: readonly NamedValue[]): Set<EnumValue> =>
  new Set(
    options
      .filter(({ name }) => words.some((word) => compact(name) === word || isSameValue(word, compact(name))))
      .map(({ value }) => value),
  )
