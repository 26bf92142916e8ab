/** Bytes that grow: what answers are written into. Pure. */
export interface Output {
  bytes: Buffer
  length: number
}

/** @param capacity bytes to be had before the first growth */
export const newOutput = (capacity = 1024): Output => ({ bytes: Buffer.allocUnsafe(capacity), length: 0 })

/** Makes sure that `bytes` more fit. */
export function room(out: Output, bytes: number): void {
  if (out.bytes.length - out.length >= bytes) return
  const grown = Buffer.allocUnsafe(out.bytes.length * 2 + bytes)
  out.bytes.copy(grown, 0, 0, out.length)
  out.bytes = grown
}

export function write(out: Output, text: string): void {
  room(out, text.length * 3)
  out.length += out.bytes.write(text, out.length, 'utf8')
}

export function copy(out: Output, bytes: Buffer): void {
  room(out, bytes.length)
  out.bytes.set(bytes, out.length)
  out.length += bytes.length
}

/** Copies bytes [from, to) of a cell. Cells are short: a loop beats a call. */
export function copyPart(out: Output, bytes: Buffer, from: number, to: number): void {
  room(out, to - from)
  const target = out.bytes
  let at = out.length
  for (let i = from; i < to; i++) target[at++] = bytes[i]!
  out.length = at
}

/** A single byte. */
export function put(out: Output, byte: number): void {
  room(out, 1)
  out.bytes[out.length++] = byte
}

/** A whole number from 0 on, in decimal digits. */
export function writeNumber(out: Output, value: number): void {
  room(out, 16)
  let digits = 1
  for (let rest = value; rest >= 10; rest = Math.floor(rest / 10)) digits++
  let rest = value
  for (let at = out.length + digits - 1; at >= out.length; at--) {
    out.bytes[at] = 48 + (rest % 10)
    rest = Math.floor(rest / 10)
  }
  out.length += digits
}

/** What was written so far; the output starts anew with `capacity` bytes of its own, so what was taken stays as it is. */
export function take(out: Output, capacity: number): Buffer {
  const taken = out.bytes.subarray(0, out.length)
  out.bytes = Buffer.allocUnsafe(capacity)
  out.length = 0
  return taken
}
