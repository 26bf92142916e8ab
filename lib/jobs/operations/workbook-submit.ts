import * as contracts from '../../../schemas/jobs/operations.ts'
import { message } from '../../../schemas/messages/index.ts'
import { toSheetRef } from '../../commits/sheet-ref.ts'
import { ApiError, conflict, notFound, unprocessable } from '../../core/errors.ts'
import { Sheets, type StoredSheet } from '../../entities/sheets.ts'
import { Workbooks } from '../../entities/workbooks.ts'
import { countRecords } from '../../records/index.ts'
import { updateSheet } from '../../workbooks/update.ts'
import { checkConstraints } from '../actions/constraints.ts'
import { findAction } from '../actions/resolve-action.ts'
import type { JobRequest } from '../request/config.ts'
import { isInLocation, type JobLocation } from '../request/resources.ts'
import type { JobResult, PlatformOperation, Run } from './operation.ts'

export const submit: PlatformOperation = {
  contract: contracts.submit,
  matches: () => true,
  validate: async (job, location) => void (await resolveSubmission(job, location)),
  run: runSubmission,
}

async function runSubmission({ job, progress }: Run): Promise<JobResult> {
  const { sheets } = await resolveSubmission(job, job)
  const counts = await Promise.all(sheets.map((sheet) => countRecords(toSheetRef(sheet))))
  const count = counts.reduce((sum, { total }) => sum + total, 0)
  await progress(1)
  const [filledSheet, ...otherSheets] = sheets.filter((_, i) => counts[i]!.total > 0)
  return {
    info: message('jobs.recordsSubmitted', { count }),
    result: { workbookId: job.source, sheetIds: sheets.map(({ id }) => id), records: count },
    outcome: {
      acknowledge: true,
      heading: message('jobs.submitted'),
      message: message('jobs.submittedAndLocked', { count }),
      ...(filledSheet && otherSheets.length === 0
        ? {
            next: {
              type: 'download',
              url: `/v1/sheets/${filledSheet.id}/download`,
              label: message('jobs.downloadCopy'),
            },
          }
        : {}),
    },
    async inTransaction(tx) {
      const latest = await resolveSubmission(job, job)
      const problems = await checkConstraints(
        latest.action,
        { kind: 'workbook', workbook: latest.workbook },
        latest.request,
      )
      if (problems.length > 0) throw new ApiError('unprocessable', problems)
      for (const sheet of latest.sheets)
        updateSheet(tx, sheet, { ...sheet, lockedAt: tx.now, lockedBy: tx.actor.actorId })
    },
  }
}

/** Only a workbook that offers this action can be submitted, because a submission locks its sheets. */
async function resolveSubmission(job: JobRequest, location: JobLocation) {
  const workbook = await Workbooks.get(job.source)
  if (!workbook || !isInLocation(location, workbook)) throw notFound('workbook', job.source)
  const request = { operation: job.operation, source: job.source, input: undefined, subject: undefined }
  const action = await findAction({ kind: 'workbook', workbook }, request)
  if (!action) throw unprocessable(message('jobs.noSubmitAction'))
  const sheets: StoredSheet[] = await Sheets.inWorkbook(workbook.id)
  if (sheets.length > 0 && sheets.every(({ lockedAt }) => lockedAt)) throw conflict(message('jobs.alreadySubmitted'))
  return { workbook, action, request, sheets: sheets.filter(({ lockedAt }) => !lockedAt) }
}
