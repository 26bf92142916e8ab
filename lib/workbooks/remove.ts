/** Deletes spaces and workbooks; events delete their contents (functions/system/cascade-delete.ts). */
import * as spaces from '../../schemas/spaces/events.ts'
import * as workbooks from '../../schemas/workbooks/events.ts'
import { Spaces, type StoredSpace, spaceContext, spaceNamespaces } from '../entities/spaces.ts'
import { type StoredWorkbook, Workbooks, workbookContext } from '../entities/workbooks.ts'
import type { Tx } from '../tx.ts'

export async function buildEndContext(space: StoredSpace) {
  const workbookId = space.primaryWorkbookId ?? (await Workbooks.inSpace(space.id)).at(-1)?.id
  return { ...spaceContext(space), ...(workbookId === undefined ? {} : { workbookId }) }
}

export async function removeSpace(tx: Tx, space: StoredSpace): Promise<void> {
  const context = await buildEndContext(space)
  tx.write(Spaces.remove(space))
  tx.emit(spaces.deleted, context, {}, { namespaces: spaceNamespaces(space) })
}

export function removeWorkbook(tx: Tx, workbook: StoredWorkbook): void {
  tx.write(Workbooks.remove(workbook))
  const { id: workbookId, spaceId, namespaces = [] } = workbook
  tx.emit(workbooks.deleted, workbookContext(workbook), { workbookId, spaceId }, { namespaces })
}
