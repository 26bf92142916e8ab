/** Records as JSON objects by field key, written member by member: an object would lose the key `__proto__`. */
import { type ByteWriter, createSnippet, reserve, type Snippet, writeSnippet } from '../columns/byte-writer.ts'
import { findByte, repeatByte, WORD_BYTES } from '../columns/words.ts'

export interface ObjectMarks {
  before: string
  after: string
}

export const createMemberStarts = (keys: readonly string[], { before }: ObjectMarks): Snippet[] =>
  keys.map((key, i) => createSnippet(`${i > 0 ? ',' : `${before}{`}${JSON.stringify(key)}:`))

export const createObjectEnd = ({ before, after }: ObjectMarks, hasMembers: boolean): Snippet =>
  createSnippet(`${hasMembers ? '' : `${before}{`}}${after}`)

interface Cursor {
  raw: Buffer
  view: DataView
  at: number
}

export function writeObjects(
  out: ByteWriter,
  keys: readonly string[],
  columns: readonly Buffer[],
  rows: number,
  marks: ObjectMarks,
): void {
  const starts = createMemberStarts(keys, marks)
  const end = createObjectEnd(marks, keys.length > 0)
  const cells = columns.map(
    (raw): Cursor => ({ raw, view: new DataView(raw.buffer, raw.byteOffset, raw.length), at: 0 }),
  )
  for (let row = 0; row < rows; row++) {
    for (let c = 0; c < cells.length; c++) {
      writeSnippet(out, starts[c]!)
      copyNext(out, cells[c]!)
    }
    writeSnippet(out, end)
  }
}

const NEWLINE = 10
const NEWLINES = repeatByte(NEWLINE)

/** Writing past the end of the memory changes nothing, and is repeated: a check of each byte takes longer. */
function copyNext(out: ByteWriter, cell: Cursor): void {
  const { raw, view } = cell
  const target = out.bytes
  const { length } = raw
  let at = out.length
  let i = cell.at
  for (let words = Math.min(length - i, target.length - at) >> 2; words > 0; words--) {
    const word = view.getInt32(i, true)
    if (findByte(word, NEWLINES) !== 0) break
    out.view.setInt32(at, word, true)
    at += WORD_BYTES
    i += WORD_BYTES
  }
  for (; i < length && raw[i] !== NEWLINE; i++) target[at++] = raw[i]!
  if (at > target.length) {
    reserve(out, at - out.length)
    copyNext(out, cell)
    return
  }
  const hasSeparator = i < length
  out.length = hasSeparator ? at - 1 : at
  cell.at = i + 1
}
