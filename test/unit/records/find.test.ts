/** Texts found in bytes are where a text of the bytes has them; a text is made of them only where that is quicker. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { occurrences } from '../../../lib/records/bytes/find.ts'

const SMALL = 4096

/** All places, one after the other. */
function placesOf(raw: Buffer, needle: string): number[] {
  const next = occurrences(raw, needle)
  const places: number[] = []
  for (let at = next(0); at >= 0; at = next(at + 1)) places.push(at)
  return places
}

function naive(raw: Buffer, needle: string): number[] {
  const text = raw.toString('latin1').toLowerCase()
  const places: number[] = []
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) places.push(at)
  return places
}

/** `of` again and again, with each of `at` written over it. */
function bytesOf(length: number, of: string, at: Record<number, string>): Buffer {
  const raw = Buffer.alloc(length, of)
  for (const [place, text] of Object.entries(at)) raw.write(text, Number(place), 'latin1')
  return raw
}

/** Fails whoever makes a text of the bytes. */
function unread(raw: Buffer): Buffer {
  raw.toString = () => {
    throw new Error('a text was made')
  }
  return raw
}

describe('a text in bytes', () => {
  it('is found where a text of the bytes has it', () => {
    const letters = fc.constantFrom(...'aAbBzZ@[`{0é'.split(''))
    const needles = fc.string({ unit: fc.constantFrom(...'abz@[`{0'.split('')), minLength: 1, maxLength: 4 })
    const filled = fc.constantFrom('a', 'Q', 'ab', '{')
    const places = fc.array(fc.tuple(fc.nat(5999), fc.string({ unit: letters, maxLength: 6 })), { maxLength: 40 })
    const property = fc.property(fc.nat(6000), filled, places, needles, (length, of, written, needle) => {
      const raw = bytesOf(length, of, {})
      for (const [place, text] of written) raw.write(text, Math.min(place, length), 'latin1')
      expect(placesOf(raw, needle)).toEqual(naive(raw, needle))
    })
    fc.assert(property, { numRuns: 2000 })
  })

  it.each([
    ['in another case', 'xyz', { 10: 'XyZ', 5000: 'xYz' }],
    ['at both ends', 'xyz', { 0: 'xyz', 5997: 'XYZ' }],
    ['cut off at the end', 'xyz', { 5998: 'xy' }],
    ['one in the other', 'xyx', { 100: 'xyxyxYX' }],
    ['by a sign that is no letter', 'q@q', { 7: 'Q@q', 90: 'Q`q' }],
    ['by the last and the first of the letters', 'zaz', { 7: 'ZaZ', 900: 'zAz', 1000: 'zaz' }],
    ['beside signs that differ from letters by their case alone', '[z', { 7: '{z', 50: '[Z', 99: '[Z' }],
    ['not at all', 'xyz', { 44: 'xy', 99: 'yz' }],
  ])('is found %s, by its rarest letter', (_, needle, at) => {
    const raw = bytesOf(6000, 'q', at)
    const meant = naive(raw, needle)
    expect(placesOf(unread(raw), needle)).toEqual(meant)
  })

  it('is looked for from the place asked', () => {
    const next = occurrences(bytesOf(6000, 'q', { 10: 'xyz', 20: 'xyz', 5000: 'XYZ' }), 'xyz')
    expect([next(0), next(10), next(11), next(21), next(5001)]).toEqual([10, 10, 20, 5000, -1])
  })
})

describe('a text is made of the bytes', () => {
  const reads = (raw: Buffer, needle: string) => expect(() => placesOf(unread(raw), needle))

  it('when they are few', () => {
    reads(bytesOf(SMALL - 1, 'q', {}), 'xyz').toThrow('a text was made')
    reads(bytesOf(SMALL, 'q', {}), 'xyz').not.toThrow()
  })

  it('when no letter is rare, in either case', () => {
    reads(bytesOf(6000, 'xyz', {}), 'zyx').toThrow('a text was made')
    reads(bytesOf(6000, 'XYZ', {}), 'zyx').toThrow('a text was made')
    reads(bytesOf(6000, 'xyz', {}), 'zyxo').not.toThrow()
    reads(bytesOf(6000, 'xyz', {}), 'ozyx').not.toThrow()
  })

  it('when more than a few samples of all the bytes have the letter', () => {
    // Every fifth byte is looked at: 1,024 of them.
    const length = 5 * 1024
    const rare = (found: number, from: number) =>
      bytesOf(length, 'q', Object.fromEntries(Array.from({ length: found }, (_, i) => [(from + i) * 5, 'x'])))
    for (const from of [0, 1024 - 17]) {
      reads(rare(16, from), 'x').not.toThrow()
      reads(rare(17, from), 'x').toThrow('a text was made')
    }
    // What is counted of one look is forgotten at the next.
    reads(rare(16, 0), 'x').not.toThrow()
  })
})
