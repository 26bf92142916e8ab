import * as contracts from '../../../schemas/jobs/operations.ts'
import { message } from '../../../schemas/messages/index.ts'
import { toSheetRef } from '../../commits/sheet-ref.ts'
import type { StoredSheet } from '../../entities/sheets.ts'
import { countRecords } from '../../records/index.ts'
import { type Mutation, parseMutation } from '../mutation/parse.ts'
import { ResultCache } from '../mutation/result-cache.ts'
import { type JobRequest, parseConfig } from '../request/config.ts'
import { getJobSheet, type JobLocation } from '../request/resources.ts'
import {
  createTimeLimitError,
  fitsContract,
  type JobResult,
  OutOfTimeError,
  type PlatformOperation,
  type Run,
} from './operation.ts'
import { buildChangeResult, prepareChange } from './record-changes.ts'

export const mutateRecords: PlatformOperation = {
  contract: contracts.mutateRecords,
  matches: (job) => fitsContract(contracts.mutateRecords, job),
  validate: async (job, location) => void (await resolveMutation(job, location)),
  resumable: true,
  run: runMutation,
}

async function runMutation(run: Run): Promise<JobResult> {
  const { sheet, selection, program, snapshotLabel } = await resolveMutation(run.job, run.job)
  const { createMutator } = await import('../mutation/mutator.ts')
  const { snapshotId, bulkWriter } = await prepareChange(run, sheet, snapshotLabel)
  const { total } = await countRecords(toSheetRef(sheet))
  const cache = await ResultCache.load(run.op)
  let changedCount = 0
  const mutate = createMutator(program, {
    cache,
    onDone: async (count) => {
      changedCount += count
      await run.progress(
        Math.min(0.95, (0.95 * changedCount) / Math.max(1, total)),
        message('jobs.changingRecords', { count: changedCount }),
      )
    },
  })
  const { updated, commitId } = await bulkWriter
    .mutate(selection, async (batch) => {
      const cells = await mutate(batch)
      await run.assertHeld()
      return cells
    })
    .catch((error: unknown) => {
      throw error instanceof OutOfTimeError && cache.addedCount === 0 ? createTimeLimitError() : error
    })
  await cache.clear()
  return buildChangeResult(sheet, { updated, commitId }, snapshotId)
}

interface JobMutation extends Mutation {
  sheet: StoredSheet
  snapshotLabel: string | undefined
}

async function resolveMutation(job: JobRequest, location: JobLocation): Promise<JobMutation> {
  const config = parseConfig(contracts.mutateRecords, job)
  const sheet = await getJobSheet(location, config.sheetId)
  return { sheet, ...parseMutation(sheet, config, 'config.'), snapshotLabel: config.snapshotLabel }
}
