/** Handles `sheet:export` and `workbook:export`: writes records to a file in the space. */
import { decodeTime } from 'ulid'
import { message } from '../../../schemas/messages/index.ts'
import * as operations from '../../../schemas/operations.ts'
import { toSheetRef } from '../../commits/sheet-ref.ts'
import { deriveId } from '../../core/ids.ts'
import { exportFile } from '../../files/export/index.ts'
import * as records from '../../records/index.ts'
import { resolveExport } from '../definitions/export.ts'
import type { JobResult, OperationHandler, Run } from './operation.ts'

export const exportSheet: OperationHandler = { operation: operations.exportSheet, runOperation }
export const exportWorkbook: OperationHandler = { operation: operations.exportWorkbook, runOperation }

async function runOperation({ job, actor, op, progress }: Run): Promise<JobResult> {
  const { name, options, sheets } = await resolveExport(job, job)
  const totals = await Promise.all(
    sheets.map(({ sheet, query }) =>
      records.listRecords(toSheetRef(sheet), { ...query, pageSize: 1, includeLength: true }),
    ),
  )
  const total = totals.reduce((sum, page) => sum + (page.total ?? 0), 0)
  let written = 0
  const file = await exportFile({
    fileId: deriveId('file', { time: decodeTime(job.id.slice(job.id.lastIndexOf('_') + 1)), sequence: 0, of: op }),
    spaceId: job.spaceId!,
    actor,
    name,
    sheets,
    options,
    onRows: async (count) => {
      written += count ?? 0
      const fraction = Math.min(0.99, written / Math.max(1, total))
      await progress(
        count === undefined ? 1 : fraction,
        message('jobs.exportProgress', { done: Math.min(written, total), count: total }),
      )
    },
  })
  return {
    info: message('jobs.recordsExported', { count: total }),
    result: { fileId: file.id, records: total },
    outcome: {
      acknowledge: true,
      heading: message('jobs.exportFinished'),
      message: message('jobs.recordsInFile', { count: total, file: file.name }),
      next: { type: 'files', files: [{ fileId: file.id, label: file.name }] },
    },
  }
}
