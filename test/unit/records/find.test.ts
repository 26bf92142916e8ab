/** Byte search finds the same positions as text search, and decodes the text only when that is faster. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMatchFinder } from '../../../lib/records/columns/find.ts'

const SMALL = 4096

function findPositions(raw: Buffer, needle: string): number[] {
  const next = createMatchFinder(raw, needle)
  const places: number[] = []
  for (let at = next(0); at >= 0; at = next(at + 1)) places.push(at)
  return places
}

function findNaively(raw: Buffer, needle: string): number[] {
  const text = raw.toString('latin1').toLowerCase()
  const places: number[] = []
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) places.push(at)
  return places
}

function createBytes(length: number, of: string, at: Record<number, string>): Buffer {
  const raw = Buffer.alloc(length, of)
  for (const [place, text] of Object.entries(at)) raw.write(text, Number(place), 'latin1')
  return raw
}

function failOnDecode(raw: Buffer): Buffer {
  raw.toString = () => {
    throw new Error('a text was made')
  }
  return raw
}

describe('text in bytes', () => {
  it('is found at the same positions as in the decoded text', () => {
    const letters = fc.constantFrom(...'aAbBzZ@[`{0é'.split(''))
    const needles = fc.string({ unit: fc.constantFrom(...'abz@[`{0'.split('')), minLength: 1, maxLength: 4 })
    const filled = fc.constantFrom('a', 'Q', 'ab', '{')
    const places = fc.array(fc.tuple(fc.nat(5999), fc.string({ unit: letters, maxLength: 6 })), { maxLength: 40 })
    const property = fc.property(fc.nat(6000), filled, places, needles, (length, of, written, needle) => {
      const raw = createBytes(length, of, {})
      for (const [place, text] of written) raw.write(text, Math.min(place, length), 'latin1')
      expect(findPositions(raw, needle)).toEqual(findNaively(raw, needle))
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
    const raw = createBytes(6000, 'q', at)
    const meant = findNaively(raw, needle)
    expect(findPositions(failOnDecode(raw), needle)).toEqual(meant)
  })

  it('is searched from the given position', () => {
    const next = createMatchFinder(createBytes(6000, 'q', { 10: 'xyz', 20: 'xyz', 5000: 'XYZ' }), 'xyz')
    expect([next(0), next(10), next(11), next(21), next(5001)]).toEqual([10, 10, 20, 5000, -1])
  })
})

describe('bytes are decoded', () => {
  const expectSearch = (raw: Buffer, needle: string) => expect(() => findPositions(failOnDecode(raw), needle))

  it('when they are few', () => {
    expectSearch(createBytes(SMALL - 1, 'q', {}), 'xyz').toThrow('a text was made')
    expectSearch(createBytes(SMALL, 'q', {}), 'xyz').not.toThrow()
  })

  it('when no letter is rare, in either case', () => {
    expectSearch(createBytes(6000, 'xyz', {}), 'zyx').toThrow('a text was made')
    expectSearch(createBytes(6000, 'XYZ', {}), 'zyx').toThrow('a text was made')
    expectSearch(createBytes(6000, 'xyz', {}), 'zyxo').not.toThrow()
    expectSearch(createBytes(6000, 'xyz', {}), 'ozyx').not.toThrow()
  })

  it('when more than a few samples of the bytes contain the letter', () => {
    const length = 5 * 1024
    const createRare = (found: number, from: number) =>
      createBytes(length, 'q', Object.fromEntries(Array.from({ length: found }, (_, i) => [(from + i) * 5, 'x'])))
    for (const from of [0, 1024 - 17]) {
      expectSearch(createRare(16, from), 'x').not.toThrow()
      expectSearch(createRare(17, from), 'x').toThrow('a text was made')
    }
    expectSearch(createRare(16, 0), 'x').not.toThrow()
  })
})
