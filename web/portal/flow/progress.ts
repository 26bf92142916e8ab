/** The progress of a space from its first file to its submission. Pure, so that a reload shows the same. */
import {
  canChangeJob,
  type File,
  getSheets,
  hasEnded,
  isTargetWorkbook,
  type Job,
  type Sheet,
  type Workbook,
} from '../queries.ts'

export const STEPS = ['upload', 'match', 'review', 'submit'] as const
export type Step = (typeof STEPS)[number]

export interface Progress {
  sheets: Sheet[]
  records: number
  errors: number
  /** Read, and not imported. */
  waitingFiles: File[]
  readingFile?: File
  openMapping?: Job
  imports: Job[]
  submission?: Job
  step: Step | 'done'
}

export const isMapping = ({ type, operation }: Job): boolean => type === 'workbook' && operation === 'map'
const isRunning = ({ status }: Job): boolean => status === 'ready' || status === 'executing'
export const isUndone = ({ result }: Job): boolean => (result as { undo?: unknown } | undefined)?.undo !== undefined

export function deriveProgress(
  workbooks: readonly Workbook[],
  files: readonly File[],
  jobs: readonly Job[],
  submitOperation: string | undefined,
): Progress {
  const sheets = getSheets(workbooks.filter(isTargetWorkbook))
  const records = sum(sheets.map(({ recordCounts }) => recordCounts?.total ?? 0))
  const errors = sum(sheets.map(({ recordCounts }) => recordCounts?.error ?? 0))
  const imports = jobs.filter((job) => isMapping(job) && job.status === 'completed')
  const importedSources = new Set(imports.filter((job) => !isUndone(job)).map(({ source }) => source))
  const waitingFiles = files
    .filter(({ workbookId }) => workbookId !== undefined && !importedSources.has(workbookId))
    .toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
  const sources = new Set(files.map(({ workbookId }) => workbookId))
  const lastImport = imports.find((job) => !isUndone(job))
  const isNew = ({ createdAt }: File | Job) => lastImport === undefined || createdAt > lastImport.createdAt
  const openMapping = jobs.find(
    (job) =>
      isMapping(job) &&
      !hasEnded(job) &&
      !isRunning(job) &&
      sources.has(job.source) &&
      !importedSources.has(job.source) &&
      canChangeJob(job),
  )
  const submission = jobs.find((job) => job.operation === submitOperation && job.status === 'completed' && isNew(job))
  const hasNewFile = waitingFiles.some(isNew)
  return {
    ...{ sheets, records, errors, waitingFiles, openMapping, imports, submission },
    readingFile: files.find(
      ({ status, workbookId }) => status === 'analyzing' || (status === 'analyzed' && !workbookId),
    ),
    step: chooseStep({ isMatching: openMapping !== undefined || hasNewFile, records, errors, submission }),
  }
}

function chooseStep(state: {
  isMatching: boolean
  records: number
  errors: number
  submission: Job | undefined
}): Progress['step'] {
  if (state.isMatching) return 'match'
  if (state.records === 0) return 'upload'
  if (state.errors > 0) return 'review'
  return state.submission ? 'done' : 'submit'
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
