import * as contracts from '../../../schemas/jobs/operations.ts'
import { message } from '../../../schemas/messages/index.ts'
import { type JobRequest, parseConfig } from '../request/config.ts'
import { getTargetSheet, type JobLocation } from '../request/resources.ts'
import { assertKnownField, buildSelection } from '../request/selected-records.ts'
import { fitsContract, type JobResult, type PlatformOperation, type Run } from './operation.ts'
import { buildChangeResult, prepareChange } from './record-changes.ts'

export const findReplace: PlatformOperation = {
  contract: contracts.findReplace,
  matches: (job) => fitsContract(contracts.findReplace, job),
  validate: async (job, location) => void (await resolveReplacement(job, location)),
  run: runReplacement,
}

async function runReplacement(run: Run): Promise<JobResult> {
  const { sheet, selection, replacement, snapshotLabel } = await resolveReplacement(run.job, run.job)
  const { snapshotId, bulkWriter } = await prepareChange(run, sheet, snapshotLabel)
  await run.progress(0.1, message('jobs.replacingValues'))
  await run.assertHeld()
  const { updated, commitId } = await bulkWriter.findReplace(selection, replacement)
  return buildChangeResult(sheet, { updated, commitId }, snapshotId)
}

async function resolveReplacement(job: JobRequest, location: JobLocation) {
  const { sheetId, fieldKey, find, replace, snapshotLabel, ...criteria } = parseConfig(contracts.findReplace, job)
  const sheet = await getTargetSheet(job, location, sheetId)
  assertKnownField(sheet, fieldKey, 'config.fieldKey')
  return {
    sheet,
    selection: buildSelection(sheet, criteria),
    replacement: { fields: [fieldKey], find, replace },
    snapshotLabel,
  }
}
