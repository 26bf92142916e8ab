/** A stored sheet as the record engine knows it. */
import type { StoredSheet } from '../entities/sheets.ts'
import type { SheetRef } from '../records/index.ts'

export const sheetRef = (sheet: StoredSheet): SheetRef => ({
  sheetId: sheet.id,
  fields: sheet.config.fields,
  constraints: sheet.config.constraints ?? null,
})
