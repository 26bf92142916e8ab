/** Renders records as JSON bytes; copying undecoded cells costs a fraction of JSON.stringify. */

import {
  type ByteWriter,
  copyRange,
  createByteWriter,
  reserve,
  writeBytes,
  writeNumber,
  writeString,
} from '../columns/byte-writer.ts'
import { getOrInsert } from '../columns/maps.ts'
import type { SheetRules } from '../fields/rules.ts'
import { CONFIG, MESSAGES, METADATA } from '../format/column-names.ts'
import { formatRecordIdPrefix } from '../format/ids.ts'
import { hasError } from '../format/message-chunk.ts'
import { type CellReader, createCellReader, estimateBytes, seek } from '../segments/cells.ts'
import { createMessageLookup, type OpenSegment } from '../segments/open.ts'
import type { Message } from '../sheet.ts'
import { type Segment, toCoordinate } from '../state/state.ts'

export interface RenderOptions {
  fields?: readonly string[]
  includeMessages?: boolean
  links?: LinkTexts | undefined
}

/** The JSON of a row's `links` member with a leading comma. */
export type LinkTexts = (field: string, segment: Segment) => ((row: number) => Buffer | undefined) | undefined

export interface Renderer {
  readonly names: readonly string[]
  add(open: OpenSegment, rows: readonly number[]): void
  readonly count: number
  /** The JSON array; `order[i]` is the index of the i-th record in order of adding. */
  end(order?: readonly number[]): Buffer
  records(): Buffer[]
}

const VALID_CELL_END = ',"messages":[],"valid":true}'
const EMPTY_OBJECT = Buffer.from('{}')
const NULL_TEXT = Buffer.from('null')
const ID_HEAD = '{"id":"'
const VALUES_HEAD = Buffer.from('","values":{')
const PLAIN_TAIL = '},"valid":true,"metadata":{},"config":{}},'
const OPEN = 91
const CLOSE = 93

export function createRenderer(rules: SheetRules, options: RenderOptions = {}): Renderer {
  const requestedKeys = options.fields && new Set(options.fields)
  const fields = rules.fields.filter((field) => !requestedKeys || requestedKeys.has(field.key))
  const showMessages = options.includeMessages !== false
  const keys = fields.map((field) => `${JSON.stringify(field.key)}:{"value":`)
  const firstPrefix = fields.map((_, i) => Buffer.from((i ? ',' : '') + keys[i]))
  // Most cells have no messages, so a cell's end and the next cell's start are one copy.
  const validPrefix = fields.map((_, i) => Buffer.from((i ? `${VALID_CELL_END},` : '') + keys[i]))
  const validEnd = Buffer.from(fields.length ? VALID_CELL_END : '')
  const plainTail = Buffer.from((fields.length ? VALID_CELL_END : '') + PLAIN_TAIL)
  const staticBytes = validPrefix.reduce((sum, { length }) => sum + length, plainTail.length + 80)
  const out = createByteWriter()
  out.bytes[out.length++] = OPEN
  const bounds: number[] = [1]

  return {
    names: [...fields.map((field) => field.column), METADATA, CONFIG, MESSAGES],
    get count() {
      return bounds.length - 1
    },
    add(open, rows) {
      const { segment } = open
      const columns = fields.map((field) => createCellReader(open, field.column, rows))
      const metadata = createCellReader(open, METADATA, rows)
      const config = createCellReader(open, CONFIG, rows)
      const isPlain = !metadata && !config
      const getMessages = createMessageLookup(open, rules)
      const links = fields.map(({ key }) => options.links?.(key, segment))
      const writeId = createIdWriter(rules.sheetId, segment, ID_HEAD)
      reserve(out, rows.length * staticBytes + columns.reduce((sum, cells) => sum + estimateBytes(cells), 0))
      for (let i = 0; i < rows.length; i++) {
        const row = rows[i]!
        const messages = getMessages(row)
        writeId(out, row)
        writeBytes(out, VALUES_HEAD)
        const prefix = messages ? firstPrefix : validPrefix
        for (let c = 0; c < fields.length; c++) {
          writeBytes(out, prefix[c]!)
          copyCell(out, columns[c], i, row, NULL_TEXT)
          const linksJson = links[c]?.(row)
          if (linksJson) writeBytes(out, linksJson)
          if (messages) writeString(out, formatCellEnd(messages.get(fields[c]!.key), showMessages))
        }
        if (isPlain && !messages) writeBytes(out, plainTail)
        else {
          if (!messages) writeBytes(out, validEnd)
          writeString(out, `},"valid":${!hasErrorMessages(messages)},"metadata":`)
          copyCell(out, metadata, i, row, EMPTY_OBJECT)
          writeString(out, ',"config":')
          copyCell(out, config, i, row, EMPTY_OBJECT)
          writeString(out, '},')
        }
        bounds.push(out.length)
      }
    },
    end(order) {
      const result = order ? orderRecords(out, bounds, order) : out
      if (result.length === 1) return Buffer.from('[]')
      result.bytes[result.length - 1] = CLOSE
      return result.bytes.subarray(0, result.length)
    },
    records: () => bounds.slice(1).map((end, i) => out.bytes.subarray(bounds[i], end - 1)),
  }
}

function orderRecords(out: ByteWriter, bounds: readonly number[], order: readonly number[]): ByteWriter {
  const ordered = createByteWriter(out.length)
  ordered.bytes[0] = OPEN
  ordered.length = 1
  for (const index of order)
    ordered.length += out.bytes.copy(ordered.bytes, ordered.length, bounds[index]!, bounds[index + 1]!)
  return ordered
}

export function createIdWriter(
  sheetId: string,
  segment: Segment,
  head: string,
): (out: ByteWriter, row: number) => void {
  const heads = new Map<string, Buffer>()
  const getHead = (key: string): Buffer =>
    getOrInsert(heads, key, () => Buffer.from(head + formatRecordIdPrefix(sheetId, key)))
  const segmentHead = segment.runs ? undefined : getHead(segment.key)
  return (out, row) => {
    const at = segmentHead ? undefined : toCoordinate(segment, row)
    writeBytes(out, segmentHead ?? getHead(at!.key))
    writeNumber(out, at ? at.row : row)
  }
}

function copyCell(out: ByteWriter, cells: CellReader | undefined, i: number, row: number, emptyText: Buffer): void {
  if (cells && seek(cells, i, row)) copyRange(out, cells.bytes, cells.from, cells.to)
  else writeBytes(out, emptyText)
}

export function hasErrorMessages(messages: ReadonlyMap<string, readonly Message[]> | undefined): boolean {
  for (const cellMessages of messages?.values() ?? []) if (hasError(cellMessages)) return true
  return false
}

const texts = new WeakMap<Message, string>()

function toJson(message: Message): string {
  const cached = texts.get(message)
  if (cached !== undefined) return cached
  const text = JSON.stringify(message)
  texts.set(message, text)
  return text
}

function formatCellEnd(messages: readonly Message[] | undefined, includeMessages: boolean): string {
  if (!messages?.length) return VALID_CELL_END
  const messagesJson = includeMessages ? messages.map(toJson).join(',') : ''
  return `,"messages":[${messagesJson}],"valid":${!hasError(messages)}}`
}
