/** Cells are counted as a map of their texts counts them, in the order they are first met. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { joinColumn } from '../../../lib/records/bytes/columns.ts'
import { newTally, type Tally, tallied, tallyColumn, tallyText } from '../../../lib/records/bytes/tally.ts'

const countsOf = (tally: Tally): [string, number][] => [...tallied(tally)].map(({ text, count }) => [text, count])

function naive(cells: readonly string[]): [string, number][] {
  const counts = new Map<string, number>()
  for (const cell of cells) counts.set(cell, (counts.get(cell) ?? 0) + 1)
  return [...counts]
}

/** Few values often, and many once; of several bytes a letter, and one the begin of the other. */
const cellTexts = fc.oneof(
  fc.constantFrom('null', '1', '12', '"a"', '"ab"', '"é"', '"日本"', '"a,b"', '"\\n"', '","'),
  fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => JSON.stringify(text)),
)

describe('tallies of cells', () => {
  it('count what stands in columns', () => {
    fc.assert(
      fc.property(fc.array(fc.array(cellTexts, { minLength: 1, maxLength: 60 }), { maxLength: 4 }), (columns) => {
        const tally = newTally()
        for (const cells of columns) tallyColumn(tally, joinColumn(cells))
        expect(countsOf(tally)).toEqual(naive(columns.flat()))
      }),
    )
  })

  it('count only the rows that are to count, and single texts beside them', () => {
    const rows = fc.array(fc.record({ cell: cellTexts, counts: fc.boolean() }), { minLength: 1, maxLength: 60 })
    fc.assert(
      fc.property(rows, fc.array(cellTexts, { maxLength: 10 }), (column, single) => {
        const tally = newTally()
        for (const text of single) tallyText(tally, text)
        const counted = Uint8Array.from(column, ({ counts }) => (counts ? 1 : 0))
        tallyColumn(tally, joinColumn(column.map(({ cell }) => cell)), counted)
        const kept = column.flatMap(({ cell, counts }) => (counts ? [cell] : []))
        expect(countsOf(tally)).toEqual(naive([...single, ...kept]))
      }),
    )
  })

  it('grow with their values', () => {
    const cells = Array.from({ length: 20_000 }, (_, i) => JSON.stringify(`value ${i} of many`))
    const tally = newTally()
    for (let from = 0; from < cells.length; from += 1000) tallyColumn(tally, joinColumn(cells.slice(from, from + 1000)))
    tallyColumn(tally, joinColumn(cells))
    expect(countsOf(tally)).toEqual(cells.map((cell) => [cell, 2]))
  })

  it('takes a text longer than all before it', () => {
    const long = JSON.stringify('x'.repeat(100_000))
    const tally = newTally()
    tallyColumn(tally, joinColumn(['1', long, long]))
    expect(countsOf(tally)).toEqual([
      ['1', 1],
      [long, 2],
    ])
  })
})
