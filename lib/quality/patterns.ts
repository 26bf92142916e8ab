/** Patterns of values: runs of digits become `9`, of lower-case letters `a`, of upper-case letters `A`. Pure. */
import { MAX_PATTERN_LENGTH } from '../../schemas/quality/limits.ts'

const UPPER = /\p{Lu}/u
const LETTER = /\p{L}/u
const DIGIT = /\p{N}/u

const ASCII = Array.from({ length: 128 }, (_, code) => classify(String.fromCharCode(code)))

function classify(character: string): string {
  if (UPPER.test(character)) return 'A'
  if (LETTER.test(character)) return 'a'
  return DIGIT.test(character) ? '9' : character
}

/** Empty for an empty cell. */
export function toPattern(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  let pattern = ''
  let last = ''
  for (const character of text) {
    const code = character.charCodeAt(0)
    const next = code < 128 ? ASCII[code]! : classify(character)
    if (next === last) continue
    if (pattern.length >= MAX_PATTERN_LENGTH) return `${pattern}…`
    pattern += next
    last = next
  }
  return pattern
}
