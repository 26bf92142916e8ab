/** Completes a commit. Only workbooks that track changes tell of it. */
import * as commits from '../../schemas/commits.ts'
import { type StoredSheet, sheetContext } from '../entities/sheets.ts'
import { commit, completeCommit } from '../records/index.ts'
import type { Tx } from '../tx.ts'

/** False when there is no such commit. Completing twice changes and tells nothing more. */
export async function completeOnce(tx: Tx, sheet: StoredSheet, commitId: string): Promise<boolean> {
  const before = await commit(sheet.id, commitId)
  if (!before) return false
  if (before.completedAt) return true
  await completeCommit(sheet.id, commitId, { actorId: tx.actor.actorId, at: tx.now })
  const context = { ...sheetContext(sheet), commitId, versionId: commitId }
  const ids = { sheetId: sheet.id, workbookId: sheet.workbookId, versionId: commitId, commitId }
  const extras = { namespaces: sheet.namespaces ?? [] }
  tx.emit(commits.updated, context, { ...ids, changes: completion(tx.actor.actorId, tx.now) }, extras)
  if (sheet.trackChanges) tx.emit(commits.completed, context, ids, extras)
  return true
}

/** What completing changes of a commit. */
export const completion = (by: string, at: string) => [
  { field: 'completedBy', previousValue: null, newValue: by },
  { field: 'completedAt', previousValue: null, newValue: at },
]
