/**
 * Writes a segment's columns and messages anew, with all edits in them: for changes of many rows, for new constraints and
 * for compaction. Pure but for packing.
 */
import { type Bits, countBits, emptyBits, hasBit, setBit } from '../bytes/bits.ts'
import { packChunk, packRaw } from '../bytes/chunk.ts'
import { joinColumn, NULL, parseCells } from '../bytes/columns.ts'
import { type Hashes, packHashes } from '../bytes/hash.ts'
import { getOrMake } from '../bytes/maps.ts'
import { blobForm, type Names, tallyForm } from '../log/body.ts'
import type { ColumnsForm, RunForm } from '../log/entries.ts'
import type { BlobRef, RowEdit, Segment } from '../log/state.ts'
import { putBlob, type Store } from '../log/store.ts'
import { baseMessages, cellTexts, columnValues, mergedCells, type OpenSegment } from '../read/reader.ts'
import { hasError, messageWriter, takeMessages, writeMessages } from '../rules/messages.ts'
import {
  fieldOfColumn,
  isErrorRule,
  judge,
  type SheetRules,
  type UniqueRule,
  uniqueText,
  valueColumn,
} from '../rules/rules.ts'
import { hashesOf, samplesFor } from '../rules/unique.ts'
import type { Message } from '../sheet.ts'
import type { ColumnChanges } from './column-changes.ts'
import { MESSAGES, type RawChunk } from './segment.ts'

export interface Rewritten {
  segment: Segment
  chunks: RawChunk[]
  nulls: ReadonlyMap<string, number>
  errors: ReadonlyMap<string, number>
  /** Rows with an error of their own. */
  errorRows: Bits
  /** Of the rules asked for; sorted. */
  hashes: ReadonlyMap<string, Hashes>
}

export interface RewriteOptions {
  /** Judge all values anew; else stored messages of constraints are kept. Needs all value columns open. */
  rejudge: boolean
  /** Rules whose hashes to make; needs their columns open. */
  hashRules: readonly UniqueRule[]
  /** Columns that take the place of those the segment has. */
  columns?: ColumnChanges
}

/** A segment opened as if these further edits were in the log. */
export function withEdits(open: OpenSegment, edits: ReadonlyMap<number, RowEdit>): OpenSegment {
  return { ...open, segment: { ...open.segment, edits } }
}

/** Every column that has edits: a rewrite must cover them all. */
export function editedColumns(segment: Segment): Set<string> {
  const columns = new Set<string>()
  for (const edit of segment.edits.values()) for (const column of edit.values.keys()) columns.add(column)
  return columns
}

export function rewrite(open: OpenSegment, rules: SheetRules, options: RewriteOptions): Rewritten {
  const { segment } = open
  const nulls = options.rejudge ? new Map<string, number>() : new Map(segment.nulls)
  const chunks: RawChunk[] = []
  for (const column of new Set([...editedColumns(segment), ...(options.columns?.keys() ?? [])])) {
    const cells = options.columns?.get(column)?.cells ?? cellTexts(open, column)!
    chunks.push({ name: column, raw: joinColumn(cells) })
    const field = fieldOfColumn(column)
    if (field !== undefined) nulls.set(field, cells.filter((cell) => cell === NULL).length)
  }
  const { raw, errors } = rewriteMessages(open, rules, options.rejudge ? nulls : undefined, options.columns)
  chunks.push({ name: MESSAGES, raw })
  return {
    segment,
    chunks,
    nulls,
    errors: new Map([...errors].map(([field, bits]) => [field, countBits(bits)])),
    errorRows: union(segment.rows, errors),
    hashes: new Map(options.hashRules.map((rule) => [rule.id, hashesOf(uniqueTexts(open, rules, rule))])),
  }
}

