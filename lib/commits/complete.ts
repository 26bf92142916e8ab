/** Completes a commit. Only workbooks that track changes announce it. */
import * as commits from '../../schemas/commits/events.ts'
import { type StoredSheet, sheetContext } from '../entities/sheets.ts'
import { completeCommit, readCommit } from '../records/index.ts'
import type { Tx } from '../tx.ts'

/** Returns false when the commit does not exist. Idempotent: a second call changes and emits nothing. */
export async function completeOnce(tx: Tx, sheet: StoredSheet, commitId: string): Promise<boolean> {
  const existing = await readCommit(sheet.id, commitId)
  if (!existing) return false
  if (existing.completedAt) return true
  await completeCommit(sheet.id, commitId, { actorId: tx.actor.actorId, at: tx.now })
  const context = { ...sheetContext(sheet), commitId, versionId: commitId }
  const ids = { sheetId: sheet.id, workbookId: sheet.workbookId, versionId: commitId, commitId }
  const extras = { namespaces: sheet.namespaces ?? [] }
  tx.emit(commits.updated, context, { ...ids, changes: buildCompletionChanges(tx.actor.actorId, tx.now) }, extras)
  if (sheet.trackChanges) tx.emit(commits.completed, context, ids, extras)
  return true
}

export const buildCompletionChanges = (by: string, at: string) => [
  { field: 'completedBy', previousValue: null, newValue: by },
  { field: 'completedAt', previousValue: null, newValue: at },
]
