/** Reading a sheet: pages, counts, and scans of whole columns beside reading and inflating those columns alone. */
import type { ListQuery, SheetRef } from '../../lib/records/index.ts'
import type { Case } from './cases.ts'
import { coldReads } from './columns.ts'
import { KEYS } from './records-data.ts'
import { getNothing } from './requests.ts'

/** Records of pages read before time is taken. */
const WARM_RECORDS = 200_000

export async function readCases(sheet: SheetRef, rows: number): Promise<Case[]> {
  return [...(await pageCases(sheet, rows)), ...(await scanCases(sheet, rows)), await countsCase(sheet)]
}

async function pageCases(sheet: SheetRef, rows: number): Promise<Case[]> {
  const { list, newStore } = await import('../../lib/records/index.ts')
  const store = newStore()
  const cases: Case[] = []
  const pages: [string, ListQuery][] = [
    ['page of 1000', { pageSize: 1000, pageNumber: Math.ceil(rows / 2000) }],
    ['page of 10000', { pageSize: 10_000, pageNumber: Math.ceil(rows / 20_000) }],
    ['page of 100 in error, the second', { pageSize: 100, pageNumber: 2, filter: 'error' }],
  ]
  for (const [what, query] of pages) {
    const { records } = await list(sheet, query, store)
    const values: unknown = JSON.parse(records.toString())
    const beside = (): unknown => Buffer.from(JSON.stringify(values))
    const reference = 'JSON.stringify of the same'
    cases.push(
      {
        ...{ what, reference, reach: query.filter ? 30 : 1, rounds: 41, growth: 'flat', beside },
        warmUp: Math.min(200, WARM_RECORDS / query.pageSize!),
        work: () => list(sheet, query, store),
      },
      {
        ...{
          what: `${what}, by a new process`,
          reference,
          reach: query.filter ? 150 : 3,
          rounds: 7,
          growth: 'flat',
          beside,
        },
        work: () => list(sheet, query, newStore()),
      },
    )
  }
  return cases
}

/** Both sides know the state and have no chunk at hand. */
async function scanCases(sheet: SheetRef, rows: number): Promise<Case[]> {
  const { counts, distinct, list } = await import('../../lib/records/index.ts')
  const cold = await coldReads(sheet)
  const rounds = rows >= 1_000_000 ? 3 : 7
  const of = (what: string, fields: readonly string[], work: () => unknown, messages = false): Case => ({
    ...{ what, reference: fields === KEYS ? 'reading all columns' : 'reading these columns', reach: 3, rounds },
    ...{ growth: 'linear', work, beside: cold.reading(fields, messages) },
  })
  const page = (query: ListQuery) => () => list(sheet, { pageSize: 100, ...query }, cold.store())
  const number = { sort: { field: 'amount', direction: 'desc' as const } }
  const text = { sort: { field: 'email', direction: 'asc' as const } }
  return [
    of('sort by a number, its first 100 cells', ['amount'], page({ ...number, fields: ['amount'] }), true),
    of('sort by a text, its first 100 cells', ['email'], page({ ...text, fields: ['email'] }), true),
    of('sort by a number, first 100 records', KEYS, page(number), true),
    of('sort by a text, first 100 records', KEYS, page(text), true),
    of('search in all columns', KEYS, page({ search: { value: 'no such text' } })),
    of('q on one column', ['city'], page({ q: 'city eq "no such text"' })),
    of('distinct values of a column', ['city'], () => distinct(sheet, 'city', {}, cold.store())),
    of('counts by field', [], () => counts(sheet, { byField: true }, cold.store()), true),
  ]
}

async function countsCase(sheet: SheetRef): Promise<Case> {
  const { counts, newStore } = await import('../../lib/records/index.ts')
  const store = newStore()
  return {
    ...{ what: 'counts', reference: 'one GetItem', reach: 3, rounds: 15, growth: 'flat' },
    work: () => counts(sheet, {}, store),
    beside: await getNothing(),
  }
}
