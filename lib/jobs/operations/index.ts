/** The registry of operation handlers. */
import type { PlatformOperation } from '../definitions/definition.ts'
import { exportAgent } from './agent-export.ts'
import { exportSheet, exportWorkbook } from './export.ts'
import { extract } from './file-extract.ts'
import type { OperationHandler } from './operation.ts'
import { deleteRecords } from './workbook-delete-records.ts'
import { findReplace } from './workbook-find-replace.ts'
import { map } from './workbook-map.ts'
import { mutateRecords } from './workbook-mutate-records.ts'

export const HANDLERS: readonly OperationHandler[] = [
  extract,
  map,
  deleteRecords,
  mutateRecords,
  findReplace,
  exportSheet,
  exportWorkbook,
  exportAgent,
]

export function getHandler({ operation: { name } }: PlatformOperation): OperationHandler {
  const handler = HANDLERS.find(({ operation }) => operation.name === name)
  if (!handler) throw new Error(`${name} has no handler. Add it to lib/jobs/operations/index.ts.`)
  return handler
}
