/** Copies a sheet with its records. */
import { SheetConfig } from '../../schemas/sheet.ts'
import { sheetRef } from '../commits/sheet-ref.ts'
import { writeRecords } from '../commits/write.ts'
import { notFound } from '../core/errors.ts'
import { type NewSheet, Sheets, type StoredSheet } from '../entities/sheets.ts'
import { Workbooks } from '../entities/workbooks.ts'
import * as engine from '../records/index.ts'
import type { Tx } from '../tx.ts'
import { createSheet, uniqueSlugs } from './create.ts'
import { tellOfSheet } from './update.ts'

/** The copy stands behind the workbook's other sheets; it appears with all its records at once. */
export async function duplicateSheet(
  tx: Tx,
  sheet: StoredSheet,
  named: { name?: string | undefined; slug?: string | undefined },
): Promise<NewSheet> {
  const [workbook, siblings] = await Promise.all([Workbooks.get(sheet.workbookId), Sheets.inWorkbook(sheet.workbookId)])
  if (!workbook) throw notFound('sheet', sheet.id)
  const name = named.name ?? `${sheet.name} (copy)`
  const slug = uniqueSlugs([...siblings.map((one) => one.slug), named.slug ?? `${sheet.slug}-copy`]).at(-1)!
  const copy = createSheet(
    tx,
    workbook,
    SheetConfig.parse({ ...sheet.config, name, slug }) as SheetConfig & { slug: string },
    { position: siblings.length, namespaces: sheet.namespaces ?? [], appId: sheet.appId },
  )
  tellOfSheet(tx, 'sheet_added', copy)
  const { actor } = tx
  await writeRecords({ ...copy, rev: 1 }, { actor }).write(lines())
  return copy

  async function* lines() {
    yield* engine.copyOf(sheetRef(sheet))
    // Whoever is told of the records finds their sheet.
    await tx.commit()
  }
}
