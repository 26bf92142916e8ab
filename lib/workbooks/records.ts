/** What is done and told of the records of a workbook's sheets together. */
import { sheetRef } from '../commits/sheet-ref.ts'
import { Sheets, type StoredSheet } from '../entities/sheets.ts'
import type { StoredWorkbook } from '../entities/workbooks.ts'
import * as engine from '../records/index.ts'

/** Judges every sheet by its present rules and does what compaction is due. Records, ids and versions stay as they are. */
export async function rebuildWorkbook({ id }: StoredWorkbook): Promise<void> {
  for (const sheet of await Sheets.inWorkbook(id)) await engine.rebuild(sheetRef(sheet))
}

/** Sheets with what they count. */
export const countedSheets = (sheets: readonly StoredSheet[]) =>
  Promise.all(sheets.map(async (sheet) => ({ ...sheet, recordCounts: await engine.counts(sheetRef(sheet)) })))
