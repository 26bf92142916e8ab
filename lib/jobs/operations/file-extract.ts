/** The operation `file:extract`. Listeners extract the formats that the platform cannot read. */

import * as contracts from '../../../schemas/jobs/operations.ts'
import { message } from '../../../schemas/messages/index.ts'
import { notFound } from '../../core/errors.ts'
import { Files, type StoredFile } from '../../entities/files.ts'
import { isHandledByPlatform } from '../../files/file-types.ts'
import { runParts } from '../parts/run-parts.ts'
import { type JobRequest, parseConfig } from '../request/config.ts'
import type { JobResult, PlatformOperation, Run } from './operation.ts'

export const extract: PlatformOperation = {
  contract: contracts.extract,
  matches: async (job) => {
    const file = await getJobFile(job)
    return file !== undefined && isHandledByPlatform(file)
  },
  validate: async (job) => void parseConfig(contracts.extract, job),
  run: runExtraction,
}

const getJobFile = (job: Pick<JobRequest, 'fileId' | 'source'>): Promise<StoredFile | undefined> =>
  Files.get(job.fileId ?? job.source)

const listNames = (names: readonly string[]): string => names.slice(0, 10).join(', ')

async function runExtraction({ job, actor, progress }: Run): Promise<JobResult> {
  const file = await getJobFile(job)
  if (!file || file.environmentId !== job.environmentId) throw notFound('file', job.fileId ?? job.source)
  const { options, detectedHeaderRow } = parseConfig(contracts.extract, job)
  const { extractFile } = await import('../../files/extract/index.ts')
  const { workbookId, sheetIds, rows, skipped, omitted, splitSheets, mixedLines } = await extractFile({
    file,
    actor,
    jobId: job.id,
    options: { ...options, headerRow: detectedHeaderRow },
    onProgress: (fraction) => progress(fraction, message('jobs.extracting', { file: file.name })),
    storeRanges: runParts((store) => ({ store })),
  })
  const noteMixed = (result: string): string =>
    mixedLines ? message('jobs.withMixedEncodings', { result, ...mixedLines }) : result
  const noteSplit = (result: string): string =>
    noteMixed(
      splitSheets.length === 0 ? result : message('jobs.withSplitSheets', { result, names: listNames(splitSheets) }),
    )
  const noteOmitted = (result: string): string =>
    noteSplit(omitted === 0 ? result : message('jobs.withRepeatedHeaders', { result, count: omitted }))
  const summary = noteOmitted(message('jobs.rowsRead', { file: file.name, count: rows }))
  return {
    info: noteOmitted(message('jobs.rowsExtracted', { count: rows })),
    workbookId,
    result: { workbookId, sheetIds, rows },
    outcome: {
      acknowledge: true,
      heading: message('jobs.extractionFinished'),
      message:
        skipped.length > 0 ? message('jobs.withSkipped', { result: summary, names: listNames(skipped) }) : summary,
      next: { type: 'id', id: workbookId, path: 'workbook', label: message('jobs.open', { name: file.name }) },
    },
  }
}
