/** Creates workbooks and sheets with their events. Called over HTTP and by extraction. */
import type * as z from 'zod'
import * as sheets from '../../schemas/sheets/events.ts'
import type { Sheet, SheetConfig } from '../../schemas/sheets/shape.ts'
import { assignSlugs } from '../../schemas/workbooks/blueprint.ts'
import * as workbooks from '../../schemas/workbooks/events.ts'
import type { CreateWorkbook } from '../../schemas/workbooks/shape.ts'
import { newId } from '../core/ids.ts'
import { type NewSheet, Sheets, sheetContext } from '../entities/sheets.ts'
import { type StoredSpace, spaceNamespaces } from '../entities/spaces.ts'
import { type StoredWorkbook, Workbooks, workbookContext } from '../entities/workbooks.ts'
import type { Tx } from '../tx.ts'

export interface CreatedWorkbook {
  workbook: StoredWorkbook
  sheets: NewSheet[]
}

type Config = Omit<CreateWorkbook, 'spaceId' | 'environmentId'>

export interface PresetIds {
  workbookId: string
  sheetIds: string[]
}

export function createWorkbook(tx: Tx, space: StoredSpace, config: Config, ids?: PresetIds): CreatedWorkbook {
  const { sheets: configs = [], ...workbookConfig } = config
  const namespaces = workbookNamespaces(space, workbookConfig)
  const workbook: StoredWorkbook = {
    ...workbookConfig,
    rev: 1,
    id: ids?.workbookId ?? newId('workbook'),
    accountId: space.accountId,
    environmentId: space.environmentId,
    spaceId: space.id,
    ...(namespaces.length > 0 ? { namespaces } : {}),
    createdAt: tx.now,
    updatedAt: tx.now,
  }
  tx.write(Workbooks.create(workbook))
  const { id: workbookId, name = '', namespace } = workbook
  tx.emit(
    workbooks.created,
    workbookContext(workbook),
    { workbookId, spaceId: space.id, name, namespace, sheetCount: configs.length },
    { namespaces },
  )
  const slugs = assignSlugs(configs)
  const createdSheets = configs.map((sheet, position) =>
    createSheet(
      tx,
      workbook,
      { ...sheet, slug: slugs[position]! },
      { position, namespaces, appId: space.appId, ...(ids ? { id: ids.sheetIds[position]! } : {}) },
    ),
  )
  return { workbook, sheets: createdSheets }
}

export function createSheet(
  tx: Tx,
  workbook: StoredWorkbook,
  config: SheetConfig & { slug: string },
  placement: {
    position: number
    namespaces: string[]
    namespace?: string | undefined
    metadata?: unknown
    appId?: string | undefined
    id?: string
    isLocked?: boolean
  },
): NewSheet {
  const metadata = placement.metadata ?? config.metadata
  const sheet: NewSheet = {
    id: placement.id ?? newId('sheet'),
    workbookId: workbook.id,
    accountId: workbook.accountId,
    environmentId: workbook.environmentId,
    spaceId: workbook.spaceId,
    name: config.name,
    slug: config.slug,
    config: toStoredConfig(config),
    ...(metadata === undefined ? {} : { metadata }),
    ...(config.treatments ? { treatments: config.treatments } : {}),
    ...(config.collection ? { collection: config.collection } : {}),
    ...(placement.namespace ? { namespace: placement.namespace } : {}),
    position: placement.position,
    trackChanges: workbook.settings?.trackChanges === true,
    ...(placement.appId ? { appId: placement.appId } : {}),
    ...(placement.namespaces.length > 0 ? { namespaces: placement.namespaces } : {}),
    ...(placement.isLocked ? { lockedAt: tx.now, lockedBy: tx.actor.actorId } : {}),
    createdAt: tx.now,
    updatedAt: tx.now,
  }
  tx.write(Sheets.create(sheet))
  const { id: sheetId, workbookId, name, slug } = sheet
  tx.emit(
    sheets.created,
    sheetContext(sheet),
    { sheetId, workbookId, name, slug, fieldCount: config.fields.length },
    { namespaces: placement.namespaces },
  )
  return sheet
}

export const toStoredConfig = (config: SheetConfig): z.infer<typeof Sheet>['config'] =>
  Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined)) as z.infer<
    typeof Sheet
  >['config']

export const workbookNamespaces = (
  space: { namespace?: string | undefined },
  workbook: { namespace?: string | undefined },
): string[] => [...spaceNamespaces(space), ...(workbook.namespace ? [`workbook:${workbook.namespace}`] : [])]
