/** Delimited text is read into columns of cells, however it is split; errors contain the position. */
import fc from 'fast-check'
import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../../../lib/core/errors.ts'
import { DecodingError, decodeText } from '../../../lib/files/extract/decode.ts'
import { RowTooWideError, readCells } from '../../../lib/files/extract/delimited.ts'
import { MAX_ROW_CHARACTERS } from '../../../lib/files/extract/scanner.ts'
import { readCellText } from '../../../lib/records/fields/cell-bytes.ts'

const createLayout = (encoding: string, more: object = {}) => ({
  encoding: { name: encoding, markBytes: 0, isCertain: true },
  dialect: { delimiter: ',', quote: '"', newline: '\n' as const },
  dataStart: 0,
  rowsBefore: 0,
  ...more,
})

async function* splitAt(bytes: Buffer, cuts: number[] = []): AsyncGenerator<Buffer> {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  for (let piece = 1; piece < places.length; piece++) yield bytes.subarray(places[piece - 1], places[piece])
}

async function readRows(bytes: AsyncIterable<Uint8Array>, width: number, layout = createLayout('utf-8')) {
  const rows: (string | null)[][] = []
  const keys = Array.from({ length: width }, (_, column) => String(column))
  for await (const cells of readCells(bytes, layout, width)) {
    expect(cells.length).toBeLessThanOrEqual(10_000)
    for (let row = 0; row < cells.length; row++)
      rows.push(keys.map((_, column) => readCellText({ ...cells, keys }, row, column)))
  }
  return rows
}
const readText = (text: string, width: number, more: object = {}) =>
  readRows(splitAt(Buffer.from(text)), width, createLayout('utf-8', more))

describe('rows', () => {
  it('are the same however the file is split and encoded', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'ü', '"', ',', ' ', '\n', '€'), minLength: 1, maxLength: 6 })
    const table = fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 8 })
    const encodings = fc.constantFrom('utf-8', 'utf-16le', 'utf-16be', 'utf-32le', 'windows-1252', 'gb18030')
    await fc.assert(
      fc.asyncProperty(table, fc.array(fc.nat(400)), encodings, async (cells, cuts, encoding) => {
        const text = cells.map((row) => row.map((one) => `"${one.replaceAll('"', '""')}"`).join(',')).join('\n')
        const bytes = iconv.encode(text, encoding)
        expect(await readRows(splitAt(bytes, cuts), 3, createLayout(encoding))).toEqual(cells)
      }),
    )
  })

  it('split into many chunks occur once each, in order', async () => {
    const count = 60_000
    const text = Array.from({ length: count }, (_, row) => `${row},"line one\r\nline two ${row}",é${'x'.repeat(40)}`)
    const cuts = Array.from({ length: 100 }, (_, cut) => cut * 44_449 + 7)
    const rows = await readRows(splitAt(Buffer.from(text.join('\r\n')), cuts), 3)
    expect(rows).toHaveLength(count)
    expect(rows.every(([first], row) => first === String(row))).toBe(true)
    expect(rows[29_999]).toEqual(['29999', 'line one\r\nline two 29999', `é${'x'.repeat(40)}`])
  })

  it('are padded, and skipped when empty', async () => {
    expect(await readText('1\n\n1,2,3\n,,\n  \n,, \n', 3)).toEqual([
      ['1', null, null],
      ['1', '2', '3'],
      [null, null, ' '],
    ])
  })

  it('start below the header', async () => {
    expect(await readText('title\na,b\n1,2\n', 2, { dataStart: 10, rowsBefore: 2 })).toEqual([['1', '2']])
    const layout = { ...createLayout('utf-8'), encoding: { name: 'utf-8', markBytes: 3, isCertain: true } }
    expect(await readRows(splitAt(Buffer.from('\uFEFFä\n'), [1, 2, 4]), 1, layout)).toEqual([['ä']])
  })

  it('with a NUL character are rejected with their position', async () => {
    await expect(readText('x,y\na\u0000b,c\n', 2)).rejects.toThrow('Row 2 has a NUL character at byte 5')
  })

  it.each([3, 5, 7, 11])('shorter than %d columns are all present', async (width) => {
    const rows = Array.from({ length: 500 }, (_, row) => `${row},x`)
    const found = await readText(rows.join('\n'), width)
    expect(found.map(([first]) => first)).toEqual(rows.map((_, row) => String(row)))
  })

  it('wider than expected are reported at the end, with the maximum width', async () => {
    const reading = readText('1,2\n1,2,3\n1,2,3,4,,\n1,2\n', 2)
    await expect(reading).rejects.toMatchObject({ width: 4 })
    await expect(reading).rejects.toBeInstanceOf(RowTooWideError)
    expect(await readText('1,2,,,\n', 2)).toEqual([['1', '2']])
  })
})

