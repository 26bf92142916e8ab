/** Finds the lines of a sheet that are not records. */
import type { LeaveOut, LineKind, OtherLines } from '../../../schemas/programs/other-lines.ts'
import { toSheetRef } from '../../commits/sheet-ref.ts'
import type { StoredSheet } from '../../entities/sheets.ts'
import { countRecords, findIndices, scanRecords } from '../../records/index.ts'
import { createLineFinder, isBlankText } from './classify.ts'
import { createLineCounter } from './count.ts'
import { MAX_SHARE, suggestLeaveOut } from './suggest.ts'

export interface FoundOtherLines {
  config: LeaveOut
  found: OtherLines
}

export async function suggestOtherLines(
  sheet: StoredSheet,
  samples: ReadonlyMap<string, readonly unknown[]>,
): Promise<FoundOtherLines | undefined> {
  const config = suggestLeaveOut(sheet.config.fields, samples)
  if (!config) return undefined
  const hasBlankTexts = config.filledColumns.some((key) => samples.get(key)?.some(isBlankText))
  const found = await findOtherLines(sheet, config, hasBlankTexts)
  const count = found.lines.reduce((sum, group) => sum + group.count, 0)
  if (count === 0) return undefined
  const { total } = await countRecords(toSheetRef(sheet))
  return count <= total * MAX_SHARE ? { config, found } : undefined
}

/** Without blank texts, the segments whose cells are all filled are not read. */
export async function findOtherLines(sheet: StoredSheet, config: LeaveOut, hasBlankTexts = true): Promise<OtherLines> {
  const ref = toSheetRef(sheet)
  const findLines = createLineFinder(config)
  const q = config.filledColumns.map((key) => buildBlankQuery(key, hasBlankTexts)).join(' or ')
  const lines: { id: string; kind: LineKind; cells: unknown[] }[] = []
  for await (const { ids, columns } of scanRecords(ref, { q })) {
    const cells = [...columns.values()]
    for (const [row, kind] of findLines((key) => columns.get(key) ?? [], ids.length))
      lines.push({ id: ids[row]!, kind, cells: cells.map((column) => column[row]) })
  }
  const indexes = await findIndices(
    ref,
    lines.map(({ id }) => id),
  )
  const rows = new Map(indexes.map(({ id, index }) => [id, index + 1]))
  const counter = createLineCounter()
  for (const { id, kind, cells } of lines) counter.add(kind, rows.get(id)!, cells)
  return { leaveOut: config.leaveOut, lines: counter.listGroups() }
}

function buildBlankQuery(key: string, hasBlankTexts: boolean): string {
  const field = `"${key.replace(/["'\\]/g, '\\$&')}"`
  const texts = hasBlankTexts ? [`${field} like " %"`, `${field} like "-%"`] : []
  return [`${field} is empty`, ...texts].join(' or ')
}
