/**
 * JSON as records: a list of objects, an object of such lists (each a table), JSON lines. Objects within a record become
 * columns with dotted names, lists within it their JSON text. Numbers stay as they are written. Streaming: nothing but the
 * value at hand is kept.
 */
import { none, toMany } from 'stream-chain/defs.js'
import { jsonParser, type Token } from 'stream-json/core/parser.js'
import { ApiError, unprocessable } from '../../../core/errors.ts'
import { encodingOf } from '../../sniff/encoding.ts'
import type { FileBytes } from '../bytes.ts'
import { decoded, Undecodable } from '../decode.ts'
import type { Source } from '../source.ts'
import { AreLines, RecordReader } from './json-records.ts'
import { openRecords, type RecordParser } from './sink.ts'

/** Characters parsed at a time: errors are told with this precision, and a count of records. */
const PIECE_CHARACTERS = 64 * 1024
const SAMPLE_BYTES = 64 * 1024

const parseDocument: RecordParser = (file, sink) => parse(file, new RecordReader(sink, 'document'))
const parseLines: RecordParser = (file, sink) => parse(file, new RecordReader(sink, 'lines'))

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

async function* parse(file: FileBytes, reader: RecordReader): AsyncGenerator<number> {
  const parser = jsonParser({ packValues: false, jsonStreaming: true })
  const feed = (text: string | typeof none) => {
    // The parser gives tokens, or none; its type also allows for nested lists of them.
    for (const token of toMany(parser(text as string)).values as unknown as Token[]) reader.take(token)
  }
  const { name, markBytes } = encodingOf(await file.range(0, SAMPLE_BYTES), file.declared)
  const stream = await file.stream()
  let from = markBytes
  try {
    for await (const { text, bytesDone } of decoded(stream, name, markBytes)) {
      const whole = text.toString('utf8')
      for (let at = 0; at < whole.length; at += PIECE_CHARACTERS) feed(whole.slice(at, at + PIECE_CHARACTERS))
      from = bytesDone
      yield bytesDone
    }
    feed(none)
    reader.finish()
  } catch (error) {
    throw explained(error, reader, from)
  } finally {
    stream.destroy()
  }
}

function explained(error: unknown, { records }: RecordReader, from: number): unknown {
  const place = `After record ${records}, beyond byte ${from}`
  if (error instanceof Undecodable)
    return unprocessable(`After record ${records} ${error.message}. Save the file as UTF-8 and try again.`)
  if (error instanceof ApiError) return error
  if (error instanceof Error && error.message.startsWith('Parser'))
    return unprocessable(
      `${place}, the JSON cannot be read: ${error.message.replace(/^Parser (?:cannot parse input: )?/, '')}`,
    )
  return error
}
