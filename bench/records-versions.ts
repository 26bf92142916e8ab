import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import type { SheetRef } from '../lib/records/index.ts'
import { createWriteContext } from '../test/support/records.ts'
import type { Case } from './cases.ts'
import { createConditionalUpdate, createMissingGet } from './requests.ts'

const UNITS = 3
const COMMITS = 100
const EDITS = 10

export async function versionCases(sheet: SheetRef, ids: readonly string[]): Promise<Case[]> {
  const engine = await import('../lib/records/index.ts')
  const { readPagesFrom } = await import('../lib/table/record-log.ts')
  const store = engine.createStore()
  const edit = (records: readonly string[], value: string) =>
    engine.update(
      sheet,
      records.map((id) => ({ id, values: { company: { value } } })),
      createWriteContext(),
      store,
    )
  const before = await engine.readVersion(sheet, store)
  for (let at = 0; at < COMMITS; at++)
    await edit(
      Array.from({ length: EDITS }, (_, i) => ids[(at * EDITS + i) % ids.length]!),
      `edit ${at}`,
    )
  const update = await createConditionalUpdate()
  const get = await createMissingGet()
  const page = { pageSize: 1000, pageNumber: 3 }
  const flat = { rounds: 9, growth: 'flat' } as const
  let editCount = 0
  let restoreSeq = before.seq
  return [
    {
      ...{ what: 'snapshot', reference: 'one UpdateItem', target: 10, maxWrites: UNITS, ...flat },
      ...{ work: () => saveSnapshot(sheet, engine.readVersion(sheet, store)), runReference: () => update(0) },
    },
    {
      ...{ what: 'restore after an edit', reference: 'one UpdateItem', target: 10, maxWrites: UNITS, ...flat },
      before: async () => {
        restoreSeq = (await engine.readVersion(sheet, store)).seq
        await edit(ids.slice(0, 1), `to be undone ${++editCount}`)
      },
      ...{
        work: () => engine.restoreVersion(sheet, { to: restoreSeq }, createWriteContext(), store),
        runReference: () => update(0),
      },
    },
    {
      ...{ what: 'page of 1000 of an older version', reference: 'the current page', target: 2, ...flat },
      work: () => engine.listRecords(sheet, { ...page, ...(before.commitId ? { asOf: before.commitId } : {}) }, store),
      runReference: () => engine.listRecords(sheet, page, store),
    },
    {
      ...{ what: 'changes of 1000 edits', reference: 'reading their log pages', target: 10, ...flat },
      work: async () => {
        const { updatedSince } = await engine.diffVersions(sheet, { from: before.seq }, store)
        if (updatedSince.total < Math.min(ids.length, COMMITS * EDITS)) throw new Error('Edits are missing')
      },
      runReference: () => readPagesFrom(sheet.sheetId, Math.floor(before.seq / 16)),
    },
    {
      ...{ what: 'history of a record', reference: 'one GetItem', target: 10, ...flat, runReference: get },
      work: () => engine.readRecordHistory(sheet, ids[1]!, {}, store),
    },
    {
      ...{ what: 'commits, first 100', reference: 'one GetItem', target: 10, ...flat, runReference: get },
      work: () => engine.listCommits(sheet.sheetId),
    },
  ]
}

async function saveSnapshot(sheet: SheetRef, version: Promise<object>): Promise<void> {
  const { dynamo, getTableName } = await import('../lib/table/client.ts')
  const Item = {
    ...{ pk: { S: `bench#${sheet.sheetId}` }, sk: { S: 'snapshot' } },
    body: { S: JSON.stringify({ ...(await version), label: 'bench', createdAt: new Date() }) },
  }
  await dynamo.send(new PutItemCommand({ TableName: getTableName(), Item }))
}
