/** Reads texts with a number that one option has, such as `24h` for `24 hours`. Pure. */
import type { EnumValue } from '../../schemas/programs/plan.ts'
import { findUnits } from '../values/units.ts'
import { isAbbreviation } from './abbreviations.ts'
import type { NamedValue } from './initials.ts'
import { splitWords } from './tokenize.ts'

interface Numbered {
  number: string
  unit: string
  rest: string
}

const NUMBERED = /^(\D*?)(\d{1,6})\s?-?(\p{L}{0,12})(\D*)$/u

function parse(text: string): Numbered | undefined {
  const [, before, number, unit, after] = NUMBERED.exec(text.trim().replaceAll('_', ' ')) ?? []
  if (number === undefined) return undefined
  const isUnit = unit !== '' && /^(?:[\s.]|$)/.test(after!)
  const rest = isUnit ? `${before} ${after}` : `${before} ${unit}${after}`
  return { number, unit: isUnit ? unit!.toLowerCase() : '', rest: splitWords(rest).join(' ') }
}

interface NumberedOption extends Numbered {
  value: EnumValue
}

interface Match {
  text: string
  number: string
  rest: string
  hasSameUnit: boolean
  value: EnumValue
  optionRests: ReadonlySet<string>
}

/** Words with several numbers, as those of the options have, mean the same: `vast 1 jaar` and `vast 3 jaar`. */
export function readNumbered(texts: readonly string[], options: readonly NamedValue[]): Map<string, EnumValue> {
  const named = options.flatMap(({ name, value }) => {
    const numbered = parse(name)
    return numbered ? [{ ...numbered, value }] : []
  })
  const byNumber = new Map<string, NumberedOption[]>()
  for (const option of named) byNumber.set(option.number, [...(byNumber.get(option.number) ?? []), option])
  const matches = texts.flatMap((text) => findMatch(text, byNumber))
  const rests = [...new Set(matches.map(({ rest }) => rest))]
  const repeated = new Set(
    rests.filter((rest) =>
      isRepeated(
        matches.filter((one) => one.rest === rest),
        named,
      ),
    ),
  )
  const isRival = (match: Match, { rest, value }: Match): boolean =>
    value === match.value && rest !== match.rest && rest !== ''
  const isMeant = (match: Match): boolean =>
    (match.rest === '' && match.hasSameUnit) ||
    [...match.optionRests].some((rest) => isShortFor(match.rest, rest)) ||
    (repeated.has(match.rest) && (match.rest === '' || !matches.some((other) => isRival(match, other))))
  return new Map(matches.filter(isMeant).map(({ text, value }) => [text, value]))
}

function findMatch(text: string, byNumber: ReadonlyMap<string, readonly NumberedOption[]>): Match[] {
  const own = parse(text)
  if (!own || (own.unit === '' && own.rest === '')) return []
  const found = byNumber.get(own.number) ?? []
  const [value, ...others] = new Set(found.map((option) => option.value))
  const isOther = found.some(({ unit }) => areOtherUnits(own.unit, unit))
  if (value === undefined || others.length > 0 || isOther) return []
  const hasSameUnit = found.some(({ unit }) => areSameUnits(own.unit, unit))
  return [{ ...own, text, hasSameUnit, value, optionRests: new Set(found.map(({ rest }) => rest)) }]
}

/** `Y5` and `Yr 5` are `Year 5`. */
const isShortFor = (rest: string, whole: string): boolean =>
  rest !== '' && rest !== whole && (whole.startsWith(rest) || isAbbreviation(rest, whole))

const areOtherUnits = (a: string, b: string): boolean =>
  findUnits(a).size > 0 && findUnits(b).size > 0 && !areSameUnits(a, b)

const areSameUnits = (a: string, b: string): boolean =>
  a !== '' && (b.startsWith(a) || [...findUnits(a)].some((unit) => findUnits(b).has(unit)))

function isRepeated(group: readonly Match[], options: readonly NumberedOption[]): boolean {
  const values = new Set(group.map(({ value }) => value))
  const isCommon = (rest: string): boolean => group.every(({ optionRests }) => optionRests.has(rest))
  return (
    values.size > 1 &&
    [...group[0]!.optionRests].some(
      (rest) => isCommon(rest) && options.every((option) => option.rest !== rest || values.has(option.value)),
    )
  )
}
