/** Detects a text's encoding by byte order mark, zero bytes, valid UTF-8, then letter statistics. Pure. */

import { isAscii, isUtf8 } from 'node:buffer'
import chardet from 'chardet'
import iconv from 'iconv-lite'
import { message } from '../../../schemas/messages/index.ts'
import { unprocessable } from '../../core/errors.ts'
import { decodeLines, type LineCounts } from '../extract/mixed-encodings.ts'
import { detectByWords } from './latin-words.ts'
import { findInvalidUtf8 } from './utf8.ts'

export interface Encoding {
  name: string
  markBytes: number
  /** False for a pure ASCII sample, because later bytes may show another encoding. */
  isCertain: boolean
  isDeclared?: boolean
  /** For lines that are not UTF-8. Undefined if all lines have one encoding. */
  other?: string | undefined
}

const BYTE_ORDER_MARKS: [name: string, mark: number[]][] = [
  ['utf-32le', [0xff, 0xfe, 0, 0]],
  ['utf-32be', [0, 0, 0xfe, 0xff]],
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

const TRANSFER_ENCODINGS = new Set(['7bit', '8bit', 'binary', 'base64', 'quoted-printable', 'hex'])

const SIGNATURES: [kind: string, bytes: string][] = [
  [message('files.kindZip'), 'PK\x03\x04'],
  [message('files.kindLegacyExcel'), '\xd0\xcf\x11\xe0'],
  [message('files.kindPdf'), '%PDF-'],
  [message('files.kindGzip'), '\x1f\x8b'],
  [message('files.kindPng'), '\x89PNG'],
  [message('files.kindJpeg'), '\xff\xd8\xff'],
  [message('files.kindGif'), 'GIF8'],
  [message('files.kindProgram'), '\x7fELF'],
  [message('files.kindParquet'), 'PAR1'],
  [message('files.kindSqlite'), 'SQLite format 3\0'],
]

export function detectEncoding(sample: Buffer, declared?: string): Encoding {
  assertNotKnownBinary(sample)
  const mark = BYTE_ORDER_MARKS.find(([, bytes]) => bytes.every((byte, at) => sample[at] === byte))
  if (mark) {
    const encoding = { name: mark[0], markBytes: mark[1].length, isCertain: true }
    return encoding.name === 'utf-8' ? withOtherLines(encoding, sample) : encoding
  }
  const declaredName = findDeclaredEncoding(declared)
  if (declaredName) return { name: declaredName, markBytes: 0, isCertain: true, isDeclared: true }
  const utf16Name = detectUtf16(sample)
  if (utf16Name) return { name: utf16Name, markBytes: 0, isCertain: true }
  assertFewControls(sample)
  if (isMostlyUtf8(sample)) return withOtherLines({ name: 'utf-8', markBytes: 0, isCertain: !isAscii(sample) }, sample)
  const name = detectEightBitEncoding(sample)
  if (!isSingleByte(name)) return { name, markBytes: 0, isCertain: true }
  return { name: hasMostLinesInUtf8(sample, name) ? 'utf-8' : name, markBytes: 0, isCertain: true, other: name }
}

export function hasMostLinesInUtf8(sample: Buffer, other: string): boolean {
  const counts = { utf8: 0, other: 0 }
  decodeLines(sample, { other, isMainlyUtf8: false }, counts)
  return counts.utf8 > 0 && counts.utf8 >= counts.other
}

const withOtherLines = (encoding: Encoding, sample: Buffer): Encoding =>
  findInvalidUtf8(sample) < 0 ? encoding : { ...encoding, other: detectEightBitEncoding(sample) }

/** In encodings with several bytes per character, many lines are valid UTF-8 by chance. */
const isSingleByte = (name: string): boolean => /^(?:windows-125\d|iso-8859-\d+)$/.test(name)

export const isMixed = ({ utf8, other }: LineCounts): boolean => utf8 > 0 && other > 0

function findDeclaredEncoding(declared: string | undefined): string | undefined {
  const name = declared?.trim().toLowerCase()
  if (!name || TRANSFER_ENCODINGS.has(name) || !iconv.encodingExists(name)) return undefined
  return name === 'utf8' ? 'utf-8' : name
}

function assertNotKnownBinary(sample: Buffer): void {
  const head = sample.toString('latin1', 0, 16)
  const kind = SIGNATURES.find(([, bytes]) => head.startsWith(bytes))?.[0]
  if (kind) throw unprocessable(message('files.binary', { kind }))
}

const MAX_UTF16_SAMPLE_BYTES = 4096
const UTF16_ENCODINGS = ['utf-16be', 'utf-16le'] as const

function detectUtf16(sample: Buffer): string | undefined {
  const zeros = [0, 0]
  const pairs = Math.min(sample.length, MAX_UTF16_SAMPLE_BYTES) >> 1
  for (let at = 0; at < pairs * 2; at++) if (sample[at] === 0) zeros[at & 1]!++
  if (pairs < 2) return undefined
  const [first, second] = zeros.map((count) => count / pairs) as [number, number]
  if (second > 0.4 && first < 0.05) return 'utf-16le'
  if (first > 0.4 && second < 0.05) return 'utf-16be'
  const side = zeros.findIndex((count, at) => count > 0 && zeros[1 - at] === 0)
  const name = UTF16_ENCODINGS[side]
  const head = sample.subarray(0, pairs * 2)
  const isPadded = isMostlyUtf8(head) && !head.some((byte) => byte !== 0 && isStrayControl(byte))
  return name && !isPadded && isPlausibleUtf16(iconv.decode(head, name)) ? name : undefined
}

/** In scripts other than Latin, only spaces, digits and line ends have a zero byte. */
const isPlausibleUtf16 = (text: string): boolean =>
  /[\r\n]/.test(text) &&
  !/(?![\t\r\n])\p{Cc}|\p{Unassigned}|\p{Private_Use}|\p{Surrogate}/u.test(text.replace(/[\ud800-\udbff]$/, ''))

const MAX_CONTROL_SHARE = 0.02

/** Text may contain tab to carriage return, the old end-of-file mark, escape and the four separators. */
const isStrayControl = (byte: number): boolean => (byte < 32 && !(byte >= 9 && byte <= 13) && byte < 26) || byte === 127

function assertFewControls(sample: Buffer): void {
  let first = -1
  let count = 0
  for (let at = 0; at < sample.length; at++) {
    const byte = sample[at]!
    if (!isStrayControl(byte) || byte === 1) continue
    if (first < 0) first = at
    count++
  }
  if (count > sample.length * MAX_CONTROL_SHARE) throw unprocessable(message('files.notText', { byte: first }))
}

/** Tolerates a few invalid bytes, because another encoding would break everything else. */
function isMostlyUtf8(sample: Buffer): boolean {
  let flaws = 0
  let from = 0
  for (;;) {
    const at = findInvalidUtf8(sample.subarray(from))
    if (at < 0) break
    flaws++
    from += at + 1
    if (flaws > 8) return false
  }
  return flaws === 0 || countMultibyteCharacters(sample) > flaws * 10
}

function countMultibyteCharacters(sample: Buffer): number {
  let count = 0
  for (let at = 1; at < sample.length; at++) if (sample[at - 1]! >= 0xc2 && (sample[at]! & 0xc0) === 0x80) count++
  return count
}

const SUPERSETS: Record<string, string> = {
  'iso-8859-1': 'windows-1252',
  'iso-8859-6': 'windows-1256',
  'iso-8859-7': 'windows-1253',
  'iso-8859-8': 'windows-1255',
  'iso-8859-9': 'windows-1254',
}
const LATIN_ENCODINGS = /^(?:iso-8859-[129]|windows-125[0247])$/
/** Minimum confidence, of 100, for overriding windows-1252 in Latin text. */
const MIN_CONFIDENCE = 30
const MAX_DETECTION_BYTES = 64 * 1024

export function detectEightBitEncoding(sample: Buffer): string {
  const lines = sample.toString('latin1').split('\n')
  const nonAsciiLines = lines.filter((line) => /[\x80-\xff]/.test(line))
  const otherLines = nonAsciiLines.filter((line) => !isUtf8(Buffer.from(line, 'latin1')))
  const nonAsciiText = (otherLines.length > 0 ? otherLines : nonAsciiLines).join('\n').slice(0, MAX_DETECTION_BYTES)
  const isLatinText = isLatin(nonAsciiText)
  const byWords = isLatinText ? detectByWords(nonAsciiText) : undefined
  if (byWords !== undefined) return byWords
  const best = chardet
    .analyse(Buffer.from(nonAsciiText, 'latin1'))
    .map(({ name, confidence }) => ({ name: name.toLowerCase(), confidence }))
    .find(({ name, confidence }) =>
      isLatinText
        ? confidence >= MIN_CONFIDENCE && isCandidate(name)
        : isCandidate(name) && !LATIN_ENCODINGS.test(name) && isPlausible(name, nonAsciiText),
    )
  return best ? (SUPERSETS[best.name] ?? best.name) : 'windows-1252'
}

const isCandidate = (name: string): boolean => name !== 'utf-8' && name !== 'ascii' && iconv.encodingExists(name)

/** In Latin text non-ASCII letters occur singly or in pairs; in other alphabets they form words. */
function isLatin(text: string): boolean {
  const inWords = text.match(/[\x80-\xff]{3,}/g)?.join('').length ?? 0
  const total = text.match(/[\x80-\xff]/g)?.length ?? 0
  return inWords <= total / 2
}

/** Hebrew has no capital letters, so bytes in their range indicate another alphabet. */
const isPlausible = (name: string, text: string): boolean => name !== 'iso-8859-8' || !/[\xc0-\xdf]/.test(text)
