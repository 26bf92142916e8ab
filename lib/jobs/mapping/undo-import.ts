/** Undoes the import of a mapping job. */
import type { ImportUndone } from '../../../schemas/jobs/import-modes.ts'
import * as operations from '../../../schemas/jobs/operations.ts'
import { message } from '../../../schemas/messages/index.ts'
import { MAX_UNDONE_CHANGES } from '../../../schemas/records/limits.ts'
import { loadWithPermission } from '../../auth/load-resource.ts'
import type { Principal } from '../../auth/principal.ts'
import { undoRecords } from '../../commits/restore.ts'
import { toSheetRef } from '../../commits/sheet-ref.ts'
import { assertUnlocked, type WriteOptions } from '../../commits/write.ts'
import { ApiError, conflict } from '../../core/errors.ts'
import type { StoredJob } from '../../entities/jobs.ts'
import { findChangesAfter, type LaterChange } from '../../records/index.ts'
import type { Tx } from '../../tx.ts'
import { applyTransition } from '../lifecycle/transition.ts'
import { parseConfig } from '../request/config.ts'
import { getJobSheet } from '../request/resources.ts'
import { isMergeOperation } from './merge-imported.ts'

export async function undoImport(
  caller: Principal,
  job: StoredJob,
  tx: Tx,
  options: WriteOptions,
): Promise<ImportUndone> {
  const isCompleted = job.status === 'completed' && `${job.type}:${job.operation}` === operations.map.name
  const commitId = isCompleted ? job.result?.commitId : undefined
  if (typeof commitId !== 'string') throw conflict(message('jobs.nothingToUndo'))
  const { destinationSheetId } = parseConfig(operations.map, job)
  await loadWithPermission('sheet', caller, 'records:write', destinationSheetId)
  const sheet = await getJobSheet(job, destinationSheetId)
  assertUnlocked(sheet)
  const isOperation = (op: string): boolean => op === job.id || op.startsWith(`${job.id}#`)
  const mergeIds = listMergeCommits(job)
  const isIgnored = (op: string): boolean =>
    isMergeOperation(job.id, op) || [...mergeIds, commitId].some((id) => op === formatUndoOperation(id))
  const commits = [...mergeIds, commitId].map((id) => ({ commitId: id, isOperation, isIgnored }))
  if (mergeIds.length > 0 && !job.result?.undo)
    for (const commit of commits) {
      const later = await findChangesAfter(toSheetRef(sheet), commit)
      if (later.length > 0) throw createRefusal(later, [])
    }
  let undone: Awaited<ReturnType<typeof undoRecords>>
  for (const commit of commits) {
    undone = await undoRecords(sheet, tx, commit, { ...options, op: formatUndoOperation(commit.commitId) })
    if (undone && 'later' in undone) throw createRefusal(undone.later, undone.others)
  }
  if (!undone) throw conflict(message('jobs.nothingToUndo'))
  if ('later' in undone) throw createRefusal(undone.later, undone.others)
  const { records, result } = undone
  const undo = { sheetId: sheet.id, commitId: result.commitId, ...records }
  await applyTransition(caller, job.id, (current) => ({
    trigger: 'update',
    changes: { info: message('jobs.importUndone'), result: { ...current.result, undo } },
  }))
  return undo
}

const formatUndoOperation = (commitId: string): string => `undo-${commitId}`

/** Newest first, in the order they are undone. */
const listMergeCommits = ({ result }: StoredJob): string[] =>
  ((result?.merges ?? []) as { commitId?: string }[]).flatMap(({ commitId }) => commitId ?? []).reverse()

const MAX_ACTORS = 10

function createRefusal(later: readonly LaterChange[], others: readonly string[]): ApiError {
  if (!later.length)
    return conflict(
      message('jobs.undoTooLarge', { limit: MAX_UNDONE_CHANGES, actors: others.slice(0, MAX_ACTORS).join(', ') }),
    )
  const problems = later.slice(0, MAX_ACTORS).map(({ actorId, updated, deleted, examples }) => ({
    key: 'conflict',
    message: message('jobs.importChangedBy', { actor: actorId, updated, deleted, examples: examples.join(', ') }),
  }))
  return new ApiError('conflict', problems)
}
