/** Writes rows of several segments as one new segment, to merge or to undelete. Rows keep their names. */
import { type Bits, countBits, emptyBits, hasBit, setBit, unionBits } from '../columns/bits.ts'
import { joinColumn, NULL } from '../columns/columns.ts'
import { hashTexts } from '../columns/hash.ts'
import { getOrInsert } from '../columns/maps.ts'
import { type SheetRules, validateCell } from '../fields/rules.ts'
import type { RawChunk } from '../format/chunk.ts'
import { CONFIG, fieldOfColumn, MESSAGES, METADATA } from '../format/column-names.ts'
import type { MergeForm, RunForm } from '../format/entries.ts'
import { createMessageWriter, encodeMessages, hasError, type Slot, writeMessages } from '../format/message-chunk.ts'
import type { BodyDictionaries } from '../log/entry-builder.ts'
import type { Store } from '../log/store.ts'
import type { Message } from '../sheet.ts'
import { type Run, type Segment, toCoordinate } from '../state/state.ts'
import { getColumnTexts, getColumnValues, mergeCellMessages, type OpenSegment, readBaseMessages } from './open.ts'
import { type RewrittenSegment, readUniqueTexts, storeAndEncodeRewrite } from './rewrite.ts'

export interface MergeSource {
  open: OpenSegment
  /** The rows were validated by older rules, or not as part of this state. */
  isStale: boolean
}

export interface SourceRow {
  source: number
  row: number
}

export interface MergedSegment extends RewrittenSegment {
  texts: ReadonlyMap<string, readonly (string | undefined)[]>
}

export function listRowColumns(segments: Iterable<Segment>): string[] {
  const names = new Set<string>([METADATA, CONFIG, MESSAGES])
  const addColumn = (name: string): void => {
    if (fieldOfColumn(name) !== undefined) names.add(name)
  }
  for (const { blobs, inline, edits } of segments) {
    for (const blob of blobs) blob.names.forEach(addColumn)
    for (const name of inline?.keys() ?? []) addColumn(name)
    for (const { values } of edits.values()) for (const name of values.keys()) addColumn(name)
  }
  return [...names]
}

/** @param rows from sources opened with all of `listRowColumns`, in sheet order */
export function mergeRows(
  rules: SheetRules,
  sources: readonly MergeSource[],
  rows: readonly SourceRow[],
): MergedSegment {
  const chunks: RawChunk[] = []
  for (const name of listRowColumns(sources.map(({ open }) => open.segment))) {
    if (name === MESSAGES) continue
    const cells = sources.map(({ open }) => getColumnTexts(open, name))
    if (cells.some((texts) => texts))
      chunks.push({ name, raw: joinColumn(rows.map(({ source, row }) => cells[source]?.[row] ?? NULL)) })
  }
  const segment = buildSegmentHeader(sources, rows)
  const open = { segment, raw: new Map(chunks.map(({ name, raw }) => [name, raw])) }
  const { raw, errors } = mergeMessages(rules, sources, rows)
  const texts = new Map(rules.unique.map((rule) => [rule.id, readUniqueTexts(open, rules, rule)]))
  const countEmpty = (column: string): number => getColumnValues(open, column).filter((value) => value === null).length
  return {
    segment,
    chunks: raw.length ? [...chunks, { name: MESSAGES, raw }] : chunks,
    nulls: new Map(rules.fields.map(({ key, column }) => [key, countEmpty(column)])),
    errors: new Map([...errors].map(([field, bits]) => [field, countBits(bits)])),
    errorRows: unionBits(rows.length, errors.values()),
    hashes: new Map([...texts].map(([rule, list]) => [rule, hashTexts(list)])),
    texts,
  }
}

function buildSegmentHeader(sources: readonly MergeSource[], rows: readonly SourceRow[]): Segment {
  const runs: Run[] = []
  const flags = new Map<string, Bits>()
  rows.forEach(({ source, row }, at) => {
    const { open, isStale } = sources[source]!
    const { key, row: recordRow } = toCoordinate(open.segment, row)
    const last = runs.at(-1)
    if (last?.key === key && last.firstRow + last.rows === recordRow) last.rows++
    else runs.push({ key, firstRow: recordRow, rows: 1 })
    if (isStale) return
    for (const [rule, bits] of open.segment.flags) {
      if (!hasBit(bits, row)) continue
      setBit(
        getOrInsert(flags, rule, () => emptyBits(rows.length)),
        at,
      )
    }
  })
  const emptyFields = {
    blobs: [],
    inline: null,
    deleted: null,
    deletedCount: 0,
    edits: new Map(),
    baseErrorCount: 0,
    rewrittenAt: 0,
  }
  return { key: '', rows: rows.length, signature: '', nulls: new Map(), errors: new Map(), ...emptyFields, flags, runs }
}

function mergeMessages(
  rules: SheetRules,
  sources: readonly MergeSource[],
  rows: readonly SourceRow[],
): { raw: Buffer; errors: Map<string, Bits> } {
  const writer = createMessageWriter()
  const errors = new Map<string, Bits>()
  const writeSlot = (at: number, field: string, slot: Slot, messages: readonly Message[] | undefined): void => {
    if (!messages?.length || !rules.byKey.has(field)) return
    writeMessages(writer, at, field, slot, messages)
    if (!hasError(messages)) return
    setBit(
      getOrInsert(errors, field, () => emptyBits(rows.length)),
      at,
    )
  }
  const baseMessagesBySource = sources.map(({ open }) => readBaseMessages(open))
  const validators = sources.map(({ open, isStale }) => (isStale ? createRowValidator(rules, open) : undefined))
  rows.forEach(({ source, row }, at) => {
    const edit = sources[source]!.open.segment.edits.get(row)
    const validateRow = validators[source]
    for (const [field, messages] of validateRow?.(row) ?? []) writeSlot(at, field, 'rules', messages)
    for (const [field, cell] of mergeCellMessages(baseMessagesBySource[source]!.get(row), edit)) {
      if (!validateRow) writeSlot(at, field, 'rules', cell.rules)
      writeSlot(at, field, 'hooks', cell.hooks)
    }
  })
  return { raw: encodeMessages(writer), errors }
}

function createRowValidator(rules: SheetRules, open: OpenSegment): (row: number) => [string, readonly Message[]][] {
  const columns = rules.fields.map((field) => ({ field, values: getColumnValues(open, field.column) }))
  return (row) => columns.map(({ field, values }) => [field.key, validateCell(field, values[row])])
}

/** The caller adds the count of rows with errors, since only it knows all flags. */
export async function storeMergedSegment(
  store: Store,
  rules: SheetRules,
  dictionaries: BodyDictionaries,
  merged: MergedSegment,
  replaced: readonly Segment[],
): Promise<{ form: Omit<MergeForm, 'q'>; runs: RunForm[] }> {
  const { form, runs } = await storeAndEncodeRewrite(store, rules, dictionaries, merged)
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
