/** Merges imported records with their duplicates, as one commit for each search. */
import { message } from '../../../schemas/messages/index.ts'
import { MAX_MERGES_PER_IMPORT } from '../../../schemas/programs/limits.ts'
import { MAX_RECORDS_PER_DUPLICATE_GROUP } from '../../../schemas/quality/limits.ts'
import type { DuplicateSearch } from '../../../schemas/quality/shape.ts'
import { toSheetRef } from '../../commits/sheet-ref.ts'
import { createRecordWriter, requireVersion } from '../../commits/write.ts'
import { ApiError } from '../../core/errors.ts'
import type { StoredSheet } from '../../entities/sheets.ts'
import { type FoundMerges, listMerges } from '../../quality/duplicates.ts'
import { planMerges, toWriteParts } from '../../quality/merges.ts'
import { findCommitOfOperation, parseCommitSeq, readCommitRecords, type SheetRef } from '../../records/index.ts'
import type { Actor } from '../../tx.ts'

export interface MergeResult {
  commitId?: string
  updated: number
  deleted: number
  problem?: string
}

const formatMergeOperation = (op: string, index: number): string => `${op}#merge${index}`
export const isMergeOperation = (jobId: string, op: string): boolean =>
  op.startsWith(`${jobId}#`) && /#merge\d+$/.test(op)

interface MergingRun {
  op: string
  actor: Actor
  assertHeld(): Promise<void>
}

export async function mergeImported(
  run: MergingRun,
  sheet: StoredSheet,
  searches: readonly DuplicateSearch[],
  importId: string | undefined,
): Promise<MergeResult[]> {
  if (importId === undefined) return searches.map(() => ({ updated: 0, deleted: 0 }))
  const imported = searches.length > 0 ? await readImportedIds(toSheetRef(sheet), importId) : new Set<string>()
  const results: MergeResult[] = []
  for (const [index, search] of searches.entries()) {
    const merge = { search, op: formatMergeOperation(run.op, index), imported }
    results.push((await readEarlierResult(sheet, merge.op, importId)) ?? (await runMerge(run, sheet, merge)))
  }
  return results
}

async function readImportedIds(ref: SheetRef, commitId: string): Promise<Set<string>> {
  const records = await readCommitRecords(ref, commitId)
  const ids = new Set(records?.updated)
  for (const id of records?.created ?? []) ids.add(id)
  return ids
}

async function readEarlierResult(sheet: StoredSheet, op: string, importId: string): Promise<MergeResult | undefined> {
  const commitId = await findCommitOfOperation(sheet.id, op, parseCommitSeq(sheet.id, importId)!)
  const records = commitId ? await readCommitRecords(toSheetRef(sheet), commitId) : undefined
  return commitId && records
    ? { commitId, updated: records.updated.length, deleted: records.deleted.length }
    : undefined
}

interface Merging {
  search: DuplicateSearch
  op: string
  imported: ReadonlySet<string>
}

const ATTEMPTS = 5

async function runMerge(run: MergingRun, sheet: StoredSheet, { search, op, imported }: Merging): Promise<MergeResult> {
  for (let attempt = 1; ; attempt++) {
    await run.assertHeld()
    const ref = toSheetRef(sheet)
    try {
      const found = await listMerges(ref, search, (id) => imported.has(id), MAX_MERGES_PER_IMPORT)
      if (found.exceeds) return { updated: 0, deleted: 0, problem: describeExcess(found.exceeds) }
      if (found.merges.length === 0) return { updated: 0, deleted: 0 }
      const plan = await planMerges(ref, found.merges, found.version)
      await run.assertHeld()
      const writer = createRecordWriter(sheet, run, {
        op,
        change: { type: 'merge', duplicates: search },
        assertUnchanged: requireVersion(plan.version),
      })
      const { commitId } = await writer.write(toWriteParts(plan))
      return { ...(commitId ? { commitId } : {}), updated: plan.records, deleted: plan.deleted }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // The records are imported already, so the job must not fail and import them again when it is retried.
      if (error.code !== 'conflict' || attempt === ATTEMPTS) return { updated: 0, deleted: 0, problem: error.message }
    }
  }
}

const describeExcess = (exceeds: NonNullable<FoundMerges['exceeds']>): string =>
  exceeds === 'groups'
    ? message('recipes.tooManyGroups', { limit: MAX_MERGES_PER_IMPORT })
    : message('recipes.largeGroup', { limit: MAX_RECORDS_PER_DUPLICATE_GROUP })
