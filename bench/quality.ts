import type { SheetRef } from '../lib/records/index.ts'
import type { ClusterMethod, Edit } from '../schemas/quality/shape.ts'
import type { Field } from '../schemas/sheets/fields.ts'
import { createWriteContext, newSheetId, type RecordCloud, startRecordCloudProcess } from '../test/support/records.ts'
import { type Case, measureCase } from './cases.ts'
import { createColdReader } from './columns.ts'
import { createBenchSheet, FIELDS, KEYS } from './records-data.ts'
import { importInto } from './records-import.ts'
import type { BenchRow } from './row.ts'

const SIZES = process.env.BENCH_ROWS?.split(',').map(Number) ?? [10_000, 100_000, 1_000_000]
const FIRST_PAGE = { pageSize: 100, pageNumber: 1 }

export async function bench(): Promise<BenchRow[]> {
  const cloud = await startRecordCloudProcess()
  try {
    const rows: BenchRow[] = []
    for (const size of SIZES) {
      const sheetRows = await measureSheet(cloud, size)
      rows.push(...sheetRows, findSlowestColumn(sheetRows, size))
    }
    return rows
  } finally {
    await cloud.close()
  }
}

const COLUMN_LIMIT_MS = 2000

function findSlowestColumn(rows: readonly BenchRow[], size: number): BenchRow {
  const ofColumns = rows.filter(({ what }) => /^(?:values|clusters) of /.test(what))
  const slowest = ofColumns.reduce((slowest, row) => (row.value > slowest.value ? row : slowest))
  return {
    ...{ what: 'slowest list of values or clusters of a column', rows: size, value: slowest.value },
    ...{ reference: 'limit', referenceValue: COLUMN_LIMIT_MS, target: 1 },
  }
}

async function measureSheet(cloud: RecordCloud, size: number): Promise<BenchRow[]> {
  const { storeFile } = await import('./csv-object.ts')
  await storeFile(size)
  const sheet = createBenchSheet(newSheetId())
  await importInto(sheet, size)
  const rows: BenchRow[] = []
  for (const benchCase of await createCases(sheet, size)) {
    const row = await measureCase(benchCase, size, cloud.meter)
    rows.push(row)
    process.stderr.write(
      `${size} ${row.what}: ${row.value.toFixed(0)} ms, ${(row.value / row.referenceValue).toPrecision(3)}\n`,
    )
  }
  return rows
}

async function createCases(sheet: SheetRef, size: number): Promise<Case[]> {
  const { addFixes } = await import('../lib/quality/fixes.ts')
  const { listErrorGroups } = await import('../lib/quality/groups.ts')
  const { listClusters } = await import('../lib/quality/clusters.ts')
  const { listDuplicates } = await import('../lib/quality/duplicates.ts')
  const { compileEdit, previewEdit } = await import('../lib/quality/edits.ts')
  const { findReplace, listDistinctValues, replaceValues } = await import('../lib/records/index.ts')
  const cold = await createColdReader(sheet)
  const rounds = size >= 1_000_000 ? 3 : 7
  const createCase = (what: string, fields: readonly string[], target: number, work: () => unknown): Case => ({
    ...{ what, target, rounds, work, reference: fields === KEYS ? 'reading all columns' : 'reading these columns' },
    runReference: cold.createRead(fields, fields === KEYS),
  })
  const createClusterCase = (field: string, method: ClusterMethod, target: number): Case =>
    createCase(`clusters of ${field} by ${method}`, [field], target, () =>
      listClusters(sheet, field, { method, radius: 2 }, {}),
    )
  const createValuesCase = (field: string, target: number): Case =>
    createCase(`values of ${field} with their counts`, [field], target, () => listDistinctValues(sheet, field))
  const createDuplicateCase = (fields: string[], target: number): Case =>
    createCase(`duplicates by ${fields.join(', ')}`, fields, target, () =>
      listDuplicates(sheet, { fields, method: 'fingerprint', radius: 2, selection: {} }, FIRST_PAGE),
    )
  const read: Edit = { type: 'read', fieldKey: 'city', reading: { type: 'string' } }
  const assertAll = ({ updated }: { updated: number }): void => {
    if (updated !== size) throw new Error(`Changed ${updated} rows of ${size}`)
  }
  return [
    createCase('groups of errors with their fixes', KEYS, 5, async () =>
      addFixes(
        { ...sheet, fields: FIELDS as Field[] },
        (await listErrorGroups(sheet, { level: 'error' })).slice(0, FIRST_PAGE.pageSize),
        { thisYear: 2026 },
      ),
    ),
    createValuesCase('city', 5),
    createValuesCase('email', 20),
    createClusterCase('city', 'fingerprint', 5),
    createClusterCase('city', 'distance', 5),
    createClusterCase('email', 'fingerprint', 20),
    createClusterCase('email', 'ngram', 20),
    createClusterCase('email', 'phonetic', 20),
    createDuplicateCase(['email'], 30),
    createDuplicateCase(['first_name', 'last_name', 'company'], 10),
    createCase('preview of an edit', ['city'], 5, () => previewEdit(sheet, read, {}, FIRST_PAGE)),
    {
      ...{ what: 'edit of all records', target: 2, rounds, reference: 'find and replace in all records' },
      work: async () => {
        const replaceValue = compileEdit(sheet, renameCities('Spring', 'Winter'))
        assertAll(await replaceValues(sheet, {}, { fields: ['city'], replaceValue }, createWriteContext()))
      },
      runReference: async () => {
        const replacement = { fields: ['city'], find: 'Winterfield', replace: 'Springfield' }
        assertAll(await findReplace(sheet, {}, replacement, createWriteContext()))
      },
    },
  ]
}

const renameCities = (from: string, to: string): Edit => ({
  type: 'replace',
  fieldKey: 'city',
  replacements: Array.from({ length: 100 }, (_, i) => {
    const city = `field ${String(i).padStart(2, '0')}`
    return { from: from + city, to: to + city }
  }),
})
