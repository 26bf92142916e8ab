/**
 * JSON lines of records on their way in. A line with `__k` changes the record of that id, or removes it when it also says
 * `__d: true`; a line without `__k` is a new record. `__m` is its metadata, `__c` its config, `__i` hooks' messages: lists
 * by field key, or one list of messages that name their `field`. Every other key is a field's value: a scalar, a list, null,
 * or a cell `{value, messages}`; any object is taken for a cell.
 *
 * `__s` (sheet id) and `__n` (sheet slug) are reported. `__v`, `__e`, `__u` and `__l` are understood and not used: the
 * engine makes versions, validity, times and links itself. So is `__nk`, the id a new record would have: an id says where
 * its record is stored, so none can be given from outside.
 */

import { isUtf8 } from 'node:buffer'
import type { Problem } from '../../../schemas/errors.ts'
import { CELL_KEYS } from '../../../schemas/record-input.ts'
import { LINE_BYTES } from '../../../schemas/sizes.ts'
import { ApiError, invalid, tooLarge } from '../../core/errors.ts'
import { parseJson } from '../../core/json.ts'
import { getOrMake } from '../bytes/maps.ts'
import { hookMessages } from '../rules/rules.ts'
import type { CellInput, JsonObject, Message, MessageInput, RecordUpdate } from '../sheet.ts'
import type { RowBatch } from '../write/ingest.ts'
import type { RowExtras } from '../write/segment.ts'
import { SPECIAL_KEYS } from './jsonl.ts'

/** The sheet a line says it belongs to. */
export interface NamedSheet {
  id?: string
  slug?: string
}

/** What to write, in the order of the lines. */
export type JsonlPart =
  /** Comes before the records of the first line (from 1) that names a sheet, and whenever a line names another. */
  | { sheet: NamedSheet; line: number }
  | { inserts: RowBatch & { extras: RowExtras[] } }
  | { updates: RecordUpdate[] }
  /** Ids. */
  | { removes: string[] }

export type JsonlBytes = Uint8Array | AsyncIterable<Uint8Array>

/** Records of a part at most. */
const PART_LINES = 5000
/** Faulty lines told of at most. */
const FAULTS = 20

/**
 * Parses lines into parts of up to 5,000 records. Lines end in \n or \r\n, blank ones are skipped.
 * @param fields of the sheet; values under other keys are passed on, for the writer to report as ignored
 * @throws ApiError invalid with up to 20 faulty lines as `line N`, counted from 1: once one was met no part follows, but
 * parts before it have been given; too-large for a line above 16 MB
 */
export async function* jsonlParts(
  bytes: JsonlBytes,
  fields: readonly { key: string }[],
): AsyncGenerator<JsonlPart, void, undefined> {
  const faults: Problem[] = []
  let batch = newBatch(fields)
  let named: NamedSheet = {}
  for await (const line of linesOf(bytes)) {
    const parsed = parsedOrFault(line, faults)
    if (faults.length >= FAULTS) break
    if (!parsed || faults.length) continue
    const sheet = sheetIn(parsed)
    if ((sheet.id ?? named.id) !== named.id || (sheet.slug ?? named.slug) !== named.slug) {
      yield* partsOf(batch)
      batch = newBatch(fields)
      named = { ...named, ...sheet }
      yield { sheet, line: line.number }
    }
    if (batch.lines >= PART_LINES || revives(batch, parsed)) {
      yield* partsOf(batch)
      batch = newBatch(fields)
    }
    addLine(batch, parsed)
  }
  if (faults.length) throw invalid(faults)
  yield* partsOf(batch)
}

/**
 * The sheet the first line names, so that it can be loaded before the lines are read; `bytes` are all of them again.
 * @throws ApiError invalid when the first line is faulty
 */
export async function peekSheet(bytes: JsonlBytes): Promise<{ sheet: NamedSheet; bytes: JsonlBytes }> {
  if (bytes instanceof Uint8Array) return { sheet: await firstSheet(bytes), bytes }
  const source = bytes[Symbol.asyncIterator]()
  const read: Uint8Array[] = []
  async function* noted(): AsyncGenerator<Uint8Array> {
    for (let next = await source.next(); !next.done; next = await source.next()) {
      read.push(next.value)
      yield next.value
    }
  }
  async function* again(): AsyncGenerator<Uint8Array> {
    try {
      yield* read
      for (let next = await source.next(); !next.done; next = await source.next()) yield next.value
    } finally {
      await source.return?.()
    }
  }
  return { sheet: await firstSheet(noted()), bytes: again() }
}

