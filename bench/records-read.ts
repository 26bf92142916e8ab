import type { ListQuery, SheetRef } from '../lib/records/index.ts'
import type { Case } from './cases.ts'
import { createColdReader } from './columns.ts'
import { KEYS } from './records-data.ts'
import { createMissingGet } from './requests.ts'

const WARM_RECORDS = 200_000

export async function readCases(sheet: SheetRef, rows: number): Promise<Case[]> {
  return [...(await pageCases(sheet, rows)), ...(await scanCases(sheet, rows)), await countsCase(sheet)]
}

async function pageCases(sheet: SheetRef, rows: number): Promise<Case[]> {
  const { listRecords, createStore } = await import('../lib/records/index.ts')
  const store = createStore()
  const cases: Case[] = []
  const pages: [string, ListQuery][] = [
    ['page of 1000', { pageSize: 1000, pageNumber: Math.ceil(rows / 2000) }],
    ['page of 10000', { pageSize: 10_000, pageNumber: Math.ceil(rows / 20_000) }],
    ['second page of 100 with errors', { pageSize: 100, pageNumber: 2, filter: 'error' }],
  ]
  for (const [what, query] of pages) {
    const { records } = await listRecords(sheet, query, store)
    const values: unknown = JSON.parse(records.toString())
    const runReference = (): unknown => Buffer.from(JSON.stringify(values))
    const reference = 'JSON.stringify of the same'
    cases.push(
      {
        ...{ what, reference, target: query.filter ? 30 : 1, rounds: 41, growth: 'flat', runReference },
        warmUp: Math.min(200, WARM_RECORDS / query.pageSize!),
        work: () => listRecords(sheet, query, store),
      },
      {
        ...{
          what: `${what}, in a new process`,
          reference,
          target: query.filter ? 150 : 3,
          rounds: 7,
          growth: 'flat',
          runReference,
        },
        work: () => listRecords(sheet, query, createStore()),
      },
    )
  }
  return cases
}

async function scanCases(sheet: SheetRef, rows: number): Promise<Case[]> {
  const { countRecords, listDistinctValues, listRecords } = await import('../lib/records/index.ts')
  const cold = await createColdReader(sheet)
  const rounds = rows >= 1_000_000 ? 3 : 7
  const createCase = (what: string, fields: readonly string[], work: () => unknown, messages = false): Case => ({
    ...{ what, reference: fields === KEYS ? 'reading all columns' : 'reading these columns', target: 3, rounds },
    ...{ growth: 'linear', work, runReference: cold.createRead(fields, messages) },
  })
  const createPageRead = (query: ListQuery) => () => listRecords(sheet, { pageSize: 100, ...query }, cold.store())
  const number = { sort: { field: 'amount', direction: 'desc' as const } }
  const text = { sort: { field: 'email', direction: 'asc' as const } }
  return [
    createCase(
      'sort by a number, first 100 cells',
      ['amount'],
      createPageRead({ ...number, fields: ['amount'] }),
      true,
    ),
    createCase('sort by a text, first 100 cells', ['email'], createPageRead({ ...text, fields: ['email'] }), true),
    createCase('sort by a number, first 100 records', KEYS, createPageRead(number), true),
    createCase('sort by a text, first 100 records', KEYS, createPageRead(text), true),
    createCase('search in all columns', KEYS, createPageRead({ search: { value: 'no such text' } })),
    createCase('query on one column', ['city'], createPageRead({ q: 'city eq "no such text"' })),
    createCase('distinct values of a column', ['city'], () => listDistinctValues(sheet, 'city', {}, cold.store())),
    createCase('counts by field', [], () => countRecords(sheet, { byField: true }, cold.store()), true),
  ]
}

async function countsCase(sheet: SheetRef): Promise<Case> {
  const { countRecords, createStore } = await import('../lib/records/index.ts')
  const store = createStore()
  return {
    ...{ what: 'counts', reference: 'one GetItem', target: 3, rounds: 15, growth: 'flat' },
    work: () => countRecords(sheet, {}, store),
    runReference: await createMissingGet(),
  }
}
