/** Going back to an older version of a sheet, or to a part of it, with the events of the commit. */
import type { StoredSheet } from '../entities/sheets.ts'
import * as engine from '../records/index.ts'
import type { Actor } from '../tx.ts'
import { type WriteOptions, writing } from './write.ts'

/** One commit; none when there is nothing to restore. */
export async function restoreRecords(
  sheet: StoredSheet,
  by: { actor: Actor },
  version: engine.RestoreOptions,
  options: WriteOptions = {},
): Promise<engine.WriteResult> {
  const { ref, context, tell } = writing(sheet, by, options)
  const result = await engine.restore(ref, version, context)
  const done = result.commitId ? await engine.recordsOfCommit(ref, result.commitId) : undefined
  return tell(result, done ?? {})
}
