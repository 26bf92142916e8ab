/**
 * Reads JSON as records: a list of objects, an object of such lists (each a table), or JSON lines.
 * Nested objects become dotted columns, nested lists JSON text, and numbers stay as written.
 */

import { none, toMany } from 'stream-chain/defs.js'
import { jsonParser, type Token } from 'stream-json/core/parser.js'
import { message } from '../../../../schemas/messages/index.ts'
import { unprocessable } from '../../../core/errors.ts'
import { detectEncoding } from '../../sniff/encoding.ts'
import type { FileBytes } from '../bytes.ts'
import { DecodingError, decodeText } from '../decode.ts'
import type { Source } from '../source.ts'
import { JsonLinesDetected, type Layout, RecordReader } from './json-records.ts'
import { openRecords, type RecordParser, type Sink } from './sink.ts'

const PIECE_CHARACTERS = 64 * 1024
const SAMPLE_BYTES = 64 * 1024

const parseDocument: RecordParser = (file, sink) => parseJson(file, sink, 'document')
const parseLines: RecordParser = (file, sink) => parseJson(file, sink, 'lines')

export async function openJson(file: FileBytes): Promise<Source> {
  try {
    return await openRecords(file, parseDocument)
  } catch (error) {
    if (error instanceof JsonLinesDetected) return openJsonLines(file)
    throw error
  }
}

export const openJsonLines = (file: FileBytes): Promise<Source> => openRecords(file, parseLines)

class MalformedJsonError extends Error {}

async function* parseJson(file: FileBytes, sink: Sink, layout: Layout): AsyncGenerator<number> {
  let from = 0
  try {
    for await (const bytesDone of readRecords(file, new RecordReader(sink, layout))) {
      from = bytesDone
      yield bytesDone
    }
  } catch (error) {
    if (error instanceof MalformedJsonError) await throwWithPosition(file, layout, from)
    throw error
  }
}

/** Yields the number of bytes read. @param singleStepFrom byte from which text is parsed character by character */
async function* readRecords(
  file: FileBytes,
  reader: RecordReader,
  singleStepFrom = Number.POSITIVE_INFINITY,
): AsyncGenerator<number> {
  const parser = jsonParser({ packValues: false, jsonStreaming: true })
  const feed = (text: string | typeof none) => {
    for (const token of toMany(parseTokens(text)).values as unknown as Token[]) reader.handleToken(token)
  }
  const parseTokens = (text: string | typeof none) => {
    try {
      return parser(text as string)
    } catch (error) {
      throw new MalformedJsonError((error as Error).message.replace(/^Parser (?:cannot parse input: )?/, ''))
    }
  }
  const { name, markBytes } = detectEncoding(await file.range(0, SAMPLE_BYTES), file.declaredEncoding)
  const stream = await file.stream()
  let bytesRead = markBytes
  try {
    for await (const { text, bytesDone } of decodeText(stream, name, markBytes)) {
      const fullText = text.toString('utf8')
      const pieceLength = bytesRead >= singleStepFrom ? 1 : PIECE_CHARACTERS
      for (let offset = 0; offset < fullText.length; offset += pieceLength) {
        feed(fullText.slice(offset, offset + pieceLength))
        if (pieceLength === 1) yield bytesRead + Buffer.byteLength(fullText.slice(0, offset + 1))
      }
      bytesRead = bytesDone
      yield bytesDone
    }
    feed(none)
    reader.finish()
  } catch (error) {
    if (!(error instanceof DecodingError)) throw error
    const { byte, encoding } = error
    throw unprocessable(message('files.undecodableRecord', { record: reader.records, byte, encoding }))
  } finally {
    stream.destroy()
  }
}

async function throwWithPosition(file: FileBytes, layout: Layout, from: number): Promise<void> {
  const reader = new RecordReader({ start() {}, value() {}, end() {} }, layout)
  let byte = from
  try {
    for await (const bytesDone of readRecords(file, reader, from)) byte = bytesDone
  } catch (error) {
    if (!(error instanceof MalformedJsonError)) throw error
    throw unprocessable(message('files.invalidJson', { record: reader.records, byte, problem: error.message }))
  }
}
