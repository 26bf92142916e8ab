/**
 * Parses JSON lines of records: `__k` updates the record with that id, or deletes it with `__d: true`; without it, the
 * record is new.
 * `__m` is metadata, `__c` config, `__i` hooks' messages by field key or as a list with `field`. Other keys are fields.
 * `__s` and `__n` (sheet id and slug) are reported. `__v`, `__e`, `__u`, `__l` and `__nk` are ignored, because the
 * engine computes them.
 */

import { isUtf8 } from 'node:buffer'
import { LINE_BYTES } from '../../../schemas/kit/byte-limits.ts'
import type { Problem } from '../../../schemas/kit/error-codes.ts'
import { message } from '../../../schemas/messages/index.ts'
import { CELL_KEYS } from '../../../schemas/records/input.ts'
import { ApiError, invalid, tooLarge } from '../../core/errors.ts'
import { parseJson } from '../../core/json.ts'
import { getOrInsert } from '../columns/maps.ts'
import { toHookMessages } from '../fields/rules.ts'
import type { RowExtras } from '../segments/segment-writer.ts'
import type { CellInput, JsonObject, Message, MessageInput, RecordUpdate } from '../sheet.ts'
import type { RowBatch } from '../write/build-segments.ts'
import { SPECIAL_KEYS } from './jsonl.ts'

export interface NamedSheet {
  id?: string
  slug?: string
}

export type JsonlPart =
  /** Precedes the records of the first line (from 1) that names a sheet, and of each that names another one. */
  | { sheet: NamedSheet; line: number }
  | { inserts: RowBatch & { extras: RowExtras[] } }
  | { updates: RecordUpdate[] }
  | { removes: string[] }

export type JsonlBytes = Uint8Array | AsyncIterable<Uint8Array>

const MAX_LINES_PER_PART = 5000
const MAX_FAULTS = 20

/**
 * Parses lines into parts of up to 5,000 records; blank lines are skipped.
 * @throws ApiError invalid with up to 20 faulty lines as `line N` (from 1), after which no part follows; too-large
 * above 16 MB
 */
export async function* parseJsonl(
  bytes: JsonlBytes,
  fields: readonly { key: string }[],
): AsyncGenerator<JsonlPart, void, undefined> {
  const faults: Problem[] = []
  let batch = createBatch(fields)
  let currentSheet: NamedSheet = {}
  for await (const line of splitLines(bytes)) {
    const parsed = tryParseLine(line, faults)
    if (faults.length >= MAX_FAULTS) break
    if (!parsed || faults.length) continue
    const sheet = getNamedSheet(parsed)
    if ((sheet.id ?? currentSheet.id) !== currentSheet.id || (sheet.slug ?? currentSheet.slug) !== currentSheet.slug) {
      yield* toParts(batch)
      batch = createBatch(fields)
      currentSheet = { ...currentSheet, ...sheet }
      yield { sheet, line: line.number }
    }
    if (batch.lines >= MAX_LINES_PER_PART || usesRemovedRecord(batch, parsed)) {
      yield* toParts(batch)
      batch = createBatch(fields)
    }
    addLine(batch, parsed)
  }
  if (faults.length) throw invalid(faults)
  yield* toParts(batch)
}

/** Reads the sheet named by the first line; the returned `bytes` start from the beginning again. */
export async function peekSheet(bytes: JsonlBytes): Promise<{ sheet: NamedSheet; bytes: JsonlBytes }> {
  if (bytes instanceof Uint8Array) return { sheet: await readFirstSheet(bytes), bytes }
  const source = bytes[Symbol.asyncIterator]()
  const readChunks: Uint8Array[] = []
  async function* recordChunks(): AsyncGenerator<Uint8Array> {
    for (let next = await source.next(); !next.done; next = await source.next()) {
      readChunks.push(next.value)
      yield next.value
    }
  }
  async function* replayChunks(): AsyncGenerator<Uint8Array> {
    try {
      yield* readChunks
      for (let next = await source.next(); !next.done; next = await source.next()) yield next.value
    } finally {
      await source.return?.()
    }
  }
  return { sheet: await readFirstSheet(recordChunks()), bytes: replayChunks() }
}

