/** Reads texts with a number that one option has, such as `24h` for `24 hours`. Pure. */
import type { EnumValue } from '../../schemas/programs/plan.ts'
import { findUnits } from '../values/units.ts'
import { isAbbreviation } from './abbreviations.ts'
import type { NamedValue } from './initials.ts'
import { findOrdinal, spellCount, spellOrdinal, spellRoman } from './ordinals.ts'
import { splitWords } from './tokenize.ts'

interface Numbered {
  number: string
  unit: string
  rest: string
  isOrdinal: boolean
  isFirst: boolean
}

const NUMBERED = /^(\D*?)(\d{1,6})\s?-?(\p{L}{0,12})(\D*)$/u

/** `2.º ESO` is `2 ESO`. */
const SIGN = /(\d)\.?[ºª°]\s?/

function parse(text: string): Numbered | undefined {
  const plain = spellCount(spellRoman(text.trim().replaceAll('_', ' ').replace(SIGN, '$1 ')))
  const [, before, number, unit, after] = NUMBERED.exec(plain) ?? []
  if (number === undefined) return parseOrdinal(text)
  const isOrdinal = spellOrdinal(text) !== text || SIGN.test(text)
  const isUnit = !isOrdinal && unit !== '' && /^(?:[\s.]|$)/.test(after!)
  const rest = isUnit ? `${before} ${after}` : `${before} ${unit}${after}`
  return {
    number,
    unit: isUnit ? unit!.toLowerCase() : '',
    rest: splitWords(rest).join(' '),
    isOrdinal,
    isFirst: before === '',
  }
}

const COUNTED_UNIT = /^\s*\d{1,4}\s?(\p{L}+)\s*$/u
const NUMBERED_UNIT = /(\p{L}+)\s?\d/u

const isOfUnit = (pattern: RegExp, text: string): boolean => findUnits(pattern.exec(text)?.[1] ?? '').size > 0

/** `2 days` are not `Day 2`. */
export const isOtherCount = (a: string, b: string): boolean =>
  (isOfUnit(COUNTED_UNIT, a) && isOfUnit(NUMBERED_UNIT, b)) || (isOfUnit(NUMBERED_UNIT, a) && isOfUnit(COUNTED_UNIT, b))

/** `First reminder` is a reminder with the number 1. */
function parseOrdinal(text: string): Numbered | undefined {
  const words = splitWords(text)
  const at = words.findIndex((word) => findOrdinal(word) !== undefined)
  if (at < 0 || words.length < 2) return undefined
  return {
    number: findOrdinal(words[at]!)!,
    unit: '',
    rest: words.toSpliced(at, 1).join(' '),
    isOrdinal: true,
    isFirst: at === 0,
  }
}

const ROMAN = /^\s*[IVX]+\s*$/

interface NumberedOption extends Numbered {
  name: string
  value: EnumValue
}

interface Match {
  text: string
  number: string
  isOrdinal: boolean
  rest: string
  hasSameUnit: boolean
  value: EnumValue
  optionRests: ReadonlySet<string>
}

/** Words with several numbers, as those of the options have, mean the same: `vast 1 jaar` and `vast 3 jaar`. */
export function readNumbered(texts: readonly string[], options: readonly NamedValue[]): Map<string, EnumValue> {
  const labelled = new Set(options.filter(({ name, value }) => name !== String(value)).map(({ value }) => value))
  const named = options.flatMap(({ name, value }) => {
    const numbered = parse(name)
    const isKey = name === String(value) && labelled.has(value)
    return numbered && !isKey ? [{ ...numbered, name, value }] : []
  })
  const byNumber = new Map<string, NumberedOption[]>()
  for (const option of named) byNumber.set(option.number, [...(byNumber.get(option.number) ?? []), option])
  const matches = texts.flatMap((text) => findMatch(text, byNumber))
  const optionCount = new Set(options.map(({ value }) => value)).size
  const rests = [...new Set(matches.map(({ rest }) => rest))]
  const repeated = new Set(
    rests.filter((rest) =>
      isRepeated(
        matches.filter((one) => one.rest === rest),
        named,
        optionCount,
      ),
    ),
  )
  const isRival = (match: Match, { rest, value }: Match): boolean =>
    value === match.value && rest !== match.rest && rest !== ''
  const areOrdinals =
    new Set(named.map(({ value }) => value)).size === optionCount &&
    named.every((one) => one.isOrdinal && one.rest === named[0]!.rest)
  const isMeant = (match: Match): boolean =>
    (match.rest === '' && (match.hasSameUnit || (match.isOrdinal && areOrdinals))) ||
    [...match.optionRests].some((rest) => isShortFor(match.rest, rest)) ||
    (repeated.has(match.rest) && (match.rest === '' || !matches.some((other) => isRival(match, other))))
  return new Map(matches.filter(isMeant).map(({ text, value }) => [text, value]))
}

function findMatch(text: string, byNumber: ReadonlyMap<string, readonly NumberedOption[]>): Match[] {
  const own = parse(text)
  if (!own || (own.unit === '' && own.rest === '' && !own.isOrdinal && !ROMAN.test(text))) return []
  const numbered = (byNumber.get(own.number) ?? []).filter(
    ({ isOrdinal, name }) => (own.isOrdinal || !isOrdinal) && !isOtherCount(text, name),
  )
  const alike = numbered.filter(({ isFirst }) => isFirst === own.isFirst)
  const found = alike.length > 0 ? alike : numbered
  const [value, ...others] = new Set(found.map((option) => option.value))
  const isOther = found.some(({ unit }) => areOtherUnits(own.unit, unit))
  if (value === undefined || others.length > 0 || isOther) return []
  const hasSameUnit = found.some(({ unit }) => areSameUnits(own.unit, unit))
  return [{ ...own, text, hasSameUnit, value, optionRests: new Set(found.map(({ rest }) => rest)) }]
}

/** `Y5` and `Yr 5` are `Year 5`. */
const isShortFor = (rest: string, whole: string): boolean =>
  rest !== '' && (whole.startsWith(rest) || isAbbreviation(rest, whole))

const areOtherUnits = (a: string, b: string): boolean =>
  findUnits(a).size > 0 && findUnits(b).size > 0 && !areSameUnits(a, b)

const areSameUnits = (a: string, b: string): boolean =>
  a !== '' && (b.startsWith(a) || [...findUnits(a)].some((unit) => findUnits(b).has(unit)))

const MIN_LEVELS = 3

function isRepeated(group: readonly Match[], options: readonly NumberedOption[], optionCount: number): boolean {
  const values = new Set(group.map(({ value }) => value))
  const isCommon = (rest: string): boolean => group.every(({ optionRests }) => optionRests.has(rest))
  const optionValues = (rest: string) => new Set(options.filter((one) => one.rest === rest).map(({ value }) => value))
  const areAll = (rest: string): boolean => optionValues(rest).size === optionCount
  const areKnown = (rest: string): boolean =>
    options.every((option) => option.rest !== rest || values.has(option.value))
  const areRoman = group.some(({ text }) => ROMAN.test(text))
  return (
    values.size > 1 &&
    [...group[0]!.optionRests].some(
      (rest) =>
        isCommon(rest) &&
        ((values.size >= MIN_LEVELS && areAll(rest)) || (areKnown(rest) && (!areRoman || areAll(rest)))),
    )
  )
}
