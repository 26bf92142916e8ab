/** Segments opened for reading: texts of the requested chunks, overridden by log edits. */
import { isAscii } from 'node:buffer'
import { readInGroups } from '../../core/stopwatch.ts'
import { type Bits, emptyBits, hasBit, setBit } from '../columns/bits.ts'
import { createByteWriter, writeBytes, writeString } from '../columns/byte-writer.ts'
import { locateCells, NULL, parseColumn, splitColumn } from '../columns/columns.ts'
import { getOrInsert } from '../columns/maps.ts'
import type { RowRule, SheetRules } from '../fields/rules.ts'
import { MESSAGES } from '../format/column-names.ts'
import type { Coordinate } from '../format/ids.ts'
import { type CellMessages, findErrorSlots, type RowMessages, readMessages } from '../format/message-chunk.ts'
import { type ChunkRef, cacheState, getChunks, getSpan, limitCaching, readSpans, type Store } from '../log/store.ts'
import type { Level, Message } from '../sheet.ts'
import {
  findChunk,
  findRow,
  isEdited,
  isLive,
  listUnresolvedRows,
  type RowEdit,
  type RowRef,
  type Segment,
  type State,
} from '../state/state.ts'

export interface OpenSegment {
  segment: Segment
  raw: ReadonlyMap<string, Buffer>
}

export async function openSegments(
  store: Store,
  segments: readonly Segment[],
  names: readonly string[],
): Promise<OpenSegment[]> {
  const { refs, raws } = findChunks(segments, names)
  const chunks = refs.length ? await getChunks(store, refs) : []
  refs.forEach(({ at, name }, i) => {
    if (chunks[i]!.length) raws[at]!.set(name, chunks[i]!)
  })
  return segments.map((segment, i) => ({ segment, raw: raws[i]! }))
}

export async function openColumns(store: Store, { segment, raw }: OpenSegment, names: readonly string[]) {
  const missing = names.filter((name) => !raw.has(name))
  const [opened] = await openSegments(store, [segment], missing)
  // Each segment is opened with its own map.
  for (const [name, chunk] of opened!.raw) (raw as Map<string, Buffer>).set(name, chunk)
}

/** Reads chunks in their stored form, without the cache. */
export async function readPackedChunks(
  requests: readonly { segment: Segment; names: readonly string[] }[],
): Promise<Map<string, Buffer>[]> {
  const refs = requests.flatMap(({ segment, names }, at) =>
    findChunks([segment], names).refs.map((ref) => ({ ...ref, at })),
  )
  const chunks = await readSpans(refs.map(getSpan))
  const found = requests.map(() => new Map<string, Buffer>())
  for (const [i, { at, name }] of refs.entries()) found[at]!.set(name, chunks[i]!)
  return found
}

function findChunks(segments: readonly Segment[], names: readonly string[]) {
  const refs: (ChunkRef & { at: number; name: string })[] = []
  const raws = segments.map(() => new Map<string, Buffer>())
  segments.forEach((segment, at) => {
    for (const name of names) {
      const ref = findChunk(segment, name)
      if (ref) refs.push({ ...ref, at, name })
      else if (segment.inline?.has(name)) raws[at]!.set(name, Buffer.from(segment.inline.get(name)!))
    }
  })
  return { refs, raws }
}

/** Prefetches a few segments, so that memory stays bounded. */
export async function* openAll(
  store: Store,
  segments: readonly Segment[],
  names: readonly string[],
  prefetchCount = 4,
): AsyncGenerator<OpenSegment> {
  const limited = limitCaching(
    store,
    segments.flatMap((segment) => names.flatMap((name) => findChunk(segment, name) ?? [])),
  )
  yield* readInGroups(segments, prefetchCount, (group) => openSegments(limited, group, names))
}

export function getColumnTexts({ segment, raw }: OpenSegment, column: string): string[] | undefined {
  const chunk = raw.get(column)
  const cells = chunk && splitColumn(chunk)
  let texts = cells
  for (const [row, edit] of segment.edits) {
    const text = edit.values.get(column)
    if (text === undefined) continue
    texts ??= new Array<string>(segment.rows).fill(NULL)
    texts[row] = text
  }
  return texts
}