async function firstSheet(bytes: JsonlBytes): Promise<NamedSheet> {
  for await (const line of linesOf(bytes)) {
    const faults: Problem[] = []
    const parsed = parsedOrFault(line, faults)
    if (!parsed) throw invalid(faults)
    return sheetIn(parsed)
  }
  return {}
}

interface Line {
  /** From 1. */
  number: number
  bytes: Buffer
}

/** Lines that are not blank. */
async function* linesOf(bytes: JsonlBytes): AsyncGenerator<Line> {
  let number = 0
  let rest: Buffer[] = []
  let restBytes = 0
  const joined = (end: Buffer): Line => {
    number++
    if (restBytes + end.length > LINE_BYTES) throw tooLarge(`Line ${number} is longer than ${LINE_BYTES} bytes.`)
    const whole = rest.length ? Buffer.concat([...rest, end]) : end
    rest = []
    restBytes = 0
    return { number, bytes: number === 1 ? withoutMark(whole) : whole }
  }
  for await (const chunk of bytes instanceof Uint8Array ? [bytes] : bytes) {
    const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    let from = 0
    for (let to = buffer.indexOf(NEWLINE); to >= 0; to = buffer.indexOf(NEWLINE, from)) {
      const line = joined(buffer.subarray(from, to))
      from = to + 1
      if (!isBlank(line.bytes)) yield line
    }
    restBytes += buffer.length - from
    if (restBytes > LINE_BYTES) throw tooLarge(`Line ${number + 1} is longer than ${LINE_BYTES} bytes.`)
    if (from < buffer.length) rest.push(buffer.subarray(from))
  }
  const last = joined(Buffer.alloc(0))
  if (!isBlank(last.bytes)) yield last
}

const NEWLINE = 10
const SPACE = 32
const isBlank = (line: Buffer): boolean => line.every((byte) => byte <= SPACE)
const withoutMark = (line: Buffer): Buffer =>
  line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf ? line.subarray(3) : line

/** A line by its meaning. */
interface ParsedLine {
  id: string | undefined
  removed: boolean
  sheetId: string | undefined
  slug: string | undefined
  metadata: JsonObject | undefined
  config: JsonObject | undefined
  /** A key's value, or cell. */
  values: Map<string, CellInput>
}

const sheetIn = ({ sheetId, slug }: ParsedLine): NamedSheet => ({
  ...(sheetId === undefined ? {} : { id: sheetId }),
  ...(slug === undefined ? {} : { slug }),
})

function parsedOrFault(line: Line, faults: Problem[]): ParsedLine | undefined {
  try {
    return parsedLine(line.bytes)
  } catch (error) {
    if (!(error instanceof LineFault || error instanceof ApiError)) throw error
    const message = error instanceof LineFault ? error.message : problemText(error)
    faults.push({ key: `line ${line.number}`, message })
    return undefined
  }
}

const problemText = ({ problems }: ApiError): string =>
  problems.map(({ key, message }) => (key === 'body' ? message : `${key} ${message}`)).join('; ')

/** Says what is wrong with a line. */
class LineFault extends Error {}

