/**
 * Records as JSON bytes. Cells are copied from the column texts as they are, never decoded and encoded again: a page costs
 * a fraction of JSON.stringify. Pure.
 */
import { locateCells } from './columns.ts'
import { recordIdPrefix } from './ids.ts'
import { getOrMake } from './maps.ts'
import { effectiveMessages, type OpenSegment } from './reader.ts'
import type { SheetRules } from './rules.ts'
import { CONFIG, MESSAGES, METADATA } from './segment.ts'
import type { Message } from './sheet.ts'
import { coordinateIn, type Segment } from './state.ts'

export interface RenderOptions {
  /** Cells of these fields only, in the sheet's order. */
  fields?: readonly string[]
  includeMessages?: boolean
}

export interface Renderer {
  /** Chunk names a segment must be opened with. */
  readonly names: readonly string[]
  /** Appends records of a segment; `rows` ascending. */
  add(open: OpenSegment, rows: readonly number[]): void
  readonly count: number
  /** The JSON array; `order[i]` is the index (in order of adding) of the record that comes i-th. */
  end(order?: readonly number[]): Buffer
}

const OK_END = ',"messages":[],"valid":true}'
const EMPTY_OBJECT = Buffer.from('{}')
const NULL_TEXT = Buffer.from('null')
const ID_HEAD = '{"id":"'
const VALUES_HEAD = Buffer.from('","values":{')
const PLAIN_TAIL = '},"valid":true,"metadata":{},"config":{}},'
const OPEN = 91
const CLOSE = 93

/** Bytes that grow. */
interface Output {
  bytes: Buffer
  length: number
}

/** A column's cells for the rows of one `add`. */
interface Cells {
  raw: Buffer
  starts: Uint32Array
  ends: Uint32Array
  /** Written over a row later. */
  edited: ReadonlyMap<number, Buffer> | undefined
}

export function renderer(rules: SheetRules, options: RenderOptions = {}): Renderer {
  const wanted = options.fields && new Set(options.fields)
  const fields = rules.fields.filter((field) => !wanted || wanted.has(field.key))
  const showMessages = options.includeMessages !== false
  const keys = fields.map((field) => `${JSON.stringify(field.key)}:{"value":`)
  const firstPrefix = fields.map((_, i) => Buffer.from((i ? ',' : '') + keys[i]))
  // Most cells have no message: then a cell's end and the next cell's begin are one copy.
  const okPrefix = fields.map((_, i) => Buffer.from((i ? `${OK_END},` : '') + keys[i]))
  const okEnd = Buffer.from(fields.length ? OK_END : '')
  const plainTail = Buffer.from((fields.length ? OK_END : '') + PLAIN_TAIL)
  const staticBytes = okPrefix.reduce((sum, { length }) => sum + length, plainTail.length + 80)
  const out: Output = { bytes: Buffer.allocUnsafe(1024), length: 1 }
  out.bytes[0] = OPEN
  const bounds: number[] = [1]

  return {
    names: [...fields.map((field) => field.column), METADATA, CONFIG, MESSAGES],
    get count() {
      return bounds.length - 1
    },
    add(open, rows) {
      const { segment } = open
      const columns = fields.map((field) => cellsOf(open, field.column, rows))
      const metadata = cellsOf(open, METADATA, rows)
      const config = cellsOf(open, CONFIG, rows)
      const plain = !metadata && !config
      const messagesOf = effectiveMessages(open, rules)
      const writeId = idWriter(rules.sheetId, segment)
      room(out, rows.length * staticBytes + columns.reduce((sum, cells) => sum + bytesOf(cells), 0))
      for (let i = 0; i < rows.length; i++) {
        const row = rows[i]!
        const messages = messagesOf(row)
        writeId(out, row)
        const prefix = messages ? firstPrefix : okPrefix
        for (let c = 0; c < fields.length; c++) {
          copy(out, prefix[c]!)
          copyCell(out, columns[c], i, row, NULL_TEXT)
          if (messages) write(out, cellEnd(messages.get(fields[c]!.key), showMessages))
        }
        if (plain && !messages) copy(out, plainTail)
        else {
          if (!messages) copy(out, okEnd)
          write(out, `},"valid":${!inError(messages)},"metadata":`)
          copyCell(out, metadata, i, row, EMPTY_OBJECT)
          write(out, ',"config":')
          copyCell(out, config, i, row, EMPTY_OBJECT)
          write(out, '},')
        }
        bounds.push(out.length)
      }
    },
    end(order) {
      const whole = order ? inOrder(out, bounds, order) : out
      if (whole.length === 1) return Buffer.from('[]')
      // The comma after the last record becomes the end of the array.
      whole.bytes[whole.length - 1] = CLOSE
      return whole.bytes.subarray(0, whole.length)
    },
  }
}

