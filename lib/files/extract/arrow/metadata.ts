/** Checks the metadata of an Arrow file before flechette decodes it, which trusts its offsets and counts. Pure. */
import { Type } from '@uwdata/flechette/src/constants.js'
import { createDamagedError } from './damage.ts'

export interface MessageHead {
  version: number
  type: number
  contentStart: number
  bodyBytes: number
}

export const MESSAGE = { schema: 1, dictionaryBatch: 2, recordBatch: 3 }
const MAX_FIELD_LEVELS = 64
/** Parts may be shared, but not without end. */
const MAX_READS_PER_BYTE = 4
const MAX_SLOT_OFFSET = 2 ** 15 - 1
const STRUCT_BYTES = 16
const BLOCK_BYTES = 24

export function checkMessage(bytes: Buffer): MessageHead {
  const metadata = new Metadata(bytes)
  return metadata.check(() => {
    const root = metadata.follow(0)
    const type = metadata.getByte(root, 6)
    const contentStart = metadata.findSlot(root, 8)
    if (contentStart === 0) throw createDamagedError('a message is empty')
    if (type === MESSAGE.schema) metadata.checkSchema(contentStart)
    else if (type === MESSAGE.recordBatch) metadata.checkBatch(contentStart)
    else if (type === MESSAGE.dictionaryBatch) metadata.checkDictionary(contentStart)
    else throw createDamagedError('a message has an unknown type')
    return { version: metadata.getShort(root, 4), type, contentStart, bodyBytes: metadata.getLong(root, 10) }
  })
}

/** Positions in the footer; 0 if there are no blocks. */
interface FooterHead {
  version: number
  schema: number
  dictionaries: number
  batches: number
}

export function checkFooter(bytes: Buffer): FooterHead {
  const metadata = new Metadata(bytes)
  return metadata.check(() => {
    const root = metadata.follow(0)
    const schema = metadata.findSlot(root, 6)
    if (schema === 0) throw createDamagedError('its schema is missing')
    metadata.checkSchema(schema)
    for (const slot of [8, 10]) metadata.checkStructs(root, slot, BLOCK_BYTES)
    return {
      version: metadata.getShort(root, 4),
      schema,
      dictionaries: metadata.findSlot(root, 8),
      batches: metadata.findSlot(root, 10),
    }
  })
}

class Metadata {
  readonly #bytes: Buffer
  #left: number

  constructor(bytes: Buffer) {
    this.#bytes = bytes
    this.#left = bytes.length * MAX_READS_PER_BYTE
  }

  check<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw error instanceof RangeError ? createDamagedError('its metadata has invalid offsets') : error
    }
  }

  follow(at: number): number {
    this.#spend(4)
    return at + this.#bytes.readUInt32LE(at)
  }

  findSlot(start: number, slot: number): number {
    this.#spend(2)
    const slots = start - this.#bytes.readInt32LE(start)
    if (slot >= this.#bytes.readInt16LE(slots)) return 0
    const offset = this.#bytes.readUInt16LE(slots + slot)
    if (offset > MAX_SLOT_OFFSET) throw createDamagedError('its metadata has invalid offsets')
    return offset === 0 ? 0 : start + offset
  }

  getByte(start: number, slot: number): number {
    const at = this.findSlot(start, slot)
    return at === 0 ? 0 : this.#bytes.readUInt8(at)
  }

  getShort(start: number, slot: number): number {
    const at = this.findSlot(start, slot)
    return at === 0 ? 0 : this.#bytes.readInt16LE(at)
  }

  getLong(start: number, slot: number): number {
    const at = this.findSlot(start, slot)
    return at === 0 ? 0 : Number(this.#bytes.readBigInt64LE(at))
  }

  checkSchema(at: number): void {
    const start = this.follow(at)
    for (const field of this.#listTables(start, 6)) this.#checkField(field, 0)
    this.#checkPairs(start, 8)
  }

  #checkField(start: number, level: number): void {
    if (level > MAX_FIELD_LEVELS) throw createDamagedError('its fields are too deeply nested')
    this.#checkText(start, 4)
    this.#checkType(this.getByte(start, 8), this.findSlot(start, 10))
    const dictionary = this.findSlot(start, 12)
    if (dictionary !== 0) this.#checkOptionalTable(this.follow(dictionary), 6)
    for (const child of this.#listTables(start, 14)) this.#checkField(child, level + 1)
    this.#checkPairs(start, 16)
  }

  #checkType(type: number, at: number): void {
    if (at === 0) throw createDamagedError('a field has no type')
    const start = this.follow(at)
    this.findSlot(start, 4)
    if (type === Type.Timestamp) this.#checkText(start, 6)
    if (type === Type.Union) this.checkStructs(start, 6, 4)
  }

  checkDictionary(at: number): void {
    const data = this.findSlot(this.follow(at), 6)
    if (data === 0) throw createDamagedError('a dictionary is empty')
    this.checkBatch(data)
  }

  checkBatch(at: number): void {
    const start = this.follow(at)
    for (const slot of [6, 8]) this.checkStructs(start, slot, STRUCT_BYTES)
    this.#checkOptionalTable(start, 10)
    this.checkStructs(start, 12, 8)
  }

  checkStructs(start: number, slot: number, bytes: number): void {
    const at = this.findSlot(start, slot)
    if (at !== 0) this.#measureList(this.follow(at), bytes)
  }

  #measureList(start: number, bytes: number): number {
    const count = this.#bytes.readUInt32LE(start)
    this.#spend(count * bytes)
    if (start + 4 + count * bytes > this.#bytes.length) throw createDamagedError('its metadata has invalid counts')
    return count
  }

  #listTables(start: number, slot: number): number[] {
    const at = this.findSlot(start, slot)
    if (at === 0) return []
    const list = this.follow(at)
    return Array.from({ length: this.#measureList(list, 4) }, (_, i) => this.follow(list + 4 + i * 4))
  }

  #checkPairs(start: number, slot: number): void {
    for (const pair of this.#listTables(start, slot)) for (const text of [4, 6]) this.#checkText(pair, text)
  }

  #checkText(start: number, slot: number): void {
    const at = this.findSlot(start, slot)
    if (at !== 0) this.#measureList(this.follow(at), 1)
  }

  #checkOptionalTable(start: number, slot: number): void {
    const at = this.findSlot(start, slot)
    if (at !== 0) this.findSlot(this.follow(at), 4)
  }

  #spend(count: number): void {
    this.#left -= count
    if (this.#left < 0) throw createDamagedError('its metadata is too large for its size')
  }
}
