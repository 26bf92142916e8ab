/** Workbooks as they are kept and shown; their endpoints are in workbooks.ts. */
import * as z from 'zod'
import { Actions } from './action.ts'
import { free, Id, Time } from './ids.ts'
import { Sheet } from './sheet.ts'

export const WorkbookSettings = z.looseObject({
  trackChanges: z.boolean().nullish(),
  noMappingRedirect: z.boolean().nullish(),
  sheetSidebarOrder: z
    .array(free('an order for the screen: ids of sheets that are not there are left out of it'))
    .nullish(),
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
  /** How a client asked for its records to be stored; here all are stored alike. */
  storageStrategy: z.string().optional(),
  /** A retention policy hid it; it is removed in a while. */
  expiredAt: Time.optional(),
  createdAt: Time,
  updatedAt: Time,
})
export type Workbook = z.infer<typeof Workbook>
