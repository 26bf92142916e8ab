/** Creates workbooks and sheets with their events. Called over HTTP and by extraction. */
import type * as z from 'zod'
import { slugsOf } from '../../schemas/blueprint.ts'
import type { Sheet, SheetConfig } from '../../schemas/sheet.ts'
import * as sheets from '../../schemas/sheets.ts'
import type { CreateWorkbook } from '../../schemas/workbooks.ts'
import * as workbooks from '../../schemas/workbooks.ts'
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

/** Ids given by a caller that must make the same things when it is repeated. */
export interface GivenIds {
  workbookId: string
  sheetIds: string[]
}

/** Writes the workbook and its sheets, and emits workbook:created and sheet:created, in the given transaction. */
export function createWorkbook(tx: Tx, space: StoredSpace, config: Config, ids?: GivenIds): CreatedWorkbook {
  const { sheets: configs = [], ...rest } = config
  const namespaces = namespacesOf(space, rest)
  const workbook: StoredWorkbook = {
    ...rest,
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
  const slugs = slugsOf(configs)
  const made = configs.map((sheet, position) =>
    createSheet(
      tx,
      workbook,
      { ...sheet, slug: slugs[position]! },
      { position, namespaces, appId: space.appId, ...(ids ? { id: ids.sheetIds[position]! } : {}) },
    ),
  )
  return { workbook, sheets: made }
}

/** Writes one sheet and emits sheet:created. */
export function createSheet(
  tx: Tx,
  workbook: StoredWorkbook,
  config: SheetConfig & { slug: string },
  place: {
    position: number
    namespaces: string[]
    namespace?: string | undefined
    /** Its configuration's unless told. */
    metadata?: unknown
    appId?: string | undefined
    id?: string
    isLocked?: boolean
  },
): NewSheet {
  const metadata = place.metadata ?? config.metadata
  const sheet: NewSheet = {
    id: place.id ?? newId('sheet'),
    workbookId: workbook.id,
    accountId: workbook.accountId,
    environmentId: workbook.environmentId,
    spaceId: workbook.spaceId,
    name: config.name,
    slug: config.slug,
    config: sheetConfigOf(config),
    ...(metadata === undefined ? {} : { metadata }),
    ...(config.treatments ? { treatments: config.treatments } : {}),
    ...(config.collection ? { collection: config.collection } : {}),
    ...(place.namespace ? { namespace: place.namespace } : {}),
    position: place.position,
    trackChanges: workbook.settings?.trackChanges === true,
    ...(place.appId ? { appId: place.appId } : {}),
    ...(place.namespaces.length > 0 ? { namespaces: place.namespaces } : {}),
    ...(place.isLocked ? { lockedAt: tx.now, lockedBy: tx.actor.actorId } : {}),
    createdAt: tx.now,
    updatedAt: tx.now,
  }
  tx.write(Sheets.create(sheet))
  const { id: sheetId, workbookId, name, slug } = sheet
  tx.emit(
    sheets.created,
    sheetContext(sheet),
    { sheetId, workbookId, name, slug, fieldCount: config.fields.length },
    { namespaces: place.namespaces },
  )
  return sheet
}

/** A configuration as stored: without what the client left out. */
export const sheetConfigOf = (config: SheetConfig): z.infer<typeof Sheet>['config'] =>
  Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined)) as z.infer<
    typeof Sheet
  >['config']

/** What listeners of the workbook's events filter by. */
export const namespacesOf = (
  space: { namespace?: string | undefined },
  workbook: { namespace?: string | undefined },
): string[] => [...spaceNamespaces(space), ...(workbook.namespace ? [`workbook:${workbook.namespace}`] : [])]
