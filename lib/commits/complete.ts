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
  if (sheet.trackChanges) {
    const ids = { sheetId: sheet.id, workbookId: sheet.workbookId, versionId: commitId, commitId }
    tx.emit(commits.completed, { ...sheetContext(sheet), commitId, versionId: commitId }, ids, {
      namespaces: sheet.namespaces ?? [],
    })
  }
  return true
}
