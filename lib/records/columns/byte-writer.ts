/** A growable byte buffer that responses are written into. */
export interface ByteWriter {
  bytes: Buffer
  view: DataView
  length: number
}

export const createByteWriter = (capacity = 1024): ByteWriter => ({ ...allocate(capacity), length: 0 })

export const openByteWriter = (bytes: Buffer): ByteWriter => ({ bytes, view: createView(bytes), length: 0 })

const createView = ({ buffer, byteOffset, length }: Buffer): DataView => new DataView(buffer, byteOffset, length)

interface Allocation {
  bytes: Buffer
  view: DataView
}

/** New memory outside the heap makes the garbage collector run, so large streams use theirs again. */
const MAX_RECYCLED_BYTES = 24 * 1024 * 1024
const recycled: Allocation[] = []
const taken = new WeakMap<ArrayBufferLike, Allocation>()

function allocate(capacity: number): Allocation {
  const at = recycled.findIndex(({ bytes }) => bytes.length === capacity)
  if (at >= 0) return recycled.splice(at, 1)[0]!
  const bytes = Buffer.allocUnsafe(capacity)
  return { bytes, view: createView(bytes) }
}

/** Gives bytes of `takeBytes` back, if nothing reads them any more. Ignores others. */
export function recycleBytes({ buffer }: Uint8Array): void {
  const allocation = taken.get(buffer)
  const usedBytes = recycled.reduce((sum, { bytes }) => sum + bytes.length, 0)
  if (!allocation || usedBytes + allocation.bytes.length > MAX_RECYCLED_BYTES) return
  taken.delete(buffer)
  recycled.push(allocation)
}

export function reserve(out: ByteWriter, bytes: number): void {
  if (out.bytes.length - out.length >= bytes) return
  const grown = allocate(out.bytes.length * 2 + bytes)
  out.bytes.copy(grown.bytes, 0, 0, out.length)
  Object.assign(out, grown)
}

export function writeString(out: ByteWriter, text: string): void {
  reserve(out, text.length * 3)
  out.length += out.bytes.write(text, out.length, 'utf8')
}

export function writeBytes(out: ByteWriter, bytes: Buffer): void {
  reserve(out, bytes.length)
  out.bytes.set(bytes, out.length)
  out.length += bytes.length
}

/** Copies bytes [from, to) of a cell. Cells are short, so a loop beats a call. */
export function copyRange(out: ByteWriter, bytes: Buffer, from: number, to: number): void {
  reserve(out, to - from)
  const target = out.bytes
  let at = out.length
  for (let i = from; i < to; i++) target[at++] = bytes[i]!
  out.length = at
}

/** Words of eight bytes take half the time of single bytes. No eight bytes of UTF-8 are a NaN, so they are exact. */
export interface Snippet {
  words: Float64Array
  length: number
}

const WORD_BYTES = 8

export function createSnippet(text: string): Snippet {
  const length = Buffer.byteLength(text)
  const words = new Float64Array(Math.ceil(length / WORD_BYTES))
  const view = new DataView(words.buffer)
  Buffer.from(words.buffer).write(text)
  return { words: words.map((_, i) => view.getFloat64(i * WORD_BYTES, true)), length }
}

export function writeSnippet(out: ByteWriter, { words, length }: Snippet): void {
  reserve(out, length + WORD_BYTES)
  const { view } = out
  const end = out.length + length
  for (let i = 0, at = out.length; at < end; i++, at += WORD_BYTES) view.setFloat64(at, words[i]!, true)
  out.length = end
}

export function writeByte(out: ByteWriter, byte: number): void {
  if (out.length === out.bytes.length) reserve(out, 1)
  out.bytes[out.length++] = byte
}

export function writeNumber(out: ByteWriter, value: number): void {
  reserve(out, 16)
  let digits = 1
  for (let remaining = value; remaining >= 10; remaining = Math.floor(remaining / 10)) digits++
  let remaining = value
  for (let at = out.length + digits - 1; at >= out.length; at--) {
    out.bytes[at] = 48 + (remaining % 10)
    remaining = Math.floor(remaining / 10)
  }
  out.length += digits
}

/** Returns the bytes written so far; they change only after `recycleBytes`. */
export function takeBytes(out: ByteWriter, capacity: number): Buffer {
  const { bytes, view } = out
  if (bytes.length === bytes.buffer.byteLength) taken.set(bytes.buffer, { bytes, view })
  const written = bytes.subarray(0, out.length)
  Object.assign(out, allocate(capacity))
  out.length = 0
  return written
}