async function readFirstSheet(bytes: JsonlBytes): Promise<NamedSheet> {
  for await (const line of splitLines(bytes)) {
    const faults: Problem[] = []
    const parsed = tryParseLine(line, faults)
    if (!parsed) throw invalid(faults)
    return getNamedSheet(parsed)
  }
  return {}
}

interface Line {
  number: number
  bytes: Buffer
}

async function* splitLines(bytes: JsonlBytes): AsyncGenerator<Line> {
  let number = 0
  let pending: Buffer[] = []
  let pendingBytes = 0
  const finishLine = (end: Buffer): Line => {
    number++
    if (pendingBytes + end.length > LINE_BYTES)
      throw tooLarge(message('records.lineTooLong', { line: String(number), count: LINE_BYTES }))
    const lineBytes = pending.length ? Buffer.concat([...pending, end]) : end
    pending = []
    pendingBytes = 0
    return { number, bytes: number === 1 ? stripByteOrderMark(lineBytes) : lineBytes }
  }
  for await (const chunk of bytes instanceof Uint8Array ? [bytes] : bytes) {
    const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    let from = 0
    for (let to = buffer.indexOf(NEWLINE); to >= 0; to = buffer.indexOf(NEWLINE, from)) {
      const line = finishLine(buffer.subarray(from, to))
      from = to + 1
      if (!isBlank(line.bytes)) yield line
    }
    pendingBytes += buffer.length - from
    if (pendingBytes > LINE_BYTES)
      throw tooLarge(message('records.lineTooLong', { line: String(number + 1), count: LINE_BYTES }))
    if (from < buffer.length) pending.push(buffer.subarray(from))
  }
  const lastLine = finishLine(Buffer.alloc(0))
  if (!isBlank(lastLine.bytes)) yield lastLine
}

const NEWLINE = 10
const SPACE = 32
const isBlank = (line: Buffer): boolean => line.every((byte) => byte <= SPACE)
const stripByteOrderMark = (line: Buffer): Buffer =>
  line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf ? line.subarray(3) : line

interface ParsedLine {
  id: string | undefined
  removed: boolean
  sheetId: string | undefined
  slug: string | undefined
  metadata: JsonObject | undefined
  config: JsonObject | undefined
  values: Map<string, CellInput>
}

const getNamedSheet = ({ sheetId, slug }: ParsedLine): NamedSheet => ({
  ...(sheetId === undefined ? {} : { id: sheetId }),
  ...(slug === undefined ? {} : { slug }),
})

function tryParseLine(line: Line, faults: Problem[]): ParsedLine | undefined {
  try {
    return parseLine(line.bytes)
  } catch (error) {
    if (!(error instanceof LineFault || error instanceof ApiError)) throw error
    faults.push({
      key: `line ${line.number}`,
      message: error instanceof LineFault ? error.message : formatProblem(error),
    })
    return undefined
  }
}

function formatProblem({ code, problems }: ApiError): string {
  const { key, message: problem } = problems[0]!
  return code !== 'invalid' || key === 'body' ? problem : message('records.lineKeyProblem', { key, problem })
}

class LineFault extends Error {}

