/** The records of a ZIP archive (APPNOTE 6.3.10). Entries and archives of 4 GB and more have Zip64 records. */

export interface Entry {
  name: Buffer
  modified: Date
  isCompressed: boolean
  isStreamed: boolean
  offset: number
  crc: number
  bytes: number
  packedBytes: number
}

export const createEntry = (name: string, flags: Pick<Entry, 'isCompressed' | 'isStreamed'>): Entry => ({
  name: Buffer.from(name),
  modified: new Date(),
  ...flags,
  ...{ offset: 0, crc: 0, bytes: 0, packedBytes: 0 },
})

const MAX_UINT16 = 0xffff
const MAX_UINT32 = 0xffffffff
const VERSION = 20
const ZIP64_VERSION = 45
const UNIX = 3
const MADE_BY = (UNIX << 8) | ZIP64_VERSION
const REGULAR_FILE = 0o100644
const STREAMED = 1 << 3
const UTF8_NAME = 1 << 11
const DEFLATED = 8
const EXTRA_LENGTH = 0
const [COMMENT_LENGTH, DISK, INTERNAL_ATTRIBUTES] = [0, 0, 0]

type Field = readonly [bytes: 2 | 4 | 8, value: number]

function buildRecord(...fields: readonly Field[]): Buffer {
  const record = Buffer.alloc(fields.reduce((sum, [bytes]) => sum + bytes, 0))
  let at = 0
  for (const [bytes, value] of fields) {
    if (bytes === 8) record.writeBigUInt64LE(BigInt(value), at)
    else record.writeUIntLE(value, at, bytes)
    at += bytes
  }
  return record
}

const needsZip64 = ({ bytes, packedBytes, offset }: Entry): boolean =>
  Math.max(bytes, packedBytes, offset) >= MAX_UINT32

function listCommonFields(entry: Entry, isZip64: boolean): Field[] {
  const { modified, isCompressed, isStreamed } = entry
  const time = (modified.getHours() << 11) | (modified.getMinutes() << 5) | (modified.getSeconds() >> 1)
  const date = ((modified.getFullYear() - 1980) << 9) | ((modified.getMonth() + 1) << 5) | modified.getDate()
  return [
    [2, isZip64 ? ZIP64_VERSION : VERSION],
    [2, (isStreamed ? STREAMED : 0) | UTF8_NAME],
    [2, isCompressed ? DEFLATED : 0],
    [2, time],
    [2, date],
  ]
}

export const buildLocalHeader = (entry: Entry): Buffer =>
  Buffer.concat([
    buildRecord(
      [4, 0x04034b50],
      ...listCommonFields(entry, false),
      ...([entry.crc, entry.packedBytes, entry.bytes] as const).map((value): Field => [4, value]),
      [2, entry.name.length],
      [2, EXTRA_LENGTH],
    ),
    entry.name,
  ])

export function buildDataDescriptor({ crc, packedBytes, bytes }: Entry): Buffer {
  const size = Math.max(packedBytes, bytes) >= MAX_UINT32 ? 8 : 4
  return buildRecord([4, 0x08074b50], [4, crc], [size, packedBytes], [size, bytes])
}

export function buildDirectoryRecord(entry: Entry): Buffer {
  const { name, modified, crc, packedBytes, bytes, offset } = entry
  const isZip64 = needsZip64(entry)
  const timestamp = Buffer.from([0x55, 0x54, 5, 0, 1, 0, 0, 0, 0])
  timestamp.writeUInt32LE(Math.floor(modified.getTime() / 1000), 5)
  const sizes = isZip64 ? buildRecord([2, 1], [2, 24], [8, bytes], [8, packedBytes], [8, offset]) : Buffer.alloc(0)
  return Buffer.concat([
    buildRecord(
      [4, 0x02014b50],
      [2, MADE_BY],
      ...listCommonFields(entry, isZip64),
      [4, crc],
      [4, isZip64 ? MAX_UINT32 : packedBytes],
      [4, isZip64 ? MAX_UINT32 : bytes],
      [2, name.length],
      [2, timestamp.length + sizes.length],
      [2, COMMENT_LENGTH],
      [2, DISK],
      [2, INTERNAL_ATTRIBUTES],
      [4, REGULAR_FILE * 2 ** 16],
      [4, isZip64 ? MAX_UINT32 : offset],
    ),
    name,
    timestamp,
    sizes,
  ])
}

export interface Directory {
  entries: number
  offset: number
  bytes: number
}

export function buildDirectoryEnd({ entries, offset, bytes }: Directory): Buffer {
  const end = buildRecord(
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, Math.min(entries, MAX_UINT16)],
    [2, Math.min(entries, MAX_UINT16)],
    [4, Math.min(bytes, MAX_UINT32)],
    [4, Math.min(offset, MAX_UINT32)],
    [2, 0],
  )
  if (entries < MAX_UINT16 && Math.max(offset, bytes) < MAX_UINT32) return end
  const record = buildRecord(
    [4, 0x06064b50],
    [8, 44],
    [2, MADE_BY],
    [2, ZIP64_VERSION],
    [4, 0],
    [4, 0],
    [8, entries],
    [8, entries],
    [8, bytes],
    [8, offset],
  )
  const locator = buildRecord([4, 0x07064b50], [4, 0], [8, offset + bytes], [4, 1])
  return Buffer.concat([record, locator, end])
}
