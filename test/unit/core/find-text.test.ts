/** Finding and replacing text gives the same results as the built-in functions, at any length. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTextFinder, createTextReplacer } from '../../../lib/core/find-text.ts'

const longText = (unit: fc.Arbitrary<string>) => fc.string({ unit, minLength: 245, maxLength: 270 })
const letters = fc.constantFrom('a', 'a', 'a', 'b')

describe('textFinder', () => {
  it('finds what indexOf finds', () => {
    const around = fc.string({ unit: letters, maxLength: 600 })
    fc.assert(
      fc.property(
        longText(letters),
        around,
        around,
        fc.nat(300),
        fc.boolean(),
        (needle, before, after, from, holds) => {
          const text = before + (holds ? needle : needle.slice(1)) + after
          expect(createTextFinder(needle)(text, from)).toBe(text.indexOf(needle, from))
        },
      ),
      { numRuns: 500 },
    )
  })

  it('finds a text in itself, an empty one anywhere, and a longer one nowhere', () => {
    const text = 'ab'.repeat(200)
    expect(createTextFinder(text)(text)).toBe(0)
    expect(createTextFinder('')('abc', 2)).toBe(2)
    expect(createTextFinder(`${text}a`)(text)).toBe(-1)
  })
})

describe('textReplacer', () => {
  const unit = fc.constantFrom(...'aAKk\u212aßẞıİiσςΣſs😀', '$&')

  it('replaces what a case-insensitive regular expression replaces', () => {
    fc.assert(
      fc.property(longText(unit), fc.string({ unit, maxLength: 50 }), fc.boolean(), (find, around, upper) => {
        const changed = Array.from(find, (one) => (upper ? one.toUpperCase() : one.toLowerCase())).join('')
        const text = around + find + changed + around + find
        const pattern = new RegExp(find.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'gi')
        expect(createTextReplacer(find, '$&x')(text)).toBe(text.replace(pattern, () => '$&x'))
      }),
      { numRuns: 500 },
    )
  })

  it('leaves text without a match unchanged', () => {
    expect(createTextReplacer('b'.repeat(300), 'x')('a'.repeat(1000))).toBe('a'.repeat(1000))
  })
})
