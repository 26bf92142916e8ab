/** The modes of a mapping job over HTTP, through the public SDK: add, update, upsert and replace. */
import { beforeAll, describe, expect, it } from 'vitest'
import { findEvents, waitForJob } from '../support/activity.ts'
import { call, createFreshSpace, must, spaceId } from '../support/fresh-account.ts'
import { api } from '../support/sdk.ts'

beforeAll(() => createFreshSpace({ name: 'Import modes' }))

const FIELDS = [
  { key: 'code', type: 'number' as const, constraints: [{ type: 'unique' as const }] },
  { key: 'region', type: 'string' as const },
  { key: 'name', type: 'string' as const },
]
const FILE_FIELDS = ['code', 'region', 'name'].map((key) => ({ key, type: 'string' as const }))
const FIELDS_WITH_NOTE = [...FIELDS, { key: 'note', type: 'string' as const }]

type Row = Record<string, string | number | null>

const toRecords = (rows: readonly Row[]) =>
  rows.map((row) => Object.fromEntries(Object.entries(row).map(([key, value]) => [key, { value: value as string }])))

interface Sheets {
  workbookId: string
  source: string
  destination: string
}

async function createSheets(source: readonly Row[], records: readonly Row[]): Promise<Sheets> {
  const { data } = await api.workbooks.create({
    name: 'Customers',
    spaceId,
    sheets: [
      { name: 'File', slug: 'file', fields: FILE_FIELDS },
      { name: 'Customers', slug: 'customers', fields: FIELDS_WITH_NOTE },
    ],
  })
  const [from, to] = data.sheets!.map(({ id }) => id)
  await api.records.insert(from!, toRecords(source))
  if (records.length > 0) await api.records.insert(to!, toRecords(records))
  return { workbookId: data.id, source: from!, destination: to! }
}

/** The SDK drops unknown members of a config, so the mode is part of the input. */
async function runImport({ workbookId, source, destination }: Sheets, input: Record<string, unknown>) {
  const { data } = await api.jobs.create({
    type: 'workbook',
    operation: 'map',
    source: workbookId,
    destination: workbookId,
    managed: true,
    config: { sourceSheetId: source, destinationSheetId: destination, mappingRules: [], canRecompute: true },
    input,
  })
  const preview = await call('POST', `/jobs/${data.id}/preview`)
  await api.jobs.execute(data.id)
  const job = await waitForJob(data.id)
  if (preview.status === 200) expect(preview.body.data.counts).toEqual(job.result.counts)
  else expect(preview.body.errors.map((error: Error) => error.message)).toEqual([job.info])
  return job
}

async function readRows(sheetId: string) {
  const { data } = await api.records.get(sheetId)
  return data.records.map(({ id, values }) => ({
    id,
    row: FIELDS_WITH_NOTE.map(({ key }) => values[key]!.value ?? null),
  }))
}

const RECORDS = [
  { code: 1, region: 'north', name: 'Ada', note: 'a' },
  { code: 2, region: 'north', name: 'Blaise', note: 'b' },
  { code: 3, region: 'south', name: 'Carl', note: 'c' },
]
const SOURCE = [
  { code: '2', region: 'north', name: 'Blaise Pascal' },
  { code: '3', region: 'south', name: 'Carl' },
  { code: '4', region: 'west', name: 'Dorothy' },
  { code: null, region: 'west', name: 'Nobody' },
]

const counts = (
  {
    invalid = 0,
    ...changed
  }: { created?: number; updated?: number; unchanged?: number; deleted?: number; invalid?: number },
  skipped: object = {},
) => ({
  ...{ created: 0, updated: 0, unchanged: 0, deleted: 0, ...changed },
  ...{ valid: (changed.created ?? 0) - invalid, invalid },
  skipped: { emptyKey: 0, noRecord: 0, ...skipped },
})

