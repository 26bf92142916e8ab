/** Rewrites a segment with all edits applied, after bulk or rule changes or for compaction. */
import { type Bits, countBits, emptyBits, hasBit, setBit, unionBits } from '../columns/bits.ts'
import { countNulls, joinColumn, parseCells } from '../columns/columns.ts'
import { type Hashes, hashTexts, packHashes } from '../columns/hash.ts'
import { getOrInsert } from '../columns/maps.ts'
import { formatUniqueText, isErrorRule, type SheetRules, type UniqueRule, validateCell } from '../fields/rules.ts'
import { packChunk, packRaw, type RawChunk } from '../format/chunk.ts'
import { fieldOfColumn, MESSAGES, valueColumn } from '../format/column-names.ts'
import type { ColumnsForm, RunForm } from '../format/entries.ts'
import { sampleHashes } from '../format/hash-samples.ts'
import { createMessageWriter, encodeMessages, hasError, writeMessages } from '../format/message-chunk.ts'
import { type BodyDictionaries, encodeBlob, encodeFieldCounts } from '../log/entry-builder.ts'
import { putBlob, type Store } from '../log/store.ts'
import type { Message } from '../sheet.ts'
import type { BlobRef, RowEdit, Segment } from '../state/state.ts'
import { encodeRun, formatRunChunkName, type StoredRun } from './hash-runs.ts'
import { getColumnTexts, getColumnValues, mergeCellMessages, type OpenSegment, readBaseMessages } from './open.ts'

export interface RewrittenSegment {
  segment: Segment
  chunks: RawChunk[]
  nulls: ReadonlyMap<string, number>
  errors: ReadonlyMap<string, number>
  errorRows: Bits
  hashes: ReadonlyMap<string, Hashes>
}

export interface ColumnChange {
  field: string
  raw: Buffer
  changed: Bits
  ruleMessages: ReadonlyMap<number, readonly Message[]>
  hookMessages: ReadonlyMap<number, readonly Message[]>
}

export type ColumnChanges = ReadonlyMap<string, ColumnChange>

export interface RewriteOptions {
  /** Revalidates all values instead of keeping stored messages. Needs all value columns open. */
  revalidate: boolean
  hashRules: readonly UniqueRule[]
  columns?: ColumnChanges
}

export function withEdits(open: OpenSegment, edits: ReadonlyMap<number, RowEdit>): OpenSegment {
  return { ...open, segment: { ...open.segment, edits } }
}

export function listEditedColumns(segment: Segment): Set<string> {
  const columns = new Set<string>()
  for (const edit of segment.edits.values()) for (const column of edit.values.keys()) columns.add(column)
  return columns
}

export function rewrite(open: OpenSegment, rules: SheetRules, options: RewriteOptions): RewrittenSegment {
  const { segment } = open
  const nulls = options.revalidate ? new Map<string, number>() : new Map(segment.nulls)
  const chunks: RawChunk[] = []
  for (const column of new Set([...listEditedColumns(segment), ...(options.columns?.keys() ?? [])])) {
    const raw = options.columns?.get(column)?.raw ?? joinColumn(getColumnTexts(open, column)!)
    chunks.push({ name: column, raw })
    const field = fieldOfColumn(column)
    if (field !== undefined) nulls.set(field, countNulls(raw))
  }
  const { raw, errors } = rewriteMessages(open, rules, options.revalidate ? nulls : undefined, options.columns)
  chunks.push({ name: MESSAGES, raw })
  return {
    segment,
    chunks,
    nulls,
    errors: new Map([...errors].map(([field, bits]) => [field, countBits(bits)])),
    errorRows: unionBits(segment.rows, errors.values()),
    hashes: new Map(options.hashRules.map((rule) => [rule.id, hashTexts(readUniqueTexts(open, rules, rule))])),
  }
}

