/** Row sets: bitmaps in memory; in JSON, run lengths or a base64 bitmap, whichever is shorter. */
export type Bits = Uint8Array

export const emptyBits = (rows: number): Bits => new Uint8Array((rows + 7) >> 3)
export const hasBit = (bits: Bits | null | undefined, row: number): boolean =>
  bits != null && ((bits[row >> 3] ?? 0) & (1 << (row & 7))) !== 0
export const setBit = (bits: Bits, row: number): void => {
  bits[row >> 3]! |= 1 << (row & 7)
}
export const clearBit = (bits: Bits, row: number): void => {
  bits[row >> 3]! &= ~(1 << (row & 7))
}

export function countBits(bits: Bits | null | undefined): number {
  let count = 0
  if (bits) for (let byte of bits) for (; byte; byte &= byte - 1) count++
  return count
}

/** Bits past the last row are set too. */
export const allBits = (rows: number): Bits => emptyBits(rows).fill(255)
/** Set operations that modify and return `target`; both sets have the same size. */
export function andBits(target: Bits, other: Bits): Bits {
  for (let i = 0; i < target.length; i++) target[i]! &= other[i]!
  return target
}
export function orBits(target: Bits, other: Bits): Bits {
  for (let i = 0; i < target.length; i++) target[i]! |= other[i]!
  return target
}
export function notBits(target: Bits): Bits {
  for (let i = 0; i < target.length; i++) target[i] = ~target[i]!
  return target
}

export function unionBits(rows: number, parts: Iterable<Bits>): Bits {
  const union = emptyBits(rows)
  for (const bits of parts) orBits(union, bits)
  return union
}

export function bitsToRows(bits: Bits): number[] {
  const rows: number[] = []
  for (let at = 0; at < bits.length; at++) {
    const byte = bits[at]!
    for (let bit = 0; byte >> bit; bit++) if (byte & (1 << bit)) rows.push(at * 8 + bit)
  }
  return rows
}

/** `[gap, run, gap, run, ...]`, or a base64 bitmap when that is shorter. */
export type StoredRows = number[] | string

export function encodeRows(rows: readonly number[]): StoredRows {
  const runs: number[] = []
  let next = 0
  for (let i = 0; i < rows.length; ) {
    const start = rows[i]!
    let end = i + 1
    while (end < rows.length && rows[end] === start + end - i) end++
    runs.push(start - next, end - i)
    next = start + end - i
    i = end
  }
  return runs.length * 2.5 < (next / 8) * 1.34 ? runs : next ? encodeBitmap(rows, next) : runs
}

function encodeBitmap(rows: readonly number[], size: number): string {
  const bits = emptyBits(size)
  for (const row of rows) setBit(bits, row)
  return Buffer.from(bits).toString('base64')
}

export function decodeRows(stored: StoredRows): number[] {
  if (typeof stored === 'string') return bitsToRows(Buffer.from(stored, 'base64'))
  const rows: number[] = []
  let at = 0
  for (let i = 0; i < stored.length; i += 2) {
    at += stored[i]!
    for (const end = at + stored[i + 1]!; at < end; at++) rows.push(at)
  }
  return rows
}
