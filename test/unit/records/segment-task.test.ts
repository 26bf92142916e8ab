/** Segments built in threads, compared with the rows they are built from. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitColumn } from '../../../lib/records/columns/columns.ts'
import type { CellBytes } from '../../../lib/records/fields/cell-bytes.ts'
import { getRaw } from '../../../lib/records/format/chunk.ts'
import { buildInThreads } from '../../../lib/records/index.ts'

const KEYS = ['name', 'city', 'code']
const sheet = {
  sheetId: 'us_sh_segments',
  fields: KEYS.map((key) => ({ key, type: 'string', constraints: key === 'code' ? [{ type: 'unique' }] : [] })),
}
const SEGMENT_ROWS = 5

type Row = string[]
const cell = fc.oneof(fc.constant(''), fc.string({ unit: 'grapheme', maxLength: 9 }), fc.constant('x'.repeat(200)))
const batch = fc.record({
  rows: fc.array(fc.tuple(cell, cell, cell), { maxLength: 12 }),
  isReversed: fc.boolean(),
  padding: fc.nat(30),
})

interface Batch {
  rows: Row[]
  isReversed: boolean
  padding: number
}

function createCells({ rows, isReversed, padding }: Batch): CellBytes {
  const starts = new Uint32Array(rows.length * KEYS.length)
  const ends = new Uint32Array(rows.length * KEYS.length)
  const pieces = ['#'.repeat(padding)].map((text) => Buffer.from(text))
  let at = padding
  rows.forEach((row, i) => {
    const columns = isReversed ? [2, 1, 0] : [0, 1, 2]
    for (const column of columns) {
      const piece = Buffer.from(row[column]!)
      if (piece.length > 0) starts[i * KEYS.length + column] = at
      if (piece.length > 0) ends[i * KEYS.length + column] = at + piece.length
      pieces.push(piece, Buffer.from(','))
      at += piece.length + 1
    }
  })
  return { length: rows.length, keys: KEYS, bytes: Buffer.concat(pieces), starts, ends }
}

/** As readers do, each batch is overwritten once the next one is requested. */
async function* readBatches(batches: readonly Batch[]): AsyncGenerator<CellBytes> {
  for (const each of batches) {
    const cells = createCells(each)
    yield cells
    cells.bytes.fill('!')
    cells.starts.fill(0)
    cells.ends.fill(1)
  }
}

async function build(batches: readonly Batch[]) {
  const segments = []
  for await (const part of buildInThreads(sheet, readBatches(batches), { segmentRows: SEGMENT_ROWS }))
    segments.push(...part.segments)
  return segments
}

const toStored = (text: string): unknown => (text === '' ? null : text)

describe('segments built in threads', () => {
  it('have the rows of all batches in their order, in full segments', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(batch, { maxLength: 9 }), async (batches) => {
        const expected = batches.flatMap(({ rows }) => rows)
        const segments = await build(batches)
        expect(segments.map(({ rows }) => rows)).toEqual(
          Array.from({ length: Math.ceil(expected.length / SEGMENT_ROWS) }, (_, i) =>
            Math.min(SEGMENT_ROWS, expected.length - i * SEGMENT_ROWS),
          ),
        )
        const columns = KEYS.map((_, column) =>
          segments.flatMap(({ chunks }) => splitColumn(getRaw(chunks[column]!)).map((text) => JSON.parse(text))),
        )
        expect(expected.map((_, row) => columns.map((column) => column[row]))).toEqual(
          expected.map((row) => row.map(toStored)),
        )
        const hashed = segments.reduce((sum, { hashes }) => sum + [...hashes.values()][0]!.hi.length, 0)
        expect(hashed).toBe(expected.filter(([, , code]) => code !== '').length)
      }),
      { numRuns: 30 },
    )
  })

  it('fail with the error of the reader', async () => {
    async function* readBroken(): AsyncGenerator<CellBytes> {
      yield createCells({ rows: [['a', 'b', 'c']], isReversed: false, padding: 0 })
      throw new Error('damaged')
    }
    const parts = buildInThreads(sheet, readBroken(), { segmentRows: SEGMENT_ROWS })
    await expect(parts.next()).rejects.toThrow('damaged')
  })
})
