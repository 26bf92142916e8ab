/** Schemas of workbooks. Endpoints are in workbooks.ts. */
import * as z from 'zod'
import { Actions } from './action.ts'
import { Id, Time, unscoped } from './ids.ts'
import { Sheet } from './sheet.ts'

export const WorkbookSettings = z.looseObject({
  trackChanges: z.boolean().nullish(),
  noMappingRedirect: z.boolean().nullish(),
  sheetSidebarOrder: z.array(unscoped('a display order: ids of missing sheets are ignored')).nullish(),
})

export const Workbook = z.object({
  id: Id,
  name: z.string().optional(),
  spaceId: Id,
  environmentId: Id,
  sheets: z.array(Sheet).optional(),
  labels: z.array(z.string()).optional(),
  actions: Actions.optional(),
  settings: WorkbookSettings.optional(),
  metadata: z.unknown().optional(),
  treatments: z.array(z.string()).optional(),
  namespace: z.string().optional(),
  folder: z.string().optional(),
  storageStrategy: z.string().optional(),
  expiredAt: Time.optional(),
  createdAt: Time,
  updatedAt: Time,
})
export type Workbook = z.infer<typeof Workbook>
