/** JSON from outside. */
import { invalidField } from './errors.ts'

/** Deeper nesting serves nobody, and overflows the stack of what writes it down again. */
const LEVELS = 100

/**
 * Refuses what parses as JSON and still cannot be kept: too deep nesting, and a key `__proto__`.
 * `__proto__` as a key is data in JSON and a trap in JavaScript: it cannot be kept faithfully everywhere, so it is refused.
 * @param text what `value` was parsed from
 * @throws ApiError invalid, naming the path of such a key
 */
export function refuseUnusable(text: string, value: unknown): void {
  if (nestsDeeper(value, LEVELS)) throw invalidField('body', `nests more than ${LEVELS} levels deep`)
  // Seldom in a text at all: only then is the value looked through.
  if (/__proto__|\\u/.test(text)) refuseIn(value, [])
}

function nestsDeeper(value: unknown, levels: number): boolean {
  if (value === null || typeof value !== 'object') return false
  if (levels === 0) return true
  const inner = Array.isArray(value) ? value : Object.values(value)
  return inner.some((member) => typeof member === 'object' && nestsDeeper(member, levels - 1))
}

function refuseIn(value: unknown, path: string[]): void {
  if (value === null || typeof value !== 'object') return
  if (Object.hasOwn(value, '__proto__'))
    throw invalidField([...path, '__proto__'].join('.'), 'is not a key that can be used')
  for (const [key, member] of Object.entries(value)) refuseIn(member, [...path, key])
}
