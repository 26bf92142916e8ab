/**
 * The encoding of a text from its first bytes: a byte order mark, then UTF-16 by its zeros, then valid UTF-8, then what
 * the letters look like. Content that is no text is refused. Pure.
 */
import { isAscii } from 'node:buffer'
import chardet from 'chardet'
import iconv from 'iconv-lite'
import { unprocessable } from '../../core/errors.ts'
import { firstInvalidUtf8 } from './utf8.ts'

export interface Encoding {
  /** As iconv-lite names it, in lower case. */
  name: string
  /** Bytes of the byte order mark. */
  markBytes: number
  /** False when only ASCII was seen: a later byte may show another encoding. */
  certain: boolean
}

const MARKS: [name: string, mark: number[]][] = [
  ['utf-32le', [0xff, 0xfe, 0, 0]],
  ['utf-32be', [0, 0, 0xfe, 0xff]],
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

/** How bytes travelled, not how they mean letters. */
const TRANSFER_ENCODINGS = new Set(['7bit', '8bit', 'binary', 'base64', 'quoted-printable', 'hex'])

const SIGNATURES: [kind: string, bytes: string][] = [
  ['a ZIP archive or an Excel workbook', 'PK\x03\x04'],
  ['an old Excel workbook', '\xd0\xcf\x11\xe0'],
  ['a PDF document', '%PDF-'],
  ['a gzip archive', '\x1f\x8b'],
  ['a PNG image', '\x89PNG'],
  ['a JPEG image', '\xff\xd8\xff'],
  ['a GIF image', 'GIF8'],
  ['a program', '\x7fELF'],
  ['a Parquet file', 'PAR1'],
  ['an SQLite database', 'SQLite format 3\0'],
]

/**
 * @param sample the first bytes of the file
 * @param declared what the sender says, if anything; wins when it is known
 * @throws ApiError unprocessable when the bytes are no text
 */
export function encodingOf(sample: Buffer, declared?: string): Encoding {
  refuseKnownBinary(sample)
  const mark = MARKS.find(([, bytes]) => bytes.every((byte, at) => sample[at] === byte))
  if (mark) return { name: mark[0], markBytes: mark[1].length, certain: true }
  const named = declaredEncoding(declared)
  if (named) return { name: named, markBytes: 0, certain: true }
  const wide = utf16Of(sample)
  if (wide) return { name: wide, markBytes: 0, certain: true }
  refuseControls(sample)
  if (isMostlyUtf8(sample)) return { name: 'utf-8', markBytes: 0, certain: !isAscii(sample) }
  return { name: eightBitEncodingOf(sample), markBytes: 0, certain: true }
}

function declaredEncoding(declared: string | undefined): string | undefined {
  const name = declared?.trim().toLowerCase()
  if (!name || TRANSFER_ENCODINGS.has(name) || !iconv.encodingExists(name)) return undefined
  return name === 'utf8' ? 'utf-8' : name
}

function refuseKnownBinary(sample: Buffer): void {
  const head = sample.toString('latin1', 0, 16)
  const kind = SIGNATURES.find(([, bytes]) => head.startsWith(bytes))?.[0]
  if (kind) throw unprocessable(`The file is ${kind}, not delimited text.`)
}

/** UTF-16 without a mark: zeros in one half of the pairs, hardly any in the other. */
function utf16Of(sample: Buffer): string | undefined {
  const zeros = [0, 0]
  const pairs = Math.min(sample.length, 4096) >> 1
  for (let at = 0; at < pairs * 2; at++) if (sample[at] === 0) zeros[at & 1]!++
  if (pairs < 2) return undefined
  const [first, second] = zeros.map((count) => count / pairs) as [number, number]
  if (second > 0.4 && first < 0.05) return 'utf-16le'
  if (first > 0.4 && second < 0.05) return 'utf-16be'
  return undefined
}

/** The share of control characters that makes bytes no text. */
const CONTROL_SHARE = 0.02

/** Tab to carriage return, the old end-of-file mark, escape and the four separators occur in text. */
const isStrayControl = (byte: number): boolean => (byte < 32 && !(byte >= 9 && byte <= 13) && byte < 26) || byte === 127

function refuseControls(sample: Buffer): void {
  let first = -1
  let count = 0
  for (let at = 0; at < sample.length; at++) {
    const byte = sample[at]!
    if (!isStrayControl(byte) || byte === 1) continue
    if (first < 0) first = at
    count++
  }
  if (count > sample.length * CONTROL_SHARE)
    throw unprocessable(`The file is not text: binary content begins at byte ${first}.`)
}

/** Valid, or with so few flaws that another encoding would spoil everything else: those are refused by their place. */
function isMostlyUtf8(sample: Buffer): boolean {
  let flaws = 0
  let from = 0
  for (;;) {
    const at = firstInvalidUtf8(sample.subarray(from))
    if (at < 0) break
    flaws++
    from += at + 1
    if (flaws > 8) return false
  }
  return flaws === 0 || multibyteCharacters(sample) > flaws * 10
}

/** Bytes that begin a character of several bytes and are followed by one that goes on. */
function multibyteCharacters(sample: Buffer): number {
  let count = 0
  for (let at = 1; at < sample.length; at++) if (sample[at - 1]! >= 0xc2 && (sample[at]! & 0xc0) === 0x80) count++
  return count
}

/** What is meant by what detection names: the superset that is in use. */
const MEANT: Record<string, string> = {
  'iso-8859-1': 'windows-1252',
  'iso-8859-6': 'windows-1256',
  'iso-8859-7': 'windows-1253',
  'iso-8859-8': 'windows-1255',
  'iso-8859-9': 'windows-1254',
}
const LATIN = /^(?:iso-8859-[129]|windows-125[0247])$/
/** Below this (of 100) the western encoding is the better guess for Latin letters. */
const CONFIDENCE = 30
const DETECTED_BYTES = 64 * 1024

/** The encoding of a text that is not UTF-8, by its lines that are not ASCII. */
export function eightBitEncodingOf(sample: Buffer): string {
  const lines = sample.toString('latin1').split('\n')
  const telling = lines
    .filter((line) => /[\x80-\xff]/.test(line))
    .join('\n')
    .slice(0, DETECTED_BYTES)
  const latin = isLatin(telling)
  const best = chardet
    .analyse(Buffer.from(telling, 'latin1'))
    .map(({ name, confidence }) => ({ name: name.toLowerCase(), confidence }))
    .find(({ name, confidence }) =>
      latin
        ? confidence >= CONFIDENCE && isCandidate(name)
        : isCandidate(name) && !LATIN.test(name) && fits(name, telling),
    )
  return best ? (MEANT[best.name] ?? best.name) : 'windows-1252'
}

const isCandidate = (name: string): boolean => name !== 'utf-8' && name !== 'ascii' && iconv.encodingExists(name)

/** In Latin text letters beyond ASCII stand alone or in pairs; in other alphabets they stand in words. */
function isLatin(text: string): boolean {
  const inWords = text.match(/[\x80-\xff]{3,}/g)?.join('').length ?? 0
  const all = text.match(/[\x80-\xff]/g)?.length ?? 0
  return inWords <= all / 2
}

/** Hebrew has no capital letters: where they would be, others have theirs. */
const fits = (name: string, text: string): boolean => name !== 'iso-8859-8' || !/[\xc0-\xdf]/.test(text)
