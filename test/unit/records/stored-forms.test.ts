/**
 * What was stored once is read for ever: items and objects as an earlier version of the engine wrote them, and what they
 * must say. `WRITE_STORED_FORMS=<set>` writes a set anew; older sets stay, one file a form.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { type AttributeValue, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { SheetRef } from '../../../lib/records/sheet.ts'
import { by, type RecordCloud, recordCloud } from '../../support/records.ts'

const fields: SheetRef['fields'] = [
  { key: 'code', type: 'string', constraints: [{ type: 'unique' }, { type: 'required' }] },
  { key: 'amount', type: 'number' },
  { key: 'tags', type: 'string-list' },
]
const sheetOf = (sheetId: string): SheetRef => ({ sheetId, fields })
const SHEET = sheetOf('us_sh_storedforms')
/** Merged segments and restores. */
const VERSIONS = sheetOf('us_sh_storedversions')
const fileOf = (set: number): URL => new URL(`./stored-forms-${set}.json`, import.meta.url)

type Stored = { [attribute: string]: AttributeValue | { B64: string } }
interface Fixture {
  items: Stored[]
  records: unknown
  counts: unknown
  commits: unknown
}

let cloud: RecordCloud
let engine: typeof import('../../../lib/records/index.ts')
let client: typeof import('../../../lib/table/client.ts')

beforeAll(async () => {
  cloud = await recordCloud()
  engine = await import('../../../lib/records/index.ts')
  client = await import('../../../lib/table/client.ts')
  if (process.env.WRITE_STORED_FORMS === '1') await writeForms()
  if (process.env.WRITE_STORED_FORMS === '2') await writeVersions()
})
afterAll(() => cloud.close())

const said = async (sheet: SheetRef) => ({
  records: (await engine.read(sheet, {}, engine.newStore())).records,
  counts: await engine.counts(sheet, { byField: true }, engine.newStore()),
  commits: await engine.commits(sheet.sheetId, { pageSize: 5 }),
})

it.each([
  [1, SHEET],
  [2, VERSIONS],
])('reads what form %i wrote', async (set, sheet) => {
  const fixture = JSON.parse(readFileSync(fileOf(set), 'utf8')) as Fixture
  if (!process.env.WRITE_STORED_FORMS)
    for (const item of fixture.items)
      await client.dynamo.send(new PutItemCommand({ TableName: client.tableName(), Item: thawed(item) }))
  const { records, counts, commits } = fixture
  expect(JSON.parse(JSON.stringify(await said(sheet)))).toEqual({ records, counts, commits })
})

it('goes on writing where the first form ended', async () => {
  const { records } = await engine.read(SHEET)
  const before = await engine.counts(SHEET)
  const [first] = records
  const { counts } = await engine.insert(SHEET, [{ values: { code: { value: first!.values.code!.value } } }], by())
  expect(counts).toMatchObject({ total: before.total + 1 })
  const { records: after } = await engine.read(SHEET, { filter: 'error', filterField: 'code' })
  expect(after.map(({ id }) => id)).toContain(first!.id)
})

const thawed = (item: Stored): Record<string, AttributeValue> =>
  Object.fromEntries(
    Object.entries(item).map(([name, value]) => [
      name,
      'B64' in value ? { B: Buffer.from(value.B64, 'base64') } : (value as AttributeValue),
    ]),
  )
const frozen = (item: Record<string, AttributeValue>): Stored =>
  Object.fromEntries(
    Object.entries(item).map(([name, value]) => [
      name,
      value.B ? { B64: Buffer.from(value.B).toString('base64') } : value,
    ]),
  )

/** A little of every kind of entry, and a manifest. */
async function writeForms(): Promise<void> {
  const store = engine.newStore({
    segmentRows: 30,
    inlineSegmentBytes: 300,
    editedRows: 3,
    blobItemBytes: Number.POSITIVE_INFINITY,
  })
  async function* rows() {
    const list = Array.from({ length: 70 }, (_, i) => [i % 20 ? `c${i}` : 'same', i % 9 ? i : 'n/a', [`t${i}`]])
    yield { keys: ['code', 'amount', 'tags'], rows: list }
  }
  const imported = [...(await engine.importRows(SHEET, rows(), by(), store)).ids]
  for (let i = 0; i < 14; i++) {
    const values = { code: { value: i % 5 ? `i${i}` : 'same', messages: [{ type: 'warn', message: 'look' }] } }
    const inserted = await engine.insert(SHEET, [{ values, metadata: { i }, config: { readonly: true } }], by(), store)
    if (i % 2) await engine.remove(SHEET, [...inserted.ids], by(), store)
  }
  for (let i = 0; i < 110; i++)
    await engine.update(SHEET, [{ id: imported[i % 2]!, values: { amount: { value: i } } }], by(), store)
  const change = (from: number, to: number) =>
    imported.slice(from, to).map((id, i) => ({ id, values: { code: { value: `e${i}` }, amount: { value: i } } }))
  await engine.update(SHEET, change(0, 2), by(), store)
  await engine.update(SHEET, change(20, 40), by('us_usr_forms', { event: { accountId: 'x'.repeat(80) } }), store)
  const fields = SHEET.fields.map((field) =>
    field.key === 'amount' ? { ...field, constraints: [{ type: 'required' }] } : field,
  )
  await engine.counts({ ...SHEET, fields }, {}, store)
  await engine.counts(SHEET, {}, store)
  await engine.update(
    SHEET,
    [{ id: imported[69]!, values: { code: { value: 'same' } }, metadata: { last: 1 } }],
    by(),
    store,
  )
  await freeze(1, SHEET)
}

/** Every kind of entry a merge or a restore writes. */
async function writeVersions(): Promise<void> {
  const store = engine.newStore({
    mergeSegments: 3,
    mergeRuns: 2,
    compactEdits: 3,
    blobItemBytes: Number.POSITIVE_INFINITY,
  })
  const ids: string[] = []
  for (let i = 0; i < 7; i++) {
    const rows = [i, i + 0.5].map((n) => ({ values: { code: { value: `c${n % 5}` }, amount: { value: n } } }))
    ids.push(...(await engine.insert(VERSIONS, rows, by(), store)).ids)
  }
  const { seq } = await engine.versionOf(VERSIONS, store)
  const change = (i: number) => ({ id: ids[i]!, values: { code: { value: `e${i}` }, amount: { value: 'n/a' } } })
  await engine.remove(VERSIONS, [ids[0]!, ids[3]!], by(), store)
  await engine.update(VERSIONS, [1, 4, 5, 6].map(change), by(), store)
  for (let i = 0; i < 5; i++) await engine.insert(VERSIONS, [{ values: { code: { value: 'c1' } } }], by(), store)
  await engine.restore(VERSIONS, { to: seq, updated: true, deleted: true }, by(), store)
  const { seq: later } = await engine.versionOf(VERSIONS, store)
  await engine.remove(VERSIONS, { filter: 'all' }, by(), store)
  await engine.restore(VERSIONS, { to: later }, by(), store)
  await engine.restore(VERSIONS, { to: seq, created: true }, by(), store)
  await freeze(2, VERSIONS)
}

async function freeze(set: number, sheet: SheetRef): Promise<void> {
  const { Items = [] } = await client.dynamo.send(new ScanCommand({ TableName: client.tableName() }))
  writeFileSync(fileOf(set), `${JSON.stringify({ items: Items.map(frozen), ...(await said(sheet)) })}\n`)
}
