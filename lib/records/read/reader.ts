/**
 * Segments opened for reading: the texts of some of their chunks, with the edits of the log over them. Reads blobs through
 * the store; knows no queries.
 */
import { hasBit } from '../bytes/bits.ts'
import { locateCells, NULL, parseColumn, splitColumn } from '../bytes/columns.ts'
import { getOrMake } from '../bytes/maps.ts'
import { chunkOf, isEdited, type RowEdit, type Segment, type State, unresolvedRows } from '../log/state.ts'
import { type ChunkRef, getChunks, rememberState, type Store } from '../log/store.ts'
import { type CellMessages, errorSlots, type RowMessages, readMessages } from '../rules/messages.ts'
import type { SheetRules } from '../rules/rules.ts'
import type { Level, Message } from '../sheet.ts'
import { MESSAGES } from '../write/segment.ts'

/** A segment with some of its chunks' texts; a column it has no chunk of is all null. */
export interface OpenSegment {
  segment: Segment
  raw: ReadonlyMap<string, Buffer>
}

/** Opens segments with the chunks of these names, in as few requests as there can be. */
export async function openSegments(
  store: Store,
  segments: readonly Segment[],
  names: readonly string[],
): Promise<OpenSegment[]> {
  const refs: (ChunkRef & { at: number; name: string })[] = []
  const raws = segments.map(() => new Map<string, Buffer>())
  segments.forEach((segment, at) => {
    for (const name of names) {
      const ref = chunkOf(segment, name)
      if (ref) refs.push({ ...ref, at, name })
      else if (segment.inline?.has(name)) raws[at]!.set(name, Buffer.from(segment.inline.get(name)!))
    }
  })
  const chunks = refs.length ? await getChunks(store, refs) : []
  refs.forEach(({ at, name }, i) => {
    if (chunks[i]!.length) raws[at]!.set(name, chunks[i]!)
  })
  return segments.map((segment, i) => ({ segment, raw: raws[i]! }))
}

/** Segments in order, opened a few ahead of the one in use: memory holds some, not all. */
export async function* openAll(
  store: Store,
  segments: readonly Segment[],
  names: readonly string[],
  ahead = 4,
): AsyncGenerator<OpenSegment> {
  const batches: Segment[][] = []
  for (let i = 0; i < segments.length; i += ahead) batches.push(segments.slice(i, i + ahead))
  let next = batches.length ? openSegments(store, batches[0]!, names) : undefined
  for (let i = 0; next; i++) {
    const opened = await next
    next = i + 1 < batches.length ? openSegments(store, batches[i + 1]!, names) : undefined
    // A failure of the prefetch is met when it is awaited, not as an unhandled rejection before.
    next?.catch(() => {})
    yield* opened
  }
}

/** Cell texts of a column with edits; undefined when the column is null throughout. */
export function cellTexts({ segment, raw }: OpenSegment, column: string): string[] | undefined {
  const chunk = raw.get(column)
  const cells = chunk && splitColumn(chunk)
  let own = cells
  for (const [row, edit] of segment.edits) {
    const text = edit.values.get(column)
    if (text === undefined) continue
    own ??= new Array<string>(segment.rows).fill(NULL)
    own[row] = text
  }
  return own
}

/** Texts of some rows' cells (rows ascending), with edits. */
export function cellsAt({ segment, raw }: OpenSegment, column: string, rows: readonly number[]): string[] {
  const chunk = raw.get(column)
  const found = chunk && locateCells(chunk, rows)
  return rows.map((row, i) => {
    const edited = segment.edits.get(row)?.values.get(column)
    return edited ?? (found ? chunk.toString('utf8', found.starts[i], found.ends[i]) : NULL)
  })
}

/** All values of a column, null where it has none. */
export function columnValues(open: OpenSegment, column: string): unknown[] {
  const raw = open.raw.get(column)
  if (raw && !isEdited(open.segment, column)) return parseColumn(raw)
  const cells = cellTexts(open, column)
  return cells ? JSON.parse(`[${cells.join(',')}]`) : new Array(open.segment.rows).fill(null)
}

export const baseMessages = (open: OpenSegment): RowMessages => readMessages(open.raw.get(MESSAGES))

/** Messages of one cell as answers carry them: hooks first, as public hooks compare them, then constraints, then uniqueness. */
export type MessagesOf = (row: number) => ReadonlyMap<string, readonly Message[]> | undefined

