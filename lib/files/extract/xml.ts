/**
 * Reads XML piece by piece: elements begin and end, texts come. Document types are refused, so there are no entities but
 * XML's own and nothing is fetched; so is what would pile up in memory. Knows no format.
 */
import iconv from 'iconv-lite'
import { SaxesParser } from 'saxes'
import { VALUE_BYTES } from '../../../schemas/sizes.ts'
import { unprocessable } from '../../core/errors.ts'
import { wholeCharacters } from '../sniff/utf8.ts'
import { decoded, Undecodable } from './decode.ts'

export type Attributes = Readonly<Record<string, string>>

export interface XmlHandler {
  /** Names are as written, with their prefix. */
  open(name: string, attributes: Attributes): void
  close(name: string): void
  /** Characters between tags, in one piece or several. */
  text(text: string): void
}

/** Elements in each other at most; formats may be stricter. */
const DEPTH = 100
/** Bytes that become one string: larger ones are kept apart by the garbage collector, which takes long over them. */
const STRING_BYTES = 32 * 1024
/** Where a declaration and a document type stand. */
const HEAD_BYTES = 1024

interface Xml {
  /** Of the part, for errors: the entry's name. Undefined for a file of its own. */
  part?: string | undefined
}

/**
 * Parses the bytes and says after each piece how many bytes are read: what the handler has collected can be taken then.
 * @throws ApiError unprocessable with the line of what cannot be read
 */
export async function* parseXml(
  bytes: AsyncIterable<Uint8Array>,
  handler: XmlHandler,
  { part }: Xml = {},
): AsyncGenerator<number> {
  const parser = parserOf(handler)
  const place = part === undefined ? '' : `${part}: `
  let quiet = 0
  try {
    for await (const { text, bytesDone } of decodedXml(bytes)) {
      const before = parser.events
      parser.write(text)
      quiet = parser.events === before ? quiet + text.length : 0
      // A tag, or a text without one.
      if (quiet > VALUE_BYTES)
        throw unprocessable(`Line ${parser.line} has a piece of more than ${VALUE_BYTES} characters.`)
      yield bytesDone
    }
    parser.end()
  } catch (error) {
    if (error instanceof Undecodable)
      throw unprocessable(`${place}In line ${parser.line} ${error.message}. Save the file as UTF-8 and try again.`)
    if (error instanceof NotWellFormed) throw unprocessable(`${place}The XML cannot be read: ${error.message}`)
    throw error
  }
}

class NotWellFormed extends Error {}

function parserOf(handler: XmlHandler) {
  const parser = new SaxesParser({ xmlns: false, position: true })
  let events = 0
  let depth = 0
  parser.on('error', ({ message }) => {
    throw new NotWellFormed(`line ${message}`)
  })
  parser.on('doctype', () => {
    throw unprocessable(
      `Line ${parser.line} has a document type (DOCTYPE): it could name entities and files, and is not read.`,
    )
  })
  parser.on('opentag', ({ name, attributes }) => {
    events++
    if (++depth > DEPTH) throw unprocessable(`Line ${parser.line} has elements nested more than ${DEPTH} deep.`)
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

interface DecodedXml {
  text: string
  bytesDone: number
}

/** The text, in the encoding of its byte order mark or of its declaration; UTF-8 without one. */
async function* decodedXml(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<DecodedXml> {
  const { head, all } = await withHead(bytes)
  const { name, markBytes } = encodingOf(head)
  for await (const { text, bytesDone } of decoded(all, name, markBytes))
    for (let from = 0, to = 0; from < text.length; from = to) {
      to = from + wholeCharacters(text.subarray(from, from + STRING_BYTES))
      yield { text: text.toString('utf8', from, to), bytesDone: bytesDone - text.length + to }
    }
}

async function withHead(bytes: AsyncIterable<Uint8Array>): Promise<{ head: Buffer; all: AsyncIterable<Uint8Array> }> {
  const iterator = bytes[Symbol.asyncIterator]()
  const first: Uint8Array[] = []
  let length = 0
  while (length < HEAD_BYTES) {
    const next = await iterator.next()
    if (next.done) break
    first.push(next.value)
    length += next.value.length
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    try {
      yield* first
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value
    } finally {
      await iterator.return?.()
    }
  }
  return { head: Buffer.concat(first).subarray(0, HEAD_BYTES), all: all() }
}

const MARKS: [name: string, mark: number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

function encodingOf(head: Buffer): { name: string; markBytes: number } {
  const mark = MARKS.find(([, bytes]) => bytes.every((byte, at) => head[at] === byte))
  if (mark) return { name: mark[0], markBytes: mark[1].length }
  if (head[0] === 0x3c && head[1] === 0) return { name: 'utf-16le', markBytes: 0 }
  if (head[0] === 0 && head[1] === 0x3c) return { name: 'utf-16be', markBytes: 0 }
  const told = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z0-9._-]+)["']/.exec(head.toString('latin1'))?.[1]
  return { name: knownEncoding(told), markBytes: 0 }
}

function knownEncoding(told: string | undefined): string {
  const name = (told ?? 'utf-8').toLowerCase()
  if (/^(?:utf-?8|us-ascii|ascii|utf-16)$/.test(name)) return 'utf-8'
  if (!iconv.encodingExists(name)) throw unprocessable(`The XML names an encoding that is not known: ${told}.`)
  return name
}

/** A name without the prefix of its namespace. */
export function localName(name: string): string {
  if (name.length < 3) return name
  const colon = name.indexOf(':')
  return colon < 0 ? name : name.slice(colon + 1)
}
