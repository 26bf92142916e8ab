/** Partial updates of records as one commit. Changes of messages, metadata or config make no commit. */

import { rulesOf } from '../fields/rules.ts'
import { processStore, type Store } from '../log/store.ts'
import type { ChangeBatch } from '../segments/change-batch.ts'
import type { RecordUpdate, SheetRef, WriteContext } from '../sheet.ts'
import { commitWrites, createComparison, createUpdateMerger, listUnknownFields, startWrite } from './write.ts'
import { type CommitResult, findMissingIds } from './write-result.ts'

export interface UpdateResult extends CommitResult {
  updated: number
  updatedIds: Iterable<string>
  changes: AsyncIterable<ChangeBatch>
  missing: string[]
  ignoredFields: string[]
}

export async function update(
  sheet: SheetRef,
  updates: readonly RecordUpdate[],
  ctx: WriteContext,
  store: Store = processStore,
): Promise<UpdateResult> {
  const rules = rulesOf(sheet)
  const merger = createUpdateMerger()
  merger.add(updates)
  const mergedUpdates = merger.all()
  const start = await startWrite(store, sheet, ctx)
  const { created, createdIds, removed, removedIds, ...result } =
    'earlier' in start
      ? {
          ...start.earlier,
          missing: await findMissingIds(
            store,
            sheet.sheetId,
            start.seq,
            mergedUpdates.map(({ id }) => id),
          ),
        }
      : await commitWrites(store, sheet, start.state, ctx, { compare: createComparison(store, rules, mergedUpdates) })
  return {
    ...result,
    ignoredFields: listUnknownFields(rules, mergedUpdates),
  }
}