/** The messages a segment's rows have now. Needs the messages chunk. */
export function effectiveMessages(open: OpenSegment, rules: SheetRules): MessagesOf {
  const base = baseMessages(open)
  const { segment } = open
  const flags = rules.flagRules.flatMap((rule) => {
    const bits = segment.flags.get(rule.id)
    return bits ? [{ rule, bits }] : []
  })
  return (row) => {
    const cells = base.get(row)
    const edit = segment.edits.get(row)
    const flagged = flags.filter(({ bits }) => hasBit(bits, row))
    if (!cells && !edit?.slots.size && !flagged.length) return undefined
    const own = new Map<string, Message[]>()
    addSlots(own, 'hooks', cells, edit)
    addSlots(own, 'rules', cells, edit)
    for (const { rule } of flagged) for (const field of rule.marks) listOf(own, field).push(rule.message)
    return own
  }
}

const listOf = (map: Map<string, Message[]>, field: string): Message[] => getOrMake(map, field, () => [])

function addSlots(
  own: Map<string, Message[]>,
  slot: 'rules' | 'hooks',
  cells: ReadonlyMap<string, CellMessages> | undefined,
  edit: RowEdit | undefined,
): void {
  const prefix = slot === 'rules' ? 'r.' : 'h.'
  for (const [field, cell] of cells ?? [])
    if (cell[slot] && !edit?.slots.has(prefix + field)) listOf(own, field).push(...cell[slot])
  for (const [name, messages] of edit?.slots ?? [])
    if (messages.length && name.startsWith(prefix)) listOf(own, name.slice(2)).push(...messages)
}

/** Rows in error, of the whole record or of one field's cell; live rows only, ascending. */
export const rowsInError = (open: OpenSegment, rules: SheetRules, field?: string): number[] =>
  rowsWithLevel(open, rules, 'error', field)

/** Rows with a message of a level, on any cell or on one field's; live rows only, ascending. */
export function rowsWithLevel(open: OpenSegment, rules: SheetRules, level: Level, field?: string): number[] {
  const { segment } = open
  const messagesOf = effectiveMessages(open, rules)
  const candidates = new Set<number>([...baseMessages(open).keys(), ...segment.edits.keys()])
  for (const bits of segment.flags.values())
    for (let row = 0; row < segment.rows; row++) if (hasBit(bits, row)) candidates.add(row)
  const hasLevel = (row: number): boolean => {
    for (const [key, messages] of messagesOf(row) ?? [])
      if ((field === undefined || key === field) && messages.some((message) => message.type === level)) return true
    return false
  }
  return [...candidates].filter((row) => !hasBit(segment.deleted, row) && hasLevel(row)).sort((a, b) => a - b)
}

/**
 * The state with its counts made exact: settles rows whose error slots in the chunk are unknown (a patch and a rewrite met in
 * the log) by reading the message chunks of their segments. Remembers it, unless a newer one is known.
 */
export async function resolve(store: Store, state: State): Promise<State> {
  const settled = await settle(store, state)
  if (settled !== state) rememberState(store, settled)
  return settled
}

/** The same for a state of the past: nothing is remembered. */
export async function settle(store: Store, state: State): Promise<State> {
  const open = state.segments.filter((segment) => unresolvedRows(segment).length)
  if (!open.length) return state
  const opened = await openSegments(store, open, [MESSAGES])
  const settled = new Map(opened.map((one) => [one.segment.key, settledSegment(one)]))
  return { ...state, segments: state.segments.map((segment) => settled.get(segment.key) ?? segment) }
}

function settledSegment(open: OpenSegment): Segment {
  const { segment } = open
  const base = baseMessages(open)
  const edits = new Map(segment.edits)
  let { quiet } = segment
  for (const row of unresolvedRows(segment)) {
    const edit = edits.get(row)!
    const slots = errorSlots(base.get(row))
    if (slots.length > 0 || edit.flaggedAtFirst) quiet--
    edits.set(row, { ...edit, base: slots })
  }
  return { ...segment, edits, quiet }
}

/** Messages of a row's cells by slot, edits over the chunk. */
export function mergedCells(
  cells: ReadonlyMap<string, CellMessages> | undefined,
  edit: RowEdit | undefined,
): ReadonlyMap<string, CellMessages> {
  if (!edit?.slots.size) return cells ?? new Map()
  const merged = new Map(cells)
  for (const [name, messages] of edit.slots) {
    const field = name.slice(2)
    merged.set(field, { ...merged.get(field), [name.startsWith('r.') ? 'rules' : 'hooks']: messages })
  }
  return merged
}
