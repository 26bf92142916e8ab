/** Records as JSON lines of plain values by field key; other properties have keys that start with `__`. */
import { type ByteWriter, copyRange, writeByte, writeBytes, writeString } from '../columns/byte-writer.ts'
import type { FieldRules, SheetRules } from '../fields/rules.ts'
import { CONFIG, MESSAGES, METADATA } from '../format/column-names.ts'
import { type Coordinate, formatCommitId } from '../format/ids.ts'
import { processStore, type Store } from '../log/store.ts'
import { createIdWriter, hasErrorMessages } from '../read/render.ts'
import { type CellReader, createCellReader, seek } from '../segments/cells.ts'
import { createMessageLookup, type OpenSegment } from '../segments/open.ts'
import type { ListQuery, Message, SheetRef } from '../sheet.ts'
import { type State, toCoordinate } from '../state/state.ts'
import { loadLastTouches, type Touch } from '../versions/record-history.ts'
import { type LineWriter, openSource, streamLines } from './stream.ts'

/** Reserved keys; a field with such a key is ambiguous and left out. */
export const SPECIAL_KEYS: ReadonlySet<string> = new Set(
  ['k', 'nk', 'v', 's', 'n', 'c', 'm', 'i', 'd', 'e', 'l', 'u'].map((name) => `__${name}`),
)

export type LinkLoader = (open: OpenSegment, rows: readonly number[]) => Promise<(row: number) => Buffer | undefined>

export interface JsonlOptions {
  includeMessages?: boolean
  includeMetadata?: boolean
  includeConfig?: boolean
  /** Adds `__u`, the ISO-8601 UTC time of the record's latest commit. Reads the sheet's whole log. */
  includeTimestamps?: boolean
  includeEmptyCells?: boolean
  noContext?: boolean
  sheetSlug?: string
  links?: LinkLoader
}

/**
 * Streams records in buffers of at least 256 KB; all selected ones unless a page is requested.
 * `__v` is the sheet's latest commit, since records have no separate one; `__e` is true without errors. Objects are
 * wrapped as `{"value": ...}`, because the parser takes objects as cells.
 */
export async function* streamJsonl(
  sheet: SheetRef,
  query: ListQuery = {},
  options: JsonlOptions = {},
  store: Store = processStore,
): AsyncGenerator<Buffer> {
  const source = await openSource(sheet, query, store)
  const { rules, state } = source
  const fields = selectFields(rules, query.fields)
  const tail = Buffer.from(buildTail(sheet, state, options))
  const getTouch = options.includeTimestamps ? await loadLastTouches(store, state) : undefined
  const columns = fields.map(({ column }) => column)
  yield* streamLines(source, query, {
    names: [...columns, METADATA, CONFIG, MESSAGES],
    lines: (open, rows) => createLineWriter(open, rows, { rules, fields, tail, options, getTouch }),
  })
}

function selectFields(rules: SheetRules, keys: readonly string[] | undefined): FieldRules[] {
  const requestedKeys = keys && new Set(keys)
  return rules.fields.filter(({ key }) => (!requestedKeys || requestedKeys.has(key)) && !SPECIAL_KEYS.has(key))
}

function buildTail(sheet: SheetRef, state: State, options: JsonlOptions): string {
  const constants = {
    __v: state.lastCommit === undefined ? undefined : formatCommitId(state.sheetId, state.lastCommit),
    __s: options.noContext ? undefined : sheet.sheetId,
    __n: options.sheetSlug,
  }
  const members = JSON.stringify(constants).slice(1, -1)
  return `"${members && ','}${members},"__e":`
}

interface LineContext {
  rules: SheetRules
  fields: readonly FieldRules[]
  tail: Buffer
  options: JsonlOptions
  getTouch: ((at: Coordinate) => Touch | undefined) | undefined
}

const TRUE = Buffer.from('true')
const FALSE = Buffer.from('false')
const NULL = Buffer.from('null')
const LINE_END = Buffer.from('}\n')
const METADATA_PREFIX = Buffer.from(',"__m":')
const CONFIG_PREFIX = Buffer.from(',"__c":')
const LINKS_PREFIX = Buffer.from(',"__l":')
const CELL_PREFIX = Buffer.from('{"value":')
const BRACE = 123

async function createLineWriter(open: OpenSegment, rows: readonly number[], context: LineContext): Promise<LineWriter> {
  const { rules, fields, tail, options, getTouch } = context
  const cells = fields.map(({ column }) => createCellReader(open, column, rows))
  const prefixes = fields.map(({ key }) => Buffer.from(`,${JSON.stringify(key)}:`))
  const metadata = options.includeMetadata ? createCellReader(open, METADATA, rows) : undefined
  const config = options.includeConfig ? createCellReader(open, CONFIG, rows) : undefined
  const getMessages = createMessageLookup(open, rules)
  const getLinks = await options.links?.(open, rows)
  const writeId = createIdWriter(rules.sheetId, open.segment, '{"__k":"')
  return (out, i) => {
    const row = rows[i]!
    const messages = getMessages(row)
    writeId(out, row)
    writeBytes(out, tail)
    writeBytes(out, hasErrorMessages(messages) ? FALSE : TRUE)
    if (getTouch) writeString(out, `,"__u":"${getTouch(toCoordinate(open.segment, row))?.at}"`)
    for (let c = 0; c < cells.length; c++)
      writeCell(out, prefixes[c]!, cells[c], i, row, options.includeEmptyCells === true)
    writeMember(out, METADATA_PREFIX, metadata, i, row)
    writeMember(out, CONFIG_PREFIX, config, i, row)
    if (messages && options.includeMessages) writeMessages(out, fields, messages)
    const links = getLinks?.(row)
    if (links) {
      writeBytes(out, LINKS_PREFIX)
      writeBytes(out, links)
    }
    writeBytes(out, LINE_END)
  }
}

function writeCell(
  out: ByteWriter,
  prefix: Buffer,
  cells: CellReader | undefined,
  i: number,
  row: number,
  includeEmpty: boolean,
): void {
  if (!cells || !seek(cells, i, row)) {
    if (!includeEmpty) return
    writeBytes(out, prefix)
    writeBytes(out, NULL)
    return
  }
  writeBytes(out, prefix)
  const isObject = cells.bytes[cells.from] === BRACE
  if (isObject) writeBytes(out, CELL_PREFIX)
  copyRange(out, cells.bytes, cells.from, cells.to)
  if (isObject) writeByte(out, 125)
}

function writeMember(out: ByteWriter, prefix: Buffer, cells: CellReader | undefined, i: number, row: number): void {
  if (!cells || !seek(cells, i, row)) return
  writeBytes(out, prefix)
  copyRange(out, cells.bytes, cells.from, cells.to)
}

/** Written member by member, since `__proto__` would be lost as an object key. */
function writeMessages(
  out: ByteWriter,
  fields: readonly FieldRules[],
  messages: ReadonlyMap<string, readonly Message[]>,
): void {
  const members = fields.flatMap(({ key }) => {
    const cellMessages = messages.get(key)
    return cellMessages?.length ? [`${JSON.stringify(key)}:${JSON.stringify(cellMessages)}`] : []
  })
  if (members.length) writeString(out, `,"__i":{${members.join(',')}}`)
}