function parseLine(bytes: Buffer): ParsedLine {
  if (!isUtf8(bytes)) throw new LineFault(message('records.lineNotUtf8'))
  const record = parseJson(bytes)
  if (!isObject(record)) throw new LineFault(message('records.lineNotObject'))
  const line: ParsedLine = {
    id: getText(record, '__k'),
    removed: getFlag(record, '__d'),
    sheetId: getText(record, '__s'),
    slug: getText(record, '__n'),
    metadata: getObject(record, '__m'),
    config: getObject(record, '__c'),
    values: new Map(),
  }
  if (line.removed && line.id === undefined) throw new LineFault(message('records.lineWithoutId'))
  for (const key in record) if (!SPECIAL_KEYS.has(key)) line.values.set(key, parseCell(key, record[key]))
  for (const [key, messages] of parseMessages(record.__i))
    line.values.set(key, {
      ...line.values.get(key),
      messages: [...(line.values.get(key)?.messages ?? []), ...messages],
    })
  return line
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function getText(record: JsonObject, key: string): string | undefined {
  const value = record[key]
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string' || value === '') throw new LineFault(message('records.lineKeyNotText', { key }))
  return value
}

function getFlag(record: JsonObject, key: string): boolean {
  const value = record[key] ?? false
  if (typeof value !== 'boolean') throw new LineFault(message('records.lineKeyNotBoolean', { key }))
  return value
}

function getObject(record: JsonObject, key: string): JsonObject | undefined {
  const value = record[key]
  if (value === undefined || value === null) return undefined
  if (!isObject(value)) throw new LineFault(message('records.lineKeyNotObject', { key }))
  return value
}

function parseCell(key: string, value: unknown): CellInput {
  if (!isObject(value)) return { value: validateCellValue(key, value) }
  const hasValue = Object.hasOwn(value, 'value')
  if (!hasValue && !Object.hasOwn(value, 'messages')) throw new LineFault(message('records.lineKeyNotCell', { key }))
  const unknownKey = Object.keys(value).find((name) => !CELL_KEYS.has(name))
  if (unknownKey !== undefined)
    throw new LineFault(message('records.lineUnknownProperty', { key, property: JSON.stringify(unknownKey) }))
  const { messages } = value
  return {
    ...(hasValue ? { value: validateCellValue(key, value.value) } : {}),
    ...(messages === undefined || messages === null ? {} : { messages: parseMessageList(`${key}.messages`, messages) }),
  }
}

function validateCellValue(key: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new LineFault(message('records.lineNumberTooLarge', { key }))
  return value
}

function parseMessageList(path: string, value: unknown): MessageInput[] {
  if (!Array.isArray(value) || !value.every(isObject))
    throw new LineFault(message('records.lineNotMessages', { key: path }))
  return value as MessageInput[]
}

function parseMessages(value: unknown): ReadonlyMap<string, readonly MessageInput[]> {
  const byField = new Map<string, MessageInput[]>()
  if (value === undefined || value === null) return byField
  if (isObject(value)) {
    for (const [key, fieldMessages] of Object.entries(value))
      byField.set(key, parseMessageList(`__i.${key}`, fieldMessages))
    return byField
  }
  for (const input of parseMessageList('__i', value)) {
    if (typeof input.field !== 'string') throw new LineFault(message('records.lineMessageWithoutField'))
    getOrInsert(byField, input.field, (): MessageInput[] => []).push(input)
  }
  return byField
}

/** Lines whose order does not matter, except that updates precede deletions. */
interface Batch {
  lines: number
  keys: string[]
  indexOf: Map<string, number>
  rows: unknown[][]
  extras: RowExtras[]
  updates: RecordUpdate[]
  removes: Set<string>
}

const createBatch = (fields: readonly { key: string }[]): Batch => ({
  lines: 0,
  keys: fields.map(({ key }) => key),
  indexOf: new Map(fields.map(({ key }, i) => [key, i])),
  rows: [],
  extras: [],
  updates: [],
  removes: new Set(),
})

const usesRemovedRecord = ({ removes }: Batch, { id }: ParsedLine): boolean => id !== undefined && removes.has(id)

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
    const index = getOrInsert(batch.indexOf, key, () => batch.keys.push(key) - 1)
    row[index] = cell.value ?? null
    if (!cell.messages?.length) continue
    messages ??= new Map()
    messages.set(key, toHookMessages(key, cell.messages))
  }
  batch.rows.push(row)
  batch.extras.push({ metadata, config, messages })
}

function* toParts({ keys, rows, extras, updates, removes }: Batch): Generator<JsonlPart> {
  if (rows.length) yield { inserts: { keys, rows, extras } }
  if (updates.length) yield { updates }
  if (removes.size) yield { removes: [...removes] }
}
