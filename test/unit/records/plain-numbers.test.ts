/** Plain numbers are sampled: a reading decided from the sample is the one decided from all of them. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPlainNumbers, listPlainNumbers } from '../../../lib/records/columns/plain-numbers.ts'
import { countColumn, createValueCounts, listValueCounts } from '../../../lib/records/columns/value-counts.ts'
import { gatherNumbers } from '../../../lib/values/numbers.ts'
import { runs } from '../../support/runs.ts'

const toColumn = (texts: readonly (string | null)[]): Buffer =>
  Buffer.from(texts.map((text) => JSON.stringify(text)).join(',\n'))

function readWritten(texts: readonly (string | null)[], includedRows?: Uint8Array) {
  const [counts, numbers] = [createValueCounts(), createPlainNumbers()]
  countColumn(counts, toColumn(texts), includedRows, numbers)
  const others = [...listValueCounts(counts)].map(({ text }) => JSON.parse(text) as string | null)
  return { others, sampled: listPlainNumbers(numbers) }
}

const plainNumber = fc
  .tuple(fc.integer({ min: -99_999, max: 99_999 }), fc.constantFrom(0, 1, 2))
  .filter(([value, decimals]) => value !== 0 || decimals === 0)
  .map(([value, decimals]) => (value / 10 ** decimals).toFixed(decimals))
const otherText = fc.constantFrom(
  ...['007', '0.00', '-0', '1.234', '1,234', '12,5', '3 kg', '2 t', '(5)', '€ 4', '50 %', 'n/a', '', '1e3', '12.345'],
)
const text = fc.oneof({ weight: 4, arbitrary: plainNumber }, { weight: 1, arbitrary: otherText }, fc.constant(null))

describe('a column of numbers', () => {
  it('has the same reading from sampled numbers as from all', () => {
    fc.assert(
      fc.property(
        fc.array(text, { minLength: 1, maxLength: 80 }),
        fc.constantFrom('amount', 'kg', 'Soll/Haben'),
        (texts, name) => {
          const decide = (values: readonly (string | null)[]) => {
            const evidence = gatherNumbers()
            for (const value of values) if (value) evidence.add(value)
            const { reading, question } = evidence.decide({ columnName: name })
            return { reading, about: question?.about, alternatives: question?.alternatives }
          }
          const { others, sampled } = readWritten(texts)
          expect(decide([...others, ...sampled])).toEqual(decide([...new Set(texts)]))
        },
      ),
      { numRuns: runs(2000, 300) },
    )
  })

  it('samples only numbers that are written as JSON writes them, or with decimals that end in 0', () => {
    const { others, sampled } = readWritten([
      '1',
      '1',
      '12.50',
      '-3.1',
      '0',
      '00',
      '-0',
      '0.0',
      '.5',
      '5.',
      '1.234',
      '+1',
    ])
    expect(others).toEqual(['00', '-0', '0.0', '.5', '5.', '1.234', '+1'])
    expect(sampled.toSorted()).toEqual(['-3.1', '0', '1', '12.50'])
  })

  it('includes the smallest and the largest of many', () => {
    const texts = Array.from({ length: 1000 }, (_, i) => String(500 + ((i * 7) % 1000)))
    const { others, sampled } = readWritten([...texts, '-2', '9000'])
    expect(others).toEqual([])
    expect(sampled).toHaveLength(10)
    expect(sampled).toEqual(expect.arrayContaining(['-2', '9000']))
  })

  it('skips rows that are not included, and reads escaped texts and the last cell', () => {
    const { others, sampled } = readWritten(['1', '2', 'a"\n,', '3'], Uint8Array.from([1, 0, 1, 1]))
    expect(others).toEqual(['a"\n,'])
    expect(sampled).toEqual(['1', '3'])
  })
})
