/**
 * What was stored once is read for ever: items and objects as an earlier version of the engine wrote them, and what they
 * must say. `WRITE_STORED_FORMS=1` writes a new set; older sets stay, one file a form.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { type AttributeValue, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { SheetRef } from '../../../lib/records/sheet.ts'
import { by, type RecordCloud, recordCloud } from '../../support/records.ts'

const FILE = new URL('./stored-forms-1.json', import.meta.url)
const SHEET: SheetRef = {
  sheetId: 'us_sh_storedforms',
  fields: [
    { key: 'code', type: 'string', constraints: [{ type: 'unique' }, { type: 'required' }] },
    { key: 'amount', type: 'number' },
    { key: 'tags', type: 'string-list' },
  ],
}

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
  if (process.env.WRITE_STORED_FORMS) await writeForms()
})
afterAll(() => cloud.close())

const said = async () => ({
  records: (await engine.read(SHEET, {}, engine.newStore())).records,
  counts: await engine.counts(SHEET, { byField: true }, engine.newStore()),
  commits: await engine.commits(SHEET.sheetId, { pageSize: 5 }, engine.newStore()),
})

it('reads what the first form wrote', async () => {
  const fixture = JSON.parse(readFileSync(FILE, 'utf8')) as Fixture
  if (!process.env.WRITE_STORED_FORMS)
    for (const item of fixture.items)
      await client.dynamo.send(new PutItemCommand({ TableName: client.tableName(), Item: thawed(item) }))
  expect(JSON.parse(JSON.stringify(await said()))).toEqual({
    records: fixture.records,
    counts: fixture.counts,
    commits: fixture.commits,
  })
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
  const { Items = [] } = await client.dynamo.send(new ScanCommand({ TableName: client.tableName() }))
  writeFileSync(FILE, `${JSON.stringify({ items: Items.map(frozen), ...(await said()) })}\n`)
}
