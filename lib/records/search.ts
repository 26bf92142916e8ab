/**
 * Finding a text in columns without decoding them: one regular expression over a column's text, lines counted up to each
 * hit. Case does not count. Pure.
 */
import { type Bits, emptyBits, setBit } from './bits.ts'
import { NULL } from './columns.ts'
import { cellTexts, type OpenSegment } from './reader.ts'
import { textOf } from './values.ts'

/** Marks the rows of an open segment in which one of the columns matches. */
export type Searcher = (open: OpenSegment, columns: readonly string[]) => Bits

/**
 * @param value part of a value; in double quotes the whole of it; `""` for empty cells
 */
export function searcher(value: string): Searcher {
  const quoted = /^"(.*)"$/s.exec(value)
  if (quoted?.[1] === '') return findEmpty
  const needle = quoted ? quoted[1]! : value
  return quoted ? findWhole(needle.toLowerCase()) : findPart(needle)
}

const findEmpty: Searcher = (open, columns) => {
  const found = emptyBits(open.segment.rows)
  for (const column of columns) {
    const cells = cellTexts(open, column)
    for (let row = 0; row < open.segment.rows; row++) if (!cells || cells[row] === NULL) setBit(found, row)
  }
  return found
}

const findWhole =
  (needle: string): Searcher =>
  (open, columns) => {
    const found = emptyBits(open.segment.rows)
    for (const column of columns)
      cellTexts(open, column)?.forEach((cell, row) => {
        if (cell !== NULL && textOf(JSON.parse(cell)).toLowerCase() === needle) setBit(found, row)
      })
    return found
  }

const findPart = (needle: string): Searcher => {
  const escaped = JSON.stringify(needle).slice(1, -1)
  const pattern = new RegExp(escaped.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'gi')
  return (open, columns) => {
    const found = emptyBits(open.segment.rows)
    for (const column of columns) {
      const text = columnText(open, column)
      if (text !== undefined) markHits(text, pattern, needle.toLowerCase(), found)
    }
    return found
  }
}

function columnText(open: OpenSegment, column: string): string | undefined {
  for (const edit of open.segment.edits.values())
    if (edit.values.has(column)) return cellTexts(open, column)!.join(',\n')
  return open.raw.get(column)?.toString('utf8')
}

function markHits(text: string, pattern: RegExp, needle: string, found: Bits): void {
  let row = 0
  let lineStart = 0
  pattern.lastIndex = 0
  for (let hit = pattern.exec(text); hit; hit = pattern.exec(text)) {
    for (
      let line = text.indexOf('\n', lineStart);
      line >= 0 && line < hit.index;
      line = text.indexOf('\n', lineStart)
    ) {
      row++
      lineStart = line + 1
    }
    if (isInValue(text, lineStart, hit.index, needle)) {
      setBit(found, row)
      const next = text.indexOf('\n', hit.index)
      if (next < 0) return
      pattern.lastIndex = next + 1
    }
  }
}

/** Not in a null, nor in the quotes and the comma that end a cell, nor in an escape such as \n. */
function isInValue(text: string, lineStart: number, at: number, needle: string): boolean {
  const newline = text.indexOf('\n', at)
  const cell = text.slice(lineStart, newline < 0 ? text.length : newline - 1)
  if (cell === NULL) return false
  if (cell.includes('\\') || cell.charCodeAt(0) !== 34) return textOf(JSON.parse(cell)).toLowerCase().includes(needle)
  return at > lineStart && at + needle.length < lineStart + cell.length
}