describe('a mapping job', () => {
  it('updates and adds records by key in one commit, and keeps unmapped fields and unchanged records', async () => {
    const sheets = await createSheets(SOURCE, RECORDS)
    const before = await readRows(sheets.destination)
    const job = await runImport(sheets, { importMode: 'upsert', keyFields: ['code'] })
    expect(job).toMatchObject({
      status: 'completed',
      info: 'Created: 1, updated: 1, unchanged: 1, skipped: 1',
      result: {
        importMode: 'upsert',
        records: 2,
        counts: counts({ created: 1, updated: 1, unchanged: 1 }, { emptyKey: 1 }),
      },
    })
    expect(job.outcome.message).toBe(
      '2 records mapped from File to Customers. Created: 1, updated: 1, unchanged: 1, skipped: 1. ' +
        'Skipped rows of File: 1 without a key, 0 without a record.',
    )
    const after = await readRows(sheets.destination)
    expect(after.map(({ row }) => row)).toEqual([
      [1, 'north', 'Ada', 'a'],
      [2, 'north', 'Blaise Pascal', 'b'],
      [3, 'south', 'Carl', 'c'],
      [4, 'west', 'Dorothy', null],
    ])
    expect(after.slice(0, 3).map(({ id }) => id)).toEqual(before.map(({ id }) => id))
    const events = await findEvents(`spaceId=${spaceId}`, {
      sheetId: sheets.destination,
      commitId: job.result.commitId,
    })
    expect(events.map(({ topic, payload }) => [topic, payload.recordIds])).toEqual(
      expect.arrayContaining([
        ['records:created', [after[3]!.id]],
        ['records:updated', [before[1]!.id]],
      ]),
    )
  })

  it('only updates existing records in the mode update', async () => {
    const sheets = await createSheets(SOURCE, RECORDS)
    const job = await runImport(sheets, { importMode: 'update', keyFields: ['code'] })
    expect(job.result.counts).toEqual(counts({ updated: 1, unchanged: 1 }, { emptyKey: 1, noRecord: 1 }))
    expect((await readRows(sheets.destination)).map(({ row }) => row[2])).toEqual(['Ada', 'Blaise Pascal', 'Carl'])
  })

  it('makes no commit when every row is unchanged', async () => {
    const sheets = await createSheets([SOURCE[1]!], RECORDS)
    const commits = await must('GET', `/sheets/${sheets.destination}/commits`)
    const job = await runImport(sheets, { importMode: 'upsert', keyFields: ['code'] })
    expect(job.result.counts).toEqual(counts({ unchanged: 1 }))
    expect(await must('GET', `/sheets/${sheets.destination}/commits`)).toEqual(commits)
  })

  it('replaces all records by the rows of the source', async () => {
    const sheets = await createSheets(SOURCE, RECORDS)
    const job = await runImport(sheets, { importMode: 'replace' })
    expect(job).toMatchObject({
      info: 'Created: 4, deleted: 3',
      result: { counts: counts({ created: 4, deleted: 3 }) },
    })
    expect((await readRows(sheets.destination)).map(({ row }) => row)).toEqual(
      SOURCE.map(({ code, region, name }) => [code === null ? null : Number(code), region, name, null]),
    )
  })

  it('adds every row by default', async () => {
    const sheets = await createSheets(SOURCE, RECORDS)
    const job = await runImport(sheets, {})
    expect(job.result).toMatchObject({ importMode: 'add', counts: counts({ created: 4, invalid: 2 }) })
    expect(await readRows(sheets.destination)).toHaveLength(7)
  })

  it('compares a key of two fields that are not unique, as typed values with their case', async () => {
    const source = [
      { code: '7', region: 'north', name: 'first' },
      { code: '7', region: 'North', name: 'second' },
    ]
    const sheets = await createSheets(source, [
      { code: 7, region: 'north', name: 'x', note: 'a' },
      { code: 7, region: 'south', name: 'x', note: 'b' },
    ])
    const job = await runImport(sheets, { importMode: 'upsert', keyFields: ['region', 'code'] })
    expect(job.result.counts).toEqual(counts({ created: 1, updated: 1, invalid: 1 }))
    expect((await readRows(sheets.destination)).map(({ row }) => row.slice(1, 3))).toEqual([
      ['north', 'first'],
      ['south', 'x'],
      ['North', 'second'],
    ])
  })

  it('fails with examples when a key is repeated, and changes nothing', async () => {
    const source = [
      { code: '9', region: 'west', name: 'x' },
      { code: '9', region: 'west', name: 'y' },
      { code: '1', region: 'north', name: 'z' },
    ]
    const sheets = await createSheets(source, [...RECORDS, { code: 1, region: 'east', name: 'Eve', note: 'd' }])
    const before = await readRows(sheets.destination)
    const job = await runImport(sheets, { importMode: 'upsert', keyFields: ['code'] })
    expect(job).toMatchObject({
      status: 'failed',
      info:
        'Keys that several rows of the source have: 1, for example 9. ' +
        'Keys of the source that several records have: 1, for example 1.',
    })
    expect(await readRows(sheets.destination)).toEqual(before)
  })

  it('fails when a key field is not mapped', async () => {
    const sheets = await createSheets(SOURCE, RECORDS)
    const job = await runImport(sheets, { importMode: 'update', keyFields: ['note'] })
    expect(job).toMatchObject({ status: 'failed', info: 'The key field note is not mapped. Map a column to it.' })
  })

  it.each([
    [{ importMode: 'upsert' }, 'config.keyFields', 'is required for the mode upsert'],
    [{ importMode: 'replace', keyFields: ['code'] }, 'config.keyFields', 'is only used by the modes update, upsert'],
    [{ importMode: 'update', keyFields: ['code', 'nope'] }, 'config.keyFields.1', 'the destination has no field nope'],
    [{ importMode: 'merge' }, 'config.importMode', 'must be one of add, update, upsert, replace'],
    [{ importMode: 'update', keyFields: Array.from({ length: 11 }, () => 'code') }, 'config.keyFields', 'at most 10'],
    [{ input: { importMode: 'upsert' } }, 'input.keyFields', 'is required for the mode upsert'],
  ])('is rejected with %j', async ({ input, ...config }: Record<string, unknown>, key, text) => {
    const { workbookId, source, destination } = await createSheets(SOURCE, [])
    const response = await call('POST', '/jobs', {
      type: 'workbook',
      operation: 'map',
      source: workbookId,
      config: { sourceSheetId: source, destinationSheetId: destination, ...config },
      input,
    })
    expect(response.status).toBe(400)
    expect(response.body.errors).toEqual([{ key, message: expect.stringContaining(text) }])
  })
})
