import type { CommitUndone } from '../../schemas/commits/shape.ts'
import { message } from '../../schemas/messages/index.ts'
import { MAX_UNDONE_CHANGES } from '../../schemas/records/limits.ts'
import { ApiError, conflict } from '../core/errors.ts'
import type { StoredSheet } from '../entities/sheets.ts'
import type { LaterChange } from '../records/index.ts'
import type { Actor } from '../tx.ts'
import { undoRecords } from './restore.ts'
import { assertUnlocked, type WriteOptions } from './write.ts'

type UndoneCommit = Parameters<typeof undoRecords>[2]

const isAnyOperation = (): boolean => true

/**
 * Repeating the call changes nothing.
 * @throws ApiError 409 if its records were changed since, with who changed how many, or if it cannot be undone
 */
export async function undoCommit(
  sheet: StoredSheet,
  by: { actor: Actor },
  commit: { commitId: string } & Partial<UndoneCommit>,
  options: WriteOptions,
): Promise<CommitUndone> {
  assertUnlocked(sheet)
  const op = formatUndoOperation(commit.commitId)
  const undone = await undoRecords(sheet, by, { isOperation: isAnyOperation, ...commit }, { ...options, op })
  if (!undone) throw conflict(message('records.nothingToUndo'))
  if ('later' in undone) throw createUndoRefusal(undone.later, undone.others)
  return { sheetId: sheet.id, commitId: undone.result.commitId, ...undone.records }
}

export const formatUndoOperation = (commitId: string): string => `undo-${commitId}`

const MAX_ACTORS = 10

export function createUndoRefusal(later: readonly LaterChange[], others: readonly string[]): ApiError {
  if (!later.length)
    return conflict(
      message('records.undoTooLarge', { limit: MAX_UNDONE_CHANGES, actors: others.slice(0, MAX_ACTORS).join(', ') }),
    )
  const problems = later.slice(0, MAX_ACTORS).map(({ actorId, updated, deleted, examples }) => ({
    key: 'conflict',
    message: message('records.undoChangedBy', { actor: actorId, updated, deleted, examples: examples.join(', ') }),
  }))
  return new ApiError('conflict', problems)
}
