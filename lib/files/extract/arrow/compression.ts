/** Unpacks the buffers of record batches. The LZ4 packages of npm do not check frames, or are native. */
import { setCompressionCodec } from '@uwdata/flechette/src/compression.js'
import { CompressionType } from '@uwdata/flechette/src/constants.js'
import { unpackZstd } from '../parquet/zstd.ts'
import { createDamagedError } from './damage.ts'

const LZ4_MAGIC_NUMBER = 0x184d2204
const STORED_BLOCK = 0x8000_0000
const MIN_MATCH_BYTES = 4
const BLOCK_CHECKSUM_BYTES = 4
const MAX_LZ4_RATIO = 255

const encode = (): never => {
  throw new Error('Arrow files are not written.')
}

export function registerCodecs(): void {
  setCompressionCodec(CompressionType.LZ4_FRAME, { decode: unpackLz4, encode })
  setCompressionCodec(CompressionType.ZSTD, { decode: unpackZstdBuffer, encode })
}

function unpackZstdBuffer(packed: Uint8Array, size: number): Uint8Array {
  try {
    return unpackZstd(packed, size)
  } catch {
    throw createDamagedError('a buffer is not valid zstd data')
  }
}

function unpackLz4(packed: Uint8Array, size: number): Uint8Array {
  if (size > packed.length * MAX_LZ4_RATIO) throw createDamagedError('a buffer is larger than its LZ4 data')
  try {
    return new Lz4Frame(Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength), size).unpack()
  } catch {
    throw createDamagedError('a buffer is not valid LZ4 data')
  }
}

class Lz4Frame {
  readonly #input: Buffer
  readonly #output: Uint8Array
  #at = 0
  #used = 0

  constructor(input: Buffer, size: number) {
    this.#input = input
    this.#output = new Uint8Array(size)
  }

  unpack(): Uint8Array {
    if (this.#readWord() !== LZ4_MAGIC_NUMBER) throw new RangeError('another magic number')
    const flags = this.#readByte()
    const [hasBlockChecksum, hasSize, hasDictionary] = [flags & 0x10, flags & 8, flags & 1]
    if (flags >> 6 !== 1 || hasDictionary) throw new RangeError('another version or a dictionary')
    this.#at += 1 + (hasSize ? 8 : 0) + 1
    for (let block = this.#readWord(); block !== 0; block = this.#readWord()) {
      this.#unpackBlock(block)
      if (hasBlockChecksum) this.#at += BLOCK_CHECKSUM_BYTES
    }
    if (this.#used !== this.#output.length) throw new RangeError('another size than declared')
    return this.#output
  }

  #unpackBlock(block: number): void {
    const isStored = block >= STORED_BLOCK
    const end = this.#at + (isStored ? block - STORED_BLOCK : block)
    if (end > this.#input.length) throw new RangeError('a block exceeds the frame')
    if (isStored) this.#copyLiterals(end - this.#at)
    while (this.#at < end) {
      const token = this.#readByte()
      this.#copyLiterals(this.#readLength(token >> 4))
      if (this.#at < end) this.#copyMatch(this.#readByte() + this.#readByte() * 256, this.#readLength(token & 15))
    }
    if (this.#at !== end) throw new RangeError('a block exceeds its size')
  }

  #copyLiterals(count: number): void {
    this.#output.set(this.#input.subarray(this.#at, this.#at + count), this.#used)
    this.#at += count
    this.#used += count
  }

  #copyMatch(distance: number, length: number): void {
    const end = this.#used + length + MIN_MATCH_BYTES
    let from = this.#used - distance
    if (distance === 0 || from < 0 || end > this.#output.length) throw new RangeError('a match is out of range')
    if (distance >= end - this.#used) this.#output.copyWithin(this.#used, from, from + end - this.#used)
    else for (let at = this.#used; at < end; ) this.#output[at++] = this.#output[from++]!
    this.#used = end
  }

  #readLength(start: number): number {
    let length = start
    if (start < 15) return length
    for (let byte = 255; byte === 255; length += byte) byte = this.#readByte()
    return length
  }

  #readByte(): number {
    const byte = this.#input[this.#at++]
    if (byte === undefined) throw new RangeError('the frame ends early')
    return byte
  }

  #readWord(): number {
    this.#at += 4
    return this.#input.readUInt32LE(this.#at - 4)
  }
}
