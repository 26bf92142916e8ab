/**
 * Records as JSON lines, the second form of the API: a record is a line of plain values by field key, and what else there
 * is to say stands under keys that begin with two underscores. Cells are copied from the column texts as bytes.
 */
import { copy, copyPart, type Output, put, write } from '../bytes/bytes.ts'
import { type CellReader, cellReader, seek } from '../bytes/cells.ts'
import { type Coordinate, commitIdOf } from '../log/ids.ts'
import { coordinateIn, type State } from '../log/state.ts'
import { processStore, type Store } from '../log/store.ts'
import { effectiveMessages, type OpenSegment } from '../read/reader.ts'
import { idWriter, inError } from '../read/render.ts'
import type { FieldRules, SheetRules } from '../rules/rules.ts'
import type { ListQuery, Message, SheetRef } from '../sheet.ts'
import { lastTouches, type Touch } from '../versions/record-history.ts'
import { CONFIG, MESSAGES, METADATA } from '../write/segment.ts'
import { type LineWriter, openSource, streamLines } from './stream.ts'

/** Keys with a meaning of their own; a field of such a key cannot be told from it and is left out. */
export const SPECIAL_KEYS: ReadonlySet<string> = new Set(
  ['k', 'nk', 'v', 's', 'n', 'c', 'm', 'i', 'd', 'e', 'l', 'u'].map((name) => `__${name}`),
)

/** Answers for some rows (ascending) of a segment the JSON array of a row's linked records; undefined where it has none. */
export type LinksOf = (open: OpenSegment, rows: readonly number[]) => Promise<(row: number) => Buffer | undefined>

export interface JsonlOptions {
  /** Write the messages of cells that have any: `__i`, by field key. */
  includeMessages?: boolean
  /** Write `__m` of records that have metadata. */
  includeMetadata?: boolean
  /** Write `__c` of records that have a config. */
  includeConfig?: boolean
  /** Write `__u`: ISO-8601 UTC time of the record's latest commit. Costs a look through the sheet's whole log. */
  includeTimestamps?: boolean
  /** Write empty cells as null; without it they are left out. */
  includeEmptyCells?: boolean
  /** Leave out `__s`, the sheet's id. */
  noContext?: boolean
  /** Written as `__n`. */
  sheetSlug?: string
  /** Write `__l`. Asked once for the rows of a segment. */
  links?: LinksOf
}

/**
 * Selected records, a line each, in buffers of 256 KB and more. Every line has `__k`, the record's id; `__v`, the sheet's
 * latest commit (single records' commits are not kept); and `__e`: true for a record without an error. A value that is an
 * object stands as a cell, `{"value": ...}`, as the reader of lines takes every object for one.
 * Without `pageSize` and `pageNumber` all selected records come. `query.includeMessages` has no meaning here.
 * @throws ApiError invalid for a field or commit the sheet has not
 */
export async function* streamJsonl(
  sheet: SheetRef,
  query: ListQuery = {},
  options: JsonlOptions = {},
  store: Store = processStore,
): AsyncGenerator<Buffer> {
  const source = await openSource(sheet, query, store)
  const { rules, state } = source
  const fields = fieldsOf(rules, query.fields)
  const tail = Buffer.from(tailOf(sheet, state, options))
  const touchOf = options.includeTimestamps ? await lastTouches(store, state) : undefined
  const columns = fields.map(({ column }) => column)
  yield* streamLines(source, query, {
    names: [...columns, METADATA, CONFIG, MESSAGES],
    lines: (open, rows) => lineWriter(open, rows, { rules, fields, tail, options, touchOf }),
  })
}

function fieldsOf(rules: SheetRules, keys: readonly string[] | undefined): FieldRules[] {
  const wanted = keys && new Set(keys)
  return rules.fields.filter(({ key }) => (!wanted || wanted.has(key)) && !SPECIAL_KEYS.has(key))
}

/** What follows the id in every line. */
function tailOf(sheet: SheetRef, state: State, options: JsonlOptions): string {
  const constant = {
    __v: state.lastCommit === undefined ? undefined : commitIdOf(state.sheetId, state.lastCommit),
    __s: options.noContext ? undefined : sheet.sheetId,
    __n: options.sheetSlug,
  }
  const members = JSON.stringify(constant).slice(1, -1)
  return `"${members && ','}${members},"__e":`
}

interface Line {
  rules: SheetRules
  fields: readonly FieldRules[]
  tail: Buffer
  options: JsonlOptions
  touchOf: ((at: Coordinate) => Touch | undefined) | undefined
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

async function lineWriter(open: OpenSegment, rows: readonly number[], line: Line): Promise<LineWriter> {
  const { rules, fields, tail, options, touchOf } = line
  const cells = fields.map(({ column }) => cellReader(open, column, rows))
  const prefixes = fields.map(({ key }) => Buffer.from(`,${JSON.stringify(key)}:`))
  const metadata = options.includeMetadata ? cellReader(open, METADATA, rows) : undefined
  const config = options.includeConfig ? cellReader(open, CONFIG, rows) : undefined
  const messagesOf = effectiveMessages(open, rules)
  const linksOf = await options.links?.(open, rows)
  const writeId = idWriter(rules.sheetId, open.segment, '{"__k":"')
  return (out, i) => {
    const row = rows[i]!
    const messages = messagesOf(row)
    writeId(out, row)
    copy(out, tail)
    copy(out, inError(messages) ? FALSE : TRUE)
    if (touchOf) write(out, `,"__u":"${touchOf(coordinateIn(open.segment, row))?.at}"`)
    for (let c = 0; c < cells.length; c++)
      writeCell(out, prefixes[c]!, cells[c], i, row, options.includeEmptyCells === true)
    writeMember(out, METADATA_PREFIX, metadata, i, row)
    writeMember(out, CONFIG_PREFIX, config, i, row)
    if (messages && options.includeMessages) writeMessages(out, fields, messages)
    const links = linksOf?.(row)
    if (links) {
      copy(out, LINKS_PREFIX)
      copy(out, links)
    }
    copy(out, LINE_END)
  }
}

function writeCell(
  out: Output,
  prefix: Buffer,
  cells: CellReader | undefined,
  i: number,
  row: number,
  empty: boolean,
): void {
  if (!cells || !seek(cells, i, row)) {
    if (!empty) return
    copy(out, prefix)
    copy(out, NULL)
    return
  }
  copy(out, prefix)
  const isObject = cells.bytes[cells.from] === BRACE
  if (isObject) copy(out, CELL_PREFIX)
  copyPart(out, cells.bytes, cells.from, cells.to)
  if (isObject) put(out, 125)
}

function writeMember(out: Output, prefix: Buffer, cells: CellReader | undefined, i: number, row: number): void {
  if (!cells || !seek(cells, i, row)) return
  copy(out, prefix)
  copyPart(out, cells.bytes, cells.from, cells.to)
}

/** Members are written one by one: as an object's key, `__proto__` would be lost. */
function writeMessages(
  out: Output,
  fields: readonly FieldRules[],
  messages: ReadonlyMap<string, readonly Message[]>,
): void {
  const members = fields.flatMap(({ key }) => {
    const list = messages.get(key)
    return list?.length ? [`${JSON.stringify(key)}:${JSON.stringify(list)}`] : []
  })
  if (members.length) write(out, `,"__i":{${members.join(',')}}`)
}
