/** Undoes the import of a mapping job. */
import type { ImportUndone } from '../../../schemas/jobs/import-modes.ts'
import * as operations from '../../../schemas/jobs/operations.ts'
import { message } from '../../../schemas/messages/index.ts'
import { MAX_UNDONE_CHANGES } from '../../../schemas/records/limits.ts'
import { loadWithPermission } from '../../auth/load-resource.ts'
import type { Principal } from '../../auth/principal.ts'
import { undoRecords } from '../../commits/restore.ts'
import { assertUnlocked, type WriteOptions } from '../../commits/write.ts'
import { ApiError, conflict } from '../../core/errors.ts'
import type { StoredJob } from '../../entities/jobs.ts'
import type { LaterChange } from '../../records/index.ts'
import type { Tx } from '../../tx.ts'
import { applyTransition } from '../lifecycle/transition.ts'
import { parseConfig } from '../request/config.ts'
import { getJobSheet } from '../request/resources.ts'

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
  const undone = await undoRecords(sheet, tx, { commitId, isOperation }, { ...options, op: `undo-${commitId}` })
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
