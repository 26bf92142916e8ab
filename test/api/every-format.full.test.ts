/** The same table arrives from every format in one typed sheet, and leaves it in every format without a change. */
import { beforeAll, expect, it } from 'vitest'
import { EXTRACTED_EXTENSIONS, getExtension } from '../../lib/files/file-types.ts'
import { EXPORT_FORMATS } from '../../schemas/jobs/operations.ts'
import { runJob, waitForFileJob } from '../support/activity.ts'
import { getServer } from '../support/api.ts'
import { FORMAT_FILES, type FormatFile, TYPED_FIELDS, TYPED_ROWS } from '../support/every-format.ts'
import { account, createFreshSpace, must, spaceId } from '../support/fresh-account.ts'
import { buildMappingJob, readValues } from '../support/mapping-jobs.ts'
import { uploadFile } from '../support/upload.ts'

beforeAll(() => createFreshSpace({ name: 'Every format' }))

async function createSheet(fields: object[]): Promise<{ workbookId: string; sheetId: string }> {
  const { id, sheets } = await must('POST', '/workbooks', {
    spaceId,
    name: 'Harbour',
    sheets: [{ name: 'Berths', slug: 'berths', fields }],
  })
  return { workbookId: id, sheetId: sheets[0].id }
}

async function extractFile({ name, bytes, password }: FormatFile): Promise<string> {
  const fileId = await uploadFile(account, spaceId, name, bytes)
  let job = await waitForFileJob(fileId)
  if (password !== undefined) {
    expect(await must('GET', `/files/${fileId}`)).toMatchObject({ status: 'failed', passwordRequired: true })
    await must('POST', `/files/${fileId}/unlock`, { password })
    job = await waitForFileJob(fileId, 2)
  }
  expect(job.status, job.info).toBe('completed')
  return fileId
}

async function importFile(file: FormatFile, fields: { key: string }[]): Promise<unknown[][]> {
  const fileId = await extractFile(file)
  const { workbookId } = await must('GET', `/files/${fileId}`)
  const { sheets } = await must('GET', `/workbooks/${workbookId}`)
  expect(sheets).toHaveLength(1)
  const target = await createSheet(fields)
  const mapping = buildMappingJob({ workbookId, source: sheets[0].id, destination: target.sheetId })
  const job = await runJob({ ...mapping, destination: target.workbookId })
  expect(job.status, job.info).toBe('completed')
  return readValues(target.sheetId, ...fields.map(({ key }) => key))
}

it.each(FORMAT_FILES)('$name has the rows of the table', async (file) => {
  expect(await importFile(file, TYPED_FIELDS)).toEqual(file.rows ?? TYPED_ROWS)
})

it('every extension that is extracted has a file', () => {
  expect(new Set(FORMAT_FILES.map(({ name }) => getExtension(name)))).toEqual(new Set(EXTRACTED_EXTENSIONS))
})

const FIELDS = [
  ...TYPED_FIELDS,
  { key: 'kind', label: 'Kind', type: 'enum', config: { options: [{ value: 'sail' }, { value: 'motor' }] } },
  { key: 'tags', label: 'Tags', type: 'string-list' },
]
const KINDS = ['sail', 'motor', null]
const LISTS = [['a', 'b,c'], null, ['ö "q"']]
const VALID_ROWS = TYPED_ROWS.map((row, at) => [...row, KINDS[at % KINDS.length], LISTS[at % LISTS.length]])
const INVALID_ROWS = [['x', 'y', 'long', 'soon', 'perhaps', null, 'raft', null]]

async function exportSheet(sheetId: string, options: object): Promise<{ name: string; bytes: Buffer }> {
  const job = await runJob({ type: 'sheet', operation: 'export', source: sheetId, config: { options } })
  expect(job.status, job.info).toBe('completed')
  const { id, name } = await must('GET', `/files/${job.result.fileId}`)
  const response = await fetch(`${getServer().baseUrl}/v1/files/${id}/download`, {
    headers: { authorization: `Bearer ${account.secretKey}` },
  })
  return { name, bytes: Buffer.from(await response.arrayBuffer()) }
}

it.each(EXPORT_FORMATS)('%s has the same records when it is imported again', async (format) => {
  const { sheetId } = await createSheet(FIELDS)
  // Values that do not fit the type of their column are in a separate one.
  const rows = format === 'parquet' ? VALID_ROWS : [...VALID_ROWS, ...INVALID_ROWS]
  const records = rows.map((row) => Object.fromEntries(FIELDS.map(({ key }, at) => [key, { value: row[at] }])))
  await must('POST', `/sheets/${sheetId}/records`, records)
  const { name, bytes } = await exportSheet(sheetId, { format, escapeFormulas: false })
  expect(name).toBe(`Berths.${format}`)
  expect(await importFile({ name, bytes }, FIELDS)).toEqual(rows)
})
