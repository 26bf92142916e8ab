/** Completes a commit. Only workbooks that track changes announce it. */
import * as commits from '../../schemas/commits/events.ts'
import { type StoredSheet, sheetContext } from '../entities/sheets.ts'
import { planCompletion, readCommit } from '../records/index.ts'
import { tryCommit } from '../table/transact.ts'
import { type Actor, begin } from '../tx.ts'

/** Returns false when the commit does not exist. Idempotent: a second call changes and emits nothing. */
export async function completeOnce(actor: Actor, sheet: StoredSheet, commitId: string): Promise<boolean> {
  const existing = await readCommit(sheet.id, commitId)
  if (!existing) return false
  if (existing.completedAt) return true
  const tx = begin(actor)
  tx.write(planCompletion(sheet.id, commitId, { actorId: actor.actorId, at: tx.now }))
  const context = { ...sheetContext(sheet), commitId, versionId: commitId }
  const ids = { sheetId: sheet.id, workbookId: sheet.workbookId, versionId: commitId, commitId }
  const extras = { namespaces: sheet.namespaces ?? [] }
  tx.emit(commits.updated, context, { ...ids, changes: buildCompletionChanges(actor.actorId, tx.now) }, extras)
  if (sheet.trackChanges) tx.emit(commits.completed, context, ids, extras)
  // It fails only if another call completed the commit in the meantime.
  await tryCommit(tx.commit())
  return true
}

export const buildCompletionChanges = (by: string, at: string) => [
  { field: 'completedBy', previousValue: null, newValue: by },
  { field: 'completedAt', previousValue: null, newValue: at },
]
