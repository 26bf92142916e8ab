/** Reads ranges of numbers as options: `65 or older` and `≥ 65` for `65+`, `18 bis 34` for `18-34`. Pure. */
import type { EnumValue } from '../../schemas/programs/plan.ts'
import { memoize } from '../core/memo.ts'
import { withoutAccents } from '../values/texts.ts'
import { areSameUnit, isKnownUnit } from '../values/unit-names.ts'
import type { NamedValue } from './initials.ts'

const NUMBER = '(\\d{1,3}(?:[.,\\s]\\d{3})+|\\d{1,9})(?:\\s?(k|m)(?!\\p{L}))?'
const UNIT = '[€$£]?\\s?(?:(\\p{L}{1,14})[.]?)?'
const BELOW =
  "<|<=|≤|under|below|less than|fewer than|up to|max\\.?|unter|bis zu|bis|weniger als|moins de|jusqu'a|hasta|menos de|meno di|fino a|minder dan|onder|tot|ate|abaixo de|mniej niz|ponizej|do"
const ABOVE =
  '>|>=|≥|over|above|more than|at least|min\\.?|uber|mehr als|ab|mindestens|plus de|a partir de|mas de|piu di|oltre|da|meer dan|boven|vanaf|mais de|acima de|wiecej niz|powyzej|od'
const OR_MORE =
  '\\+|(?:and|or) (?:over|above|more|older)|(?:und|oder) (?:mehr|alter|daruber)|(?:et|ou) plus|(?:y|o) mas|(?:e|ed|o) (?:oltre|piu)|(?:en|of) (?:meer|ouder)|(?:e|ou) mais|i wiecej|i starsi'
const BETWEEN = '-|to|bis|a|al|tot|do|ate|and|und|et|y|e|en|i'
const START = '(?:(?:between|from|zwischen|von|entre|de|da|tra|tussen|van|od)\\s)?'

const CLOSED = new RegExp(
  `^${START}[€$£]?\\s?${NUMBER}\\s?${UNIT}\\s?(?:${BETWEEN})\\s?[€$£]?\\s?${NUMBER}\\s?${UNIT}$`,
  'u',
)
const OPEN_BELOW = new RegExp(`^(?:${BELOW})\\s?[€$£]?\\s?${NUMBER}\\s?${UNIT}$`, 'u')
const OPEN_ABOVE = new RegExp(`^(?:${ABOVE})\\s?[€$£]?\\s?${NUMBER}\\s?${UNIT}$`, 'u')
const OPEN_BEHIND = new RegExp(`^[€$£]?\\s?${NUMBER}\\s?${UNIT}\\s?(?:${OR_MORE})\\s?${UNIT}$`, 'u')

interface Range {
  bounds: string
  unit: string
}

const MULTIPLIERS: Readonly<Record<string, number>> = { k: 1000, m: 1_000_000 }

const toNumber = (digits: string, multiplier: string | undefined): number =>
  Number(digits.replace(/\D/g, '')) * (MULTIPLIERS[multiplier ?? ''] ?? 1)

function parse(text: string): Range | undefined {
  const plain = withoutAccents(text.trim().toLowerCase()).replace(/[–—]/g, '-').replace(/\s+/g, ' ')
  const closed = CLOSED.exec(plain)
  if (closed) {
    const [, from, fromTimes, fromUnit, to, toTimes, toUnit] = closed
    const [first, last] = [toNumber(from!, fromTimes ?? toTimes), toNumber(to!, toTimes)]
    return first < last ? { bounds: `${first}-${last}`, unit: toUnit ?? fromUnit ?? '' } : undefined
  }
  const below = OPEN_BELOW.exec(plain)
  if (below) return { bounds: `-${toNumber(below[1]!, below[2])}`, unit: below[3] ?? '' }
  const above = OPEN_ABOVE.exec(plain) ?? OPEN_BEHIND.exec(plain)
  return above ? { bounds: `${toNumber(above[1]!, above[2])}-`, unit: above[3] ?? above[4] ?? '' } : undefined
}

const listRanges = memoize((options: readonly NamedValue[]) =>
  options.flatMap(({ name, value }) => {
    const range = parse(name)
    return range ? [{ ...range, value }] : []
  }),
)

const MIN_RANGES = 2

export function readRanges(texts: readonly string[], options: readonly NamedValue[]): Map<string, EnumValue> {
  const ranges = listRanges(options)
  if (new Set(ranges.map(({ value }) => value)).size < MIN_RANGES) return new Map()
  return new Map(
    texts.flatMap((text) => {
      const own = parse(text)
      const found = ranges.filter(({ bounds, unit }) => bounds === own?.bounds && !areOtherUnits(unit, own.unit))
      const [value, ...others] = new Set(found.map((range) => range.value))
      return value === undefined || others.length > 0 ? [] : [[text, value] as const]
    }),
  )
}

const areOtherUnits = (a: string, b: string): boolean => isKnownUnit(a) && isKnownUnit(b) && !areSameUnit([a, b])
