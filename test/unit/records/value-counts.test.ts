/** Value counts match a map of the cells' texts, in order of first occurrence. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { joinColumn } from '../../../lib/records/columns/columns.ts'
import {
  countColumn,
  countText,
  createValueCounts,
  listValueCounts,
  type ValueCounts,
} from '../../../lib/records/columns/value-counts.ts'

const countCells = (tally: ValueCounts): [string, number][] =>
  [...listValueCounts(tally)].map(({ text, count }) => [text, count])

function countNaively(cells: readonly string[]): [string, number][] {
  const counts = new Map<string, number>()
  for (const cell of cells) counts.set(cell, (counts.get(cell) ?? 0) + 1)
  return [...counts]
}

const cellTexts = fc.oneof(
  fc.constantFrom('null', '1', '12', '"a"', '"ab"', '"é"', '"日本"', '"a,b"', '"\\n"', '","'),
  fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => JSON.stringify(text)),
)

describe('value counts', () => {
  it('count the cells of columns', () => {
    fc.assert(
      fc.property(fc.array(fc.array(cellTexts, { minLength: 1, maxLength: 60 }), { maxLength: 4 }), (columns) => {
        const tally = createValueCounts()
        for (const cells of columns) countColumn(tally, joinColumn(cells))
        expect(countCells(tally)).toEqual(countNaively(columns.flat()))
      }),
    )
  })

  it('count only the selected rows, and additional single texts', () => {
    const rows = fc.array(fc.record({ cell: cellTexts, counts: fc.boolean() }), { minLength: 1, maxLength: 60 })
    fc.assert(
      fc.property(rows, fc.array(cellTexts, { maxLength: 10 }), (column, single) => {
        const tally = createValueCounts()
        for (const text of single) countText(tally, text)
        const counted = Uint8Array.from(column, ({ counts }) => (counts ? 1 : 0))
        countColumn(tally, joinColumn(column.map(({ cell }) => cell)), counted)
        const kept = column.flatMap(({ cell, counts }) => (counts ? [cell] : []))
        expect(countCells(tally)).toEqual(countNaively([...single, ...kept]))
      }),
    )
  })

  it('grow with their values', () => {
    const cells = Array.from({ length: 20_000 }, (_, i) => JSON.stringify(`value ${i} of many`))
    const tally = createValueCounts()
    for (let from = 0; from < cells.length; from += 1000) countColumn(tally, joinColumn(cells.slice(from, from + 1000)))
    countColumn(tally, joinColumn(cells))
    expect(countCells(tally)).toEqual(cells.map((cell) => [cell, 2]))
  })

  it('accept a text longer than all before it', () => {
    const long = JSON.stringify('x'.repeat(100_000))
    const tally = createValueCounts()
    countColumn(tally, joinColumn(['1', long, long]))
    expect(countCells(tally)).toEqual([
      ['1', 1],
      [long, 2],
    ])
  })
})
