/** Performs `file:extract`: reads a file into a workbook, a sheet for each of its tables. */
import * as operations from '../../../schemas/operations.ts'
import { notFound } from '../../core/errors.ts'
import { extractFile } from '../../files/extract/index.ts'
import { configOf } from '../offers/config.ts'
import { fileOf } from '../offers/file-extract.ts'
import type { Ending, Performer, Run } from './performer.ts'

export const extract: Performer = { operation: operations.extract, perform }

async function perform({ job, actor, progress }: Run): Promise<Ending> {
  const file = await fileOf(job)
  if (!file || file.environmentId !== job.environmentId) throw notFound('file', job.fileId ?? job.source)
  const { options, detectedHeaderRow } = configOf(operations.extract, job)
  const { workbookId, sheetIds, rows, leftOut } = await extractFile({
    file,
    actor,
    jobId: job.id,
    options: { ...options, headerRow: detectedHeaderRow },
    onProgress: (fraction) => progress(fraction, `Extracting ${file.name}`),
  })
  const counted = `${rows} ${rows === 1 ? 'row' : 'rows'}`
  const without = leftOut.length > 0 ? ` Left out: ${leftOut.slice(0, 10).join(', ')}.` : ''
  return {
    info: `Extracted ${counted}`,
    workbookId,
    result: { workbookId, sheetIds, rows },
    outcome: {
      acknowledge: true,
      heading: 'File extracted',
      message: `${file.name}: ${counted} read.${without}`,
      next: { type: 'id', id: workbookId, path: 'workbook', label: `Open ${file.name}` },
    },
  }
}
