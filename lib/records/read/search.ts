import { isAscii } from 'node:buffer'
import { createTextFinder } from '../../core/find-text.ts'
import { type Bits, clearBit, emptyBits, orBits, setBit } from '../columns/bits.ts'
import { NULL } from '../columns/columns.ts'
import { createMatchFinder } from '../columns/find.ts'
import { valueToText } from '../fields/values.ts'
import { getEditedCells, parseCellValue } from '../segments/cells.ts'
import { getColumnTexts, type OpenSegment } from '../segments/open.ts'

export type Searcher = (open: OpenSegment, columns: readonly string[]) => Bits

export type JsonCellTest = (json: string) => boolean

const NEWLINE = 10

/** @param value part of a value; in double quotes, the whole value; `""` finds empty cells */
export function createSearcher(value: string): Searcher {
  const quoted = /^"(.*)"$/s.exec(value)
  if (quoted?.[1] === '') return createFullScan((json) => json === NULL)
  const needle = (quoted ? quoted[1]! : value).toLowerCase()
  const findNext = createTextFinder(needle)
  const matches = quoted ? (text: string) => text === needle : (text: string) => findNext(text) >= 0
  return createFinder(needle, (json) => json !== NULL && matches(valueToText(parseCellValue(json)).toLowerCase()))
}

const createFullScan =
  (test: JsonCellTest): Searcher =>
  (open, columns) => {
    const matchingRows = emptyBits(open.segment.rows)
    for (const column of columns) {
      const cells = getColumnTexts(open, column)
      for (let row = 0; row < open.segment.rows; row++) if (test(cells?.[row] ?? NULL)) setBit(matchingRows, row)
    }
    return matchingRows
  }

const UNESCAPED_ASCII = /[\x20\x21\x23-\x5b\x5d-\x7e]+/g

/** Long enough to find few false hits; a longer prefix costs more to compare. */
const MAX_NEEDLE_BYTES = 64

const findLongestPlain = (needle: string): string =>
  (needle.match(UNESCAPED_ASCII) ?? [])
    .reduce((longest, run) => (run.length > longest.length ? run : longest), '')
    .slice(0, MAX_NEEDLE_BYTES)

/** The only non-ASCII letters with an ASCII letter in their lower case: the Kelvin sign and the dotted I. */
const LETTERS_LOWERED_TO_ASCII = [
  { letter: Buffer.from('\u212a'), into: 'k' },
  { letter: Buffer.from('\u0130'), into: 'i' },
]

/** @param needle in lower case; every cell that passes the test contains it */
export function createFinder(needle: string, test: JsonCellTest): Searcher {
  const plain = findLongestPlain(needle)
  const fullScan = createFullScan(test)
  if (!plain) return fullScan
  const specialLetters = LETTERS_LOWERED_TO_ASCII.filter(({ into }) => plain.includes(into)).map(({ letter }) => letter)
  return (open, columns) => {
    const matchingRows = emptyBits(open.segment.rows)
    for (const column of columns) {
      const raw = open.raw.get(column)
      const needsFullScan =
        raw && specialLetters.length > 0 && !isAscii(raw) && specialLetters.some((letter) => raw.includes(letter))
      orBits(matchingRows, needsFullScan ? fullScan(open, [column]) : findHits(open, column, raw, plain, test))
    }
    return matchingRows
  }
}

function findHits(
  open: OpenSegment,
  column: string,
  raw: Buffer | undefined,
  needle: string,
  test: JsonCellTest,
): Bits {
  const matchingRows = emptyBits(open.segment.rows)
  if (raw) markHits(raw, needle, test, matchingRows)
  for (const [row, cell] of getEditedCells(open.segment, column) ?? [])
    if (test(cell.toString('utf8'))) setBit(matchingRows, row)
    else clearBit(matchingRows, row)
  return matchingRows
}

function markHits(raw: Buffer, needle: string, test: JsonCellTest, matchingRows: Bits): void {
  const findNext = createMatchFinder(raw, needle)
  let row = 0
  let lineStart = 0
  for (let hit = findNext(0); hit >= 0; hit = findNext(lineStart)) {
    for (let at = lineStart; at < hit; at++)
      if (raw[at] === NEWLINE) {
        row++
        lineStart = at + 1
      }
    const newline = raw.indexOf(NEWLINE, hit)
    const end = newline < 0 ? raw.length : newline - 1
    if (test(raw.toString('utf8', lineStart, end))) setBit(matchingRows, row)
    if (newline < 0) return
    row++
    lineStart = newline + 1
  }
}
