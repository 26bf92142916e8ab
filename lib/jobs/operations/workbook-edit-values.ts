import * as contracts from '../../../schemas/jobs/operations.ts'
import { message } from '../../../schemas/messages/index.ts'
import { recordEdit } from '../../commits/recorded-change.ts'
import { toSheetRef } from '../../commits/sheet-ref.ts'
import { requireVersion } from '../../commits/write.ts'
import { compileEdit } from '../../quality/edits.ts'
import { type JobRequest, parseConfig } from '../request/config.ts'
import { getTargetSheet, type JobLocation } from '../request/resources.ts'
import { buildSelection } from '../request/selected-records.ts'
import { fitsContract, type JobResult, type PlatformOperation, type Run } from './operation.ts'
import { buildChangeResult, prepareChange } from './record-changes.ts'

export const editValues: PlatformOperation = {
  contract: contracts.editValues,
  matches: (job) => fitsContract(contracts.editValues, job),
  validate: async (job, location) => void (await resolveEdit(job, location)),
  run: runEdit,
}

async function runEdit(run: Run): Promise<JobResult> {
  const { sheet, edit, selection, replacement, snapshotLabel, version } = await resolveEdit(run.job, run.job)
  const { snapshotId, bulkWriter } = await prepareChange(run, sheet, snapshotLabel, {
    change: recordEdit(edit, selection),
    assertUnchanged: requireVersion(version ?? undefined),
  })
  await run.progress(0.1, message('jobs.replacingValues'))
  await run.assertHeld()
  const { updated, commitId } = await bulkWriter.replaceValues(selection, replacement)
  return buildChangeResult(sheet, { updated, commitId }, snapshotId)
}

async function resolveEdit(job: JobRequest, location: JobLocation) {
  const { sheetId, edit, version, snapshotLabel, ...criteria } = parseConfig(contracts.editValues, job)
  const sheet = await getTargetSheet(job, location, sheetId)
  return {
    sheet,
    edit,
    selection: buildSelection(sheet, criteria),
    replacement: {
      fields: [edit.fieldKey],
      replaceValue: compileEdit(toSheetRef(sheet), edit, 'config.edit.'),
    },
    snapshotLabel,
    version,
  }
}