export function getCellTexts({ segment, raw }: OpenSegment, column: string, rows: readonly number[]): string[] {
  const chunk = raw.get(column)
  const ranges = chunk && locateCells(chunk, rows)
  const decode = chunk && createDecoder(chunk, rows.length > segment.rows / 2)
  const edits = isEdited(segment, column) ? segment.edits : undefined
  return rows.map((row, i) => {
    const edited = edits?.get(row)?.values.get(column)
    return edited ?? (ranges ? decode!(ranges.starts[i]!, ranges.ends[i]!) : NULL)
  })
}

export interface CellRanges {
  bytes: Buffer
  starts: Uint32Array
  ends: Uint32Array
}

const NULL_BYTES = Buffer.from(NULL)

export function getCellRanges({ segment, raw }: OpenSegment, column: string, rows: readonly number[]): CellRanges {
  const bytes = raw.get(column) ?? NULL_BYTES
  const { starts, ends } = raw.has(column)
    ? locateCells(bytes, rows)
    : { starts: new Uint32Array(rows.length), ends: new Uint32Array(rows.length).fill(bytes.length) }
  if (!isEdited(segment, column)) return { bytes, starts, ends }
  const out = createByteWriter(bytes.length * 2)
  writeBytes(out, bytes)
  for (const [i, row] of rows.entries()) {
    const text = segment.edits.get(row)?.values.get(column)
    if (text === undefined) continue
    starts[i] = out.length
    writeString(out, text)
    ends[i] = out.length
  }
  return { bytes: out.bytes, starts, ends }
}

/** Slices of one text take a quarter of the time of decoding each cell, but keep the whole text in memory. */
function createDecoder(chunk: Buffer, readsMost: boolean): (start: number, end: number) => string {
  if (!readsMost || !isAscii(chunk)) return (start, end) => chunk.toString('utf8', start, end)
  const text = chunk.toString('latin1')
  return (start, end) => text.slice(start, end)
}

export function getColumnValues(open: OpenSegment, column: string): unknown[] {
  const raw = open.raw.get(column)
  if (raw && !isEdited(open.segment, column)) return parseColumn(raw)
  const cells = getColumnTexts(open, column)
  return cells ? JSON.parse(`[${cells.join(',')}]`) : new Array(open.segment.rows).fill(null)
}

/** The live rows that break a rule. Needs the columns of the rule's fields. */
export function findViolations(open: OpenSegment, { byKey }: SheetRules, rule: RowRule): Bits {
  const columns = rule.fields.map((key) => getColumnValues(open, byKey.get(key)!.column))
  const violations = emptyBits(open.segment.rows)
  for (let row = 0; row < open.segment.rows; row++)
    if (isLive(open.segment, row) && rule.isBrokenBy((at) => columns[at]![row])) setBit(violations, row)
  return violations
}

export const readBaseMessages = (open: OpenSegment): RowMessages => readMessages(open.raw.get(MESSAGES))

/** Hooks first (public hooks compare them), then constraints, then uniqueness. */
export type MessageLookup = (row: number) => ReadonlyMap<string, readonly Message[]> | undefined

export function createMessageLookup(open: OpenSegment, rules: SheetRules): MessageLookup {
  const base = readBaseMessages(open)
  const { segment } = open
  const flags = rules.flagRules.flatMap((rule) => {
    const bits = segment.flags.get(rule.id)
    return bits ? [{ rule, bits }] : []
  })
  return (row) => {
    const cells = base.get(row)
    const edit = segment.edits.get(row)
    const isFlagged = flags.some(({ bits }) => hasBit(bits, row))
    if (!cells && !edit?.slots.size && !isFlagged) return undefined
    const messagesByField = new Map<string, Message[]>()
    addSlots(messagesByField, 'hooks', cells, edit)
    addSlots(messagesByField, 'rules', cells, edit)
    for (const { rule, bits } of flags)
      if (hasBit(bits, row)) for (const field of rule.marks) getFieldMessages(messagesByField, field).push(rule.message)
    return messagesByField
  }
}

const getFieldMessages = (map: Map<string, Message[]>, field: string): Message[] => getOrInsert(map, field, () => [])

