/** Restores an older version of a sheet or a part of it, or undoes a commit, published as commit events. */
import type { StoredSheet } from '../entities/sheets.ts'
import * as engine from '../records/index.ts'
import type { Actor } from '../tx.ts'
import { prepareWrite, type WriteOptions } from './write.ts'

export async function restoreRecords(
  sheet: StoredSheet,
  by: { actor: Actor },
  version: engine.RestoreOptions,
  options: WriteOptions = {},
): Promise<engine.CommitResult> {
  const { ref, context, tell: publishResult } = prepareWrite(sheet, by, options)
  const result = await engine.restoreVersion(ref, version, context)
  const effect = result.commitId ? await engine.readCommitRecords(ref, result.commitId) : undefined
  return publishResult(result, effect ?? {})
}

/** The sweep publishes larger ones, because reading what they changed takes longer than a request. */
const MAX_RECORDS_PUBLISHED = 10_000

export async function undoRecords(
  sheet: StoredSheet,
  by: { actor: Actor },
  commit: engine.UndoneCommit,
  options: WriteOptions,
): Promise<engine.UndoResult | undefined> {
  const { ref, context, tell: publishResult } = prepareWrite(sheet, by, options)
  const undone = await engine.undoCommit(ref, commit, context)
  if (!undone || 'later' in undone) return undone
  const { result, records } = undone
  if (result.commitId && records.created + records.updated + records.deleted <= MAX_RECORDS_PUBLISHED)
    await publishResult(result, (await engine.readCommitRecords(ref, result.commitId)) ?? {})
  return undone
}
