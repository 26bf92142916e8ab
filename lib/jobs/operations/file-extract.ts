/** Performs `file:extract`: reads a delimited text file into a workbook. */
import * as operations from '../../../schemas/operations.ts'
import { notFound } from '../../core/errors.ts'
import { extractDelimited } from '../../files/extract/index.ts'
import { fileOf } from '../offers/file-extract.ts'
import type { Ending, Performer, Run } from './performer.ts'

export const extract: Performer = { operation: operations.extract, perform }

async function perform({ job, actor, progress }: Run): Promise<Ending> {
  const file = await fileOf(job)
  if (!file || file.environmentId !== job.environmentId) throw notFound('file', job.fileId ?? job.source)
  const { workbookId, sheetIds, rows } = await extractDelimited({
    file,
    actor,
    jobId: job.id,
    onProgress: (fraction) => progress(fraction, `Extracting ${file.name}`),
  })
  return {
    info: `Extracted ${rows} ${rows === 1 ? 'row' : 'rows'}`,
    workbookId,
    result: { workbookId, sheetIds, rows },
    outcome: {
      acknowledge: true,
      heading: 'File extracted',
      message: `${file.name}: ${rows} ${rows === 1 ? 'row' : 'rows'} read.`,
      next: { type: 'id', id: workbookId, path: 'workbook', label: `Open ${file.name}` },
    },
  }
}
