/** A stored sheet as the record engine knows it. */
import { sheetNamed } from '../../schemas/blueprint.ts'
import { Sheets, type StoredSheet } from '../entities/sheets.ts'
import type { SheetRef } from '../records/index.ts'

/** The sheets its references name are those of its workbook, read at most once and only when one is asked for. */
export function sheetRef(sheet: StoredSheet): SheetRef {
  let workbook: Promise<StoredSheet[]> | undefined
  const sheets = (): Promise<StoredSheet[]> => {
    workbook ??= Sheets.inWorkbook(sheet.workbookId)
    return workbook
  }
  const refOf = (of: StoredSheet): SheetRef => ({
    sheetId: of.id,
    fields: of.config.fields,
    constraints: of.config.constraints ?? null,
    linked: async (name) => {
      const found = sheetNamed(await sheets(), name)
      return found && refOf(found)
    },
  })
  return refOf(sheet)
}
