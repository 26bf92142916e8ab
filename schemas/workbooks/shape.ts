import * as z from 'zod'
import { Actions } from '../actions/shape.ts'
import { Id, scoped, Time, unscoped } from '../kit/ids.ts'
import { ignored, nullish } from '../kit/nullish.ts'
import { Sheet, SheetConfig } from '../sheets/shape.ts'
import { blueprintCheck } from './blueprint.ts'

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

/** All sheets are created in one transaction together with their events. */
export const MAX_SHEETS_PER_WORKBOOK = 40

const StorageStrategy = z.enum([
  'RAINBOW_TABLES',
  'CELL_HISTORY',
  'HYPERCUBE',
  'QUICKSTORE',
  'DUCKDB',
  'FOREIGNDB',
  'MEMCSV',
])

export const workbookFields = {
  name: z.string().min(1).max(500),
  labels: nullish(z.array(z.string())),
  namespace: nullish(z.string()),
  actions: nullish(Actions),
  settings: nullish(WorkbookSettings),
  metadata: z.unknown().optional(),
  treatments: nullish(z.array(z.string())),
  folder: nullish(z.string()),
  storageStrategy: nullish(StorageStrategy),
}
const blueprint = { ...workbookFields, sheets: nullish(z.array(SheetConfig).max(MAX_SHEETS_PER_WORKBOOK)) }
export const Blueprint = z.object(blueprint).superRefine(...blueprintCheck)
export const CreateWorkbook = z
  .object({ ...blueprint, spaceId: scoped('space'), environmentId: nullish(scoped('environment')) })
  .superRefine(...blueprintCheck)
export type CreateWorkbook = z.infer<typeof CreateWorkbook>

export const SheetUpdate = z
  .object({
    ...SheetConfig.shape,
    id: nullish(scoped('sheet')),
    config: nullish(z.object(SheetConfig.shape).partial()),
    namespace: nullish(z.string()),
    workbookId: nullish(scoped('workbook')),
    createdAt: ignored(Time),
    updatedAt: ignored(Time),
  })
  .partial()
export type SheetUpdate = z.infer<typeof SheetUpdate>
