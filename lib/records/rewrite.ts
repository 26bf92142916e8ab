/**
 * Writes a segment's columns and messages anew, with all edits in them: for changes of many rows, for new constraints and
 * for compaction. Pure but for packing.
 */
import { type Bits, countBits, emptyBits, hasBit, setBit } from './bits.ts'
import { blobForm, type Names, tallyForm } from './body.ts'
import { packChunk, packRaw } from './chunk.ts'
import { joinColumn, NULL, parseCells } from './columns.ts'
import type { ColumnsForm, RunForm } from './entries.ts'
import { type Hashes, packHashes } from './hash.ts'
import { getOrMake } from './maps.ts'
import { type CellMessages, hasError, messageWriter, takeMessages, writeMessages } from './messages.ts'
import { baseMessages, cellTexts, columnValues, type OpenSegment } from './reader.ts'
import { fieldOfColumn, isErrorRule, judge, type SheetRules, type UniqueRule, uniqueText } from './rules.ts'
import { MESSAGES, type RawChunk } from './segment.ts'
import type { Message } from './sheet.ts'
import type { RowEdit, Segment } from './state.ts'
import { putBlob, type Store } from './store.ts'
import { hashesOf, samplesFor } from './unique.ts'

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
  for (const column of editedColumns(segment)) {
    const cells = cellTexts(open, column)!
    chunks.push({ name: column, raw: joinColumn(cells) })
    const field = fieldOfColumn(column)
    if (field !== undefined) nulls.set(field, cells.filter((cell) => cell === NULL).length)
  }
  const { raw, errors } = rewriteMessages(open, rules, options.rejudge ? nulls : undefined)
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
      if (!nulls) put(row, field, 'rules', cell.rules)
      put(row, field, 'hooks', cell.hooks)
    }
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

/** Live rows in error once these flags hold. */
export function quietCount(rewritten: Rewritten, flags: ReadonlyMap<string, Bits>): number {
  const { segment, errorRows } = rewritten
  const all = errorRows.slice()
  for (const [rule, bits] of flags) if (isErrorRule(rule)) for (let i = 0; i < all.length; i++) all[i]! |= bits[i]!
  let count = 0
  for (let row = 0; row < segment.rows; row++) if (hasBit(all, row) && !hasBit(segment.deleted, row)) count++
  return count
}

/** Stores a rewritten segment's chunks and says how an entry names them. */
export async function storeRewritten(
  store: Store,
  rules: SheetRules,
  names: Names,
  rewritten: Rewritten,
): Promise<{ form: Omit<ColumnsForm, 'q' | 'w'>; runs: RunForm[] }> {
  const { segment, chunks, hashes } = rewritten
  const packed = await Promise.all(chunks.map(async ({ name, raw }) => ({ name, packed: await packChunk(raw) })))
  const runNames = new Map([...hashes.keys()].map((rule) => [rule, `hashes.${rule}`]))
  for (const [rule, list] of hashes) packed.push({ name: runNames.get(rule)!, packed: packRaw(packHashes(list)) })
  const blob = await putBlob(store, rules.sheetId, packed)
  const rows: RunForm['s'] = segment.runs
    ? segment.runs.map((run) => [run.key, run.rows, run.firstRow])
    : [[segment.key, segment.rows]]
  return {
    form: {
      s: segment.key,
      b: blobForm(names, blob),
      z: tallyForm(names, rewritten.nulls),
      e: tallyForm(names, rewritten.errors),
    },
    runs: [...hashes].map(([rule, list]) => {
      const samples = samplesFor(list)
      return {
        u: rule,
        b: blobForm(names, blob),
        c: runNames.get(rule)!,
        n: list.hi.length,
        s: rows,
        ...(samples ? { h: Buffer.from(samples.buffer).toString('base64') } : {}),
      }
    }),
  }
}