function addSlots(
  messagesByField: Map<string, Message[]>,
  slot: 'rules' | 'hooks',
  cells: ReadonlyMap<string, CellMessages> | undefined,
  edit: RowEdit | undefined,
): void {
  const prefix = slot === 'rules' ? 'r.' : 'h.'
  for (const [field, cell] of cells ?? [])
    if (cell[slot] && !edit?.slots.has(prefix + field)) getFieldMessages(messagesByField, field).push(...cell[slot])
  for (const [name, messages] of edit?.slots ?? [])
    if (messages.length && name.startsWith(prefix)) getFieldMessages(messagesByField, name.slice(2)).push(...messages)
}

export const findRowsInError = (open: OpenSegment, rules: SheetRules, field?: string): number[] =>
  findRowsWithLevel(open, rules, 'error', field)

export function findRowsWithLevel(open: OpenSegment, rules: SheetRules, level: Level, field?: string): number[] {
  const getMessages = createMessageLookup(open, rules)
  const hasLevel = (row: number): boolean => {
    for (const [key, messages] of getMessages(row) ?? [])
      if ((field === undefined || key === field) && messages.some((message) => message.type === level)) return true
    return false
  }
  return listMessageRows(open).filter(hasLevel)
}

export function listMessageRows(open: OpenSegment): number[] {
  const { segment } = open
  const candidates = new Set<number>([...readBaseMessages(open).keys(), ...segment.edits.keys()])
  for (const bits of segment.flags.values())
    for (let row = 0; row < segment.rows; row++) if (hasBit(bits, row)) candidates.add(row)
  return [...candidates].filter((row) => !hasBit(segment.deleted, row)).sort((a, b) => a - b)
}

/** Makes error counts exact: reads the message chunks of rows whose patch raced with a rewrite. */
export async function resolveErrorCounts(store: Store, state: State): Promise<State> {
  const resolved = await computeErrorCounts(store, state)
  if (resolved !== state) cacheState(store, resolved)
  return resolved
}

export async function computeErrorCounts(store: Store, state: State): Promise<State> {
  const unresolvedSegments = state.segments.filter((segment) => listUnresolvedRows(segment).length)
  if (!unresolvedSegments.length) return state
  const opened = await openSegments(store, unresolvedSegments, [MESSAGES])
  const resolvedSegments = new Map(opened.map((openSegment) => [openSegment.segment.key, resolveSegment(openSegment)]))
  return { ...state, segments: state.segments.map((segment) => resolvedSegments.get(segment.key) ?? segment) }
}

function resolveSegment(open: OpenSegment): Segment {
  const { segment } = open
  const base = readBaseMessages(open)
  const edits = new Map(segment.edits)
  let { baseErrorCount } = segment
  for (const row of listUnresolvedRows(segment)) {
    const edit = edits.get(row)!
    const slots = findErrorSlots(base.get(row))
    if (slots.length > 0 || edit.wasFlagged) baseErrorCount--
    edits.set(row, { ...edit, base: slots })
  }
  return { ...segment, edits, baseErrorCount }
}

const NO_CELLS: ReadonlyMap<string, CellMessages> = new Map()

export function mergeCellMessages(
  cells: ReadonlyMap<string, CellMessages> | undefined,
  edit: RowEdit | undefined,
): ReadonlyMap<string, CellMessages> {
  if (!edit?.slots.size) return cells ?? NO_CELLS
  const merged = new Map(cells)
  for (const [name, messages] of edit.slots) {
    const field = name.slice(2)
    merged.set(field, { ...merged.get(field), [name.startsWith('r.') ? 'rules' : 'hooks']: messages })
  }
  return merged
}

export async function readCellTexts(
  store: Store,
  state: State,
  columns: readonly string[],
  records: readonly Coordinate[],
): Promise<(string[] | undefined)[]> {
  const bySegment = new Map<Segment, { row: number; i: number }[]>()
  records.forEach((at, i) => {
    const rowRef: RowRef | undefined = findRow(state, at)
    if (!rowRef) return
    getOrInsert(bySegment, rowRef.segment, (): { row: number; i: number }[] => []).push({ row: rowRef.row, i })
  })
  const texts = new Array<string[] | undefined>(records.length)
  for await (const open of openAll(store, [...bySegment.keys()], columns)) {
    const list = bySegment.get(open.segment)!.sort((a, b) => a.row - b.row)
    const rows = list.map(({ row }) => row)
    const cells = columns.map((column) => getCellTexts(open, column, rows))
    list.forEach(({ i }, at) => {
      texts[i] = cells.map((column) => column[at]!)
    })
  }
  return texts
}
