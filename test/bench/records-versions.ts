/** Snapshots, older versions and history: what they cost does not grow with the sheet. */
import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import type { SheetRef } from '../../lib/records/index.ts'
import { by } from '../support/records.ts'
import type { Case } from './cases.ts'
import { conditionalUpdate, getNothing } from './requests.ts'

/** Capacity units, of a snapshot as of a restore. */
const UNITS = 3
const COMMITS = 100
const EDITS = 10

/** @param ids of records spread over the sheet */
export async function versionCases(sheet: SheetRef, ids: readonly string[]): Promise<Case[]> {
  const engine = await import('../../lib/records/index.ts')
  const { pagesFrom } = await import('../../lib/table/log.ts')
  const store = engine.newStore()
  const edit = (records: readonly string[], value: string) =>
    engine.update(
      sheet,
      records.map((id) => ({ id, values: { company: { value } } })),
      by(),
      store,
    )
  const before = await engine.versionOf(sheet, store)
  for (let at = 0; at < COMMITS; at++)
    await edit(
      Array.from({ length: EDITS }, (_, i) => ids[(at * EDITS + i) % ids.length]!),
      `edit ${at}`,
    )
  const update = await conditionalUpdate()
  const get = await getNothing()
  const page = { pageSize: 1000, pageNumber: 3 }
  const flat = { rounds: 9, growth: 'flat' } as const
  let made = 0
  let kept = before.seq
  return [
    {
      ...{ what: 'snapshot', reference: 'one UpdateItem', reach: 10, writesAtMost: UNITS, ...flat },
      ...{ work: () => snapshot(sheet, engine.versionOf(sheet, store)), beside: () => update(0) },
    },
    {
      ...{ what: 'restore after an edit', reference: 'one UpdateItem', reach: 10, writesAtMost: UNITS, ...flat },
      before: async () => {
        kept = (await engine.versionOf(sheet, store)).seq
        await edit(ids.slice(0, 1), `to be undone ${++made}`)
      },
      ...{ work: () => engine.restore(sheet, { to: kept }, by(), store), beside: () => update(0) },
    },
    {
      ...{ what: 'page of 1000 as of an older version', reference: 'the page as it is now', reach: 2, ...flat },
      work: () => engine.list(sheet, { ...page, ...(before.commitId ? { asOf: before.commitId } : {}) }, store),
      beside: () => engine.list(sheet, page, store),
    },
    {
      ...{ what: 'what 1000 edits changed', reference: 'reading their log pages', reach: 10, ...flat },
      work: async () => {
        const { updatedSince } = await engine.diff(sheet, { from: before.seq }, store)
        if (updatedSince.total < Math.min(ids.length, COMMITS * EDITS)) throw new Error('Edits are missing')
      },
      beside: () => pagesFrom(sheet.sheetId, Math.floor(before.seq / 16)),
    },
    {
      ...{ what: 'history of a record', reference: 'one GetItem', reach: 10, ...flat, beside: get },
      work: () => engine.recordHistory(sheet, ids[1]!, {}, store),
    },
    {
      ...{ what: 'commits, first 100', reference: 'one GetItem', reach: 10, ...flat, beside: get },
      work: () => engine.commits(sheet.sheetId),
    },
  ]
}

/** A place in the log, kept as one small item. */
async function snapshot(sheet: SheetRef, version: Promise<object>): Promise<void> {
  const { dynamo, tableName } = await import('../../lib/table/client.ts')
  const Item = {
    ...{ pk: { S: `bench#${sheet.sheetId}` }, sk: { S: 'snapshot' } },
    body: { S: JSON.stringify({ ...(await version), label: 'bench', createdAt: new Date() }) },
  }
  await dynamo.send(new PutItemCommand({ TableName: tableName(), Item }))
}
