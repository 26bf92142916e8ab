import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { suggestValues } from '../../../lib/mapping/enums.ts'
import { createOptionIndex } from '../../../lib/mapping/option-index.ts'
import { isMisspelledWord } from '../../../lib/mapping/tokenize.ts'
import type { Field } from '../../../schemas/sheets/fields.ts'

const word = fc.string({ unit: fc.constantFrom(...'abcde'), minLength: 3, maxLength: 7 })
const words = fc.array(word, { minLength: 1, maxLength: 3 })
const PREFIX = 4

const isMisspelled = (a: readonly string[], b: readonly string[]): boolean => {
  const different = a.map((_, i) => i).filter((i) => a[i] !== b[i])
  return a.length === b.length && different.length === 1 && isMisspelledWord(a[different[0]!]!, b[different[0]!]!)
}

const misspell = (list: readonly string[], at: number, kind: number): string[] =>
  list.map((text, i) => {
    if (i !== at % list.length) return text
    const place = 1 + (at % (text.length - 2))
    const [before, letter, after] = [text.slice(0, place), text[place]!, text.slice(place + 1)]
    return [
      before + after,
      `${before}${letter}x${after}`,
      `${before}x${after}`,
      before + after[0] + letter + after.slice(1),
    ][kind]!
  })

describe('the index of options', () => {
  it('misses no option that can match', () => {
    fc.assert(
      fc.property(fc.array(words, { maxLength: 30 }), words, fc.nat(99), fc.nat(3), (names, other, at, kind) => {
        const options = names.map((list) => ({ names: [{ compact: list.join(''), words: list }] }))
        const index = createOptionIndex(options, PREFIX)
        for (const asked of [
          other,
          ...names.slice(0, 3),
          ...names.slice(0, 3).map((list) => misspell(list, at, kind)),
        ]) {
          const find = (matches: (list: readonly string[]) => boolean) =>
            options.filter((option) => matches(option.names[0]!.words))
          const prefix = asked[0]!.slice(0, PREFIX)
          const starts = find((list) => list.length === 1 && prefix.length === PREFIX && list[0]!.startsWith(prefix))
          expect(index.named(asked.join(''))).toEqual(
            expect.arrayContaining(find((list) => list.join('') === asked.join(''))),
          )
          expect(index.misspelled(asked)).toEqual(expect.arrayContaining(find((list) => isMisspelled(list, asked))))
          expect(index.cut(prefix)).toEqual(expect.arrayContaining(starts))
        }
      }),
    )
  })

  it('finds spellings among five thousand options in seconds', () => {
    const createName = (i: number) => `${['north', 'south', 'east', 'west'][i % 4]}ern branch number ${i}`
    const options = Array.from({ length: 5000 }, (_, i) => ({ value: `b${i}`, label: createName(i) }))
    const field = { key: 'branch', type: 'enum', config: { options } } as unknown as Field
    const values = Array.from({ length: 1000 }, (_, i) => createName(i).replace('branch', 'brench').toUpperCase())
    const start = performance.now()
    const { mapping } = suggestValues([...values, ...values.map((_, i) => `unknown place ${i}`)], field)!
    expect(mapping.map(({ destinationValue }) => destinationValue)).toEqual(values.map((_, i) => `b${i}`))
    expect(performance.now() - start).toBeLessThan(20_000)
  })
})
