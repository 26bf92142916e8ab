/** Deleting records, by id or by selection: a bitmap over the segments, nothing is rewritten. */

import { processStore, type Store } from '../log/store.ts'
import type { Selection, SheetRef, WriteContext } from '../sheet.ts'
import { missingThen } from './outcome.ts'
import { isIds } from './removal.ts'
import type { WriteResult } from './results.ts'
import { begin, commitWrites } from './write.ts'

export interface RemoveResult extends WriteResult {
  removed: number
  /** Ids of the removed records; made on demand. */
  ids: Iterable<string>
  /** Given ids of no record of the sheet. */
  missing: string[]
}

/** Deletes records as one commit: the given ids, or all a selection means. */
export async function remove(
  sheet: SheetRef,
  what: readonly string[] | Selection,
  ctx: WriteContext,
  store: Store = processStore,
): Promise<RemoveResult> {
  const begun = await begin(store, sheet, ctx)
  const { commitId, changed, counts, outbox, removed, removedIds, missing } =
    'earlier' in begun
      ? { ...begun.earlier, missing: await missingThen(store, sheet.sheetId, begun.seq, idsIn(what)) }
      : await commitWrites(store, sheet, begun.state, ctx, { removes: what })
  return { commitId, changed, counts, outbox, removed, ids: removedIds, missing }
}

const idsIn = (what: readonly string[] | Selection): readonly string[] => (isIds(what) ? what : [])
