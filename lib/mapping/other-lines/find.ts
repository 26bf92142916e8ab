/** Finds the lines of a sheet that are not records. */
import type { LeaveOut, OtherLines } from '../../../schemas/programs/other-lines.ts'
import { toSheetRef } from '../../commits/sheet-ref.ts'
import type { StoredSheet } from '../../entities/sheets.ts'
import { countRecords, findIndices, scanRecords } from '../../records/index.ts'
import { createLineFinder } from './classify.ts'
import { createLineCounter } from './count.ts'
import { suggestLeaveOut } from './suggest.ts'

export interface FoundOtherLines {
  config: LeaveOut
  found: OtherLines
}

const MAX_SHARE = 1 / 3

export async function suggestOtherLines(
  sheet: StoredSheet,
  samples: ReadonlyMap<string, readonly unknown[]>,
): Promise<FoundOtherLines | undefined> {
  const config = suggestLeaveOut(sheet.config.fields, samples)
  if (!config) return undefined
  const found = await findOtherLines(sheet, config)
  const count = found.lines.reduce((sum, group) => sum + group.count, 0)
  if (count === 0) return undefined
  const { total } = await countRecords(toSheetRef(sheet))
  return count <= total * MAX_SHARE ? { config, found } : undefined
}

export async function findOtherLines(sheet: StoredSheet, config: LeaveOut): Promise<OtherLines> {
  const ref = toSheetRef(sheet)
  const findLines = createLineFinder(config)
  const q = config.filledColumns.map(buildBlankQuery).join(' or ')
  const lines: { id: string; kind: Parameters<ReturnType<typeof createLineCounter>['add']>[0]; cells: unknown[] }[] = []
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

function buildBlankQuery(key: string): string {
  const field = `"${key.replace(/["'\\]/g, '\\$&')}"`
  return `${field} is empty or ${field} like " %"`
}
