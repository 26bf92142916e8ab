import { toSheetRef } from '../commits/sheet-ref.ts'
import { Sheets, type StoredSheet } from '../entities/sheets.ts'
import type { StoredWorkbook } from '../entities/workbooks.ts'
import * as engine from '../records/index.ts'

export async function revalidateWorkbook({ id }: StoredWorkbook): Promise<void> {
  for (const sheet of await Sheets.inWorkbook(id)) await engine.revalidateSheet(toSheetRef(sheet))
}

export const withRecordCounts = (sheets: readonly StoredSheet[]) =>
  Promise.all(sheets.map(async (sheet) => ({ ...sheet, recordCounts: await engine.countRecords(toSheetRef(sheet)) })))
