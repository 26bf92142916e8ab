/** Checks Thrift data before hyparquet parses it, which trusts the sizes it declares. Pure. */

const MAX_DEPTH = 16
const MAX_VARINT_BYTES = 10
const TRUE = 1
const FALSE = 2
const BYTE = 3
const I64 = 6
const DOUBLE = 7
const BINARY = 8
const LIST = 9
const STRUCT = 12

export class ThriftError extends Error {}

export class ThriftEndError extends ThriftError {}

/** Returns the end of the struct at `start`. @throws ThriftError */
export function measureStruct(bytes: Uint8Array, start: number, maxElements: number): number {
  const scanner = new Scanner(bytes, start, maxElements)
  scanner.skipStruct(0)
  return scanner.position
}

class Scanner {
  position: number
  readonly #bytes: Uint8Array
  #elementsLeft: number

  constructor(bytes: Uint8Array, position: number, maxElements: number) {
    this.#bytes = bytes
    this.position = position
    this.#elementsLeft = maxElements
  }

  skipStruct(depth: number): void {
    if (depth > MAX_DEPTH) throw new ThriftError('too deeply nested')
    for (;;) {
      const byte = this.#byte()
      const type = byte & 0x0f
      if (type === 0) return
      if (byte >> 4 === 0) this.#varint()
      if (type !== TRUE && type !== FALSE) this.#skipValue(type, depth)
    }
  }

  #skipValue(type: number, depth: number): void {
    if (type === TRUE || type === FALSE || type === BYTE) this.#skip(1)
    else if (type > BYTE && type <= I64) this.#varint()
    else if (type === DOUBLE) this.#skip(8)
    else if (type === BINARY) this.#skip(this.#varint())
    else if (type === LIST) this.#skipList(depth)
    else if (type === STRUCT) this.skipStruct(depth + 1)
    else throw new ThriftError(`unknown type ${type}`)
  }

  #skipList(depth: number): void {
    if (depth > MAX_DEPTH) throw new ThriftError('too deeply nested')
    const byte = this.#byte()
    const size = byte >> 4 === 15 ? this.#varint() : byte >> 4
    this.#elementsLeft -= size
    if (this.#elementsLeft < 0) throw new ThriftError('too many elements')
    for (let i = 0; i < size; i++) this.#skipValue(byte & 0x0f, depth + 1)
  }

  #byte(): number {
    const byte = this.#bytes[this.position++]
    if (byte === undefined) throw new ThriftEndError('ends early')
    return byte
  }

  #varint(): number {
    let value = 0
    for (let i = 0; i < MAX_VARINT_BYTES; i++) {
      const byte = this.#byte()
      value += (byte & 0x7f) * 2 ** (7 * i)
      if (byte < 0x80) return value
    }
    throw new ThriftError('number too long')
  }

  #skip(count: number): void {
    this.position += count
    if (this.position > this.#bytes.length) throw new ThriftEndError('ends early')
  }
}
