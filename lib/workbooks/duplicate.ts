import { message } from '../../schemas/messages/index.ts'
import { SheetConfig } from '../../schemas/sheets/shape.ts'
import { findFreeSlug } from '../../schemas/workbooks/blueprint.ts'
import { toSheetRef } from '../commits/sheet-ref.ts'
import { prepareWrite } from '../commits/write.ts'
import { notFound, unprocessable } from '../core/errors.ts'
import { type NewSheet, Sheets, type StoredSheet } from '../entities/sheets.ts'
import { Workbooks } from '../entities/workbooks.ts'
import * as engine from '../records/index.ts'
import type { Tx } from '../tx.ts'
import { createSheet } from './create.ts'
import { assertUniqueSlugs, emitSheetChange } from './update.ts'

/** Requests end after 29 s. */
const READ_LIMIT_MS = 20_000
const PUBLISH_LIMIT_MS = 25_000

export async function duplicateSheet(
  tx: Tx,
  sheet: StoredSheet,
  names: { name?: string | undefined; slug?: string | undefined },
  startedAt = Date.now(),
): Promise<NewSheet> {
  const [workbook, siblings] = await Promise.all([Workbooks.get(sheet.workbookId), Sheets.inWorkbook(sheet.workbookId)])
  if (!workbook) throw notFound('sheet', sheet.id)
  const name = names.name ?? `${sheet.name} (copy)`
  const slug = names.slug ?? findFreeSlug(`${sheet.slug}-copy`, new Set(siblings.map((sibling) => sibling.slug)))
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
  assertUniqueSlugs([...siblings, copy])
  emitSheetChange(tx, 'sheet_added', copy)
  const { ref, context, tell } = prepareWrite({ ...copy, rev: 1 }, tx, { publishUntil: startedAt + PUBLISH_LIMIT_MS })
  const result = await engine.write(ref, readRows(sheet, startedAt + READ_LIMIT_MS), context)
  // Commit the sheet before publishing the events of its records.
  await tx.commit()
  await tell(result, { created: result.createdIds })
  return copy
}

async function* readRows(sheet: StoredSheet, deadline: number): AsyncGenerator<engine.WritePart> {
  for await (const rows of engine.readCopyBatches(toSheetRef(sheet))) {
    if (Date.now() > deadline) throw unprocessable(message('records.sheetTooLargeToCopy', { sheet: sheet.id }))
    yield rows
  }
}
