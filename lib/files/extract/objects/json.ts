/**
 * JSON as records: a list of objects, an object of such lists (each a table), JSON lines. Objects within a record become
 * columns with dotted names, lists within it their JSON text. Numbers stay as they are written. Streaming: nothing but the
 * value at hand is kept.
 */
import { none, toMany } from 'stream-chain/defs.js'
import { jsonParser, type Token } from 'stream-json/core/parser.js'
import { unprocessable } from '../../../core/errors.ts'
import { encodingOf } from '../../sniff/encoding.ts'
import type { FileBytes } from '../bytes.ts'
import { decoded, Undecodable } from '../decode.ts'
import type { Source } from '../source.ts'
import { AreLines, type Layout, RecordReader } from './json-records.ts'
import { openRecords, type RecordParser, type Sink } from './sink.ts'

/** Characters parsed at a time. */
const PIECE_CHARACTERS = 64 * 1024
const SAMPLE_BYTES = 64 * 1024

const parseDocument: RecordParser = (file, sink) => parse(file, sink, 'document')
const parseLines: RecordParser = (file, sink) => parse(file, sink, 'lines')

/** One document; several after each other are JSON lines. */
export async function openJson(file: FileBytes): Promise<Source> {
  try {
    return await openRecords(file, parseDocument)
  } catch (error) {
    if (error instanceof AreLines) return openJsonLines(file)
    throw error
  }
}

/** A document a line. */
export const openJsonLines = (file: FileBytes): Promise<Source> => openRecords(file, parseLines)

/** Text that is no JSON. */
class Malformed extends Error {}

async function* parse(file: FileBytes, sink: Sink, layout: Layout): AsyncGenerator<number> {
  let from = 0
  try {
    for await (const bytesDone of read(file, new RecordReader(sink, layout))) {
      from = bytesDone
      yield bytesDone
    }
  } catch (error) {
    if (error instanceof Malformed) await refuse(file, layout, from)
    throw error
  }
}

/** Parses the file; gives the bytes that are read. @param closeFrom the byte from which it is parsed by single characters */
async function* read(
  file: FileBytes,
  reader: RecordReader,
  closeFrom = Number.POSITIVE_INFINITY,
): AsyncGenerator<number> {
  const parser = jsonParser({ packValues: false, jsonStreaming: true })
  const feed = (text: string | typeof none) => {
    // The parser gives tokens, or none; its type also allows for nested lists of them.
    for (const token of toMany(tokensOf(text)).values as unknown as Token[]) reader.take(token)
  }
  const tokensOf = (text: string | typeof none) => {
    try {
      return parser(text as string)
    } catch (error) {
      throw new Malformed((error as Error).message.replace(/^Parser (?:cannot parse input: )?/, ''))
    }
  }
  const { name, markBytes } = encodingOf(await file.range(0, SAMPLE_BYTES), file.declared)
  const stream = await file.stream()
  let done = markBytes
  try {
    for await (const { text, bytesDone } of decoded(stream, name, markBytes)) {
      const whole = text.toString('utf8')
      const piece = done >= closeFrom ? 1 : PIECE_CHARACTERS
      for (let at = 0; at < whole.length; at += piece) {
        feed(whole.slice(at, at + piece))
        if (piece === 1) yield done + Buffer.byteLength(whole.slice(0, at + 1))
      }
      done = bytesDone
      yield bytesDone
    }
    feed(none)
    reader.finish()
  } catch (error) {
    if (!(error instanceof Undecodable)) throw error
    throw unprocessable(`After record ${reader.records} ${error.message}. Save the file as UTF-8 and try again.`)
  } finally {
    stream.destroy()
  }
}

/** Finds the place again, character by character. @throws ApiError unprocessable that names it */
async function refuse(file: FileBytes, layout: Layout, from: number): Promise<void> {
  const reader = new RecordReader({ start() {}, value() {}, end() {} }, layout)
  let byte = from
  try {
    for await (const bytesDone of read(file, reader, from)) byte = bytesDone
  } catch (error) {
    if (!(error instanceof Malformed)) throw error
    throw unprocessable(`After record ${reader.records}, at byte ${byte}, the JSON cannot be read: ${error.message}.`)
  }
}
