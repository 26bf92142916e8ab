import { findSheet } from '../../schemas/workbooks/blueprint.ts'
import { Sheets, type StoredSheet } from '../entities/sheets.ts'
import type { SheetRef } from '../records/index.ts'

export function toSheetRef(sheet: StoredSheet): SheetRef {
  let workbook: Promise<StoredSheet[]> | undefined
  const loadSheets = (): Promise<StoredSheet[]> => {
    workbook ??= Sheets.inWorkbook(sheet.workbookId)
    return workbook
  }
  const toRef = (storedSheet: StoredSheet): SheetRef => ({
    sheetId: storedSheet.id,
    fields: storedSheet.config.fields,
    constraints: storedSheet.config.constraints ?? null,
    findLinkedSheet: async (name) => {
      const found = findSheet(await loadSheets(), name)
      return found && toRef(found)
    },
  })
  return toRef(sheet)
}
