/** Bits, bytes, columns, chunks, hashes and digits at byte, mark and buffer boundaries. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compressJson, decompressJson } from '../../../lib/core/compressed-json.ts'
import * as bits from '../../../lib/records/columns/bits.ts'
import * as output from '../../../lib/records/columns/byte-writer.ts'
import * as columns from '../../../lib/records/columns/columns.ts'
import * as hashes from '../../../lib/records/columns/hash.ts'
import { parsePlainNumber } from '../../../lib/records/columns/numbers.ts'
import { radixSort } from '../../../lib/records/columns/radix.ts'
import { createU32List, growBytes, pushU32 } from '../../../lib/records/columns/u32-list.ts'
import { getBytesCheck, getPlainField, readCellText } from '../../../lib/records/fields/cell-bytes.ts'
import { rulesOf } from '../../../lib/records/fields/rules.ts'
import * as chunks from '../../../lib/records/format/chunk.ts'
import {
  countEmptyCells,
  createCellReader,
  estimateBytes,
  getEditedCells,
  parseCellValue,
  seek,
  visitCells,
} from '../../../lib/records/segments/cells.ts'
import type { Field, SheetRef } from '../../../lib/records/sheet.ts'
import type { RowEdit, Segment } from '../../../lib/records/state/state.ts'

const rowSet = fc.uniqueArray(fc.nat(40)).map((rows) => rows.sort((a, b) => a - b))
const createBits = (rows: readonly number[]): bits.Bits => {
  const set = bits.emptyBits(41)
  for (const row of rows) bits.setBit(set, row)
  return set
}

describe('row sets', () => {
  it('support union, intersection, complement and count', () => {
    fc.assert(
      fc.property(rowSet, rowSet, (a, b) => {
        const all = Array.from({ length: 41 }, (_, row) => row)
        const listed = (set: bits.Bits) => bits.bitsToRows(set).filter((row) => row < 41)
        expect(listed(bits.andBits(createBits(a), createBits(b)))).toEqual(a.filter((row) => b.includes(row)))
        expect(listed(bits.orBits(createBits(a), createBits(b)))).toEqual(
          all.filter((row) => a.includes(row) || b.includes(row)),
        )
        expect(listed(bits.notBits(createBits(a)))).toEqual(all.filter((row) => !a.includes(row)))
        expect(bits.countBits(createBits(a))).toBe(a.length)
        expect(all.filter((row) => bits.hasBit(createBits(a), row))).toEqual(a)
      }),
    )
  })

  it('use a byte per eight rows, without bits past the end', () => {
    expect([0, 1, 8, 9].map((rows) => bits.emptyBits(rows).length)).toEqual([0, 1, 1, 2])
    expect(bits.bitsToRows(bits.allBits(8))).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    expect(bits.hasBit(bits.allBits(8), 8)).toBe(false)
    expect([null, undefined].map((none) => [bits.hasBit(none, 0), bits.countBits(none)])).toEqual([
      [false, 0],
      [false, 0],
    ])
  })

  it('are modified in place, one row at a time', () => {
    const set = createBits([3, 11, 12])
    bits.clearBit(set, 11)
    bits.clearBit(set, 20)
    expect(bits.bitsToRows(set)).toEqual([3, 12])
    expect(bits.andBits(set, createBits([3]))).toBe(set)
    expect(bits.orBits(set, createBits([9]))).toBe(set)
    expect(bits.notBits(set)).toBe(set)
  })

  it('are stored as gaps and runs or as bytes, whichever is shorter', () => {
    expect(bits.encodeRows([])).toEqual([])
    expect(bits.encodeRows([0])).toBe(Buffer.of(1).toString('base64'))
    expect(bits.encodeRows([100])).toEqual([100, 1])
    expect(bits.encodeRows([100, 101, 205])).toEqual([100, 2, 103, 1])
    expect(bits.decodeRows([100, 2, 103, 1])).toEqual([100, 101, 205])
    expect(bits.decodeRows(Buffer.of(0b101, 0b1).toString('base64'))).toEqual([0, 2, 8])
  })
})

describe('byte writer', () => {
  it('contains everything written, whatever its initial size', () => {
    const out = output.createByteWriter(1)
    output.writeString(out, 'é😀a')
    output.writeBytes(out, Buffer.from('bytes'))
    output.copyRange(out, Buffer.from('[part]'), 1, 5)
    output.writeByte(out, 33)
    for (const number of [0, 9, 10, 99, 100, 1_234_567, Number.MAX_SAFE_INTEGER]) {
      output.writeByte(out, 32)
      output.writeNumber(out, number)
    }
    expect(output.takeBytes(out, 8).toString()).toBe('é😀abytespart! 0 9 10 99 100 1234567 9007199254740991')
    expect(out.length).toBe(0)
    expect(out.bytes.length).toBe(8)
  })

  it('writes snippets exactly, whatever their length and characters', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), fc.nat(20), (texts, capacity) => {
        const out = output.createByteWriter(capacity)
        for (const text of texts) output.writeSnippet(out, output.createSnippet(text))
        expect(out.bytes.subarray(0, out.length)).toEqual(Buffer.concat(texts.map((text) => Buffer.from(text))))
      }),
    )
    const highest = '\u{10ffff}\u007f'.repeat(20)
    const out = output.createByteWriter()
    output.writeSnippet(out, output.createSnippet(highest))
    expect(out.bytes.toString('utf8', 0, out.length)).toBe(highest)
  })

  it('grows only when needed, to at least twice its size', () => {
    const out = output.createByteWriter(4)
    const { bytes } = out
    output.writeBytes(out, Buffer.from('1234'))
    expect(out.bytes).toBe(bytes)
    output.writeByte(out, 53)
    expect(out.bytes.length).toBe(9)
    expect(output.createByteWriter().bytes.length).toBe(1024)
  })

  it('does not change bytes that were taken', () => {
    const out = output.createByteWriter(8)
    output.writeString(out, 'a')
    const taken = output.takeBytes(out, 8)
    output.writeString(out, 'b')
    expect(taken.toString()).toBe('a')
  })

  it('uses recycled bytes again, once', () => {
    const capacity = 123_456
    const out = output.createByteWriter(capacity)
    output.writeString(out, 'a')
    const taken = output.takeBytes(out, capacity)
    expect(output.createByteWriter(capacity).bytes.buffer).not.toBe(taken.buffer)
    output.recycleBytes(taken)
    output.recycleBytes(taken)
    const [first, second] = [output.createByteWriter(capacity), output.createByteWriter(capacity)]
    expect(first.bytes.buffer).toBe(taken.buffer)
    expect(second.bytes.buffer).not.toBe(taken.buffer)
    output.writeString(first, 'b')
    expect(first.bytes.toString('utf8', 0, first.length)).toBe('b')
    output.recycleBytes(Buffer.alloc(capacity))
    expect(output.createByteWriter(capacity).length).toBe(0)
  })
})

const FIELD = { key: 'a', column: 'v.a' }
const createEdit = (values: { [column: string]: string }): RowEdit => ({
  values: new Map(Object.entries(values)),
  slots: new Map(),
  base: [],
  wasFlagged: false,
})

function openColumn(cells: readonly string[] | undefined, rows: number, more: Partial<Segment> = {}) {
  const segment = {
    key: '0.0',
    rows,
    blobs: [],
    inline: null,
    nulls: new Map(),
    deleted: null,
    edits: new Map(),
    ...more,
  }
  const raw = new Map(cells ? [['v.a', columns.joinColumn(cells)]] : [])
  return { segment: segment as unknown as Segment, raw }
}

function collectVisits(open: ReturnType<typeof openColumn>, rows?: number[]): [number, string][] {
  const seen: [number, string][] = []
  visitCells(open, 'v.a', rows, (bytes, start, end, row) => seen.push([row, bytes.toString('utf8', start, end)]))
  return seen
}

describe('column cells', () => {
  const edits = new Map([
    [1, createEdit({ 'v.a': '"new"' })],
    [2, createEdit({ 'v.b': '1' })],
  ])

  it('are visited in order, with edits applied and deleted rows skipped', () => {
    const open = openColumn(['"a"', '1', 'null', '"é"'], 4, { edits })
    const all = [
      [0, '"a"'],
      [1, '"new"'],
      [2, 'null'],
      [3, '"é"'],
    ]
    expect(collectVisits(open)).toEqual(all)
    expect(collectVisits(open, [1, 3])).toEqual([all[1], all[3]])
    expect(collectVisits(open, [3])).toEqual([all[3]])
    open.segment.deleted = bits.emptyBits(4)
    bits.setBit(open.segment.deleted, 0)
    expect(collectVisits(open)).toEqual(all.slice(1))
    expect(collectVisits(open, [0])).toEqual([all[0]])
  })

  it('are null if the column was never stored', () => {
    expect(collectVisits(openColumn(undefined, 2))).toEqual([
      [0, 'null'],
      [1, 'null'],
    ])
    expect(collectVisits(openColumn(undefined, 2, { edits }))).toEqual([
      [0, 'null'],
      [1, '"new"'],
    ])
  })

  it('are read one by one: null and missing cells are empty', () => {
    const rows = [0, 1, 2, 3]
    const read = (open: ReturnType<typeof openColumn>) => {
      const cells = createCellReader(open, 'v.a', rows)!
      return rows.map((row) => (seek(cells, row, row) ? cells.bytes.toString('utf8', cells.from, cells.to) : null))
    }
    expect(read(openColumn(['"a"', '1', 'null', '"é"'], 4, { edits }))).toEqual(['"a"', '"new"', null, '"é"'])
    expect(read(openColumn(undefined, 4, { edits }))).toEqual([null, '"new"', null, null])
    expect(createCellReader(openColumn(undefined, 4), 'v.a', rows)).toBeUndefined()
  })

  it('estimate their size in bytes', () => {
    expect(estimateBytes(undefined)).toBe(0)
    expect(estimateBytes(createCellReader(openColumn(undefined, 4, { edits }), 'v.a', [0, 1]))).toBe(0)
    expect(estimateBytes(createCellReader(openColumn(['12', '345', '6'], 3), 'v.a', [0, 1]))).toBe(
      '12,\n345'.length + 8,
    )
    expect(estimateBytes(createCellReader(openColumn(['12', '345', '6'], 3), 'v.a', [1, 2]))).toBe('345,\n6'.length + 8)
  })

  it('count empty cells while nothing is edited', () => {
    const chunk = { inline: new Map([['v.a', '']]), nulls: new Map([['a', 2]]) }
    expect(countEmptyCells(openColumn([], 4, chunk).segment, FIELD)).toBe(2)
    expect(countEmptyCells(openColumn([], 4, { ...chunk, nulls: new Map() }).segment, FIELD)).toBe(0)
    expect(countEmptyCells(openColumn([], 4).segment, FIELD)).toBe(4)
    expect(countEmptyCells(openColumn([], 4, { ...chunk, edits }).segment, FIELD)).toBeUndefined()
    expect(
      countEmptyCells(
        openColumn([], 4, { ...chunk, edits: new Map([[2, createEdit({ 'v.b': '1' })]]) }).segment,
        FIELD,
      ),
    ).toBe(2)
    expect(getEditedCells(openColumn([], 4, { edits }).segment, 'v.c')).toBeUndefined()
  })

  it('have the value of their JSON text', () => {
    for (const value of ['', 'a', 'a"b\\', 'é\n', 0, -1.5, true, ['a', 1], null])
      expect(parseCellValue(JSON.stringify(value))).toEqual(value)
  })
})

describe('positions in a column', () => {
  const cells = Array.from({ length: 300 }, (_, i) => (i % 7 ? JSON.stringify(`row ${i}`) : 'null'))

  it('are found from any mark, in any order of access', () => {
    const findRows = (raw: Buffer, rows: number[]) => {
      const { starts, ends } = columns.locateCells(raw, rows)
      return rows.map((_, i) => raw.toString('utf8', starts[i], ends[i]))
    }
    const looks = [[63, 64, 65], [299], [0, 128, 129], [127, 191, 192, 256], [64], [5, 298, 299]]
    const raw = columns.joinColumn(cells)
    for (const rows of looks) expect(findRows(raw, rows)).toEqual(rows.map((row) => cells[row]))
    for (const rows of looks.reverse())
      expect(findRows(columns.joinColumn(cells), rows)).toEqual(rows.map((row) => cells[row]))
    const short = columns.joinColumn(cells.slice(0, 64))
    for (const rows of [[63, 64], [64], [70]]) expect(findRows(short, rows).at(-1)).toBe('')
  })
})

describe('column writer', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.string({ unit: fc.constantFrom('a', '"', '\\', '\n', '\u001f', ' ', '~', '\u007f', 'é', '😀'), maxLength: 8 }),
  )

  it('encodes a string and its bytes identically, as JSON does', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 9 }), (texts) => {
        const whole = texts.map((one) => Buffer.from(one).toString())
        const [byUnits, byBytes] = [columns.createColumnWriter(0), columns.createColumnWriter(0)]
        for (const one of whole) {
          columns.writeText(byUnits, one)
          const bytes = Buffer.from(`<${one}>`)
          columns.writeTextBytes(byBytes, bytes, 1, bytes.length - 1)
        }
        const parsed = columns.parseColumn(columns.takeColumn(byUnits))
        expect(parsed).toEqual(whole)
        expect(columns.parseColumn(columns.takeColumn(byBytes))).toEqual(whole)
      }),
    )
  })

  it('grows for long texts, and is empty and reusable after taking', () => {
    const writer = columns.createColumnWriter(0)
    const long = ['x'.repeat(5000), '"'.repeat(3000), 'é'.repeat(4000)]
    for (const one of long) {
      columns.writeText(writer, one)
      columns.writeTextBytes(writer, Buffer.from(one), 0, Buffer.byteLength(one))
      columns.writeJson(writer, JSON.stringify([one]))
    }
    for (let i = 0; i < 1000; i++) columns.writeNull(writer)
    expect(writer.nulls).toBe(1000)
    const first = columns.takeColumn(writer)
    expect(columns.parseColumn(first)).toEqual([
      ...long.flatMap((one) => [one, one, [one]]),
      ...Array.from({ length: 1000 }, () => null),
    ])
    expect(writer).toMatchObject({ length: 0, nulls: 0 })
    columns.writeText(writer, 'next')
    const second = columns.takeColumn(writer)
    columns.writeText(writer, 'last')
    expect(second.toString()).toBe('"next"')
    expect(columns.takeColumn(columns.createColumnWriter(0)).length).toBe(0)
  })

  it('returns small texts as copies, and large ones without copying', () => {
    const writer = columns.createColumnWriter(1000)
    const { bytes } = writer
    columns.writeText(writer, 'small')
    expect(columns.takeColumn(writer).buffer).not.toBe(bytes.buffer)
    expect(writer.bytes).toBe(bytes)
    columns.writeText(writer, 'x'.repeat(20_000))
    expect(columns.takeColumn(writer).buffer).toBe(bytes.buffer)
    expect(writer.bytes).not.toBe(bytes)
  })
})

describe('chunk', () => {
  it('starts with its format, codec and length', async () => {
    const raw = Buffer.from('abc'.repeat(100))
    const packed = await chunks.packChunk(raw)
    expect([packed[0], packed[1], packed.readUInt32LE(2)]).toEqual([1, 1, 300])
    expect(packed.length).toBeLessThan(30)
    const plain = chunks.packRaw(raw)
    expect([plain[0], plain[1], plain.readUInt32LE(2), plain.length]).toEqual([1, 0, 300, 306])
  })
})

describe('compressed JSON', () => {
  it('is one byte and the deflated text, and newer formats are rejected', () => {
    const packed = compressJson({ a: 1 })
    expect(packed[0]).toBe(1)
    packed[0] = 9
    expect(() => decompressJson(packed)).toThrow('Unknown format version 9 of compressed JSON')
  })
})

function hashHex(into: (hi: Uint32Array, lo: Uint32Array) => unknown): string {
  const [hi, lo] = [new Uint32Array(1), new Uint32Array(1)]
  into(hi, lo)
  return hashes.toHex(hi[0]!, lo[0]!)
}

const STORED_HASHES = [
  'ab3e7c0bebb6c228',
  '2a681819a2fbe0d6',
  'eb98839caefaec95',
  'f52b46408ac0f2bf',
  '37f4270c3acb15c0',
]

describe('hash', () => {
  it('is stable, because stored hashes are compared with it', () => {
    const hashText = (text: string) => hashHex((hi, lo) => hashes.hashInto(text, hi, lo, 0))
    expect(['', 'a', 'ab', 'é', 'hello world'].map(hashText)).toEqual(STORED_HASHES)
    expect(hashText('a')).not.toBe(hashText('a\0'))
  })

  it('is the same for bytes and their text, or reports that it is not computable', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'Z', '\\', ' ', 'é', '"', '~'), maxLength: 6 }), (text) => {
        const bytes = Buffer.from(`<${text}>`)
        const [from, to] = [1, bytes.length - 1]
        const wanted = hashHex((hi, lo) => hashes.hashInto(text, hi, lo, 0))
        const plain = !/é/.test(text)
        let told: unknown
        const ascii = hashHex((hi, lo) => {
          told = hashes.hashAsciiInto(bytes, from, to, hi, lo, 0)
        })
        expect(told).toBe(plain && text !== '')
        if (told) expect(ascii).toBe(wanted)
        const json = hashHex((hi, lo) => {
          told = hashes.hashBytesInto(bytes, from, 62, hi, lo, 0)
        })
        expect(told).toBe(plain && !text.includes('\\') ? to : -1)
        if (told !== -1) expect(json).toBe(wanted)
      }),
    )
    expect(hashes.hashBytesInto(Buffer.from('abc'), 1, 62, new Uint32Array(1), new Uint32Array(1), 0)).toBe(3)
  })

  it('is formatted as sixteen hex digits and parsed back', () => {
    expect(hashes.toHex(1, 0xffffffff)).toBe('00000001ffffffff')
    expect([hashes.parseHi('00000001fffffffe'), hashes.parseLo('00000001fffffffe')]).toEqual([1, 0xfffffffe])
  })

  it('is found by halves in a sorted list, and in a part of it', () => {
    const list = { hi: Uint32Array.of(1, 3, 3, 5), lo: Uint32Array.of(9, 1, 4, 0), at: Uint32Array.of(0, 1, 2, 3) }
    const cases = [
      [0, 9],
      [1, 9],
      [1, 10],
      [3, 1],
      [3, 2],
      [3, 5],
      [5, 0],
      [5, 1],
    ] as const
    expect(cases.map(([hi, lo]) => hashes.lowerBound(list, hi, lo))).toEqual([0, 0, 1, 1, 2, 3, 3, 4])
    expect(hashes.lowerBound(list, 0, 0, 2)).toBe(2)
    expect(hashes.lowerBound(list, 9, 0, 0, 2)).toBe(2)
    const packed = hashes.packHashes(list)
    expect(packed.length).toBe(4 * hashes.HASH_BYTES)
    expect(hashes.unpackHashes(packed.subarray(0, 30))).toEqual({
      hi: Uint32Array.of(1, 3),
      lo: Uint32Array.of(9, 1),
      at: Uint32Array.of(0, 1),
    })
  })
})

describe('radix sort', () => {
  const checkOrder = (keys: readonly (readonly [number, number])[], from = 0, to = keys.length) => {
    const order = Uint32Array.from(keys, (_, i) => i)
    const wanted = [...order]
    const part = wanted.slice(from, to).sort((a, b) => keys[a]![0] - keys[b]![0] || keys[a]![1] - keys[b]![1])
    wanted.splice(from, to - from, ...part)
    const getHalf = (i: 0 | 1) => Uint32Array.from(keys, (key) => key[i])
    radixSort(order, from, to, getHalf(0), getHalf(1))
    expect([...order]).toEqual(wanted)
  }
  const getHalf = fc.oneof(fc.nat(3), fc.constantFrom(0xffffffff, 0x80000000, 0x100, 0x1000000), fc.nat(0xffffff))

  it('is stable, for few or many keys', () => {
    for (const maxLength of [8, 40, 400])
      fc.assert(
        fc.property(fc.array(fc.tuple(getHalf, getHalf), { maxLength, size: 'max' }), (keys) => checkOrder(keys)),
      )
  })

  it('does not touch keys outside its range', () => {
    const keys = Array.from({ length: 100 }, (_, i) => [99 - i, i % 3] as const)
    checkOrder(keys, 10, 90)
    checkOrder(keys, 10, 20)
    checkOrder(keys, 5, 5)
  })

  it('uses sixteen-bit digits for many keys', () => {
    checkOrder(Array.from({ length: 50_001 }, (_, i) => [(i * 7919) % 65_537, (i * 104_729) >>> 3] as const))
  })
})

describe('number in a cell', () => {
  const read = (json: string, before = '') => {
    const bytes = Buffer.from(`${before}${json},`)
    return parsePlainNumber(bytes, before.length, bytes.length - 1)
  }
  it('equals Number of its text', () => {
    for (const text of ['0', '-0', '7', '42', '-1.5', '0.1', '123456789012345', '0.00000000000001', '12.50'])
      for (const json of [text, `"${text}"`]) expect(Object.is(read(json, '1,'), Number(text))).toBe(true)
    fc.assert(
      fc.property(fc.integer({ min: -1e6, max: 1e6 }), fc.nat(6), (whole, decimals) => {
        const text = (whole / 10 ** decimals).toFixed(decimals)
        expect(read(text)).toBe(Number(text))
      }),
    )
    expect(read('"5."')).toBe(5)
  })
  it('is undefined when digits are not enough', () => {
    for (const json of [
      '""',
      '"-"',
      '".5"',
      '"1.2.3"',
      '1e3',
      '" 1"',
      '"1/"',
      '"1:"',
      'null',
      'true',
      '1234567890123456',
    ])
      expect(read(json)).toBeNaN()
  })
})

it('lists of 32-bit values and bytes grow with their contents', () => {
  const list = createU32List()
  for (let i = 0; i < 1000; i++) pushU32(list, i)
  expect([...list.values.subarray(0, list.length)]).toEqual(Array.from({ length: 1000 }, (_, i) => i))
  expect([...growBytes(Uint8Array.of(1, 2))]).toEqual([1, 2, 0, 0])
})

describe('bytes of a file', () => {
  const compileRules = (field: Partial<Field>, more: Partial<SheetRef> = {}) =>
    rulesOf({ sheetId: 'us_sh_bytes', fields: [{ key: 'f', type: 'string', ...field }], ...more })
  const checkBytes = (field: Partial<Field>, text: string): boolean | undefined => {
    const bytes = Buffer.from(`<${text}>`)
    return getBytesCheck(compileRules(field).fields[0]!)?.(bytes, 1, bytes.length - 1, (from, to) =>
      bytes.toString('utf8', from, to),
    )
  }

  it('validate common spellings of numbers, booleans and dates', () => {
    for (const text of ['0', '-1', '12.5', '-0.5', '0.000001', '123456789012345'])
      expect(checkBytes({ type: 'number' }, text)).toBe(true)
    for (const text of [
      '5.',
      '-0',
      '007',
      '1.50',
      '0.0000001',
      '1234567890123456',
      '',
      '-',
      '.5',
      '1e5',
      '1.2.3',
      '+1',
      '1 ',
      '1/',
      '1:',
    ])
      expect(checkBytes({ type: 'number' }, text)).toBe(false)
    for (const text of ['true', 'false']) expect(checkBytes({ type: 'boolean' }, text)).toBe(true)
    for (const text of ['True', 'fals', 'falsy', 'trues', '', 'tru'])
      expect(checkBytes({ type: 'boolean' }, text)).toBe(false)
    for (const text of ['2024-01-01', '2023-12-28', '0000-10-10']) expect(checkBytes({ type: 'date' }, text)).toBe(true)
    for (const text of [
      '2024-00-10',
      '2024-13-10',
      '2024-01-00',
      '2024-01-29',
      '2024/01-01',
      '2024-01/01',
      '2024-1-001',
      'x024-01-01',
      '2024-01-1x',
      '2024-01-011',
    ])
      expect(checkBytes({ type: 'date' }, text)).toBe(false)
  })

  it('do not validate a text that may be too long, and need no check for unlimited size', () => {
    const tiny = { config: { size: 'tiny' } }
    expect(checkBytes(tiny, 'x'.repeat(255))).toBe(true)
    expect(checkBytes(tiny, 'x'.repeat(256))).toBe(false)
    expect(checkBytes({}, 'x')).toBeUndefined()
  })

  it('cache recurring values, and only valid ones', () => {
    const check = getBytesCheck(
      compileRules({ type: 'enum', config: { options: [{ value: 'a' }, { value: 'bc' }] } }).fields[0]!,
    )!
    const checkOrder = (bytes: Buffer, from: number, to: number) =>
      check(bytes, from, to, (start, end) => bytes.toString('utf8', start, end))
    for (let turn = 0; turn < 2; turn++)
      expect(['a', 'bc', 'b', 'x', ''].map((text) => checkOrder(Buffer.from(text), 0, text.length))).toEqual([
        true,
        true,
        false,
        false,
        false,
      ])
    expect(checkOrder(Buffer.from('abc'), 1, 3)).toBe(true)
    expect(checkOrder(Buffer.from('a'.repeat(256)), 0, 256)).toBe(false)
  })

  it('are a text, or null for an empty cell', () => {
    const cells = {
      length: 2,
      keys: ['a', 'b'],
      bytes: Buffer.from('xéyz'),
      starts: Uint32Array.of(0, 1, 3, 4),
      ends: Uint32Array.of(1, 3, 3, 5),
    }
    expect([
      readCellText(cells, 0, 0),
      readCellText(cells, 0, 1),
      readCellText(cells, 1, 0),
      readCellText(cells, 1, 1),
    ]).toEqual(['x', 'é', null, 'z'])
  })

  it('are hashed directly for a rule that compares one whole field', () => {
    const compileUnique = (config: object, more: Partial<SheetRef> = {}) =>
      getPlainField(compileRules({ constraints: [{ type: 'unique', config }] }, more).unique[0]!)
    expect(compileUnique({})).toBe('f')
    expect(compileUnique({ caseSensitive: false })).toBeUndefined()
    const both = rulesOf({
      sheetId: 'us_sh_bytes',
      fields: ['a', 'b'].map((key) => ({ key, type: 'string' })),
      constraints: [{ type: 'unique', fields: ['a', 'b'] }],
    })
    expect(getPlainField(both.unique[0]!)).toBeUndefined()
    const compileLink = (config: object) =>
      getPlainField(compileRules({ type: 'reference', config: { ref: 'other', key: 'id', ...config } }).references[0]!)
    expect(compileLink({})).toBe('f')
    expect(compileLink({ filter: { refField: 'x', recordField: 'f2' } })).toBeUndefined()
  })
})
