/** Handles `file:extract`: reads a file into a workbook with one sheet per table. */
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
    onProgress: (fraction) => progress(fraction, `Extracting ${file.name}`),
  })
  const rowCount = `${rows} ${rows === 1 ? 'row' : 'rows'}`
  const skippedNote = skipped.length > 0 ? ` Skipped: ${skipped.slice(0, 10).join(', ')}.` : ''
  return {
    info: `Extracted ${rowCount}`,
    workbookId,
    result: { workbookId, sheetIds, rows },
    outcome: {
      acknowledge: true,
      heading: 'File extracted',
      message: `${file.name}: ${rowCount} read.${skippedNote}`,
      next: { type: 'id', id: workbookId, path: 'workbook', label: `Open ${file.name}` },
    },
  }
}
