/** Reads bare numbers as the options that begin with them: 1 and 2 for `1. Mahnung` and `2. Mahnung`. Pure. */
import type { EnumValue } from '../../schemas/programs/plan.ts'
import type { NamedValue } from './initials.ts'

const BARE = /^\d{1,3}$/
const NUMBERED = /^(\d{1,3})(?:[.)ºª°]|st|nd|rd|th)?\s+\D+$/
const MIN_NUMBERS = 2

export function readBareNumbers(texts: readonly string[], options: readonly NamedValue[]): Map<string, EnumValue> {
  const bare = texts.filter((text) => BARE.test(text.trim()))
  const found = bare.flatMap((text) => {
    const named = options.filter(({ name }) => NUMBERED.exec(name)?.[1] === text.trim())
    const [value, ...others] = new Set(named.map((option) => option.value))
    return value === undefined || others.length > 0 ? [] : [[text, value] as const]
  })
  return new Map(bare.length >= MIN_NUMBERS && found.length === bare.length ? found : [])
}
