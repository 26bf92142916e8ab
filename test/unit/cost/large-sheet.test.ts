import { describe, expect, it } from 'vitest'
import { estimateReads, estimateSteps } from '../../../bench/cost/large-sheet.ts'

const STEPS = ['extraction', 'mapping', 'export']
const results = [
  ...STEPS.map((step) => ({ what: `${step}, after the last part`, value: 2_000, referenceValue: 12_000 })),
  ...['count with errors by field', 'count of records that match two fields', 'search in all columns'],
  ...['last page of 1,000 records', 'page of records with errors', 'page of records that match two fields'],
  'sort by a text, first 100 records',
].map((row) => ({
  reference: '',
  target: 1,
  ...(typeof row === 'string' ? { what: row, value: 2_900, referenceValue: 1 } : row),
}))

const sizes = { measuredRows: 1_000, fileBytes: 10_000, partBytes: 2_000, partRecords: 100, partsAtOnce: 4 }

describe('estimateSteps', () => {
  it('adds the time of parts in groups of functions to the time of the commit', () => {
    const [extraction, mapping] = estimateSteps(results, 2_000, sizes)
    expect(extraction).toEqual({ step: 'extraction', parts: 10, partSeconds: 2, commitSeconds: 4, seconds: 10 })
    expect(mapping).toEqual({ step: 'mapping', parts: 20, partSeconds: 1, commitSeconds: 4, seconds: 9 })
  })
})

describe('estimateReads', () => {
  const readAll = (rows: number) => new Map(estimateReads(results, rows, sizes).map((read) => [read.what, read]))

  it('adds the time of parts in groups of functions, unless a page ends the request', () => {
    const reads = readAll(5_000)
    expect(reads.get('search in all columns')).toMatchObject({
      parts: 50,
      partSeconds: expect.closeTo(0.29),
      seconds: expect.closeTo(3.77),
    })
    expect(reads.get('last page of 1,000 records')).toMatchObject({ parts: 1, seconds: 2.9 })
  })

  it('grows with the rows that one function reads', () => {
    expect(readAll(300).get('search in all columns')).toMatchObject({ parts: 1, seconds: expect.closeTo(0.87) })
  })
})