/** @param nulls given when all values are judged anew: takes the count of empty cells by field */
function rewriteMessages(
  open: OpenSegment,
  rules: SheetRules,
  nulls: Map<string, number> | undefined,
  columns: ColumnChanges = new Map(),
): { raw: Buffer; errors: Map<string, Bits> } {
  const { segment } = open
  const writer = messageWriter()
  const errors = new Map<string, Bits>()
  const put = (row: number, field: string, slot: 'rules' | 'hooks', messages: readonly Message[] | undefined): void => {
    if (!messages?.length || !rules.byKey.has(field)) return
    writeMessages(writer, row, field, slot, messages)
    if (!hasError(messages)) return
    setBit(
      getOrMake(errors, field, () => emptyBits(segment.rows)),
      row,
    )
  }
  const base = baseMessages(open)
  for (const row of new Set([...base.keys(), ...segment.edits.keys()])) {
    for (const [field, cell] of mergedCells(base.get(row), segment.edits.get(row))) {
      const change = columns.get(valueColumn(field))
      if (!nulls && !hasBit(change?.changed, row)) put(row, field, 'rules', cell.rules)
      if (!change?.hooked.has(row)) put(row, field, 'hooks', cell.hooks)
    }
  }
  for (const { field, ruled, hooked } of columns.values()) {
    for (const [row, messages] of ruled) put(row, field, 'rules', messages)
    for (const [row, messages] of hooked) put(row, field, 'hooks', messages)
  }
  for (const field of nulls ? rules.fields : []) {
    let empty = 0
    columnValues(open, field.column).forEach((value, row) => {
      if (value === null) empty++
      put(row, field.key, 'rules', judge(field, value))
    })
    nulls!.set(field.key, empty)
  }
  return { raw: takeMessages(writer), errors }
}

function union(rows: number, errors: ReadonlyMap<string, Bits>): Bits {
  const all = emptyBits(rows)
  for (const bits of errors.values()) for (let i = 0; i < all.length; i++) all[i]! |= bits[i]!
  return all
}

/** What the rows of a segment are compared by under a rule. */
export function uniqueTexts(open: OpenSegment, rules: SheetRules, rule: UniqueRule): (string | undefined)[] {
  const columns = new Map(
    rule.fields.map((key): [string, unknown[] | undefined] => {
      const cells = cellTexts(open, rules.byKey.get(key)!.column)
      return [key, cells && parseCells(cells)]
    }),
  )
  return Array.from({ length: open.segment.rows }, (_, row) =>
    uniqueText(rule, (key) => columns.get(key)?.[row] ?? null),
  )
}

/** Live rows in error once these flags hold and the rows that are `gone` are deleted. */
export function quietCount(
  { segment, errorRows }: Pick<Rewritten, 'segment' | 'errorRows'> & Partial<Rewritten>,
  flags: ReadonlyMap<string, Bits>,
  isGone: (row: number) => boolean = () => false,
): number {
  const all = errorRows.slice()
  for (const [rule, bits] of flags) if (isErrorRule(rule)) for (let i = 0; i < all.length; i++) all[i]! |= bits[i]!
  let count = 0
  for (let row = 0; row < segment.rows; row++)
    if (hasBit(all, row) && !hasBit(segment.deleted, row) && !isGone(row)) count++
  return count
}

/** A rewritten segment whose chunks are stored. */
export interface StoredRewrite extends Pick<Rewritten, 'segment' | 'nulls' | 'errors' | 'errorRows'> {
  blob: BlobRef
  runs: readonly { rule: string; chunk: string; length: number; samples: Uint32Array | null }[]
}

export async function storeRewrite(store: Store, rules: SheetRules, rewritten: Rewritten): Promise<StoredRewrite> {
  const { segment, chunks, hashes, nulls, errors, errorRows } = rewritten
  const packed = await Promise.all(chunks.map(async ({ name, raw }) => ({ name, packed: await packChunk(raw) })))
  const runs = [...hashes].map(([rule, list]) => {
    const chunk = `hashes.${rule}`
    packed.push({ name: chunk, packed: packRaw(packHashes(list)) })
    return { rule, chunk, length: list.hi.length, samples: samplesFor(list) }
  })
  return { segment, nulls, errors, errorRows, blob: await putBlob(store, rules.sheetId, packed), runs }
}

/** How an entry names a stored rewrite. */
export function rewriteForms(
  names: Names,
  { segment, blob, nulls, errors, runs }: StoredRewrite,
): { form: Omit<ColumnsForm, 'q' | 'w'>; runs: RunForm[] } {
  const rows: RunForm['s'] = segment.runs
    ? segment.runs.map((run) => [run.key, run.rows, run.firstRow])
    : [[segment.key, segment.rows]]
  return {
    form: { s: segment.key, b: blobForm(names, blob), z: tallyForm(names, nulls), e: tallyForm(names, errors) },
    runs: runs.map(({ rule, chunk, length, samples }) => ({
      u: rule,
      b: blobForm(names, blob),
      c: chunk,
      n: length,
      s: rows,
      ...(samples ? { h: Buffer.from(samples.buffer).toString('base64') } : {}),
    })),
  }
}

/** Stores a rewritten segment's chunks and says how an entry names them. */
export const storeRewritten = async (
  store: Store,
  rules: SheetRules,
  names: Names,
  rewritten: Rewritten,
): Promise<ReturnType<typeof rewriteForms>> => rewriteForms(names, await storeRewrite(store, rules, rewritten))
