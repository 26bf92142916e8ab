/** Copies a sheet with its records. */
import { freeSlug } from '../../schemas/blueprint.ts'
import { SheetConfig } from '../../schemas/sheet.ts'
import { sheetRef } from '../commits/sheet-ref.ts'
import { writing } from '../commits/write.ts'
import { notFound, unprocessable } from '../core/errors.ts'
import { type NewSheet, Sheets, type StoredSheet } from '../entities/sheets.ts'
import { Workbooks } from '../entities/workbooks.ts'
import * as engine from '../records/index.ts'
import type { Tx } from '../tx.ts'
import { createSheet } from './create.ts'
import { refuseSameSlugs, tellOfSheet } from './update.ts'

/** A request ends after 29 s: what is not read by then cannot be copied in it. */
const READING_MS = 20_000
const TELLING_MS = 25_000

/**
 * The copy stands behind the workbook's other sheets; it appears with all its records at once.
 * @param began when the request began, in milliseconds of the epoch
 * @throws ApiError unprocessable for a sheet too large for one request
 */
export async function duplicateSheet(
  tx: Tx,
  sheet: StoredSheet,
  named: { name?: string | undefined; slug?: string | undefined },
  began = Date.now(),
): Promise<NewSheet> {
  const [workbook, siblings] = await Promise.all([Workbooks.get(sheet.workbookId), Sheets.inWorkbook(sheet.workbookId)])
  if (!workbook) throw notFound('sheet', sheet.id)
  const name = named.name ?? `${sheet.name} (copy)`
  const slug = named.slug ?? freeSlug(`${sheet.slug}-copy`, new Set(siblings.map((one) => one.slug)))
  const copy = createSheet(
    tx,
    workbook,
    SheetConfig.parse({ ...sheet.config, name, slug }) as SheetConfig & { slug: string },
    {
      position: siblings.length,
      namespace: sheet.namespace,
      namespaces: sheet.namespaces ?? [],
      metadata: sheet.metadata,
      appId: sheet.appId,
    },
  )
  refuseSameSlugs([...siblings, copy])
  tellOfSheet(tx, 'sheet_added', copy)
  const { ref, context, tell } = writing({ ...copy, rev: 1 }, tx, { tellUntil: began + TELLING_MS })
  const result = await engine.write(ref, rowsOf(sheet, began + READING_MS), context)
  // Records of a sheet that is not there yet are nobody's; whoever is told of them finds their sheet.
  await tx.commit()
  await tell(result, { created: result.createdIds })
  return copy
}

async function* rowsOf(sheet: StoredSheet, until: number): AsyncGenerator<engine.WritePart> {
  for await (const rows of engine.copyOf(sheetRef(sheet))) {
    if (Date.now() > until)
      throw unprocessable(
        `The sheet ${sheet.id} is too large to be copied by one request: make a sheet with its fields, and fill it by a job workbook:map.`,
      )
    yield rows
  }
}
