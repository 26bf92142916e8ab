import type { CommitUndone } from '../../../schemas/commits/shape.ts'
import * as operations from '../../../schemas/jobs/operations.ts'
import { message } from '../../../schemas/messages/index.ts'
import { loadWithPermission } from '../../auth/load-resource.ts'
import type { Principal } from '../../auth/principal.ts'
import { toSheetRef } from '../../commits/sheet-ref.ts'
import { createUndoRefusal, undoCommit } from '../../commits/undo.ts'
import { formatUndoOperation } from '../../commits/undo-operation.ts'
import type { WriteOptions } from '../../commits/write.ts'
import { conflict } from '../../core/errors.ts'
import type { StoredJob } from '../../entities/jobs.ts'
import { findChangesAfter } from '../../records/index.ts'
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
): Promise<CommitUndone> {
  const isCompleted = job.status === 'completed' && `${job.type}:${job.operation}` === operations.map.name
  const commitId = isCompleted ? job.result?.commitId : undefined
  if (typeof commitId !== 'string') throw conflict(message('jobs.nothingToUndo'))
  const { destinationSheetId } = parseConfig(operations.map, job)
  await loadWithPermission('sheet', caller, 'records:write', destinationSheetId)
  const sheet = await getJobSheet(job, destinationSheetId)
  const isOperation = (op: string): boolean => op === job.id || op.startsWith(`${job.id}#`)
  const mergeIds = listMergeCommits(job)
  const isIgnored = (op: string): boolean =>
    isMergeOperation(job.id, op) || [...mergeIds, commitId].some((id) => op === formatUndoOperation(id))
  const merges = mergeIds.map((id) => ({ commitId: id, isOperation, isIgnored }))
  const imported = { commitId, isOperation, isIgnored }
  if (merges.length > 0 && !job.result?.undo)
    for (const commit of [...merges, imported]) {
      const later = await findChangesAfter(toSheetRef(sheet), commit)
      if (later.length > 0) throw await createUndoRefusal(sheet, later, [])
    }
  for (const merge of merges) await undoCommit(sheet, tx, merge, options)
  const undo = await undoCommit(sheet, tx, imported, options)
  await applyTransition(caller, job.id, (current) => ({
    trigger: 'update',
    changes: { info: message('jobs.importUndone'), result: { ...current.result, undo } },
  }))
  return undo
}

/** Newest first, in the order they are undone. */
const listMergeCommits = ({ result }: StoredJob): string[] =>
  ((result?.merges ?? []) as { commitId?: string }[]).flatMap(({ commitId }) => commitId ?? []).reverse()
