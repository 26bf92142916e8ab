/** Large sheets are read by several functions, which are called over HTTP as Lambda functions are. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { StoredSheet } from '../../../lib/entities/sheets.ts'
import type { Part } from '../../../lib/jobs/parts/part.ts'
import type { SheetRef } from '../../../lib/records/index.ts'
import { startRecordSuite } from '../../support/record-suite.ts'
import { newSheetId } from '../../support/records.ts'

const { engine, insert } = await startRecordSuite()
const { performPart } = await import('../../../lib/jobs/parts/perform-part.ts')
const { shareReads } = await import('../../../lib/jobs/parts/share-reads.ts')

const ROWS = 50
const ROWS_PER_PART = 10
const FIELDS = [
  { key: 'name', type: 'string' },
  { key: 'note', type: 'string' },
  { key: 'size', type: 'number' },
]

const PREFIX = 'a long beginning '.repeat(20)

const writeNote = (row: number): string => `${PREFIX}${String((row * 17) % ROWS).padStart(2, '0')}`

const called = { parts: 0, atOnce: 0, mostAtOnce: 0, failures: 0 }
let lambda: Server
let sheet: StoredSheet
let shared: SheetRef

async function callFunction(part: Part): Promise<unknown> {
  called.parts++
  called.mostAtOnce = Math.max(called.mostAtOnce, ++called.atOnce)
  const result = await performPart(part)
  called.atOnce--
  return result
}

beforeAll(async () => {
  lambda = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const result = await callFunction(JSON.parse(Buffer.concat(pieces).toString()).part)
    const hasFailed = called.failures > 0
    if (hasFailed) called.failures--
    response.writeHead(200, hasFailed ? { 'x-amz-function-error': 'Unhandled' } : {}).end(JSON.stringify(result))
  }).listen(0, '127.0.0.1')
  await once(lambda, 'listening')
  vi.stubEnv('AWS_ENDPOINT_URL_LAMBDA', `http://127.0.0.1:${(lambda.address() as AddressInfo).port}`)
  vi.stubEnv('PART_RECORDS', String(ROWS_PER_PART))
  vi.stubEnv('PARTS_AT_ONCE', '2')
  sheet = { id: newSheetId(), workbookId: 'us_wb_none', config: { fields: FIELDS } } as unknown as StoredSheet
  shared = shareReads(sheet)
  for (let from = 0; from < ROWS; from += ROWS_PER_PART)
    await insert(
      shared,
      Array.from({ length: ROWS_PER_PART }, (_, i) => ({
        values: {
          name: { value: `name ${from + i}` },
          note: { value: writeNote(from + i) },
          size: { value: (from + i) % 7 === 0 ? 'none' : from + i },
        },
      })),
    )
})

beforeEach(() => Object.assign(called, { parts: 0, mostAtOnce: 0, failures: 0 }))

afterAll(() => {
  lambda.closeAllConnections()
  lambda.close()
  vi.unstubAllEnvs()
})

const readPage = (query: object) => engine.readRecords(shared, { fields: ['name'], ...query })
const readNames = async (query: object) => (await readPage(query)).records.map(({ values }) => values.name!.value)

describe('a large sheet', () => {
  it('is read in parts, no more at the same time than PARTS_AT_ONCE', async () => {
    expect(await engine.countRecords(shared, { q: 'size gt 20' })).toEqual({ total: 24, valid: 24, error: 0 })
    expect(called.parts).toBe(ROWS / ROWS_PER_PART)
    expect(called.mostAtOnce).toBeLessThanOrEqual(2)
  })

  it.each([
    ['counts that the log has', () => engine.countRecords(shared, { filter: 'error' })],
    ['counts by field that the log has', () => engine.countRecords(shared, { byField: true })],
    ['a first page that the first segments fill', () => readNames({ search: { value: 'name' }, pageSize: 5 })],
    ['a page of the whole sheet', () => readNames({ pageSize: 5, pageNumber: 9 })],
  ])('is read by one function for %s', async (_, read) => {
    await read()
    expect(called.parts).toBe(0)
  })

  it('is read until the page is complete', async () => {
    expect(await readNames({ search: { value: 'name 1' }, pageSize: 11 })).toHaveLength(11)
    expect(called.parts).toBe(2)
  })

  it.each(['asc', 'desc'] as const)('is sorted %s by texts with a long common beginning', async (direction) => {
    const sort = { field: 'note', direction }
    const names = Array.from({ length: ROWS }, (_, row) => ({ name: `name ${row}`, note: writeNote(row) }))
    names.sort((a, b) => (a.note < b.note === (direction === 'asc') ? -1 : 1))
    for (const pageNumber of [1, 2, 5]) {
      const store = engine.createStore({ topRecords: 10, sampleEvery: 3 })
      const { records } = await engine.readRecords(shared, { sort, pageSize: 10, pageNumber }, store)
      const page = names.slice((pageNumber - 1) * 10, pageNumber * 10)
      expect(records.map(({ values }) => values.name!.value)).toEqual(page.map(({ name }) => name))
    }
  })

  it('is sorted once for pages that are next to each other', async () => {
    const sort = { field: 'name', direction: 'asc' as const }
    expect(await readNames({ sort, pageSize: 3 })).toEqual(['name 0', 'name 1', 'name 10'])
    expect(await readNames({ sort, pageSize: 3, pageNumber: 17 })).toEqual(['name 8', 'name 9'])
    expect(called.parts).toBe(ROWS / ROWS_PER_PART)
  })

  it('is read again once where a function failed', async () => {
    called.failures = 1
    expect(await engine.countRecords(shared, { q: 'size lte 20' })).toMatchObject({ total: 18 })
    expect(called.parts).toBe(ROWS / ROWS_PER_PART + 1)
  })

  it('is unavailable if a function failed twice', async () => {
    called.failures = 4
    await expect(engine.countRecords(shared, { q: 'size lte 20' })).rejects.toMatchObject({
      code: 'unavailable',
      problems: [{ message: 'A function that read part of the sheet failed. Repeat the request.' }],
    })
    expect(called.parts).toBe(4)
  })

  it('is read by one function where parts would run one after the other', async () => {
    vi.stubEnv('PARTS_AT_ONCE', '1')
    expect(await engine.countRecords(shareReads(sheet), { q: 'size gt 20' })).toMatchObject({ total: 24 })
    expect(called.parts).toBe(0)
    vi.stubEnv('PARTS_AT_ONCE', '2')
  })
})
