/** Removes spaces and workbooks; what is below them goes by their events (functions/system/removed.ts). */
import * as spaces from '../../schemas/spaces.ts'
import * as workbooks from '../../schemas/workbooks.ts'
import { Spaces, type StoredSpace, spaceContext, spaceNamespaces } from '../entities/spaces.ts'
import { type StoredWorkbook, Workbooks, workbookContext } from '../entities/workbooks.ts'
import type { Tx } from '../tx.ts'

export function removeSpace(tx: Tx, space: StoredSpace): void {
  tx.write(Spaces.remove(space))
  tx.emit(
    spaces.deleted,
    { ...spaceContext(space), ...(space.primaryWorkbookId ? { workbookId: space.primaryWorkbookId } : {}) },
    {},
    { namespaces: spaceNamespaces(space) },
  )
}

export function removeWorkbook(tx: Tx, workbook: StoredWorkbook): void {
  tx.write(Workbooks.remove(workbook))
  tx.emit(workbooks.deleted, workbookContext(workbook), { workbookId: workbook.id, spaceId: workbook.spaceId })
}
