/** Streaming XML reader. Document types are rejected, so that there are no custom entities and nothing is fetched. */

import iconv from 'iconv-lite'
import { SaxesParser } from 'saxes'
import { VALUE_BYTES } from '../../../schemas/kit/byte-limits.ts'
import { message } from '../../../schemas/messages/index.ts'
import { unprocessable } from '../../core/errors.ts'
import { getCompleteLength } from '../sniff/utf8.ts'
import { DecodingError, decodeText } from './decode.ts'

export type Attributes = Readonly<Record<string, string>>

export interface XmlHandler {
  open(name: string, attributes: Attributes): void
  close(name: string): void
  /** May be called several times for one text. */
  text(text: string): void
}

const MAX_DEPTH = 100
/** Larger strings go to V8's large object space, whose collection is slow. */
const MAX_STRING_BYTES = 32 * 1024
const HEAD_BYTES = 1024

interface XmlOptions {
  part?: string | undefined
}

/** Yields the bytes read after each piece. @throws ApiError unprocessable with the line */
export async function* parseXml(
  bytes: AsyncIterable<Uint8Array>,
  handler: XmlHandler,
  { part }: XmlOptions = {},
): AsyncGenerator<number> {
  const parser = createParser(handler)
  const createPartError = (reason: string) =>
    unprocessable(part === undefined ? reason : message('files.reason', { file: part, reason }))
  let charactersWithoutEvent = 0
  try {
    for await (const { text, bytesDone } of decodeXml(bytes)) {
      const eventsBefore = parser.events
      parser.write(text)
      charactersWithoutEvent = parser.events === eventsBefore ? charactersWithoutEvent + text.length : 0
      if (charactersWithoutEvent > VALUE_BYTES)
        throw unprocessable(message('files.xmlTextTooLong', { line: parser.line, count: VALUE_BYTES }))
      yield bytesDone
    }
    parser.end()
  } catch (error) {
    if (error instanceof DecodingError) {
      const { byte, encoding } = error
      throw createPartError(message('files.undecodableLine', { line: parser.line, byte, encoding }))
    }
    if (error instanceof MalformedXmlError) throw createPartError(error.message)
    throw error
  }
}

class MalformedXmlError extends Error {}

function createParser(handler: XmlHandler) {
  const parser = new SaxesParser({ xmlns: false, position: true })
  let events = 0
  let depth = 0
  parser.on('error', (error) => {
    const { line, column } = parser
    const problem = error.message.replace(`${line}:${column}: `, '')
    throw new MalformedXmlError(message('files.invalidXml', { line, column, problem }))
  })
  parser.on('doctype', () => {
    throw unprocessable(message('files.xmlDocumentType', { line: parser.line }))
  })
  parser.on('opentag', ({ name, attributes }) => {
    events++
    if (++depth > MAX_DEPTH) throw unprocessable(message('files.xmlTooDeep', { line: parser.line, count: MAX_DEPTH }))
    handler.open(name, attributes)
  })
  parser.on('closetag', ({ name }) => {
    events++
    depth--
    handler.close(name)
  })
  parser.on('text', (text) => {
    events++
    handler.text(text)
  })
  parser.on('cdata', (text) => {
    events++
    handler.text(text)
  })
  return {
    get events() {
      return events
    },
    get line() {
      return parser.line
    },
    write: (text: string) => void parser.write(text),
    end: () => void parser.close(),
  }
}

interface XmlPiece {
  text: string
  bytesDone: number
}

async function* decodeXml(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<XmlPiece> {
  const { head, all } = await readHead(bytes)
  const { name, markBytes } = detectXmlEncoding(head)
  for await (const { text, bytesDone } of decodeText(all, name, markBytes))
    for (let from = 0, to = 0; from < text.length; from = to) {
      to = from + getCompleteLength(text.subarray(from, from + MAX_STRING_BYTES))
      yield { text: text.toString('utf8', from, to), bytesDone: bytesDone - text.length + to }
    }
}

async function readHead(bytes: AsyncIterable<Uint8Array>): Promise<{ head: Buffer; all: AsyncIterable<Uint8Array> }> {
  const iterator = bytes[Symbol.asyncIterator]()
  const first: Uint8Array[] = []
  let length = 0
  while (length < HEAD_BYTES) {
    const next = await iterator.next()
    if (next.done) break
    first.push(next.value)
    length += next.value.length
  }
  async function* streamAll(): AsyncGenerator<Uint8Array> {
    try {
      yield* first
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value
    } finally {
      await iterator.return?.()
    }
  }
  return { head: Buffer.concat(first).subarray(0, HEAD_BYTES), all: streamAll() }
}

const BYTE_ORDER_MARKS: [name: string, mark: number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

function detectXmlEncoding(head: Buffer): { name: string; markBytes: number } {
  const mark = BYTE_ORDER_MARKS.find(([, bytes]) => bytes.every((byte, at) => head[at] === byte))
  if (mark) return { name: mark[0], markBytes: mark[1].length }
  if (head[0] === 0x3c && head[1] === 0) return { name: 'utf-16le', markBytes: 0 }
  if (head[0] === 0 && head[1] === 0x3c) return { name: 'utf-16be', markBytes: 0 }
  const declaredEncoding = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z0-9._-]+)["']/.exec(
    head.toString('latin1'),
  )?.[1]
  return { name: resolveEncoding(declaredEncoding), markBytes: 0 }
}

function resolveEncoding(declaredEncoding: string | undefined): string {
  const name = (declaredEncoding ?? 'utf-8').toLowerCase()
  if (/^(?:utf-?8|us-ascii|ascii|utf-16)$/.test(name)) return 'utf-8'
  if (!iconv.encodingExists(name)) throw unprocessable(message('files.unknownEncoding', { encoding: name }))
  return name
}

export function localName(name: string): string {
  if (name.length < 3) return name
  const colon = name.indexOf(':')
  return colon < 0 ? name : name.slice(colon + 1)
}
