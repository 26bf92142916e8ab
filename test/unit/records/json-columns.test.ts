import { describe, expect, it } from 'vitest'
import { splitColumn } from '../../../lib/records/columns/columns.ts'
import { createColumnConverter } from '../../../lib/records/columns/convert-column.ts'
import { encodeValues, type JsonColumn, readValues, selectRows } from '../../../lib/records/columns/json-column.ts'
import { rulesOf } from '../../../lib/records/fields/rules.ts'
import { packChunk, unpackChunk, unpackInThread } from '../../../lib/records/format/chunk.ts'
import { createSegmentWriter } from '../../../lib/records/segments/segment-writer.ts'
import { noteOriginal, ReadCell } from '../../../lib/values/read-cell.ts'

const createWriter = (type: string, capacity = 10) =>
  createSegmentWriter(rulesOf({ sheetId: 'us_sh_json', fields: [{ key: 'a', type }] }), capacity)

const pack = async (values: readonly unknown[]): Promise<JsonColumn> => {
  const column = encodeValues(values)
  return { ...column, packed: await packChunk(column.raw) }
}
const toBatch = (column: JsonColumn) => ({ length: column.length, columns: new Map([['a', column]]) })

describe('the stored form of a column', () => {
  it('is reused by a segment that has the same bytes', async () => {
    const column = await pack(['x', null, 'Zoë "Z"'])
    const writer = createWriter('string')
    writer.add(toBatch(column), 0, 3)
    const [chunk] = writer.take().chunks
    expect(chunk!.packed).toBe(column.packed)
    expect(unpackChunk(chunk!.packed!)).toEqual(chunk!.raw)
  })
  it('is left out if a value is stored in another form', async () => {
    const column = await pack(['1', '2'])
    const writer = createWriter('number')
    writer.add(toBatch(column), 0, 2)
    const [chunk] = writer.take().chunks
    expect(chunk).toEqual({ name: 'v.a', raw: Buffer.from('1,\n2') })
  })
  it.each([
    ['a part of the rows', [[0, 1]]],
    [
      'more rows',
      [
        [0, 2],
        [0, 1],
      ],
    ],
    [
      'rows of two parts',
      [
        [0, 1],
        [1, 2],
      ],
    ],
  ])('is left out with %s', async (_, parts) => {
    const column = await pack(['x', 'y'])
    const writer = createWriter('string')
    for (const [from, to] of parts) writer.add(toBatch(column), from!, to!)
    expect(writer.take().chunks[0]!.packed).toBeUndefined()
  })
  it('does not stay with the next segment', async () => {
    const column = await pack(['x'])
    const writer = createWriter('string')
    writer.add(toBatch(column), 0, 1)
    writer.take()
    writer.add(toBatch(encodeValues(['y'])), 0, 1)
    expect(writer.take().chunks[0]).toEqual({ name: 'v.a', raw: Buffer.from('"y"') })
  })
  it('is inflated in a thread to the same bytes', async () => {
    const values = Array.from({ length: 5000 }, (_, i) => `text ${Math.sin(i)}`)
    const { raw, packed } = await pack(values)
    expect(await unpackInThread(packed!)).toEqual(raw)
  })
})

describe('rows of a column', () => {
  it('are selected with their notes', () => {
    const note = noteOriginal('a', 2, 'two')
    const column = encodeValues(['x', note, null, 'y', 'z'])
    const selected = selectRows(column, [1, 2, 4])
    expect(splitColumn(selected.raw)).toEqual(['2', 'null', '"z"'])
    expect(readValues(selected)).toEqual([note, null, 'z'])
    expect(selectRows(column, [])).toEqual({ raw: Buffer.alloc(0), length: 0, notes: new Map() })
  })
})

describe('a converted column', () => {
  it('evaluates each distinct value once and counts every change', () => {
    const evaluated: unknown[] = []
    const counted: number[] = []
    const convert = createColumnConverter({
      convert(value) {
        evaluated.push(value)
        return { cell: value === null ? null : `${value}!`, changedBy: value === null ? [] : [3] }
      },
      count: (changedBy) => counted.push(...changedBy),
    })
    const column = encodeValues(['x', null, 'y', 'x', null, 'x', 'y', 'y'])
    expect(readValues(convert(column))).toEqual(['x!', null, 'y!', 'x!', null, 'x!', 'y!', 'y!'])
    expect(evaluated.filter((value) => value === 'x')).toHaveLength(1)
    expect(counted).toEqual([3, 3, 3, 3, 3, 3])
  })
  it.each([
    [126, 1],
    [127, 3],
  ])('evaluates texts of %d bytes %d times', (length, times) => {
    let evaluated = 0
    const convert = createColumnConverter({
      convert(value) {
        evaluated++
        return { cell: value, changedBy: [] }
      },
      count: () => {},
    })
    const text = 'x'.repeat(length)
    const column = encodeValues([text, text, text, null])
    expect(readValues(convert(column))).toEqual([text, text, text, null])
    expect(evaluated - 1).toBe(times)
  })
  it.each([
    ['12', 12],
    ['-3.50', -3.5],
    ['007', 7],
    ['00.00', 0],
    ['0.05', 0.05],
    ['999999999999.99', 999_999_999_999.99],
  ])('writes the plain number %s as JSON does', (text, number) => {
    const convert = createColumnConverter({
      convert: () => ({ cell: 'evaluated', changedBy: [] }),
      plainNumbersChangedBy: [1],
      count: () => {},
    })
    expect(convert(encodeValues([text])).raw.toString()).toBe(JSON.stringify(number))
    expect(convert(encodeValues([number])).raw.toString()).toBe(JSON.stringify(number))
  })
  it.each(['-0', '-0.00', '-007', '1.234', '5.', '.5', '1e3', '1,5', '', '-', '1234567890123', ' 1', '1.2.3'])(
    'evaluates %j',
    (text) => {
      const cell = new ReadCell('evaluated', noteOriginal('a', 'evaluated', text).note)
      const convert = createColumnConverter({
        convert: () => ({ cell, changedBy: [] }),
        plainNumbersChangedBy: [1],
        count: () => {},
      })
      const column = { ...encodeValues(['x']), raw: Buffer.from(JSON.stringify(text)) }
      expect(readValues(convert(column))).toEqual([cell])
    },
  )
})
