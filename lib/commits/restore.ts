/** Restores an older version of a sheet, or a part of it, published as commit events. */
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
