/** Unpacks a zstd frame of known size. Its window is checked first, because the library allocates it. Pure. */
import { Decompress } from 'fzstd'
import { DamagedPageError } from './bytes.ts'

const MAGIC_NUMBER = 0xfd2fb528
const BLOCK_HEADER_BYTES = 3
const CHECKSUM_BYTES = 4
const MIN_WINDOW_LOG = 10
/** The usual limit of readers is 128 MB. */
const MAX_WINDOW_BYTES = 128 * 1024 * 1024
const RLE_BLOCK = 1
const DICTIONARY_ID_BYTES = [0, 1, 2, 4]

export function unpackZstd(packed: Uint8Array, size: number): Uint8Array {
  assertOneFrame(Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength), size)
  const output = new Uint8Array(size)
  let used = 0
  const frame = new Decompress((chunk) => {
    if (used + chunk.length > size) throw new DamagedPageError('a page has another size than declared')
    output.set(chunk, used)
    used += chunk.length
  })
  try {
    frame.push(packed, true)
  } catch (error) {
    if (error instanceof DamagedPageError) throw error
    throw new DamagedPageError('a page is not valid zstd data')
  }
  if (used !== size) throw new DamagedPageError('a page has another size than declared')
  return output
}

function assertOneFrame(frame: Buffer, size: number): void {
  try {
    const { windowBytes, contentBytes = size, blocksStart, hasChecksum } = readHeader(frame)
    const end = findBlocksEnd(frame, blocksStart) + (hasChecksum ? CHECKSUM_BYTES : 0)
    if (end === frame.length && windowBytes <= MAX_WINDOW_BYTES && contentBytes === size) return
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  throw new DamagedPageError('a page is not one zstd frame')
}

interface FrameHeader {
  /** 0 if the window is the content. */
  windowBytes: number
  contentBytes: number | undefined
  blocksStart: number
  hasChecksum: boolean
}

function readHeader(frame: Buffer): FrameHeader {
  if (frame.readUInt32LE(0) !== MAGIC_NUMBER) throw new DamagedPageError('a page is not one zstd frame')
  const descriptor = frame.readUInt8(4)
  const isSingleSegment = (descriptor & 0x20) !== 0
  const sizeFlag = descriptor >> 6
  const sizeBytes = sizeFlag === 0 ? Number(isSingleSegment) : 2 ** sizeFlag
  const window = isSingleSegment ? 0 : frame.readUInt8(5)
  const base = 2 ** (MIN_WINDOW_LOG + (window >> 3))
  const sizeStart = 5 + Number(!isSingleSegment) + DICTIONARY_ID_BYTES[descriptor & 3]!
  return {
    windowBytes: isSingleSegment ? 0 : base + (base / 8) * (window & 7),
    contentBytes: readContentBytes(frame, sizeStart, sizeBytes),
    blocksStart: sizeStart + sizeBytes,
    hasChecksum: (descriptor & 4) !== 0,
  }
}

const SIZE_OF_TWO_BYTES_STARTS_AT = 256

function readContentBytes(frame: Buffer, start: number, bytes: number): number | undefined {
  if (bytes === 0) return undefined
  if (bytes === 8) return Number(frame.readBigUInt64LE(start))
  return frame.readUIntLE(start, bytes) + (bytes === 2 ? SIZE_OF_TWO_BYTES_STARTS_AT : 0)
}

function findBlocksEnd(frame: Buffer, start: number): number {
  for (let at = start; ; ) {
    const header = frame.readUIntLE(at, BLOCK_HEADER_BYTES)
    at += BLOCK_HEADER_BYTES + (((header >> 1) & 3) === RLE_BLOCK ? 1 : header >> 3)
    if ((header & 1) === 1) return at
  }
}
