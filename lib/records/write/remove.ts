/** Deletes records by id or selection as bitmaps; no data is rewritten. */

import { processStore, type Store } from '../log/store.ts'
import type { Selection, SheetRef, WriteContext } from '../sheet.ts'
import { isIdList } from './plan-removal.ts'
import { commitWrites, startWrite } from './write.ts'
import { type CommitResult, findMissingIds } from './write-result.ts'

export interface RemoveResult extends CommitResult {
  removed: number
  ids: Iterable<string>
  missing: string[]
}

export async function remove(
  sheet: SheetRef,
  target: readonly string[] | Selection,
  ctx: WriteContext,
  store: Store = processStore,
): Promise<RemoveResult> {
  const start = await startWrite(store, sheet, ctx)
  const { commitId, changed, counts, outbox, removed, removedIds, missing } =
    'earlier' in start
      ? { ...start.earlier, missing: await findMissingIds(store, sheet.sheetId, start.seq, getIds(target)) }
      : await commitWrites(store, sheet, start.state, ctx, { removes: target })
  return { commitId, changed, counts, outbox, removed, ids: removedIds, missing }
}

const getIds = (target: readonly string[] | Selection): readonly string[] => (isIdList(target) ? target : [])
