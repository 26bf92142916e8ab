/**
 * The order of rows by one field: keys only, rows are fetched for the page afterwards. Numbers by size, before texts;
 * texts by the code units of their lower case; empty cells last in either direction; equal keys keep the sheet's order.
 *
 * Keys are typed arrays: a number's bits, or the first bytes of a text, in an encoding whose bytes compare as the code
 * units do. They are radix-sorted eight bytes at a time; texts longer than what is kept of them stay unsettled, for the
 * caller to compare in full. About 20 bytes a row, and a text's own. Pure.
 */

import { plainNumber } from '../bytes/numbers.ts'
import { radixSort } from '../bytes/radix.ts'
import { growBytes, pushWord, type Words, words } from '../bytes/words.ts'
import { textOf } from '../rules/values.ts'

/** Bytes kept of a text's key: five rounds of eight. */
const KEY_BYTES = 40
/** Those that most texts have, at most. */
const USUAL_BYTES = 32
const QUOTE = 34
const BACKSLASH = 92

export interface SortKeys {
  /** Positions so far: the next cell is the key of this one. */
  count: number
  /** Number cells: positions, and both halves of keys. */
  numbers: { at: Words; hi: Words; lo: Words }
  /** Text cells: positions, and where their bytes begin. */
  texts: { at: Words; starts: Words; bytes: Uint8Array; length: number }
  empty: Words
}

/** @param cells how many there will be, about: what need not grow need not be copied */
export function newSortKeys(cells: number, type: string): SortKeys {
  const [numbers, texts] = type === 'number' ? [cells, 0] : [0, cells]
  return {
    count: 0,
    numbers: { at: words(numbers), hi: words(numbers), lo: words(numbers) },
    texts: { at: words(texts), starts: words(texts), bytes: new Uint8Array(texts * USUAL_BYTES + 1024), length: 0 },
    empty: words(),
  }
}

/** A value as a sort key: numbers by size, also when they stand as text in a number field; other values as text. */
export function sortKey(type: string, value: unknown): number | string | null {
  if (value === null || value === undefined) return null
  if (type === 'number') {
    const number = typeof value === 'number' ? value : Number(value)
    return Number.isNaN(number) ? textOf(value).toLowerCase() : number
  }
  return textOf(value).toLowerCase()
}

/** Adds the key of the next position, from its cell's JSON text. */
export function addSortKey(keys: SortKeys, type: string, bytes: Buffer, start: number, end: number): void {
  const position = keys.count++
  if (bytes[start] === 110) pushWord(keys.empty, position)
  else if (type === 'number') addInNumberField(keys, position, bytes, start, end)
  else if (!addPlainText(keys, position, bytes, start, end))
    addText(keys, position, String(sortKey(type, JSON.parse(bytes.toString('utf8', start, end)))))
}

function addInNumberField(keys: SortKeys, position: number, bytes: Buffer, start: number, end: number): void {
  const plain = plainNumber(bytes, start, end)
  const key = Number.isNaN(plain) ? sortKey('number', JSON.parse(bytes.toString('utf8', start, end))) : plain
  if (typeof key === 'number') addNumber(keys, position, key)
  else addText(keys, position, String(key))
}

const float = new Float64Array(1)
const halves = new Uint32Array(float.buffer)

/** A number's bits, so that they compare as the number does. */
function addNumber({ numbers }: SortKeys, position: number, value: number): void {
  // Adding zero makes one zero of both.
  float[0] = value + 0
  const hi = halves[1]!
  const negative = hi >>> 31 === 1
  pushWord(numbers.at, position)
  pushWord(numbers.hi, negative ? ~hi : hi ^ 0x80000000)
  pushWord(numbers.lo, negative ? ~halves[0]! : halves[0]!)
}

/** Room for one more key. */
function begin({ texts }: SortKeys): number {
  if (texts.bytes.length - texts.length < KEY_BYTES + 4) texts.bytes = growBytes(texts.bytes)
  return texts.length
}

function finish({ texts }: SortKeys, position: number, start: number, end: number): void {
  pushWord(texts.at, position)
  pushWord(texts.starts, start)
  texts.length = Math.min(end, start + KEY_BYTES)
}

/** The code of a character of printable ASCII, in lower case; zero for any other byte. A table: texts are gone through byte by byte. */
const PLAIN = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 127 || byte === BACKSLASH) return 0
  return byte >= 65 && byte <= 90 ? byte + 33 : byte + 1
})

/** A text, number or truth value of printable ASCII without escapes; false, and nothing added, for another. */
function addPlainText(keys: SortKeys, position: number, bytes: Buffer, start: number, end: number): boolean {
  const first = bytes[start]!
  if (first === 91 || first === 123) return false
  const from = first === QUOTE ? start + 1 : start
  const to = Math.min(first === QUOTE ? end - 1 : end, from + KEY_BYTES)
  const begun = begin(keys)
  const out = keys.texts.bytes
  let length = begun
  for (let at = from; at < to; at++) {
    const code = PLAIN[bytes[at]!]!
    if (code === 0) return false
    out[length++] = code
  }
  finish(keys, position, begun, length)
  return true
}

