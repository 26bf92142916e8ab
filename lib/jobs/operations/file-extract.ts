/** Handles `file:extract`: reads a file into a workbook with one sheet per table. */
import { message } from '../../../schemas/messages/index.ts'
import * as operations from '../../../schemas/operations.ts'
import { notFound } from '../../core/errors.ts'
import { extractFile } from '../../files/extract/index.ts'
import { parseConfig } from '../definitions/config.ts'
import { getJobFile } from '../definitions/file-extract.ts'
import type { JobResult, OperationHandler, Run } from './operation.ts'

export const extract: OperationHandler = { operation: operations.extract, runOperation }

async function runOperation({ job, actor, progress }: Run): Promise<JobResult> {
  const file = await getJobFile(job)
  if (!file || file.environmentId !== job.environmentId) throw notFound('file', job.fileId ?? job.source)
  const { options, detectedHeaderRow } = parseConfig(operations.extract, job)
  const { workbookId, sheetIds, rows, skipped } = await extractFile({
    file,
    actor,
    jobId: job.id,
    options: { ...options, headerRow: detectedHeaderRow },
    onProgress: (fraction) => progress(fraction, message('jobs.extracting', { file: file.name })),
  })
  const summary = message('jobs.rowsRead', { file: file.name, count: rows })
  return {
    info: message('jobs.rowsExtracted', { count: rows }),
    workbookId,
    result: { workbookId, sheetIds, rows },
    outcome: {
      acknowledge: true,
      heading: message('jobs.extractionFinished'),
      message:
        skipped.length > 0
          ? message('jobs.withSkipped', { result: summary, names: skipped.slice(0, 10).join(', ') })
          : summary,
      next: { type: 'id', id: workbookId, path: 'workbook', label: message('jobs.open', { name: file.name }) },
    },
  }
}