describe('unreadable content', () => {
  it('reports bytes that are invalid in the encoding, with byte and row', async () => {
    const bytes = Buffer.concat([Buffer.from('é,1\n"a\nb",2\nc'), Buffer.from([0xff]), Buffer.from(',3\n')])
    for (const cuts of [[], [5], [14], [13, 15]]) {
      const reading = readRows(splitAt(bytes, cuts), 2)
      await expect(reading).rejects.toBeInstanceOf(DecodingError)
      await expect(reading).rejects.toMatchObject({ byte: 14, row: 3 })
    }
    const japanese = Buffer.concat([iconv.encode('日本,1\n', 'shift_jis'), Buffer.from([0x81, 0x20])])
    await expect(readRows(splitAt(japanese), 2, createLayout('shift_jis'))).rejects.toMatchObject({ byte: 7, row: 2 })
  })

  it('reports a character truncated by the end of the file', async () => {
    const cut = Buffer.from('a\né').subarray(0, 3)
    await expect(readRows(splitAt(cut), 1)).rejects.toMatchObject({ byte: 2, row: 2 })
  })

  it('reports half a UTF-16 character, wherever the file is split', async () => {
    for (const encoding of ['utf-16le', 'utf-16be']) {
      const whole = iconv.encode('a\nb😀\n', encoding)
      const half = Buffer.concat([whole.subarray(0, 8), whole.subarray(10)])
      for (const cuts of [[], [8], [7], [9], [6, 8]]) {
        expect(await readRows(splitAt(whole, cuts), 1, createLayout(encoding))).toEqual([['a'], ['b😀']])
        await expect(readRows(splitAt(half, cuts), 1, createLayout(encoding))).rejects.toMatchObject({
          byte: 6,
          row: 2,
        })
      }
    }
  })

  it('reports an unterminated row in bounded memory', async () => {
    async function* generateEndless() {
      yield Buffer.from('a,b\n1,')
      for (;;) yield Buffer.alloc(1024 * 1024, 'y')
    }
    await expect(readRows(generateEndless(), 2)).rejects.toThrow(
      `Row 2 does not end within ${MAX_ROW_CHARACTERS.toLocaleString('en')} characters.`,
    )
  })

  it('reports more columns or rows than the limit of a sheet', async () => {
    const wide = readText(`a\nb\n${'x,'.repeat(500)}x\n`, 1)
    await expect(wide).rejects.toThrow('Row 3 has 501 columns; a sheet has at most 500.')
    await expect(wide).rejects.toBeInstanceOf(ApiError)
    async function* generateMany() {
      for (let part = 0; part < 11; part++) yield Buffer.from('1\n'.repeat(1_000_000))
    }
    let rows = 0
    const reading = (async () => {
      for await (const { length } of readCells(generateMany(), createLayout('utf-8'), 1)) rows += length
    })()
    await expect(reading).rejects.toThrow('more than 10,000,000 rows')
    expect(rows).toBeLessThanOrEqual(10_000_000)
  })
})

it('progress in bytes grows to the size of the file', async () => {
  const bytes = Buffer.from('a,b\n'.repeat(200_000))
  const done: number[] = []
  for await (const piece of decodeText(splitAt(bytes, [10, 300_000]), 'utf-8', 0)) done.push(piece.bytesDone)
  expect(done).toEqual(done.toSorted((a, b) => a - b))
  expect(done.at(-1)).toBe(bytes.length)
})
