/** Decides whether words before the numbers of a column, and a maximum behind them, only repeat its name. Pure. */
import { EXAMPLES, pushExample } from './decision.ts'
import { FRACTION } from './fractions.ts'
import { withoutAccents } from './texts.ts'
import { isSameWord } from './unit-names.ts'
import { NUMBER_LABEL } from './written-numbers.ts'

interface Label {
  label: string
  texts: string[]
  count: number
  largest: number
}

interface LabelDecision {
  accepted: string[]
  open: string[]
  texts: string[]
}

interface LabelContext {
  unit: string | undefined
  largestBare: number
}

export interface LabelEvidence {
  add(label: string, text: string, value: number): void
  decide(names: readonly string[], context: LabelContext): LabelDecision
}

const MAX_LABELS = 20

export function gatherLabels(): LabelEvidence {
  const found = new Map<string, Label>()
  return {
    add(label, text, value) {
      const known = found.get(label)
      if (!known && found.size >= MAX_LABELS) return
      const one = known ?? { label, texts: [], count: 0, largest: 0 }
      pushExample(one.texts, text)
      one.count++
      one.largest = Math.max(one.largest, Math.abs(value))
      if (!known) found.set(label, one)
    },
    decide(names, context) {
      const words = listWords(names)
      const all = [...found.values()]
      const maxima = all.filter((one) => one.label.startsWith('/'))
      const possible = maxima.filter((one) => canBeMaximum(one, context))
      const named = possible.filter((one) => words.includes(one.label.slice(1)))
      const only = named.length === 0 && maxima.length === 1 ? possible : []
      const near = only.filter((one) => isNearOthers(one, context))
      const open = context.largestBare === 0 ? only : []
      const repeated = all.filter(({ label }) => isWordOf(words, label))
      return {
        accepted: [...repeated, ...named, ...near].map(({ label }) => label),
        open: open.map(({ label }) => label),
        texts: open.flatMap(({ texts }) => texts).slice(0, EXAMPLES),
      }
    },
  }
}

const listWords = (names: readonly string[]): string[] =>
  names.flatMap((name) => withoutAccents(name.toLowerCase()).split(/[^\p{L}\d]+/u))

const MIN_WORD_LETTERS = 3

const NUMBER_WORD = /^(?:n|no|nr|num|number|nummer|numero|numer)$/

function isWordOf(words: readonly string[], label: string): boolean {
  if (label === NUMBER_LABEL) return words.some((word) => NUMBER_WORD.test(word))
  const plain = withoutAccents(label)
  return words.some((word) => {
    if (word === plain || Math.min(word.length, plain.length) < MIN_WORD_LETTERS) return word === plain
    return isSameWord(word, plain) || word.startsWith(plain)
  })
}

const getMaximum = ({ label }: Label): number => Number(label.slice(1))

function canBeMaximum(one: Label, { unit }: LabelContext): boolean {
  const isOtherShare = unit === FRACTION || (unit === '%' && getMaximum(one) !== 100)
  return one.largest <= getMaximum(one) && !isOtherShare
}

const MIN_MAXIMUM = 20
const MIN_NUMBERS = 3

function isNearOthers(one: Label, { largestBare }: LabelContext): boolean {
  const isNear = largestBare > 1 && largestBare <= getMaximum(one)
  return isNear && getMaximum(one) >= MIN_MAXIMUM && one.count >= MIN_NUMBERS
}
