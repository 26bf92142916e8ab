/** Reads the streams of a compound file. Its structure: MS-CFB. */
import { message } from '../../../../schemas/messages/index.ts'
import { unprocessable } from '../../../core/errors.ts'
import type { FileBytes } from '../bytes.ts'
import { isFileError } from '../zip/archive.ts'
import { RangeReader } from '../zip/reader.ts'

const HEADER_BYTES = 512
const MAX_SECTOR = 0xfffffff9
const HEADER_FAT_SECTORS = 109
const DIRECTORY_ENTRY_BYTES = 128
const MAX_DIRECTORY_ENTRIES = 10_000
const MAX_READ_BYTES = 128 * 1024
const STREAM_TYPE = 2

export const createDamagedError = (byte: number) => unprocessable(message('files.workbookDamaged', { byte }))

interface Blocks {
  bytes: number
  positions: readonly number[]
}

export class CompoundStream {
  readonly size: number
  readonly #file: RangeReader
  readonly #blocks: Blocks

  constructor(file: RangeReader, blocks: Blocks, size: number) {
    if (size > blocks.bytes * blocks.positions.length) throw createDamagedError(blocks.positions[0] ?? 0)
    this.#file = file
    this.#blocks = blocks
    this.size = size
  }

  async *read(from: number): AsyncGenerator<Buffer> {
    const { bytes, positions } = this.#blocks
    for (let at = from; at < this.size; ) {
      const first = Math.floor(at / bytes)
      let next = first + 1
      while (positions[next] === positions[next - 1]! + bytes && (next - first) * bytes < MAX_READ_BYTES) next++
      const length = Math.min(next * bytes, this.size) - at
      yield await readBytes(this.#file, positions[first]! + (at % bytes), length)
      at += length
    }
  }

  async readAll(): Promise<Buffer> {
    const chunks: Buffer[] = []
    for await (const chunk of this.read(0)) chunks.push(chunk)
    return Buffer.concat(chunks)
  }

  /** Returns a copy of the file. */
  replaceIn(file: Buffer, content: Buffer): Buffer {
    const copy = Buffer.from(file)
    const { bytes, positions } = this.#blocks
    for (let at = 0, block = 0; at < this.size; at += bytes, block++)
      content.copy(copy, positions[block]!, at, Math.min(this.size, at + bytes))
    return copy
  }
}

export interface CompoundFile {
  streams: ReadonlyMap<string, CompoundStream>
  releaseCaches(): void
}

const readBytes = (file: RangeReader, position: number, length: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const bytes = Buffer.alloc(length)
    file.read(bytes, 0, length, position, (error) =>
      error ? reject(isFileError(error) ? createDamagedError(position) : error) : resolve(bytes),
    )
  })

const SMALL_BLOCK_SHIFT = 6
const SMALL_BLOCK_BYTES = 2 ** SMALL_BLOCK_SHIFT
const MAX_SMALL_STREAM_BYTES = 4096

export async function openCompoundFile(file: FileBytes): Promise<CompoundFile> {
  const reader = new RangeReader(file)
  const header = await readBytes(reader, 0, HEADER_BYTES)
  const shift = header.readUInt16LE(30)
  if (shift !== 9 && shift !== 12) throw createDamagedError(30)
  if (header.readUInt16LE(32) !== SMALL_BLOCK_SHIFT) throw createDamagedError(32)
  if (header.readUInt32LE(56) !== MAX_SMALL_STREAM_BYTES) throw createDamagedError(56)
  const sectors = new Sectors(reader, file.size, shift)
  await sectors.load(header)
  const entries = parseDirectory(await sectors.readAll(header.readUInt32LE(48)))
  const root = entries[0]
  if (!root) throw createDamagedError(48)
  const smallFat = await sectors.readAll(header.readUInt32LE(60))
  const smallBlocks = sectors.splitSmall(sectors.follow(root.start))
  const streams = new Map<string, CompoundStream>()
  for (const { name, type, start, size } of listChildren(entries, root)) {
    if (type !== STREAM_TYPE || !WORKBOOK_STREAMS.has(name)) continue
    const blocks = size < MAX_SMALL_STREAM_BYTES ? followSmall(smallFat, smallBlocks, start) : sectors.follow(start)
    streams.set(name, new CompoundStream(reader, blocks, size))
  }
  return { streams, releaseCaches: () => reader.clearCache() }
}

