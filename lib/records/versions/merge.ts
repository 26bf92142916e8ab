/**
 * Writes rows of several segments as one new segment: for merging small ones, and for rows that come back after their
 * segment was merged without them. Rows keep their names. Pure but for opening and storing.
 */
import { type Bits, countBits, emptyBits, hasBit, setBit } from '../bytes/bits.ts'
import { joinColumn, NULL } from '../bytes/columns.ts'
import { getOrMake } from '../bytes/maps.ts'
import type { Names } from '../log/body.ts'
import type { MergeForm, RunForm } from '../log/entries.ts'
import { coordinateIn, type Run, type Segment } from '../log/state.ts'
import type { Store } from '../log/store.ts'
import { baseMessages, cellTexts, columnValues, mergedCells, type OpenSegment } from '../read/reader.ts'
import { hasError, messageWriter, type Slot, takeMessages, writeMessages } from '../rules/messages.ts'
import { fieldOfColumn, judge, type SheetRules } from '../rules/rules.ts'
import { hashesOf } from '../rules/unique.ts'
import type { Message } from '../sheet.ts'
import { type Rewritten, storeRewritten, uniqueTexts } from '../write/rewrite.ts'
import { CONFIG, MESSAGES, METADATA, type RawChunk } from '../write/segment.ts'

/** A segment rows are taken from. */
export interface Source {
  open: OpenSegment
  /** Its rows were judged by older rules, or not as part of this state. */
  isOlder: boolean
}

/** Row `row` of the source of this index. */
export interface SourceRow {
  source: number
  row: number
}

export interface Merged extends Rewritten {
  /** What each row is compared by, by rule. */
  texts: ReadonlyMap<string, readonly (string | undefined)[]>
}

/** The chunks of a segment that hold its rows, messages among them. */
export function rowColumns(segments: Iterable<Segment>): string[] {
  const names = new Set<string>([METADATA, CONFIG, MESSAGES])
  const add = (name: string): void => {
    if (fieldOfColumn(name) !== undefined) names.add(name)
  }
  for (const { blobs, inline, edits } of segments) {
    for (const blob of blobs) blob.names.forEach(add)
    for (const name of inline?.keys() ?? []) add(name)
    for (const { values } of edits.values()) for (const name of values.keys()) add(name)
  }
  return [...names]
}

/** @param rows of sources opened with all of `rowColumns`, in the order of the sheet */
export function mergeRows(rules: SheetRules, sources: readonly Source[], rows: readonly SourceRow[]): Merged {
  const chunks: RawChunk[] = []
  for (const name of rowColumns(sources.map(({ open }) => open.segment))) {
    if (name === MESSAGES) continue
    const cells = sources.map(({ open }) => cellTexts(open, name))
    if (cells.some((texts) => texts))
      chunks.push({ name, raw: joinColumn(rows.map(({ source, row }) => cells[source]?.[row] ?? NULL)) })
  }
  const segment = mergedSegment(sources, rows)
  const open = { segment, raw: new Map(chunks.map(({ name, raw }) => [name, raw])) }
  const { raw, errors } = mergeMessages(rules, sources, rows)
  const texts = new Map(rules.unique.map((rule) => [rule.id, uniqueTexts(open, rules, rule)]))
  const empty = (column: string): number => columnValues(open, column).filter((value) => value === null).length
  return {
    segment,
    chunks: raw.length ? [...chunks, { name: MESSAGES, raw }] : chunks,
    nulls: new Map(rules.fields.map(({ key, column }) => [key, empty(column)])),
    errors: new Map([...errors].map(([field, bits]) => [field, countBits(bits)])),
    errorRows: union(rows.length, errors.values()),
    hashes: new Map([...texts].map(([rule, list]) => [rule, hashesOf(list)])),
    texts,
  }
}

/** The new segment as far as it is known before it is stored: its rows' names and the flags they bring along. */
function mergedSegment(sources: readonly Source[], rows: readonly SourceRow[]): Segment {
  const runs: Run[] = []
  const flags = new Map<string, Bits>()
  rows.forEach(({ source, row }, at) => {
    const { open, isOlder } = sources[source]!
    const { key, row: named } = coordinateIn(open.segment, row)
    const last = runs.at(-1)
    if (last?.key === key && last.firstRow + last.rows === named) last.rows++
    else runs.push({ key, firstRow: named, rows: 1 })
    if (isOlder) return
    for (const [rule, bits] of open.segment.flags) {
      if (!hasBit(bits, row)) continue
      setBit(
        getOrMake(flags, rule, () => emptyBits(rows.length)),
        at,
      )
    }
  })
  const none = { blobs: [], inline: null, deleted: null, deletedCount: 0, edits: new Map(), quiet: 0, rewrittenAt: 0 }
  return { key: '', rows: rows.length, signature: '', nulls: new Map(), errors: new Map(), ...none, flags, runs }
}

function mergeMessages(
  rules: SheetRules,
  sources: readonly Source[],
  rows: readonly SourceRow[],
): { raw: Buffer; errors: Map<string, Bits> } {
  const writer = messageWriter()
  const errors = new Map<string, Bits>()
  const put = (at: number, field: string, slot: Slot, messages: readonly Message[] | undefined): void => {
    if (!messages?.length || !rules.byKey.has(field)) return
    writeMessages(writer, at, field, slot, messages)
    if (!hasError(messages)) return
    setBit(
      getOrMake(errors, field, () => emptyBits(rows.length)),
      at,
    )
  }
  const bases = sources.map(({ open }) => baseMessages(open))
  const rejudged = sources.map(({ open, isOlder }) => (isOlder ? judgedCells(rules, open) : undefined))
  rows.forEach(({ source, row }, at) => {
    const edit = sources[source]!.open.segment.edits.get(row)
    const judged = rejudged[source]
    for (const [field, messages] of judged?.(row) ?? []) put(at, field, 'rules', messages)
    for (const [field, cell] of mergedCells(bases[source]!.get(row), edit)) {
      if (!judged) put(at, field, 'rules', cell.rules)
      put(at, field, 'hooks', cell.hooks)
    }
  })
  return { raw: takeMessages(writer), errors }
}

/** Messages of the present rules on rows of a segment. */
function judgedCells(rules: SheetRules, open: OpenSegment): (row: number) => [string, readonly Message[]][] {
  const columns = rules.fields.map((field) => ({ field, values: columnValues(open, field.column) }))
  return (row) => columns.map(({ field, values }) => [field.key, judge(field, values[row])])
}

function union(rows: number, parts: Iterable<Bits>): Bits {
  const all = emptyBits(rows)
  for (const bits of parts) for (let i = 0; i < all.length; i++) all[i]! |= bits[i]!
  return all
}

/** Stores a merged segment; its count of rows in error is left to the caller, who knows all flags. */
export async function storeMerged(
  store: Store,
  rules: SheetRules,
  names: Names,
  merged: Merged,
  replaced: readonly Segment[],
): Promise<{ form: Omit<MergeForm, 'q'>; runs: RunForm[] }> {
  const { form, runs } = await storeRewritten(store, rules, names, merged)
  return {
    form: {
      o: replaced.map(({ key }) => key),
      n: merged.segment.rows,
      b: form.b,
      z: form.z,
      e: form.e,
      u: merged.segment.runs!.map(({ key, firstRow, rows }) => [key, firstRow, rows]),
    },
    runs,
  }
}
