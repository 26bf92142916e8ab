/** Stored sheets, listed by workbook. Each carries all its ancestors' ids, so that authorization needs one read. */
import * as z from 'zod'
import { Id } from '../../schemas/kit/ids.ts'
import { Sheet } from '../../schemas/sheets/shape.ts'
import { entity, type Stored } from '../table/entity.ts'
import { Namespaces } from './namespaces.ts'

const Shape = Sheet.omit({ recordCounts: true }).extend({
  accountId: Id,
  environmentId: Id,
  spaceId: Id,
  /** Zero-based position in the workbook. */
  position: z.number().int(),
  /** Copied from the workbook: whether commits must be completed explicitly. */
  trackChanges: z.boolean().optional(),
  appId: z.string().optional(),
  namespaces: Namespaces,
})

const stored = entity({ name: 'sheet', shape: Shape, by: { inWorkbook: { index: 'gsi1', of: ['workbookId'] } } })
export type StoredSheet = Stored<typeof Shape>
export type NewSheet = z.infer<typeof Shape>

export const Sheets = {
  ...stored,
  async inWorkbook(workbookId: string): Promise<StoredSheet[]> {
    const sheets = await stored.list('inWorkbook', { workbookId })
    return sheets.sort((a, b) => a.position - b.position)
  },
}

export const sheetContext = (sheet: NewSheet) => ({
  environmentId: sheet.environmentId,
  spaceId: sheet.spaceId,
  workbookId: sheet.workbookId,
  sheetId: sheet.id,
  sheetSlug: sheet.slug,
  slugs: { sheet: sheet.slug },
  ...(sheet.appId ? { appId: sheet.appId } : {}),
})
