import type { Domains } from './domains.generated.ts'
import { NotImportable, OpenQuestions } from './errors.ts'
import type { UploadProgress } from './files.ts'
import { sleep } from './retries.ts'
import type { File, Job, Schemas } from './types.ts'
import type { UploadInput } from './upload-source.ts'

const EXTRACTION_POLL_MS = 200
const EXTRACTION_START_MS = 60_000

type Reading = NonNullable<NonNullable<Schemas['EdgeInput']['metadata']>['reading']>
type Question = NonNullable<NonNullable<Schemas['Edge']['metadata']>['question']>

export interface ImportProgress {
  step: 'upload' | 'extract' | 'map' | 'import'
  /** 0 to 100, of this step. */
  percent: number
}

/** A file of the space of the sheet that is uploaded already, to import several of its tables. */
export interface UploadedFile {
  fileId: string
}

export interface ImportOptions {
  sheetId: string
  name?: string
  table?: string
  importMode?: 'add' | 'update' | 'upsert' | 'replace'
  keyFields?: string[]
  /** Chooses one of the alternatives of a question, such as day before month. Without it, the import stops. */
  decide?: (question: Question, edge: Schemas['Edge']) => Reading | undefined
  onProgress?: (progress: ImportProgress) => void
  signal?: AbortSignal
}

export interface ImportResult {
  counts: Schemas['ImportCounts']
  fileId: string
  jobId: string
  unmappedColumns: string[]
}

export async function importFile(
  wharf: Domains,
  input: UploadInput | UploadedFile,
  options: ImportOptions,
): Promise<ImportResult> {
  const { sheetId, signal, name, onProgress } = options
  const report = (step: ImportProgress['step'], percent: number) => onProgress?.({ step, percent })
  const { workbookId } = await wharf.sheets.get(sheetId, { signal })
  const { spaceId } = await wharf.workbooks.get(workbookId, { signal })
  const onUpload = ({ sentBytes, totalBytes }: UploadProgress) => report('upload', (100 * sentBytes) / totalBytes)
  const file =
    'fileId' in input
      ? await wharf.files.get(input.fileId, { signal })
      : await wharf.files.upload(input, { spaceId, name, signal, onProgress: onUpload })
  const source = await extract(wharf, file, options, ({ progress }) => report('extract', progress))
  const job = await createMapping(wharf, source, workbookId, options)
  report('map', 100)
  const unmappedColumns = await settleQuestions(wharf, job.id, options)
  await wharf.jobs.execute(job.id, undefined, { signal })
  const done = await wharf.jobs.wait(job.id, { signal, onProgress: ({ progress }) => report('import', progress) })
  const { counts } = done.result as { counts: Schemas['ImportCounts'] }
  return { counts, fileId: file.id, jobId: job.id, unmappedColumns }
}

async function extract(
  wharf: Domains,
  file: File,
  { table, signal }: ImportOptions,
  onProgress: (job: Job) => void,
): Promise<Schemas['Sheet']> {
  const job = await findExtraction(wharf, file, signal)
  await wharf.jobs.wait(job.id, { signal, onProgress })
  const { workbookId } = await wharf.files.get(file.id, { signal })
  const { sheets = [] } = await wharf.workbooks.get(workbookId!, { signal })
  const found = table === undefined ? sheets : sheets.filter(({ name }) => name === table)
  if (found.length === 1) return found[0]!
  const names = sheets.map(({ name }) => name).join(', ')
  throw new NotImportable(`The option \`table\` must name one of the tables of ${file.name}: ${names}`)
}

async function findExtraction(wharf: Domains, file: File, signal: AbortSignal | undefined): Promise<Job> {
  for (const deadline = Date.now() + EXTRACTION_START_MS; ; ) {
    const { data } = await wharf.jobs.list({ fileId: file.id, signal })
    const job = data.find(({ operation }) => operation === 'extract')
    if (job) return job
    const { status, statusReason } = await wharf.files.get(file.id, { signal })
    if (status === 'failed') throw new NotImportable(`${file.name} cannot be read: ${statusReason}`)
    if (Date.now() > deadline) throw new NotImportable(`${file.name} is not of a type that the platform reads`)
    await sleep(EXTRACTION_POLL_MS, signal)
  }
}

async function createMapping(
  wharf: Domains,
  source: Schemas['Sheet'],
  destination: string,
  { sheetId, importMode, keyFields, signal }: ImportOptions,
): Promise<Job> {
  const config = { sourceSheetId: source.id, destinationSheetId: sheetId, importMode, keyFields }
  const body = { type: 'workbook', operation: 'map', source: source.workbookId, destination, config } as const
  const { id } = await wharf.jobs.create({ ...body, trigger: 'manual', managed: true }, { signal })
  return wharf.jobs.wait(id, { until: 'planning', signal })
}

async function settleQuestions(wharf: Domains, jobId: string, { decide, signal }: ImportOptions): Promise<string[]> {
  const { plan } = await wharf.jobs.plan(jobId, { signal })
  const asked = plan.fieldMapping.filter(({ metadata }) => metadata?.question && !metadata.reading)
  const open: Schemas['Edge'][] = []
  const fieldMapping = plan.fieldMapping.map((edge) => {
    if (!asked.includes(edge)) return edge
    const reading = decide?.(edge.metadata!.question!, edge)
    if (!reading) open.push(edge)
    return { ...edge, metadata: { ...edge.metadata, reading } }
  })
  if (open.length > 0) throw new OpenQuestions(jobId, open)
  if (asked.length > 0) await wharf.jobs.updatePlan(jobId, { fieldMapping }, { signal })
  return plan.unmappedSourceFields.map(({ sourceField }) => sourceField.key)
}
