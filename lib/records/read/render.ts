/**
 * Records as JSON bytes. Cells are copied from the column texts as they are, never decoded and encoded again: a page costs
 * a fraction of JSON.stringify. Pure.
 */

import { copy, copyPart, newOutput, type Output, room, write, writeNumber } from '../bytes/bytes.ts'
import { bytesOf, type CellReader, cellReader, seek } from '../bytes/cells.ts'
import { getOrMake } from '../bytes/maps.ts'
import { recordIdPrefix } from '../log/ids.ts'
import { coordinateIn, type Segment } from '../log/state.ts'
import { hasError } from '../rules/messages.ts'
import type { SheetRules } from '../rules/rules.ts'
import type { Message } from '../sheet.ts'
import { CONFIG, MESSAGES, METADATA } from '../write/segment.ts'
import { effectiveMessages, type OpenSegment } from './reader.ts'

export interface RenderOptions {
  /** Cells of these fields only, in the sheet's order. */
  fields?: readonly string[]
  includeMessages?: boolean
  /** Gives reference cells their `links`. */
  links?: LinkTexts | undefined
}

/** The JSON of a row's `links` member, with its comma before it; undefined for fields that have none. */
export type LinkTexts = (field: string, segment: Segment) => ((row: number) => Buffer | undefined) | undefined

export interface Renderer {
  /** Chunk names a segment must be opened with. */
  readonly names: readonly string[]
  /** Appends records of a segment; `rows` ascending. */
  add(open: OpenSegment, rows: readonly number[]): void
  readonly count: number
  /** The JSON array; `order[i]` is the index (in order of adding) of the record that comes i-th. */
  end(order?: readonly number[]): Buffer
  /** The JSON of each record by itself, in order of adding. */
  records(): Buffer[]
}

const OK_END = ',"messages":[],"valid":true}'
const EMPTY_OBJECT = Buffer.from('{}')
const NULL_TEXT = Buffer.from('null')
const ID_HEAD = '{"id":"'
const VALUES_HEAD = Buffer.from('","values":{')
const PLAIN_TAIL = '},"valid":true,"metadata":{},"config":{}},'
const OPEN = 91
const CLOSE = 93

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
  const out = newOutput()
  out.bytes[out.length++] = OPEN
  const bounds: number[] = [1]

  return {
    names: [...fields.map((field) => field.column), METADATA, CONFIG, MESSAGES],
    get count() {
      return bounds.length - 1
    },
    add(open, rows) {
      const { segment } = open
      const columns = fields.map((field) => cellReader(open, field.column, rows))
      const metadata = cellReader(open, METADATA, rows)
      const config = cellReader(open, CONFIG, rows)
      const plain = !metadata && !config
      const messagesOf = effectiveMessages(open, rules)
      const links = fields.map(({ key }) => options.links?.(key, segment))
      const writeId = idWriter(rules.sheetId, segment, ID_HEAD)
      room(out, rows.length * staticBytes + columns.reduce((sum, cells) => sum + bytesOf(cells), 0))
      for (let i = 0; i < rows.length; i++) {
        const row = rows[i]!
        const messages = messagesOf(row)
        writeId(out, row)
        copy(out, VALUES_HEAD)
        const prefix = messages ? firstPrefix : okPrefix
        for (let c = 0; c < fields.length; c++) {
          copy(out, prefix[c]!)
          copyCell(out, columns[c], i, row, NULL_TEXT)
          const linked = links[c]?.(row)
          if (linked) copy(out, linked)
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
    records: () => bounds.slice(1).map((end, i) => out.bytes.subarray(bounds[i], end - 1)),
  }
}

function inOrder(out: Output, bounds: readonly number[], order: readonly number[]): Output {
  const bytes = Buffer.allocUnsafe(out.length)
  bytes[0] = OPEN
  let length = 1
  for (const index of order) length += out.bytes.copy(bytes, length, bounds[index]!, bounds[index + 1]!)
  return { bytes, length }
}

/** Writes `head` and a record's id after it: the part of the id before the row is made once a segment key. */
export function idWriter(sheetId: string, segment: Segment, head: string): (out: Output, row: number) => void {
  const heads = new Map<string, Buffer>()
  const headOf = (key: string): Buffer => getOrMake(heads, key, () => Buffer.from(head + recordIdPrefix(sheetId, key)))
  const whole = segment.runs ? undefined : headOf(segment.key)
  return (out, row) => {
    const at = whole ? undefined : coordinateIn(segment, row)
    copy(out, whole ?? headOf(at!.key))
    writeNumber(out, at ? at.row : row)
  }
}

/** @param nothing stands for an empty cell, where that is not "null" */
function copyCell(out: Output, cells: CellReader | undefined, i: number, row: number, nothing: Buffer): void {
  if (cells && seek(cells, i, row)) copyPart(out, cells.bytes, cells.from, cells.to)
  else copy(out, nothing)
}

export function inError(messages: ReadonlyMap<string, readonly Message[]> | undefined): boolean {
  for (const list of messages?.values() ?? []) if (hasError(list)) return true
  return false
}

function cellEnd(messages: readonly Message[] | undefined, show: boolean): string {
  if (!messages?.length) return OK_END
  const shown = show ? JSON.stringify(messages) : '[]'
  return `,"messages":${shown},"valid":${!hasError(messages)}}`
}
