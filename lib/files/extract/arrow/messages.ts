/** Reads the messages of an Arrow file: in the order of its footer, or as a stream. */

import type { DictionaryBatch, RecordBatch, Schema, Version_ } from '@uwdata/flechette'
import { decodeBlocks } from '@uwdata/flechette/src/decode/block.js'
import { decodeDictionaryBatch } from '@uwdata/flechette/src/decode/dictionary-batch.js'
import { decodeRecordBatch } from '@uwdata/flechette/src/decode/record-batch.js'
import { decodeSchema } from '@uwdata/flechette/src/decode/schema.js'
import { MAX_ARROW_BUFFER_BYTES, MAX_ARROW_METADATA_BYTES } from '../../../../schemas/files/shape.ts'
import { message } from '../../../../schemas/messages/index.ts'
import { unprocessable } from '../../../core/errors.ts'
import type { FileBytes } from '../bytes.ts'
import { createDamagedError, decode } from './damage.ts'
import { checkFooter, checkMessage, MESSAGE, type MessageHead } from './metadata.ts'

const FILE_SIGNATURE = 'ARROW1'
const CONTINUATION = 0xffff_ffff
const PREFIX_BYTES = 8
const TAIL_BYTES = 4 + FILE_SIGNATURE.length
const READ_AHEAD_BYTES = 1024 * 1024
const OLDEST_VERSION = 3

export interface BatchMessage {
  batch: RecordBatch
  /** Undefined for rows. */
  dictionary?: DictionaryBatch
  body: Uint8Array
  done: number
}

export interface Messages {
  schema: Schema
  batches(): AsyncGenerator<BatchMessage>
}

export async function openMessages(file: FileBytes): Promise<Messages> {
  const reader = new MessageReader(file)
  const signature = await file.range(0, FILE_SIGNATURE.length)
  return signature.toString('latin1') === FILE_SIGNATURE ? openFile(reader, file) : openStream(reader, file)
}

async function openFile(reader: MessageReader, file: FileBytes): Promise<Messages> {
  const tail = await file.range(Math.max(0, file.size - TAIL_BYTES), file.size)
  if (tail.length < TAIL_BYTES || tail.toString('latin1', 4) !== FILE_SIGNATURE)
    throw createDamagedError('it ends early')
  const length = tail.readInt32LE(0)
  assertMetadataSize(length)
  if (length + TAIL_BYTES > file.size) throw createDamagedError('its footer exceeds the file')
  const footer = await file.range(file.size - TAIL_BYTES - length, file.size - TAIL_BYTES)
  const { version, ...at } = decode(() => checkFooter(footer))
  assertVersion(version)
  const [dictionaries, batches] = decode(() =>
    [at.dictionaries, at.batches].map((start) => decodeBlocks(footer, start).map(({ offset }) => offset)),
  )
  return {
    schema: decode(() => decodeSchema(footer, at.schema, version as Version_)),
    async *batches() {
      for (const starts of [dictionaries!, batches!]) yield* readBlocks(reader, starts, starts === dictionaries)
    },
  }
}

async function* readBlocks(
  reader: MessageReader,
  starts: readonly number[],
  isDictionary: boolean,
): AsyncGenerator<BatchMessage> {
  const ids = new Set<number>()
  let end = FILE_SIGNATURE.length
  for (const start of starts) {
    if (start < end) throw createDamagedError('its batches overlap')
    const found = await reader.read(start)
    if (!found) throw createDamagedError('a batch is missing')
    end = found.end
    const batch = found.toBatch()
    if (!batch || (batch.dictionary !== undefined) !== isDictionary)
      throw createDamagedError('a batch has another type')
    assertNotReplaced(batch, ids)
    yield batch
  }
}

/** Only streams may replace dictionaries. */
function assertNotReplaced({ dictionary }: BatchMessage, ids: Set<number>): void {
  if (!dictionary) return
  if (!dictionary.isDelta && ids.has(dictionary.id)) throw createDamagedError('a dictionary is replaced')
  ids.add(dictionary.id)
}

