/** Ranges of a text file that are read side by side, compared with reading it in one piece. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMemoryBytes } from '../../../lib/files/extract/bytes.ts'
import { checkRanges, divideFile, readRange, type StoredRange } from '../../../lib/files/extract/divided.ts'
import { openText } from '../../../lib/files/extract/text.ts'
import type { TextRange } from '../../../lib/files/extract/text-range.ts'
import { readCellText } from '../../../lib/records/fields/cell-bytes.ts'
import type { CellBytes } from '../../../lib/records/index.ts'
import { runs } from '../../support/runs.ts'

type Rows = (string | null)[][]

function listRows({ length, ...cells }: Omit<CellBytes, 'keys'>, width: number): Rows {
  const keys = Array.from({ length: width }, (_, column) => String(column))
  return Array.from({ length }, (_, row) =>
    keys.map((_, column) => readCellText({ length, ...cells, keys }, row, column)),
  )
}

const openFile = (text: string) => openText(createMemoryBytes({ name: 'file.csv', ext: 'csv' }, Buffer.from(text)))

async function readWhole(text: string): Promise<Rows> {
  const source = await openFile(text)
  const rows: Rows = []
  for await (const part of source.parts()) rows.push(...listRows(part.rows, source.tables[0]!.width))
  return rows
}

async function readDivided(text: string, partBytes: number): Promise<{ rows: Rows; repeated: number }> {
  const source = await openFile(text)
  const { width } = source.tables[0]!
  const rowsByRange = new Map<StoredRange, Rows>()
  const read = async (range: TextRange): Promise<StoredRange> => {
    const rows: Rows = []
    const stored = await readRange(source.ranges!.open(range), async (parts) => {
      for await (const cells of parts) rows.push(...listRows(cells, width))
      return undefined
    })
    rowsByRange.set(stored, rows)
    return stored
  }
  const ranges = divideFile(source.ranges!, width, Buffer.byteLength(text), partBytes)
  let repeated = 0
  const checked = await checkRanges(source.ranges!, ranges, await Promise.all(ranges.map(read)), async (range) => {
    repeated++
    return read(range)
  })
  return { rows: checked!.flatMap((range) => rowsByRange.get(range)!), repeated }
}

const quote = (cell: string): string => `"${cell.replaceAll('"', '""')}"`

describe('ranges of a file', () => {
  it('have the rows of the whole file, whatever its cells contain', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'b', 'ü', '"', ',', '\n', '1', ' '), maxLength: 12 })
    const table = fc.array(fc.tuple(cell, cell, fc.nat(999)), { minLength: 1, maxLength: 60 })
    const newlines = fc.constantFrom('\n', '\r\n')
    await fc.assert(
      fc.asyncProperty(
        table,
        newlines,
        fc.integer({ min: 3, max: 300 }),
        fc.boolean(),
        async (rows, newline, size, ends) => {
          const lines = rows.map(([first, second, number]) => [quote(`x${first}`), quote(second), number].join(','))
          const text = `name,note,amount${newline}${lines.join(newline)}${ends ? newline : ''}`
          expect((await readDivided(text, size)).rows).toEqual(await readWhole(text))
        },
      ),
      { numRuns: runs(150) },
    )
  })

  it('start at a row although the range starts in a cell of several lines', async () => {
    const note = Array.from({ length: 30 }, (_, line) => `line ${line}, with a comma`).join('\n')
    const text = `id,note,amount\n${Array.from({ length: 200 }, (_, id) => `${id},${quote(note)},${id * 2}`).join('\n')}\n`
    const { rows, repeated } = await readDivided(text, 10_000)
    expect(rows).toEqual(await readWhole(text))
    expect(repeated).toBe(0)
  })

  it('are read again from the right row if the guess was wrong', async () => {
    const misleading = Array.from({ length: 100 }, (_, line) => `${line},text,${line}`).join('\n')
    const text = `id,note,amount\n${Array.from({ length: 20 }, (_, id) => `${id},${quote(misleading)},${id}`).join('\n')}\n`
    const { rows, repeated } = await readDivided(text, 5_000)
    expect(rows).toEqual(await readWhole(text))
    expect(repeated).toBeGreaterThan(0)
  })

  it('have the whole of a row that is longer than a range', async () => {
    const text = `id,note\n1,${'x'.repeat(5_000)}\n2,y\n3,${quote('z\n'.repeat(3_000))}\n4,w\n`
    expect((await readDivided(text, 100)).rows).toEqual(await readWhole(text))
  })
})
