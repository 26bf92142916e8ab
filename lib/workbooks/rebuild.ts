/** Puts the stored form of a workbook's records in order. */
import { sheetRef } from '../commits/sheet-ref.ts'
import { Sheets } from '../entities/sheets.ts'
import type { StoredWorkbook } from '../entities/workbooks.ts'
import * as engine from '../records/index.ts'

/** Judges every sheet by its present rules and does what compaction is due. Records, ids and versions stay as they are. */
export async function rebuildWorkbook({ id }: StoredWorkbook): Promise<void> {
  for (const sheet of await Sheets.inWorkbook(id)) await engine.rebuild(sheetRef(sheet))
}
