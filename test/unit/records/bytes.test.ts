/** Bits, bytes, columns, chunks, hashes and digits, at the edges where a byte, a mark or a buffer ends. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { packJson, unpackJson } from '../../../lib/core/packed.ts'
import * as bits from '../../../lib/records/bytes/bits.ts'
import * as output from '../../../lib/records/bytes/bytes.ts'
import { bytesCheckOf, plainFieldOf, textAt } from '../../../lib/records/bytes/cell-bytes.ts'
import {
  bytesOf,
  cellReader,
  cellValue,
  editedCells,
  emptyCells,
  seek,
  visitCells,
} from '../../../lib/records/bytes/cells.ts'
import * as chunks from '../../../lib/records/bytes/chunk.ts'
import * as columns from '../../../lib/records/bytes/columns.ts'
import * as hashes from '../../../lib/records/bytes/hash.ts'
import { plainNumber } from '../../../lib/records/bytes/numbers.ts'
import { radixSort } from '../../../lib/records/bytes/radix.ts'
import { growBytes, pushWord, words } from '../../../lib/records/bytes/words.ts'
import type { RowEdit, Segment } from '../../../lib/records/log/state.ts'
import { rulesOf } from '../../../lib/records/rules/rules.ts'
import type { Field, SheetRef } from '../../../lib/records/sheet.ts'

const rowSet = fc.uniqueArray(fc.nat(40)).map((rows) => rows.sort((a, b) => a - b))
const bitsOf = (rows: readonly number[]): bits.Bits => {
  const set = bits.emptyBits(41)
  for (const row of rows) bits.setBit(set, row)
  return set
}

describe('sets of rows', () => {
  it('join, meet, turn round and count as sets do', () => {
    fc.assert(
      fc.property(rowSet, rowSet, (a, b) => {
        const all = Array.from({ length: 41 }, (_, row) => row)
        const listed = (set: bits.Bits) => bits.rowsIn(set).filter((row) => row < 41)
        expect(listed(bits.andBits(bitsOf(a), bitsOf(b)))).toEqual(a.filter((row) => b.includes(row)))
        expect(listed(bits.orBits(bitsOf(a), bitsOf(b)))).toEqual(
          all.filter((row) => a.includes(row) || b.includes(row)),
        )
        expect(listed(bits.notBits(bitsOf(a)))).toEqual(all.filter((row) => !a.includes(row)))
        expect(bits.countBits(bitsOf(a))).toBe(a.length)
        expect(all.filter((row) => bits.hasBit(bitsOf(a), row))).toEqual(a)
      }),
    )
  })

  it('have a byte for each eight rows, and none past them', () => {
    expect([0, 1, 8, 9].map((rows) => bits.emptyBits(rows).length)).toEqual([0, 1, 1, 2])
    expect(bits.rowsIn(bits.allBits(8))).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    expect(bits.hasBit(bits.allBits(8), 8)).toBe(false)
    expect([null, undefined].map((none) => [bits.hasBit(none, 0), bits.countBits(none)])).toEqual([
      [false, 0],
      [false, 0],
    ])
  })

  it('change in place, one row at a time', () => {
    const set = bitsOf([3, 11, 12])
    bits.clearBit(set, 11)
    bits.clearBit(set, 20)
    expect(bits.rowsIn(set)).toEqual([3, 12])
    expect(bits.andBits(set, bitsOf([3]))).toBe(set)
    expect(bits.orBits(set, bitsOf([9]))).toBe(set)
    expect(bits.notBits(set)).toBe(set)
  })

  it('are stored as gaps and runs, or as bytes, whichever is shorter', () => {
    expect(bits.storeRows([])).toEqual([])
    expect(bits.storeRows([0])).toBe(Buffer.of(1).toString('base64'))
    expect(bits.storeRows([100])).toEqual([100, 1])
    expect(bits.storeRows([100, 101, 205])).toEqual([100, 2, 103, 1])
    expect(bits.loadRows([100, 2, 103, 1])).toEqual([100, 101, 205])
    expect(bits.loadRows(Buffer.of(0b101, 0b1).toString('base64'))).toEqual([0, 2, 8])
  })
})

describe('an output', () => {
  it('holds what is written into it, however little room it began with', () => {
    const out = output.newOutput(1)
    output.write(out, 'é😀a')
    output.copy(out, Buffer.from('bytes'))
    output.copyPart(out, Buffer.from('[part]'), 1, 5)
    output.put(out, 33)
    for (const number of [0, 9, 10, 99, 100, 1_234_567, Number.MAX_SAFE_INTEGER]) {
      output.put(out, 32)
      output.writeNumber(out, number)
    }
    expect(output.take(out, 8).toString()).toBe('é😀abytespart! 0 9 10 99 100 1234567 9007199254740991')
    expect(out.length).toBe(0)
    expect(out.bytes.length).toBe(8)
  })

  it('grows only when it must, to twice its size and more', () => {
    const out = output.newOutput(4)
    const { bytes } = out
    output.copy(out, Buffer.from('1234'))
    expect(out.bytes).toBe(bytes)
    output.put(out, 53)
    expect(out.bytes.length).toBe(9)
    expect(output.newOutput().bytes.length).toBe(1024)
  })

  it('leaves what was taken as it is', () => {
    const out = output.newOutput(8)
    output.write(out, 'a')
    const taken = output.take(out, 8)
    output.write(out, 'b')
    expect(taken.toString()).toBe('a')
  })
})

const FIELD = { key: 'a', column: 'v.a' }
const edit = (values: { [column: string]: string }): RowEdit => ({
  values: new Map(Object.entries(values)),
  slots: new Map(),
  base: [],
  flaggedAtFirst: false,
})

function opened(cells: readonly string[] | undefined, rows: number, more: Partial<Segment> = {}) {
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

/** What a visit shows: row and text. */
function visited(open: ReturnType<typeof opened>, rows?: number[]): [number, string][] {
  const seen: [number, string][] = []
  visitCells(open, 'v.a', rows, (bytes, start, end, row) => seen.push([row, bytes.toString('utf8', start, end)]))
  return seen
}

