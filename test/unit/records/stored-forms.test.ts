/**
 * Old storage formats stay readable: items and objects as earlier versions wrote them, with the expected results.
 * `WRITE_STORED_FORMS=<set>` rewrites one set.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { type AttributeValue, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb'
import { beforeAll, expect, it } from 'vitest'
import type { SheetRef } from '../../../lib/records/sheet.ts'
import { startRecordSuite } from '../../support/record-suite.ts'
import { createWriteContext } from '../../support/records.ts'

const fields: SheetRef['fields'] = [
  { key: 'code', type: 'string', constraints: [{ type: 'unique' }, { type: 'required' }] },
  { key: 'amount', type: 'number' },
  { key: 'tags', type: 'string-list' },
]
const createSheet = (sheetId: string): SheetRef => ({ sheetId, fields })
const SHEET = createSheet('us_sh_storedforms')
const VERSIONS = createSheet('us_sh_storedversions')
const getFileUrl = (set: number): URL => new URL(`./stored-forms-${set}.json`, import.meta.url)

type Stored = { [attribute: string]: AttributeValue | { B64: string } }
interface Fixture {
  items: Stored[]
  records: unknown
  counts: unknown
  commits: unknown
}

const { engine, insert, importRows, update, remove, restoreVersion } = await startRecordSuite()
const client = await import('../../../lib/table/client.ts')

beforeAll(async () => {
  if (process.env.WRITE_STORED_FORMS === '1') await writeForms()
  if (process.env.WRITE_STORED_FORMS === '2') await writeVersions()
})

const readAll = async (sheet: SheetRef) => ({
  records: (await engine.readRecords(sheet, {}, engine.createStore())).records,
  counts: await engine.countRecords(sheet, { byField: true }, engine.createStore()),
  commits: (await engine.listCommits(sheet.sheetId, { pageSize: 5 })).map(({ op: _, ...commit }) => commit),
})

it.each([
  [1, SHEET],
  [2, VERSIONS],
])('reads stored format %i', async (set, sheet) => {
  const fixture = JSON.parse(readFileSync(getFileUrl(set), 'utf8')) as Fixture
  if (!process.env.WRITE_STORED_FORMS)
    for (const item of fixture.items)
      await client.dynamo.send(new PutItemCommand({ TableName: client.getTableName(), Item: decodeItem(item) }))
  const { records, counts, commits } = fixture
  expect(JSON.parse(JSON.stringify(await readAll(sheet)))).toEqual({ records, counts, commits })
})

it('continues writing after the first format', async () => {
  const { records } = await engine.readRecords(SHEET)
  const before = await engine.countRecords(SHEET)
  const [first] = records
  const { counts } = await insert(SHEET, [{ values: { code: { value: first!.values.code!.value } } }])
  expect(counts).toMatchObject({ total: before.total + 1 })
  const { records: after } = await engine.readRecords(SHEET, { filter: 'error', filterField: 'code' })
  expect(after.map(({ id }) => id)).toContain(first!.id)
})

const decodeItem = (item: Stored): Record<string, AttributeValue> =>
  Object.fromEntries(
    Object.entries(item).map(([name, value]) => [
      name,
      'B64' in value ? { B: Buffer.from(value.B64, 'base64') } : (value as AttributeValue),
    ]),
  )
const encodeItem = (item: Record<string, AttributeValue>): Stored =>
  Object.fromEntries(
    Object.entries(item).map(([name, value]) => [
      name,
      value.B ? { B64: Buffer.from(value.B).toString('base64') } : value,
    ]),
  )

async function writeForms(): Promise<void> {
  const store = engine.createStore({
    segmentRows: 30,
    inlineSegmentBytes: 300,
    editedRows: 3,
    blobItemBytes: Number.POSITIVE_INFINITY,
  })
  async function* generateRows() {
    const list = Array.from({ length: 70 }, (_, i) => [i % 20 ? `c${i}` : 'same', i % 9 ? i : 'n/a', [`t${i}`]])
    yield { keys: ['code', 'amount', 'tags'], rows: list }
  }
  const imported = [...(await importRows(SHEET, generateRows(), store)).ids]
  for (let i = 0; i < 14; i++) {
    const values = { code: { value: i % 5 ? `i${i}` : 'same', messages: [{ type: 'warn', message: 'look' }] } }
    const inserted = await insert(SHEET, [{ values, metadata: { i }, config: { readonly: true } }], store)
    if (i % 2) await remove(SHEET, [...inserted.ids], store)
  }
  for (let i = 0; i < 110; i++) await update(SHEET, [{ id: imported[i % 2]!, values: { amount: { value: i } } }], store)
  const change = (from: number, to: number) =>
    imported.slice(from, to).map((id, i) => ({ id, values: { code: { value: `e${i}` }, amount: { value: i } } }))
  await update(SHEET, change(0, 2), store)
  await engine.update(
    SHEET,
    change(20, 40),
    createWriteContext('us_usr_forms', { event: { accountId: 'x'.repeat(80) } }),
    store,
  )
  const fields = SHEET.fields.map((field) =>
    field.key === 'amount' ? { ...field, constraints: [{ type: 'required' }] } : field,
  )
  await engine.countRecords({ ...SHEET, fields }, {}, store)
  await engine.countRecords(SHEET, {}, store)
  await update(SHEET, [{ id: imported[69]!, values: { code: { value: 'same' } }, metadata: { last: 1 } }], store)
  await writeSet(1, SHEET)
}

async function writeVersions(): Promise<void> {
  const store = engine.createStore({
    mergeSegments: 3,
    mergeRuns: 2,
    compactEdits: 3,
    blobItemBytes: Number.POSITIVE_INFINITY,
  })
  const ids: string[] = []
  for (let i = 0; i < 7; i++) {
    const generateRows = [i, i + 0.5].map((n) => ({ values: { code: { value: `c${n % 5}` }, amount: { value: n } } }))
    ids.push(...(await insert(VERSIONS, generateRows, store)).ids)
  }
  const { seq } = await engine.readVersion(VERSIONS, store)
  const change = (i: number) => ({ id: ids[i]!, values: { code: { value: `e${i}` }, amount: { value: 'n/a' } } })
  await remove(VERSIONS, [ids[0]!, ids[3]!], store)
  await update(VERSIONS, [1, 4, 5, 6].map(change), store)
  for (let i = 0; i < 5; i++) await insert(VERSIONS, [{ values: { code: { value: 'c1' } } }], store)
  await restoreVersion(VERSIONS, { to: seq, updated: true, deleted: true }, store)
  const { seq: later } = await engine.readVersion(VERSIONS, store)
  await remove(VERSIONS, { filter: 'all' }, store)
  await restoreVersion(VERSIONS, { to: later }, store)
  await restoreVersion(VERSIONS, { to: seq, created: true }, store)
  await writeSet(2, VERSIONS)
}

async function writeSet(set: number, sheet: SheetRef): Promise<void> {
  const { Items = [] } = await client.dynamo.send(new ScanCommand({ TableName: client.getTableName() }))
  writeFileSync(getFileUrl(set), `${JSON.stringify({ items: Items.map(encodeItem), ...(await readAll(sheet)) })}\n`)
}