function inOrder(out: Output, bounds: readonly number[], order: readonly number[]): Output {
  const bytes = Buffer.allocUnsafe(out.length)
  bytes[0] = OPEN
  let length = 1
  for (const index of order) length += out.bytes.copy(bytes, length, bounds[index]!, bounds[index + 1]!)
  return { bytes, length }
}

/** Text bytes of the cells to be written. */
const bytesOf = (cells: Cells | undefined): number =>
  cells?.starts.length ? cells.ends[cells.ends.length - 1]! - cells.starts[0]! + cells.starts.length * 4 : 0

function cellsOf(open: OpenSegment, column: string, rows: readonly number[]): Cells | undefined {
  const raw = open.raw.get(column)
  const edited = editedCells(open.segment, column)
  if (!raw && !edited) return undefined
  const bytes = raw ?? EMPTY
  return { raw: bytes, ...(raw ? locateCells(raw, rows) : NOWHERE), edited }
}

const EMPTY = Buffer.alloc(0)
const NOWHERE = { starts: new Uint32Array(0), ends: new Uint32Array(0) }

function editedCells(segment: Segment, column: string): ReadonlyMap<number, Buffer> | undefined {
  let cells: Map<number, Buffer> | undefined
  for (const [row, edit] of segment.edits) {
    const text = edit.values.get(column)
    if (text === undefined) continue
    cells ??= new Map()
    cells.set(row, Buffer.from(text))
  }
  return cells
}

/** Writes a record's begin up to its values: the part of the id before the row is made once a segment key. */
function idWriter(sheetId: string, segment: Segment): (out: Output, row: number) => void {
  const heads = new Map<string, Buffer>()
  const headOf = (key: string): Buffer =>
    getOrMake(heads, key, () => Buffer.from(ID_HEAD + recordIdPrefix(sheetId, key)))
  const whole = segment.runs ? undefined : headOf(segment.key)
  return (out, row) => {
    const at = whole ? undefined : coordinateIn(segment, row)
    copy(out, whole ?? headOf(at!.key))
    writeNumber(out, at ? at.row : row)
    copy(out, VALUES_HEAD)
  }
}

function writeNumber(out: Output, value: number): void {
  room(out, 16)
  let digits = 1
  for (let rest = value; rest >= 10; rest = Math.floor(rest / 10)) digits++
  let rest = value
  for (let at = out.length + digits - 1; at >= out.length; at--) {
    out.bytes[at] = 48 + (rest % 10)
    rest = Math.floor(rest / 10)
  }
  out.length += digits
}

function room(out: Output, bytes: number): void {
  if (out.bytes.length - out.length >= bytes) return
  const grown = Buffer.allocUnsafe(out.bytes.length * 2 + bytes)
  out.bytes.copy(grown, 0, 0, out.length)
  out.bytes = grown
}

function write(out: Output, text: string): void {
  room(out, text.length * 3)
  out.length += out.bytes.write(text, out.length, 'utf8')
}

function copy(out: Output, bytes: Buffer): void {
  room(out, bytes.length)
  out.bytes.set(bytes, out.length)
  out.length += bytes.length
}

/** @param nothing stands for a cell the column has not, or that is null, when it is not "null" itself */
function copyCell(out: Output, cells: Cells | undefined, i: number, row: number, nothing: Buffer): void {
  const edited = cells?.edited?.get(row)
  const raw = edited ?? cells?.raw
  let at = edited || !cells ? 0 : (cells.starts[i] ?? 0)
  const end = edited ? edited.length : (cells?.ends[i] ?? 0)
  if (!raw || at === end || isNull(raw, at, end)) {
    copy(out, nothing)
    return
  }
  room(out, end - at)
  const { bytes } = out
  let to = out.length
  // Cells are short: a loop beats a call.
  while (at < end) bytes[to++] = raw[at++]!
  out.length = to
}

/** No JSON value but null starts with an n. */
const isNull = (raw: Buffer, at: number, end: number): boolean => end - at === 4 && raw[at] === 110

const hasErrorIn = (messages: readonly Message[]): boolean => messages.some((message) => message.type === 'error')

function inError(messages: ReadonlyMap<string, readonly Message[]> | undefined): boolean {
  for (const list of messages?.values() ?? []) if (hasErrorIn(list)) return true
  return false
}

function cellEnd(messages: readonly Message[] | undefined, show: boolean): string {
  if (!messages?.length) return OK_END
  const shown = show ? JSON.stringify(messages) : '[]'
  return `,"messages":${shown},"valid":${!hasErrorIn(messages)}}`
}
