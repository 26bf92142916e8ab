/**
 * Sorts rows by one field: numbers, then texts by lower-case code units, then empty cells; ties keep sheet order.
 * Keys are typed arrays (about 20 bytes per row plus texts), radix-sorted eight bytes at a time. Texts whose truncated
 * keys are equal are left to the caller to compare.
 */

import { parsePlainNumber } from '../columns/numbers.ts'
import { radixSort } from '../columns/radix.ts'
import { createU32List, growBytes, pushU32, type U32List } from '../columns/u32-list.ts'
import { valueToText } from '../fields/values.ts'

/** Maximum bytes of a text's key: five rounds of eight. */
const MAX_KEY_BYTES = 40
const TYPICAL_KEY_BYTES = 32
const QUOTE = 34
const BACKSLASH = 92

export interface SortKeys {
  count: number
  numbers: { at: U32List; hi: U32List; lo: U32List }
  texts: { at: U32List; starts: U32List; bytes: Uint8Array; length: number }
  empty: U32List
}

export function createSortKeys(cells: number, type: string): SortKeys {
  const [numbers, texts] = type === 'number' ? [cells, 0] : [0, cells]
  return {
    count: 0,
    numbers: { at: createU32List(numbers), hi: createU32List(numbers), lo: createU32List(numbers) },
    texts: {
      at: createU32List(texts),
      starts: createU32List(texts),
      bytes: new Uint8Array(texts * TYPICAL_KEY_BYTES + 1024),
      length: 0,
    },
    empty: createU32List(),
  }
}

export type SortKey = number | string | null

export function compareSortKeys(x: SortKey, y: SortKey, direction: 'asc' | 'desc'): number {
  if (x === y) return 0
  if (x === null) return 1
  if (y === null) return -1
  const sign = direction === 'asc' ? 1 : -1
  if (typeof x !== typeof y) return typeof x === 'number' ? -sign : sign
  return x < y ? -sign : sign
}

/** In number fields, numeric texts sort as numbers; all other values sort as lower-case text. */
export function toSortKey(type: string, value: unknown): SortKey {
  if (value === null || value === undefined) return null
  if (type === 'number') {
    const number = typeof value === 'number' ? value : Number(value)
    return Number.isNaN(number) ? valueToText(value).toLowerCase() : number
  }
  return valueToText(value).toLowerCase()
}

export function addSortKey(keys: SortKeys, type: string, bytes: Buffer, start: number, end: number): void {
  const position = keys.count++
  if (bytes[start] === 110) pushU32(keys.empty, position)
  else if (type === 'number') addNumberFieldKey(keys, position, bytes, start, end)
  else if (!addPlainText(keys, position, bytes, start, end))
    addText(keys, position, String(toSortKey(type, JSON.parse(bytes.toString('utf8', start, end)))))
}

function addNumberFieldKey(keys: SortKeys, position: number, bytes: Buffer, start: number, end: number): void {
  const parsed = parsePlainNumber(bytes, start, end)
  const key = Number.isNaN(parsed) ? toSortKey('number', JSON.parse(bytes.toString('utf8', start, end))) : parsed
  if (typeof key === 'number') addNumber(keys, position, key)
  else addText(keys, position, String(key))
}

const float = new Float64Array(1)
const halves = new Uint32Array(float.buffer)

function addNumber({ numbers }: SortKeys, position: number, value: number): void {
  // Turns -0 into 0.
  float[0] = value + 0
  const hi = halves[1]!
  const negative = hi >>> 31 === 1
  pushU32(numbers.at, position)
  pushU32(numbers.hi, negative ? ~hi : hi ^ 0x80000000)
  pushU32(numbers.lo, negative ? ~halves[0]! : halves[0]!)
}

function reserveKey({ texts }: SortKeys): number {
  if (texts.bytes.length - texts.length < MAX_KEY_BYTES + 4) texts.bytes = growBytes(texts.bytes)
  return texts.length
}

function finishKey({ texts }: SortKeys, position: number, start: number, end: number): void {
  pushU32(texts.at, position)
  pushU32(texts.starts, start)
  texts.length = Math.min(end, start + MAX_KEY_BYTES)
}

const PLAIN_CODES = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 127 || byte === BACKSLASH) return 0
  return byte >= 65 && byte <= 90 ? byte + 33 : byte + 1
})

/** Encodes printable ASCII without escapes; returns false, adding nothing, for any other value. */
function addPlainText(keys: SortKeys, position: number, bytes: Buffer, start: number, end: number): boolean {
  const first = bytes[start]!
  if (first === 91 || first === 123) return false
  const from = first === QUOTE ? start + 1 : start
  const to = Math.min(first === QUOTE ? end - 1 : end, from + MAX_KEY_BYTES)
  const keyStart = reserveKey(keys)
  const out = keys.texts.bytes
  let length = keyStart
  for (let at = from; at < to; at++) {
    const code = PLAIN_CODES[bytes[at]!]!
    if (code === 0) return false
    out[length++] = code
  }
  finishKey(keys, position, keyStart, length)
  return true
}

