/** Decodes text line by line: as UTF-8 where that is valid, otherwise in another encoding. Pure. */
import { isAscii, isUtf8 } from 'node:buffer'
import iconv from 'iconv-lite'
import { findInvalidUtf8 } from '../sniff/utf8.ts'

/** Lines with other characters than ASCII. */
export interface LineCounts {
  utf8: number
  other: number
}

export interface MixedEncoding {
  other: string
  /** A line that has valid UTF-8, too, is then a damaged one. */
  isMainlyUtf8: boolean
}

const LINE_FEED = 10
const CARRIAGE_RETURN = 13
const REPLACEMENT = '\uFFFD'
const MULTIBYTE = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/
/** The first byte of a character that a program cut off, or a byte that is hardly ever a letter. */
const DAMAGE = /[\xc2\xc3](?![A-Za-z\x80-\xff])|\xff/

export interface DecodedLines {
  text: Buffer
  invalidAt: number
}

export function decodeLines(bytes: Buffer, encoding: MixedEncoding, counts: LineCounts): DecodedLines {
  if (isAscii(bytes)) return { text: bytes, invalidAt: -1 }
  const lineEnd = bytes.includes(LINE_FEED) ? LINE_FEED : CARRIAGE_RETURN
  const texts: Buffer[] = []
  let isRunUtf8: boolean | undefined
  let runStart = 0
  for (let at = 0; at < bytes.length; ) {
    const found = bytes.indexOf(lineEnd, at)
    const end = found < 0 ? bytes.length : found + 1
    const line = bytes.subarray(at, end)
    if (!isAscii(line)) {
      const isLineUtf8 = isUtf8(line)
      if (!isLineUtf8 && encoding.isMainlyUtf8 && isDamaged(line)) {
        const before = decodeLines(bytes.subarray(0, at), encoding, { utf8: 0, other: 0 })
        return before.invalidAt < 0 ? { ...before, invalidAt: at + findInvalidUtf8(line) } : before
      }
      counts[isLineUtf8 ? 'utf8' : 'other']++
      if (isRunUtf8 !== undefined && isRunUtf8 !== isLineUtf8) {
        const run = decodeRun(bytes.subarray(runStart, at), isRunUtf8, encoding.other)
        texts.push(run.text)
        if (run.invalidAt >= 0) return { text: Buffer.concat(texts), invalidAt: runStart + run.invalidAt }
        runStart = at
      }
      isRunUtf8 = isLineUtf8
    }
    at = end
  }
  const run = decodeRun(bytes.subarray(runStart), isRunUtf8 === true, encoding.other)
  const invalidAt = run.invalidAt < 0 ? -1 : runStart + run.invalidAt
  return { text: Buffer.concat([...texts, run.text]), invalidAt }
}

const isDamaged = (line: Buffer): boolean => {
  const text = line.toString('latin1')
  return MULTIBYTE.test(text) || DAMAGE.test(text)
}

function decodeRun(bytes: Buffer, isRunUtf8: boolean, other: string): DecodedLines {
  if (isRunUtf8) return { text: bytes, invalidAt: -1 }
  const text = iconv.decode(bytes, other, { stripBOM: false })
  const invalid = text.indexOf(REPLACEMENT)
  if (invalid < 0) return { text: Buffer.from(text), invalidAt: -1 }
  const valid = text.slice(0, invalid)
  return { text: Buffer.from(valid), invalidAt: iconv.encode(valid, other).length }
}
