/**
 * Finding a text in columns, ignoring case: a value matches when its text in lower case holds the searched one in lower
 * case, or is it. Columns are searched as bytes, and only cells with a hit are looked at. Pure.
 */
import { isAscii } from 'node:buffer'
import { textFinder } from '../../core/find-text.ts'
import { type Bits, clearBit, emptyBits, orBits, setBit } from '../bytes/bits.ts'
import { cellValue, editedCells } from '../bytes/cells.ts'
import { NULL } from '../bytes/columns.ts'
import { occurrences } from '../bytes/find.ts'
import { textOf } from '../rules/values.ts'
import { cellTexts, type OpenSegment } from './reader.ts'

/** Marks the rows of an open segment in which one of the columns matches. */
export type Searcher = (open: OpenSegment, columns: readonly string[]) => Bits

/** Judges a cell by its JSON text. */
export type CellTest = (json: string) => boolean

const NEWLINE = 10

/**
 * @param value part of a value; in double quotes the whole of it; `""` for empty cells
 */
export function searcher(value: string): Searcher {
  const quoted = /^"(.*)"$/s.exec(value)
  if (quoted?.[1] === '') return eachCell((json) => json === NULL)
  const needle = (quoted ? quoted[1]! : value).toLowerCase()
  const next = textFinder(needle)
  const matches = quoted ? (text: string) => text === needle : (text: string) => next(text) >= 0
  return finder(needle, (json) => json !== NULL && matches(textOf(cellValue(json)).toLowerCase()))
}

const eachCell =
  (test: CellTest): Searcher =>
  (open, columns) => {
    const found = emptyBits(open.segment.rows)
    for (const column of columns) {
      const cells = cellTexts(open, column)
      for (let row = 0; row < open.segment.rows; row++) if (test(cells?.[row] ?? NULL)) setBit(found, row)
    }
    return found
  }

/** Characters that stand in JSON as they are, in one byte. */
const PLAIN = /[\x20\x21\x23-\x5b\x5d-\x7e]+/g

/** As much of a needle as finds nearly all cells it is in, and no others: comparing more costs more. */
const SOUGHT_BYTES = 64

const longestPlain = (needle: string): string =>
  (needle.match(PLAIN) ?? [])
    .reduce((longest, run) => (run.length > longest.length ? run : longest), '')
    .slice(0, SOUGHT_BYTES)

/** The only letters outside ASCII whose lower case has a letter of ASCII: the Kelvin sign and the dotted I. */
const TURN_ASCII = [
  { letter: Buffer.from('\u212a'), into: 'k' },
  { letter: Buffer.from('\u0130'), into: 'i' },
]

/**
 * Finds the cells that pass a test.
 * @param needle in lower case; no cell passes the test whose text in lower case has it not
 */
export function finder(needle: string, test: CellTest): Searcher {
  const plain = longestPlain(needle)
  const every = eachCell(test)
  if (!plain) return every
  const strange = TURN_ASCII.filter(({ into }) => plain.includes(into)).map(({ letter }) => letter)
  return (open, columns) => {
    const found = emptyBits(open.segment.rows)
    for (const column of columns) {
      const raw = open.raw.get(column)
      const slow = raw && strange.length > 0 && !isAscii(raw) && strange.some((letter) => raw.includes(letter))
      orBits(found, slow ? every(open, [column]) : hitsIn(open, column, raw, plain, test))
    }
    return found
  }
}

function hitsIn(open: OpenSegment, column: string, raw: Buffer | undefined, needle: string, test: CellTest): Bits {
  const found = emptyBits(open.segment.rows)
  if (raw) markHits(raw, needle, test, found)
  for (const [row, cell] of editedCells(open.segment, column) ?? [])
    if (test(cell.toString('utf8'))) setBit(found, row)
    else clearBit(found, row)
  return found
}

/** Of a cell with a hit the rest is not looked through. */
function markHits(raw: Buffer, needle: string, test: CellTest, found: Bits): void {
  const next = occurrences(raw, needle)
  let row = 0
  let lineStart = 0
  for (let hit = next(0); hit >= 0; hit = next(lineStart)) {
    for (let at = lineStart; at < hit; at++)
      if (raw[at] === NEWLINE) {
        row++
        lineStart = at + 1
      }
    const newline = raw.indexOf(NEWLINE, hit)
    const end = newline < 0 ? raw.length : newline - 1
    if (test(raw.toString('utf8', lineStart, end))) setBit(found, row)
    if (newline < 0) return
    row++
    lineStart = newline + 1
  }
}