describe('cells of a column', () => {
  const edits = new Map([
    [1, edit({ 'v.a': '"new"' })],
    [2, edit({ 'v.b': '1' })],
  ])

  it('are visited in order, edits in their place, deleted rows left out', () => {
    const open = opened(['"a"', '1', 'null', '"é"'], 4, { edits })
    const all = [
      [0, '"a"'],
      [1, '"new"'],
      [2, 'null'],
      [3, '"é"'],
    ]
    expect(visited(open)).toEqual(all)
    expect(visited(open, [1, 3])).toEqual([all[1], all[3]])
    expect(visited(open, [3])).toEqual([all[3]])
    open.segment.deleted = bits.emptyBits(4)
    bits.setBit(open.segment.deleted, 0)
    expect(visited(open)).toEqual(all.slice(1))
    expect(visited(open, [0])).toEqual([all[0]])
  })

  it('are null where the column was never stored', () => {
    expect(visited(opened(undefined, 2))).toEqual([
      [0, 'null'],
      [1, 'null'],
    ])
    expect(visited(opened(undefined, 2, { edits }))).toEqual([
      [0, 'null'],
      [1, '"new"'],
    ])
  })

  it('are read one by one: a null and a missing one are empty', () => {
    const rows = [0, 1, 2, 3]
    const read = (open: ReturnType<typeof opened>) => {
      const cells = cellReader(open, 'v.a', rows)!
      return rows.map((row) => (seek(cells, row, row) ? cells.bytes.toString('utf8', cells.from, cells.to) : null))
    }
    expect(read(opened(['"a"', '1', 'null', '"é"'], 4, { edits }))).toEqual(['"a"', '"new"', null, '"é"'])
    expect(read(opened(undefined, 4, { edits }))).toEqual([null, '"new"', null, null])
    expect(cellReader(opened(undefined, 4), 'v.a', rows)).toBeUndefined()
  })

  it('tell about how many bytes they take', () => {
    expect(bytesOf(undefined)).toBe(0)
    expect(bytesOf(cellReader(opened(undefined, 4, { edits }), 'v.a', [0, 1]))).toBe(0)
    expect(bytesOf(cellReader(opened(['12', '345', '6'], 3), 'v.a', [0, 1]))).toBe('12,\n345'.length + 8)
    expect(bytesOf(cellReader(opened(['12', '345', '6'], 3), 'v.a', [1, 2]))).toBe('345,\n6'.length + 8)
  })

  it('tell how many are empty while nothing was written over them', () => {
    const chunk = { inline: new Map([['v.a', '']]), nulls: new Map([['a', 2]]) }
    expect(emptyCells(opened([], 4, chunk).segment, FIELD)).toBe(2)
    expect(emptyCells(opened([], 4, { ...chunk, nulls: new Map() }).segment, FIELD)).toBe(0)
    expect(emptyCells(opened([], 4).segment, FIELD)).toBe(4)
    expect(emptyCells(opened([], 4, { ...chunk, edits }).segment, FIELD)).toBeUndefined()
    expect(emptyCells(opened([], 4, { ...chunk, edits: new Map([[2, edit({ 'v.b': '1' })]]) }).segment, FIELD)).toBe(2)
    expect(editedCells(opened([], 4, { edits }).segment, 'v.c')).toBeUndefined()
  })

  it('have the value of their JSON text', () => {
    for (const value of ['', 'a', 'a"b\\', 'é\n', 0, -1.5, true, ['a', 1], null])
      expect(cellValue(JSON.stringify(value))).toEqual(value)
  })
})

