/** Texts found and replaced: what the engine's own functions do, whatever the lengths are. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { textFinder, textReplacer } from '../../../lib/core/find-text.ts'

/** Over the length up to which the engine's own search is used. */
const long = (unit: fc.Arbitrary<string>) => fc.string({ unit, minLength: 245, maxLength: 270 })
const letters = fc.constantFrom('a', 'a', 'a', 'b')

describe('textFinder', () => {
  it('finds what indexOf finds', () => {
    const around = fc.string({ unit: letters, maxLength: 600 })
    fc.assert(
      fc.property(long(letters), around, around, fc.nat(300), fc.boolean(), (needle, before, after, from, holds) => {
        const text = before + (holds ? needle : needle.slice(1)) + after
        expect(textFinder(needle)(text, from)).toBe(text.indexOf(needle, from))
      }),
      { numRuns: 500 },
    )
  })

  it('finds a text in itself, an empty one anywhere, and a longer one nowhere', () => {
    const text = 'ab'.repeat(200)
    expect(textFinder(text)(text)).toBe(0)
    expect(textFinder('')('abc', 2)).toBe(2)
    expect(textFinder(`${text}a`)(text)).toBe(-1)
  })
})

describe('textReplacer', () => {
  /** Letters whose upper and lower cases differ in length, or cross the border of ASCII, among them. */
  const unit = fc.constantFrom(
    'a',
    'A',
    'K',
    'k',
    '\u212a',
    'ß',
    'ẞ',
    'ı',
    'İ',
    'i',
    'σ',
    'ς',
    'Σ',
    'ſ',
    's',
    '😀',
    '$&',
  )

  it('replaces what a regular expression in any case replaces', () => {
    fc.assert(
      fc.property(long(unit), fc.string({ unit, maxLength: 50 }), fc.boolean(), (find, around, upper) => {
        const changed = Array.from(find, (one) => (upper ? one.toUpperCase() : one.toLowerCase())).join('')
        const text = around + find + changed + around + find
        const pattern = new RegExp(find.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'gi')
        expect(textReplacer(find, '$&x')(text)).toBe(text.replace(pattern, () => '$&x'))
      }),
      { numRuns: 500 },
    )
  })

  it('leaves a text without it', () => {
    expect(textReplacer('b'.repeat(300), 'x')('a'.repeat(1000))).toBe('a'.repeat(1000))
  })
})