/** A text in lower case. Units are coded from 1 on, in one to four bytes like UTF-8: zero is then the end of a text. */
function addText(keys: SortKeys, position: number, text: string): void {
  const begun = begin(keys)
  const out = keys.texts.bytes
  let at = begun
  for (let i = 0; i < text.length && at < begun + KEY_BYTES; i++) {
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
  finish(keys, position, begun, at)
}

export interface Sorted {
  /** Positions in sorted order. */
  positions: Uint32Array
  /** Ranges of it whose texts are alike as far as they are kept: to be compared in full. */
  unsettled: [from: number, to: number][]
}

/** Sorts; equal keys keep their order in either direction. */
export function sortedPositions(keys: SortKeys, direction: 'asc' | 'desc'): Sorted {
  const { numbers, texts, empty } = keys
  const flip = direction === 'asc' ? 0 : 0xffffffff
  const positions = new Uint32Array(keys.count)
  const textsFrom = direction === 'asc' ? numbers.at.length : 0
  const numbersFrom = direction === 'asc' ? 0 : texts.at.length
  sortNumbers(numbers, flip).forEach((index, i) => {
    positions[numbersFrom + i] = numbers.at.list[index]!
  })
  const sorted = sortTexts(texts, flip)
  sorted.order.forEach((index, i) => {
    positions[textsFrom + i] = texts.at.list[index]!
  })
  positions.set(empty.list.subarray(0, empty.length), numbers.at.length + texts.at.length)
  return { positions, unsettled: sorted.unsettled.map(([from, to]) => [textsFrom + from, textsFrom + to]) }
}

/** A loop: `from` with a function takes ten times as long. */
function identity(length: number): Uint32Array {
  const order = new Uint32Array(length)
  for (let i = 0; i < length; i++) order[i] = i
  return order
}

function sortNumbers({ at, hi, lo }: SortKeys['numbers'], flip: number): Uint32Array {
  const order = identity(at.length)
  if (flip)
    for (let i = 0; i < at.length; i++) {
      hi.list[i]! ^= flip
      lo.list[i]! ^= flip
    }
  radixSort(order, 0, at.length, hi.list, lo.list)
  return order
}

/** Eight bytes at a time: those of all texts, then the next of those that are alike so far, and so on. */
function sortTexts(texts: SortKeys['texts'], flip: number): { order: Uint32Array; unsettled: [number, number][] } {
  const count = texts.at.length
  const order = identity(count)
  const hi = new Uint32Array(count)
  const lo = new Uint32Array(count)
  const unsettled: [number, number][] = []
  const refine = (from: number, to: number, offset: number): void => {
    if (offset >= KEY_BYTES) {
      unsettled.push([from, to])
      return
    }
    for (let i = from; i < to; i++) {
      const index = order[i]!
      hi[index] = fourBytes(texts, index, offset) ^ flip
      lo[index] = fourBytes(texts, index, offset + 4) ^ flip
    }
    radixSort(order, from, to, hi, lo)
    for (let start = from; start < to; ) {
      const first = order[start]!
      let end = start + 1
      while (end < to && hi[order[end]!] === hi[first] && lo[order[end]!] === lo[first]) end++
      const ended = (((lo[first]! ^ flip) & 255) as number) === 0
      if (end - start > 1 && !ended) refine(start, end, offset + 8)
      start = end
    }
  }
  refine(0, count, 0)
  return { order, unsettled }
}

/** Bytes of a text's key from an offset, big-endian; zero past its end. */
function fourBytes({ bytes, starts, length }: SortKeys['texts'], index: number, offset: number): number {
  const end = index + 1 < starts.length ? starts.list[index + 1]! : length
  const at = starts.list[index]! + offset
  const left = end - at
  if (left >= 4) return ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0
  let word = 0
  for (let i = 0; i < 4; i++) word = (word << 8) | (i < left ? bytes[at + i]! : 0)
  return word >>> 0
}

/** Compares in full what `sortedPositions` left unsettled. @param texts in lower case by position */
export function settleTexts(sorted: Sorted, texts: ReadonlyMap<number, string>, direction: 'asc' | 'desc'): void {
  const sign = direction === 'asc' ? 1 : -1
  for (const [from, to] of sorted.unsettled) {
    sorted.positions.subarray(from, to).sort((a, b) => {
      const x = texts.get(a)!
      const y = texts.get(b)!
      return x === y ? a - b : x < y ? -sign : sign
    })
  }
}
