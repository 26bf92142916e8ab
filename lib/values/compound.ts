/** Reads numbers of several units: `1h 30m`, `1 h 30`, `8 lb 8 oz`. Pure. */
import { cleanText } from './texts.ts'
import { findRatio, scaleExactly } from './unit-scales.ts'
import { findUnits } from './units.ts'

const PART = /^(\d{1,6})\s?(\p{L}{1,10})\.?(?:\s?(?:,|and|und|et|y|e|en|i)\s)?\s?/u
const LAST_MINUTES = /^([0-5]\d)$/
const MARKED_MINUTES = /^(\d{1,3})\s?['’′]$/
const CLOCK = /^(\d{1,3}):([0-5]\d)(?::00)?$/
const MAX_LENGTH = 40
const MAX_PARTS = 3

interface Part {
  digits: string
  unit: string
}

/** @returns undefined unless each part is a smaller unit than the one before, and all fit `unit` exactly */
export function readCompound(original: string, unit: string): number | undefined {
  const text = original.length > MAX_LENGTH ? '' : cleanText(original)
  const parts = splitParts(findUnits(unit).has('hour') ? text.replace(CLOCK, '$1 h $2') : text)
  if (!parts || !areDescending(parts)) return undefined
  let sum = 0
  for (const { digits, unit: own } of parts) {
    const ratio = findRatio(own, unit)
    const value = ratio && scaleExactly(digits, 0, ratio)
    if (value === undefined) return undefined
    sum += value
  }
  return Number(sum.toPrecision(15))
}

function splitParts(text: string): Part[] | undefined {
  const [, marked] = MARKED_MINUTES.exec(text) ?? []
  if (marked !== undefined) return [{ digits: marked, unit: 'min' }]
  const parts: Part[] = []
  let rest = text
  while (rest !== '') {
    const found = PART.exec(rest)
    const [, minutes] = LAST_MINUTES.exec(rest) ?? []
    if (minutes !== undefined && parts.length === 1 && findRatio(parts[0]!.unit, 'min')) {
      parts.push({ digits: minutes, unit: 'min' })
      break
    }
    if (!found || parts.length === MAX_PARTS) return undefined
    // `m` is short for metres, too.
    const unit = found[2]! === 'm' && parts.length > 0 ? 'min' : found[2]!
    parts.push({ digits: found[1]!, unit })
    rest = rest.slice(found[0].length)
  }
  return parts.length > 1 ? parts : undefined
}

const areDescending = (parts: readonly Part[]): boolean =>
  parts.every(({ unit }, at) => {
    if (at === 0) return true
    const ratio = findRatio(unit, parts[at - 1]!.unit)
    return ratio !== undefined && ratio.numerator < ratio.denominator
  })