const WORKBOOK_STREAMS = new Set(['Workbook', 'Book', 'EncryptionInfo', 'EncryptedPackage'])

class Sectors {
  readonly #file: RangeReader
  readonly #bytes: number
  readonly #count: number
  readonly #next: Buffer[] = []

  constructor(file: RangeReader, size: number, shift: number) {
    this.#file = file
    this.#bytes = 1 << shift
    this.#count = Math.ceil(size / this.#bytes)
  }

  async load(header: Buffer): Promise<void> {
    const fat: number[] = []
    for (let i = 0; i < HEADER_FAT_SECTORS; i++) fat.push(header.readUInt32LE(76 + 4 * i))
    let more = header.readUInt32LE(68)
    for (let list = 0; more <= MAX_SECTOR; list++) {
      if (list > this.#count) throw createDamagedError(68)
      const sector = await this.#read(more)
      for (let at = 0; at < this.#bytes - 4; at += 4) fat.push(sector.readUInt32LE(at))
      more = sector.readUInt32LE(this.#bytes - 4)
      if (fat.length > this.#count + HEADER_FAT_SECTORS + this.#bytes) throw createDamagedError(68)
    }
    for (const sector of fat) if (sector <= MAX_SECTOR) this.#next.push(await this.#read(sector))
  }

  #position(sector: number): number {
    if (sector >= this.#count) throw createDamagedError(0)
    return (sector + 1) * this.#bytes
  }

  #read(sector: number): Promise<Buffer> {
    return readBytes(this.#file, this.#position(sector), this.#bytes)
  }

  follow(start: number): Blocks {
    const positions: number[] = []
    const perSector = this.#bytes / 4
    for (let sector = start; sector <= MAX_SECTOR; ) {
      positions.push(this.#position(sector))
      if (positions.length > this.#count) throw createDamagedError(positions[0]!)
      const table = this.#next[Math.floor(sector / perSector)]
      if (!table) throw createDamagedError(positions.at(-1)!)
      sector = table.readUInt32LE(4 * (sector % perSector))
    }
    return { bytes: this.#bytes, positions }
  }

  async readAll(start: number): Promise<Buffer> {
    const blocks = this.follow(start)
    return new CompoundStream(this.#file, blocks, blocks.bytes * blocks.positions.length).readAll()
  }

  splitSmall({ positions }: Blocks): Blocks {
    const bytes = SMALL_BLOCK_BYTES
    const perSector = this.#bytes / bytes
    return { bytes, positions: positions.flatMap((at) => Array.from({ length: perSector }, (_, i) => at + i * bytes)) }
  }
}

function followSmall(fat: Buffer, { bytes, positions }: Blocks, start: number): Blocks {
  const found: number[] = []
  for (let block = start; block <= MAX_SECTOR; block = fat.readUInt32LE(4 * block)) {
    const position = positions[block]
    if (position === undefined || 4 * block >= fat.length || found.length > positions.length)
      throw createDamagedError(found[0] ?? 0)
    found.push(position)
  }
  return { bytes, positions: found }
}

interface DirectoryEntry {
  name: string
  type: number
  left: number
  right: number
  child: number
  start: number
  size: number
}

function parseDirectory(bytes: Buffer): DirectoryEntry[] {
  const entries: DirectoryEntry[] = []
  for (let at = 0; at < bytes.length && entries.length < MAX_DIRECTORY_ENTRIES; at += DIRECTORY_ENTRY_BYTES) {
    const nameBytes = Math.min(64, bytes.readUInt16LE(at + 64))
    entries.push({
      name: bytes.toString('utf16le', at, at + Math.max(0, nameBytes - 2)),
      type: bytes[at + 66]!,
      left: bytes.readUInt32LE(at + 68),
      right: bytes.readUInt32LE(at + 72),
      child: bytes.readUInt32LE(at + 76),
      start: bytes.readUInt32LE(at + 116),
      size: bytes.readUInt32LE(at + 120),
    })
  }
  return entries
}

function listChildren(entries: readonly DirectoryEntry[], root: DirectoryEntry): Set<DirectoryEntry> {
  const found = new Set<DirectoryEntry>()
  const open = [root.child]
  while (open.length > 0) {
    const entry = entries[open.pop()!]
    if (!entry || found.has(entry)) continue
    found.add(entry)
    open.push(entry.left, entry.right)
  }
  return found
}