async function openStream(reader: MessageReader, file: FileBytes): Promise<Messages> {
  const first = await reader.read(0)
  if (first?.head.type !== MESSAGE.schema) throw createDamagedError('its schema is missing')
  return {
    schema: first.toSchema(),
    async *batches() {
      let at = first.end
      for (let found = await reader.read(at); found; found = await reader.read(at)) {
        at = found.end
        const batch = found.toBatch()
        if (!batch) throw createDamagedError('it has two schemas')
        yield batch
      }
      if (at + PREFIX_BYTES < file.size) throw createDamagedError('it has data after its end')
    },
  }
}

interface FoundMessage {
  head: MessageHead
  end: number
  toSchema(): Schema
  /** Undefined for a schema. */
  toBatch(): BatchMessage | undefined
}

class MessageReader {
  readonly #file: FileBytes
  #window: Buffer = Buffer.alloc(0)
  #windowStart = 0

  constructor(file: FileBytes) {
    this.#file = file
  }

  /** Undefined at the end of a stream. */
  async read(start: number): Promise<FoundMessage | undefined> {
    if (start === this.#file.size) return undefined
    const prefix = await this.#getBytes(start, PREFIX_BYTES)
    if (prefix.readUInt32LE(0) !== CONTINUATION) throw createDamagedError(`byte ${start} does not start a message`)
    const length = prefix.readInt32LE(4)
    if (length === 0) return undefined
    assertMetadataSize(length)
    const metadata = await this.#getBytes(start + PREFIX_BYTES, length)
    const head = decode(() => checkMessage(metadata))
    assertVersion(head.version)
    const bodyStart = start + PREFIX_BYTES + length
    const body = await this.#readBody(bodyStart, head.bodyBytes)
    const end = bodyStart + head.bodyBytes
    return {
      head,
      end,
      toSchema: () => decode(() => decodeSchema(metadata, head.contentStart, head.version as Version_)),
      toBatch: () => decode(() => toBatch(metadata, head, { body, done: end / this.#file.size })),
    }
  }

  async #readBody(start: number, length: number): Promise<Uint8Array> {
    if (!(length >= 0 && start + length <= this.#file.size)) throw createDamagedError('it ends early')
    if (length > MAX_ARROW_BUFFER_BYTES)
      throw unprocessable(message('files.arrowBufferTooLarge', { count: MAX_ARROW_BUFFER_BYTES }))
    const bytes = await this.#getBytes(start, length)
    const isReadAhead = length < READ_AHEAD_BYTES
    return isReadAhead || bytes.byteOffset % PREFIX_BYTES !== 0 ? new Uint8Array(bytes) : bytes
  }

  async #getBytes(start: number, length: number): Promise<Buffer> {
    const end = start + length
    if (end > this.#file.size) throw createDamagedError('it ends early')
    const isInWindow = start >= this.#windowStart && end <= this.#windowStart + this.#window.length
    if (!isInWindow && length >= READ_AHEAD_BYTES) return this.#file.range(start, end)
    if (!isInWindow) {
      this.#window = await this.#file.range(start, Math.min(this.#file.size, start + READ_AHEAD_BYTES))
      this.#windowStart = start
    }
    return this.#window.subarray(start - this.#windowStart, end - this.#windowStart)
  }
}

function toBatch(
  metadata: Buffer,
  { type, contentStart, version }: MessageHead,
  rest: Pick<BatchMessage, 'body' | 'done'>,
): BatchMessage | undefined {
  if (type === MESSAGE.schema) return undefined
  if (type === MESSAGE.recordBatch)
    return { ...rest, batch: decodeRecordBatch(metadata, contentStart, version as Version_) }
  const dictionary = decodeDictionaryBatch(metadata, contentStart, version as Version_)
  return { ...rest, batch: dictionary.data, dictionary }
}

function assertMetadataSize(length: number): void {
  if (length < 0) throw createDamagedError('its metadata has a negative size')
  if (length > MAX_ARROW_METADATA_BYTES)
    throw unprocessable(message('files.arrowMetadataTooLarge', { count: length, maximum: MAX_ARROW_METADATA_BYTES }))
}

function assertVersion(version: number): void {
  if (version < OLDEST_VERSION) throw unprocessable(message('files.arrowOld'))
}
