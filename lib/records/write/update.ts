/**
 * Partial changes of records as one commit. Few cells of a segment are patches in the log; many are its columns written
 * anew. Messages, metadata and config alone are stored, but make no commit.
 */

import { processStore, type Store } from '../log/store.ts'
import { rulesOf } from '../rules/rules.ts'
import type { CellChange, RecordUpdate, SheetRef, WriteContext } from '../sheet.ts'
import { collect, missingThen } from './outcome.ts'
import type { WriteResult } from './results.ts'
import { begin, commitWrites, comparison, unknownFields, updatesById } from './write.ts'

export interface UpdateResult extends WriteResult {
  /** Ids of the records whose values changed. */
  updated: string[]
  changes: CellChange[]
  /** Ids of no record of the sheet. */
  missing: string[]
  /** Keys of values the sheet has no field for. */
  ignoredFields: string[]
}

/** Changes records; unknown ids are listed, the others are changed. */
export async function update(
  sheet: SheetRef,
  updates: readonly RecordUpdate[],
  ctx: WriteContext,
  store: Store = processStore,
): Promise<UpdateResult> {
  const rules = rulesOf(sheet)
  const merged = updatesById()
  merged.add(updates)
  const all = merged.all()
  const begun = await begin(store, sheet, ctx)
  const { created, createdIds, removed, removedIds, updatedIds, ...result } =
    'earlier' in begun
      ? {
          ...begun.earlier,
          missing: await missingThen(
            store,
            sheet.sheetId,
            begun.seq,
            all.map(({ id }) => id),
          ),
        }
      : await commitWrites(store, sheet, begun.state, ctx, { compare: comparison(store, rules, all) })
  return {
    ...result,
    updated: [...updatedIds],
    changes: await collect(result.changes),
    ignoredFields: unknownFields(rules, all),
  }
}
