/** Writes a column with the cells of matched rows: most are validated and copied without being parsed. */
import { VALUE_BYTES } from '../../../schemas/kit/byte-limits.ts'
import { emptyBits, setBit } from '../columns/bits.ts'
import { copyCells, createColumnWriter, locateAllCells, SEPARATOR_BYTES, takeColumn } from '../columns/columns.ts'
import { equalsBytes } from '../columns/equal-bytes.ts'
import { createNullColumn } from '../columns/json-column.ts'
import { getBytesCheck } from '../fields/cell-bytes.ts'
import type { FieldRules, SheetRules } from '../fields/rules.ts'
import type { OpenSegment } from '../segments/open.ts'
import type { ColumnChange } from '../segments/rewrite.ts'
import { createCellWriter } from '../segments/write-json-cells.ts'
import type { Message } from '../sheet.ts'
import { assertValueSize } from './compare-rows.ts'
import type { MatchedColumn } from './matched-rows.ts'

/** @param candidates the indices of the rows whose cells are written */
export function writeChangedCells(
  { segment, raw: columns }: OpenSegment,
  rules: SheetRules,
  field: FieldRules,
  rows: readonly number[],
  { raw, locate }: MatchedColumn,
  candidates: readonly number[],
): ColumnChange {
  const changed = emptyBits(segment.rows)
  const ruleMessages = new Map<number, readonly Message[]>()
  const writer = createColumnWriter(segment.rows)
  const report = (row: number, _: unknown, messages: readonly Message[]): void => {
    if (messages.length) ruleMessages.set(row, messages)
  }
  const writeCell = createCellWriter({ field, check: getBytesCheck(field), writer, report }, raw)
  const stored = columns.get(field.column) ?? createNullColumn(segment.rows).raw
  const before = locateAllCells(stored, segment.rows)
  const after = locate()
  const copyStored = (from: number, to: number): void => {
    if (from < to) copyCells(writer, stored, before.starts[from]!, before.ends[to - 1]!)
  }
  let next = 0
  for (const index of candidates) {
    const row = rows[index]!
    copyStored(next, row)
    next = row + 1
    const start = writer.length
    writeCell(row, after.starts[index]!, after.ends[index]!)
    const end = writer.length - SEPARATOR_BYTES
    if (equalsBytes(writer.bytes, start, end, stored, before.starts[row]!, before.ends[row]!)) ruleMessages.delete(row)
    else {
      if (end - start > VALUE_BYTES)
        assertValueSize(rules, segment, row, field.key, writer.bytes.toString('utf8', start, end))
      setBit(changed, row)
    }
  }
  copyStored(next, segment.rows)
  return { field: field.key, raw: takeColumn(writer), changed, ruleMessages, hookMessages: new Map() }
}