/** Code units are encoded from 1 on, in one to four bytes like UTF-8; 0 marks the end of the text. */
function addText(keys: SortKeys, position: number, text: string): void {
  const keyStart = reserveKey(keys)
  const out = keys.texts.bytes
  let at = keyStart
  for (let i = 0; i < text.length && at < keyStart + MAX_KEY_BYTES; i++) {
    const unit = text.charCodeAt(i) + 1
    if (unit < 0x80) out[at++] = unit
    else {
      if (unit < 0x800) out[at++] = 0xc0 | (unit >> 6)
      else {
        if (unit < 0x10000) out[at++] = 0xe0 | (unit >> 12)
        else {
          out[at++] = 0xf0
          out[at++] = 0x80 | (unit >> 12)
        }
        out[at++] = 0x80 | ((unit >> 6) & 63)
      }
      out[at++] = 0x80 | (unit & 63)
    }
  }
  finishKey(keys, position, keyStart, at)
}

export interface SortResult {
  positions: Uint32Array
  /** Ranges with equal truncated keys, which the caller must compare in full. */
  ties: [from: number, to: number][]
}

export function sortPositions(keys: SortKeys, direction: 'asc' | 'desc'): SortResult {
  const { numbers, texts, empty } = keys
  const flip = direction === 'asc' ? 0 : 0xffffffff
  const positions = new Uint32Array(keys.count)
  const textsFrom = direction === 'asc' ? numbers.at.length : 0
  const numbersFrom = direction === 'asc' ? 0 : texts.at.length
  sortNumbers(numbers, flip).forEach((index, i) => {
    positions[numbersFrom + i] = numbers.at.values[index]!
  })
  const sorted = sortTexts(texts, flip)
  sorted.order.forEach((index, i) => {
    positions[textsFrom + i] = texts.at.values[index]!
  })
  positions.set(empty.values.subarray(0, empty.length), numbers.at.length + texts.at.length)
  return { positions, ties: sorted.ties.map(([from, to]) => [textsFrom + from, textsFrom + to]) }
}

/** A loop, because `Uint32Array.from` with a function takes ten times as long. */
function createIdentity(length: number): Uint32Array {
  const order = new Uint32Array(length)
  for (let i = 0; i < length; i++) order[i] = i
  return order
}

function sortNumbers({ at, hi, lo }: SortKeys['numbers'], flip: number): Uint32Array {
  const order = createIdentity(at.length)
  if (flip)
    for (let i = 0; i < at.length; i++) {
      hi.values[i]! ^= flip
      lo.values[i]! ^= flip
    }
  radixSort(order, 0, at.length, hi.values, lo.values)
  return order
}

function sortTexts(texts: SortKeys['texts'], flip: number): { order: Uint32Array; ties: [number, number][] } {
  const count = texts.at.length
  const order = createIdentity(count)
  const hi = new Uint32Array(count)
  const lo = new Uint32Array(count)
  const ties: [number, number][] = []
  const refine = (from: number, to: number, offset: number): void => {
    if (offset >= MAX_KEY_BYTES) {
      ties.push([from, to])
      return
    }
    for (let i = from; i < to; i++) {
      const index = order[i]!
      hi[index] = readFourBytes(texts, index, offset) ^ flip
      lo[index] = readFourBytes(texts, index, offset + 4) ^ flip
    }
    radixSort(order, from, to, hi, lo)
    for (let start = from; start < to; ) {
      const first = order[start]!
      let end = start + 1
      while (end < to && hi[order[end]!] === hi[first] && lo[order[end]!] === lo[first]) end++
      const isComplete = (((lo[first]! ^ flip) & 255) as number) === 0
      if (end - start > 1 && !isComplete) refine(start, end, offset + 8)
      start = end
    }
  }
  refine(0, count, 0)
  return { order, ties }
}

function readFourBytes({ bytes, starts, length }: SortKeys['texts'], index: number, offset: number): number {
  const end = index + 1 < starts.length ? starts.values[index + 1]! : length
  const at = starts.values[index]! + offset
  const remaining = end - at
  if (remaining >= 4)
    return ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0
  let word = 0
  for (let i = 0; i < 4; i++) word = (word << 8) | (i < remaining ? bytes[at + i]! : 0)
  return word >>> 0
}

export function sortTiedTexts(sorted: SortResult, texts: ReadonlyMap<number, string>, direction: 'asc' | 'desc'): void {
  const sign = direction === 'asc' ? 1 : -1
  for (const [from, to] of sorted.ties) {
    sorted.positions.subarray(from, to).sort((a, b) => {
      const x = texts.get(a)!
      const y = texts.get(b)!
      return x === y ? a - b : x < y ? -sign : sign
    })
  }
}