describe('places in a column', () => {
  const cells = Array.from({ length: 300 }, (_, i) => (i % 7 ? JSON.stringify(`row ${i}`) : 'null'))

  it('are found from any mark, whichever rows were looked for before', () => {
    const found = (raw: Buffer, rows: number[]) => {
      const { starts, ends } = columns.locateCells(raw, rows)
      return rows.map((_, i) => raw.toString('utf8', starts[i], ends[i]))
    }
    const looks = [[63, 64, 65], [299], [0, 128, 129], [127, 191, 192, 256], [64], [5, 298, 299]]
    const raw = columns.joinColumn(cells)
    for (const rows of looks) expect(found(raw, rows)).toEqual(rows.map((row) => cells[row]))
    for (const rows of looks.reverse())
      expect(found(columns.joinColumn(cells), rows)).toEqual(rows.map((row) => cells[row]))
    const short = columns.joinColumn(cells.slice(0, 64))
    for (const rows of [[63, 64], [64], [70]]) expect(found(short, rows).at(-1)).toBe('')
  })
})

describe('a column being written', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.string({ unit: fc.constantFrom('a', '"', '\\', '\n', '\u001f', ' ', '~', '\u007f', 'é', '😀'), maxLength: 8 }),
  )

  it('takes a text as units or as bytes alike, as JSON has it', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 9 }), (texts) => {
        const whole = texts.map((one) => Buffer.from(one).toString())
        const [byUnits, byBytes] = [columns.columnWriter(0), columns.columnWriter(0)]
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

  it('grows while long texts come, and is empty and of use once taken', () => {
    const writer = columns.columnWriter(0)
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
    expect(columns.takeColumn(columns.columnWriter(0)).length).toBe(0)
  })

  it('gives a small text in bytes of its own, and a large one without a copy', () => {
    const writer = columns.columnWriter(1000)
    const { bytes } = writer
    columns.writeText(writer, 'small')
    expect(columns.takeColumn(writer).buffer).not.toBe(bytes.buffer)
    expect(writer.bytes).toBe(bytes)
    columns.writeText(writer, 'x'.repeat(20_000))
    expect(columns.takeColumn(writer).buffer).toBe(bytes.buffer)
    expect(writer.bytes).not.toBe(bytes)
  })
})

describe('a chunk', () => {
  it('says its form, its codec and its length before its bytes', async () => {
    const raw = Buffer.from('abc'.repeat(100))
    const packed = await chunks.packChunk(raw)
    expect([packed[0], packed[1], packed.readUInt32LE(2)]).toEqual([1, 1, 300])
    expect(packed.length).toBeLessThan(30)
    const plain = chunks.packRaw(raw)
    expect([plain[0], plain[1], plain.readUInt32LE(2), plain.length]).toEqual([1, 0, 300, 306])
  })
})

describe('packed JSON', () => {
  it('is one byte and the deflated text, and of a newer form refused', () => {
    const packed = packJson({ a: 1 })
    expect(packed[0]).toBe(1)
    packed[0] = 9
    expect(() => unpackJson(packed)).toThrow('Unknown form 9 of packed JSON')
  })
})

