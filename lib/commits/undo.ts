import type { CommitUndone } from '../../schemas/commits/shape.ts'
import { message } from '../../schemas/messages/index.ts'
import { MAX_UNDONE_CHANGES } from '../../schemas/records/limits.ts'
import { readActorNames } from '../auth/actor-names.ts'
import { ApiError, conflict } from '../core/errors.ts'
import type { StoredSheet } from '../entities/sheets.ts'
import { formatCommitId, type LaterChange, listLaterCommits } from '../records/index.ts'
import type { Actor } from '../tx.ts'
import { undoRecords } from './restore.ts'
import { toSheetRef } from './sheet-ref.ts'
import { formatUndoOperation, parseUndoOperation } from './undo-operation.ts'
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
  const revertedOps = await findRevertedOperations(sheet, commit.commitId)
  const isIgnored = (later: string): boolean => revertedOps.has(later) || (commit.isIgnored?.(later) ?? false)
  const undone = await undoRecords(sheet, by, { isOperation: isAnyOperation, ...commit, isIgnored }, { ...options, op })
  if (!undone) throw conflict(message('records.nothingToUndo'))
  if ('later' in undone) throw await createUndoRefusal(sheet, undone.later, undone.others)
  return { sheetId: sheet.id, commitId: undone.result.commitId, ...undone.records }
}

const MAX_LATER_COMMITS = 2000

/** A change that was undone since, or undone and redone before it, left the records as they were. */
async function findRevertedOperations(sheet: StoredSheet, commitId: string): Promise<ReadonlySet<string>> {
  const later = (await listLaterCommits(toSheetRef(sheet), commitId, MAX_LATER_COMMITS)) ?? []
  const chains = new Map<string, string[]>()
  for (const { seq, op } of later) {
    const chain = chains.get(parseUndoOperation(op) ?? '') ?? []
    chain.push(op)
    chains.set(formatCommitId(sheet.id, seq), chain)
  }
  return new Set([...chains.values()].filter(({ length }) => length % 2 === 0).flat())
}

const MAX_ACTORS = 10

export async function createUndoRefusal(
  { accountId }: StoredSheet,
  later: readonly LaterChange[],
  others: readonly string[],
): Promise<ApiError> {
  const actorIds = (later.length > 0 ? later.map(({ actorId }) => actorId) : others).slice(0, MAX_ACTORS)
  const names = await readActorNames(accountId, actorIds)
  const getName = (id: string): string => names.get(id) ?? id
  if (!later.length)
    return conflict(
      message('records.undoTooLarge', { limit: MAX_UNDONE_CHANGES, actors: actorIds.map(getName).join(', ') }),
    )
  const shown = later.slice(0, MAX_ACTORS)
  const examples = shown.flatMap((change) => change.examples).slice(0, MAX_ACTORS)
  return new ApiError('conflict', [
    ...shown.map(({ actorId, updated, deleted }) => ({
      key: 'conflict',
      message: message('records.undoChangedBy', { actor: getName(actorId), updated, deleted }),
    })),
    { key: 'records', message: message('records.undoExamples', { examples: examples.join(', ') }) },
  ])
}
