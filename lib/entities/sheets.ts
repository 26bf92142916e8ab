/** Stored sheets, listed by workbook. Each carries its whole ancestry, so that one read answers who may touch it. */
import * as z from 'zod'
import { Id } from '../../schemas/ids.ts'
import { Sheet } from '../../schemas/sheet.ts'
import { entity, type Stored } from '../table/entity.ts'
import { Namespaces } from './namespaces.ts'

const Shape = Sheet.omit({ recordCounts: true }).extend({
  accountId: Id,
  environmentId: Id,
  spaceId: Id,
  /** Its place among the workbook's sheets, from 0. */
  position: z.number().int(),
  /** Copied from the workbook: whether commits wait for their completion. */
  trackChanges: z.boolean().optional(),
  /** The app of its space when it was made. */
  appId: z.string().optional(),
  /** What listeners filter by: the namespaces of its space, workbook and itself. */
  namespaces: Namespaces,
})

const stored = entity({ name: 'sheet', shape: Shape, by: { inWorkbook: { index: 'gsi1', of: ['workbookId'] } } })
export type StoredSheet = Stored<typeof Shape>
export type NewSheet = z.infer<typeof Shape>

export const Sheets = {
  ...stored,
  /** In the workbook's own order. */
  async inWorkbook(workbookId: string): Promise<StoredSheet[]> {
    const sheets = await stored.list('inWorkbook', { workbookId })
    return sheets.sort((a, b) => a.position - b.position)
  },
}

/** The context of an event about the sheet or its records: what public listeners read from it. */
export const sheetContext = (sheet: NewSheet) => ({
  environmentId: sheet.environmentId,
  spaceId: sheet.spaceId,
  workbookId: sheet.workbookId,
  sheetId: sheet.id,
  sheetSlug: sheet.slug,
  slugs: { sheet: sheet.slug },
  ...(sheet.appId ? { appId: sheet.appId } : {}),
})