/** Of one text, as hex. */
function hashed(into: (hi: Uint32Array, lo: Uint32Array) => unknown): string {
  const [hi, lo] = [new Uint32Array(1), new Uint32Array(1)]
  into(hi, lo)
  return hashes.hexOf(hi[0]!, lo[0]!)
}

/** Of the texts below. */
const STORED_HASHES = [
  'ab3e7c0bebb6c228',
  '2a681819a2fbe0d6',
  'eb98839caefaec95',
  'f52b46408ac0f2bf',
  '37f4270c3acb15c0',
]

describe('a hash', () => {
  it('stays what it was: stored ones are compared with it', () => {
    const of = (text: string) => hashed((hi, lo) => hashes.hashInto(text, hi, lo, 0))
    expect(['', 'a', 'ab', 'é', 'hello world'].map(of)).toEqual(STORED_HASHES)
    expect(of('a')).not.toBe(of('a\0'))
  })

  it('of bytes is that of their text, or told to be none', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'Z', '\\', ' ', 'é', '"', '~'), maxLength: 6 }), (text) => {
        const bytes = Buffer.from(`<${text}>`)
        const [from, to] = [1, bytes.length - 1]
        const wanted = hashed((hi, lo) => hashes.hashInto(text, hi, lo, 0))
        const plain = !/é/.test(text)
        let told: unknown
        const ascii = hashed((hi, lo) => {
          told = hashes.hashAsciiInto(bytes, from, to, hi, lo, 0)
        })
        expect(told).toBe(plain && text !== '')
        if (told) expect(ascii).toBe(wanted)
        const json = hashed((hi, lo) => {
          told = hashes.hashBytesInto(bytes, from, 62, hi, lo, 0)
        })
        expect(told).toBe(plain && !text.includes('\\') ? to : -1)
        if (told !== -1) expect(json).toBe(wanted)
      }),
    )
    expect(hashes.hashBytesInto(Buffer.from('abc'), 1, 62, new Uint32Array(1), new Uint32Array(1), 0)).toBe(3)
  })

  it('is sixteen hex digits, and comes back from them', () => {
    expect(hashes.hexOf(1, 0xffffffff)).toBe('00000001ffffffff')
    expect([hashes.hiOf('00000001fffffffe'), hashes.loOf('00000001fffffffe')]).toEqual([1, 0xfffffffe])
  })

  it('is found by halves in a sorted list, also within a part of it', () => {
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

describe('sorting by digits', () => {
  /** Keys as pairs of halves; what a stable sort by them gives. */
  const check = (keys: readonly (readonly [number, number])[], from = 0, to = keys.length) => {
    const order = Uint32Array.from(keys, (_, i) => i)
    const wanted = [...order]
    const part = wanted.slice(from, to).sort((a, b) => keys[a]![0] - keys[b]![0] || keys[a]![1] - keys[b]![1])
    wanted.splice(from, to - from, ...part)
    const half = (i: 0 | 1) => Uint32Array.from(keys, (key) => key[i])
    radixSort(order, from, to, half(0), half(1))
    expect([...order]).toEqual(wanted)
  }
  const half = fc.oneof(fc.nat(3), fc.constantFrom(0xffffffff, 0x80000000, 0x100, 0x1000000), fc.nat(0xffffff))

  it('keeps equal keys in their order, few or many', () => {
    for (const maxLength of [8, 40, 400])
      fc.assert(fc.property(fc.array(fc.tuple(half, half), { maxLength, size: 'max' }), (keys) => check(keys)))
  })

  it('leaves what is outside its range alone', () => {
    const keys = Array.from({ length: 100 }, (_, i) => [99 - i, i % 3] as const)
    check(keys, 10, 90)
    check(keys, 10, 20)
    check(keys, 5, 5)
  })

  it('takes digits of sixteen bits for many', () => {
    check(Array.from({ length: 50_001 }, (_, i) => [(i * 7919) % 65_537, (i * 104_729) >>> 3] as const))
  })
})

describe('a number in a cell', () => {
  const read = (json: string, before = '') => {
    const bytes = Buffer.from(`${before}${json},`)
    return plainNumber(bytes, before.length, bytes.length - 1)
  }
  it('is what Number makes of its text', () => {
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
  it('is none where digits alone do not tell', () => {
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

it('lists of words and bytes grow with what they hold', () => {
  const list = words()
  for (let i = 0; i < 1000; i++) pushWord(list, i)
  expect([...list.list.subarray(0, list.length)]).toEqual(Array.from({ length: 1000 }, (_, i) => i))
  expect([...growBytes(Uint8Array.of(1, 2))]).toEqual([1, 2, 0, 0])
})

describe('the bytes of a file', () => {
  const rules = (field: Partial<Field>, more: Partial<SheetRef> = {}) =>
    rulesOf({ sheetId: 'us_sh_bytes', fields: [{ key: 'f', type: 'string', ...field }], ...more })
  /** True when the bytes alone tell that the text passes. */
  const passes = (field: Partial<Field>, text: string): boolean | undefined => {
    const bytes = Buffer.from(`<${text}>`)
    return bytesCheckOf(rules(field).fields[0]!)?.(bytes, 1, bytes.length - 1)
  }

  it('tell of the usual spellings of numbers, truth values and dates', () => {
    for (const text of ['0', '-1', '12.5', '-0.5', '0.000001', '123456789012345'])
      expect(passes({ type: 'number' }, text)).toBe(true)
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
      expect(passes({ type: 'number' }, text)).toBe(false)
    for (const text of ['true', 'false']) expect(passes({ type: 'boolean' }, text)).toBe(true)
    for (const text of ['True', 'fals', 'falsy', 'trues', '', 'tru'])
      expect(passes({ type: 'boolean' }, text)).toBe(false)
    for (const text of ['2024-01-01', '2023-12-28', '0000-10-10']) expect(passes({ type: 'date' }, text)).toBe(true)
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
      expect(passes({ type: 'date' }, text)).toBe(false)
  })

  it('tell nothing of a text that may be too long, and need not of one of any size', () => {
    const tiny = { config: { size: 'tiny' } }
    expect(passes(tiny, 'x'.repeat(255))).toBe(true)
    expect(passes(tiny, 'x'.repeat(256))).toBe(false)
    expect(passes({}, 'x')).toBeUndefined()
  })

  it('are remembered where values recur, and only those that passed', () => {
    const check = bytesCheckOf(
      rules({ type: 'enum', config: { options: [{ value: 'a' }, { value: 'bc' }] } }).fields[0]!,
    )!
    for (let turn = 0; turn < 2; turn++)
      expect(['a', 'bc', 'b', 'x', ''].map((text) => check(Buffer.from(text), 0, text.length))).toEqual([
        true,
        true,
        false,
        false,
        false,
      ])
    expect(check(Buffer.from('abc'), 1, 3)).toBe(true)
    expect(check(Buffer.from('a'.repeat(256)), 0, 256)).toBe(false)
  })

  it('are a text, or nothing where a cell ends as it starts', () => {
    const cells = {
      length: 2,
      keys: ['a', 'b'],
      bytes: Buffer.from('xéyz'),
      starts: Uint32Array.of(0, 1, 3, 4),
      ends: Uint32Array.of(1, 3, 3, 5),
    }
    expect([textAt(cells, 0, 0), textAt(cells, 0, 1), textAt(cells, 1, 0), textAt(cells, 1, 1)]).toEqual([
      'x',
      'é',
      null,
      'z',
    ])
  })

  it('are hashed as they are for a rule that compares one field in full', () => {
    const unique = (config: object, more: Partial<SheetRef> = {}) =>
      plainFieldOf(rules({ constraints: [{ type: 'unique', config }] }, more).unique[0]!)
    expect(unique({})).toBe('f')
    expect(unique({ caseSensitive: false })).toBeUndefined()
    const both = rulesOf({
      sheetId: 'us_sh_bytes',
      fields: ['a', 'b'].map((key) => ({ key, type: 'string' })),
      constraints: [{ type: 'unique', fields: ['a', 'b'] }],
    })
    expect(plainFieldOf(both.unique[0]!)).toBeUndefined()
    const link = (config: object) =>
      plainFieldOf(rules({ type: 'reference', config: { ref: 'other', key: 'id', ...config } }).references[0]!)
    expect(link({})).toBe('f')
    expect(link({ filter: { refField: 'x', recordField: 'f2' } })).toBeUndefined()
  })
})