function parsedLine(bytes: Buffer): ParsedLine {
  if (!isUtf8(bytes)) throw new LineFault('is not UTF-8')
  const record = parseJson(bytes)
  if (!isObject(record)) throw new LineFault('is not a JSON object')
  const line: ParsedLine = {
    id: textAt(record, '__k'),
    removed: flagAt(record, '__d'),
    sheetId: textAt(record, '__s'),
    slug: textAt(record, '__n'),
    metadata: objectAt(record, '__m'),
    config: objectAt(record, '__c'),
    values: new Map(),
  }
  if (line.removed && line.id === undefined) throw new LineFault('has __d but no __k: which record is to be removed?')
  for (const key in record) if (!SPECIAL_KEYS.has(key)) line.values.set(key, cellOf(key, record[key]))
  for (const [key, messages] of messagesIn(record.__i))
    line.values.set(key, {
      ...line.values.get(key),
      messages: [...(line.values.get(key)?.messages ?? []), ...messages],
    })
  return line
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function textAt(record: JsonObject, key: string): string | undefined {
  const value = record[key]
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string' || value === '') throw new LineFault(`${key} is not a text`)
  return value
}

function flagAt(record: JsonObject, key: string): boolean {
  const value = record[key] ?? false
  if (typeof value !== 'boolean') throw new LineFault(`${key} is not true or false`)
  return value
}

function objectAt(record: JsonObject, key: string): JsonObject | undefined {
  const value = record[key]
  if (value === undefined || value === null) return undefined
  if (!isObject(value)) throw new LineFault(`${key} is not an object`)
  return value
}

function cellOf(key: string, value: unknown): CellInput {
  if (!isObject(value)) return { value: cellValue(key, value) }
  const hasValue = Object.hasOwn(value, 'value')
  if (!hasValue && !Object.hasOwn(value, 'messages'))
    throw new LineFault(`${key} is an object that is no cell: it has neither value nor messages`)
  const unknown = Object.keys(value).find((name) => !CELL_KEYS.has(name))
  if (unknown !== undefined) throw new LineFault(`${key} has ${JSON.stringify(unknown)}, which no cell has`)
  const { messages } = value
  return {
    ...(hasValue ? { value: cellValue(key, value.value) } : {}),
    ...(messages === undefined || messages === null ? {} : { messages: messageList(`${key}.messages`, messages) }),
  }
}

function cellValue(key: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new LineFault(`${key} is too large a number`)
  return value
}

function messageList(path: string, value: unknown): MessageInput[] {
  if (!Array.isArray(value) || !value.every(isObject)) throw new LineFault(`${path} is not a list of messages`)
  return value as MessageInput[]
}

function messagesIn(value: unknown): ReadonlyMap<string, readonly MessageInput[]> {
  const byField = new Map<string, MessageInput[]>()
  if (value === undefined || value === null) return byField
  if (isObject(value)) {
    for (const [key, list] of Object.entries(value)) byField.set(key, messageList(`__i.${key}`, list))
    return byField
  }
  for (const message of messageList('__i', value)) {
    if (typeof message.field !== 'string') throw new LineFault('__i has a message without a field')
    getOrMake(byField, message.field, (): MessageInput[] => []).push(message)
  }
  return byField
}

/** Lines of which no two depend on their order, but that updates come before removals. */
interface Batch {
  lines: number
  keys: string[]
  indexOf: Map<string, number>
  rows: unknown[][]
  extras: RowExtras[]
  updates: RecordUpdate[]
  removes: Set<string>
}

const newBatch = (fields: readonly { key: string }[]): Batch => ({
  lines: 0,
  keys: fields.map(({ key }) => key),
  indexOf: new Map(fields.map(({ key }, i) => [key, i])),
  rows: [],
  extras: [],
  updates: [],
  removes: new Set(),
})

/** Does a line speak of a record that the batch removes? */
const revives = ({ removes }: Batch, { id }: ParsedLine): boolean => id !== undefined && removes.has(id)

function addLine(batch: Batch, line: ParsedLine): void {
  batch.lines++
  if (line.id === undefined) addRow(batch, line)
  else if (line.removed) batch.removes.add(line.id)
  else {
    const { id, values, metadata, config } = line
    batch.updates.push({
      id,
      values: Object.fromEntries(values),
      ...(metadata ? { metadata } : {}),
      ...(config ? { config } : {}),
    })
  }
}

function addRow(batch: Batch, { values, metadata, config }: ParsedLine): void {
  const row: unknown[] = new Array(batch.keys.length).fill(null)
  let messages: Map<string, Message[]> | undefined
  for (const [key, cell] of values) {
    const index = getOrMake(batch.indexOf, key, () => batch.keys.push(key) - 1)
    row[index] = cell.value ?? null
    if (!cell.messages?.length) continue
    messages ??= new Map()
    messages.set(key, hookMessages(key, cell.messages))
  }
  batch.rows.push(row)
  batch.extras.push({ metadata, config, messages })
}

function* partsOf({ keys, rows, extras, updates, removes }: Batch): Generator<JsonlPart> {
  if (rows.length) yield { inserts: { keys, rows, extras } }
  if (updates.length) yield { updates }
  if (removes.size) yield { removes: [...removes] }
}