/** @param nulls set when all values are revalidated: receives the counts of empty cells */
function rewriteMessages(
  open: OpenSegment,
  rules: SheetRules,
  nulls: Map<string, number> | undefined,
  columns: ColumnChanges = new Map(),
): { raw: Buffer; errors: Map<string, Bits> } {
  const { segment } = open
  const writer = createMessageWriter()
  const errors = new Map<string, Bits>()
  const writeSlot = (
    row: number,
    field: string,
    slot: 'rules' | 'hooks',
    messages: readonly Message[] | undefined,
  ): void => {
    if (!messages?.length || !rules.byKey.has(field)) return
    writeMessages(writer, row, field, slot, messages)
    if (!hasError(messages)) return
    setBit(
      getOrInsert(errors, field, () => emptyBits(segment.rows)),
      row,
    )
  }
  const base = readBaseMessages(open)
  for (const row of new Set([...base.keys(), ...segment.edits.keys()])) {
    for (const [field, cell] of mergeCellMessages(base.get(row), segment.edits.get(row))) {
      const change = columns.get(valueColumn(field))
      if (!nulls && !hasBit(change?.changed, row)) writeSlot(row, field, 'rules', cell.rules)
      if (!change?.hookMessages.has(row)) writeSlot(row, field, 'hooks', cell.hooks)
    }
  }
  for (const { field, ruleMessages, hookMessages } of columns.values()) {
    for (const [row, messages] of ruleMessages) writeSlot(row, field, 'rules', messages)
    for (const [row, messages] of hookMessages) writeSlot(row, field, 'hooks', messages)
  }
  for (const field of nulls ? rules.fields : []) {
    let emptyCount = 0
    getColumnValues(open, field.column).forEach((value, row) => {
      if (value === null) emptyCount++
      writeSlot(row, field.key, 'rules', validateCell(field, value))
    })
    nulls!.set(field.key, emptyCount)
  }
  return { raw: encodeMessages(writer), errors }
}

export function readUniqueTexts(open: OpenSegment, rules: SheetRules, rule: UniqueRule): (string | undefined)[] {
  const columns = new Map(
    rule.fields.map((key): [string, unknown[] | undefined] => {
      const cells = getColumnTexts(open, rules.byKey.get(key)!.column)
      return [key, cells && parseCells(cells)]
    }),
  )
  return Array.from({ length: open.segment.rows }, (_, row) =>
    formatUniqueText(rule, (key) => columns.get(key)?.[row] ?? null),
  )
}

export function countBaseErrors(
  { segment, errorRows }: Pick<RewrittenSegment, 'segment' | 'errorRows'> & Partial<RewrittenSegment>,
  flags: ReadonlyMap<string, Bits>,
  isRemoved: (row: number) => boolean = () => false,
): number {
  const errorBits = errorRows.slice()
  for (const [rule, bits] of flags)
    if (isErrorRule(rule)) for (let i = 0; i < errorBits.length; i++) errorBits[i]! |= bits[i]!
  let count = 0
  for (let row = 0; row < segment.rows; row++)
    if (hasBit(errorBits, row) && !hasBit(segment.deleted, row) && !isRemoved(row)) count++
  return count
}

export interface StoredRewrite extends Pick<RewrittenSegment, 'segment' | 'nulls' | 'errors' | 'errorRows'> {
  blob: BlobRef
  runs: readonly StoredRun[]
}

export async function storeRewrite(
  store: Store,
  rules: SheetRules,
  rewritten: RewrittenSegment,
): Promise<StoredRewrite> {
  const { segment, chunks, hashes, nulls, errors, errorRows } = rewritten
  const packed = await Promise.all(chunks.map(async ({ name, raw }) => ({ name, packed: await packChunk(raw) })))
  const runs = [...hashes].map(([rule, list]) => {
    packed.push({ name: formatRunChunkName(rule), packed: packRaw(packHashes(list)) })
    return { rule, length: list.hi.length, samples: sampleHashes(list) }
  })
  return { segment, nulls, errors, errorRows, blob: await putBlob(store, rules.sheetId, packed), runs }
}

export function encodeRewrite(
  dictionaries: BodyDictionaries,
  { segment, blob, nulls, errors, runs }: StoredRewrite,
): { form: Omit<ColumnsForm, 'q' | 'w'>; runs: RunForm[] } {
  const rows: RunForm['s'] = segment.runs
    ? segment.runs.map((run) => [run.key, run.rows, run.firstRow])
    : [[segment.key, segment.rows]]
  return {
    form: {
      s: segment.key,
      b: encodeBlob(dictionaries, blob),
      z: encodeFieldCounts(dictionaries, nulls),
      e: encodeFieldCounts(dictionaries, errors),
    },
    runs: runs.map((run) => encodeRun(dictionaries, blob, run, rows)),
  }
}

export const storeAndEncodeRewrite = async (
  store: Store,
  rules: SheetRules,
  dictionaries: BodyDictionaries,
  rewritten: RewrittenSegment,
): Promise<ReturnType<typeof encodeRewrite>> => encodeRewrite(dictionaries, await storeRewrite(store, rules, rewritten))
