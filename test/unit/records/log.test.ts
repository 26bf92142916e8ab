/** The log under fault injection: lost responses, crashed writers, missing manifests and stale states. */
import { DeleteItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import type { SheetRef } from '../../../lib/records/sheet.ts'
import { startRecordSuite } from '../../support/record-suite.ts'
import { createWriteContext, newSheetId } from '../../support/records.ts'

const { cloud, engine, insert, update, remove, restoreVersion } = await startRecordSuite()
const client = await import('../../../lib/table/client.ts')

const uniqueField = (): SheetRef => ({
  sheetId: newSheetId(),
  fields: [
    { key: 'name', type: 'string', constraints: [{ type: 'unique' }] },
    { key: 'note', type: 'string' },
  ],
})
const plainField = (): SheetRef => ({ sheetId: newSheetId(), fields: [{ key: 'name', type: 'string' }] })
const createRow = (name: string) => ({ values: { name: { value: name } } })
const getNames = async (sheet: SheetRef, store = engine.createStore()) =>
  (await engine.readRecords(sheet, {}, store)).records.map(({ values }) => values.name!.value)

const listItems = async (sheetId: string, prefix: string) => {
  const { Items = [] } = await client.dynamo.send(
    new QueryCommand({
      TableName: client.getTableName(),
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: { ':pk': { S: `sh#${sheetId}` }, ':prefix': { S: prefix } },
    }),
  )
  return Items
}

describe('long log', () => {
  it('is read from its newest manifest by any process, and also without it', async () => {
    const sheet = uniqueField()
    const writer = engine.createStore()
    const behind = engine.createStore()
    await insert(sheet, [createRow('first')], behind)
    const wanted = ['first']
    let edited = ''
    for (let i = 0; i < 150; i++) {
      const { ids } = await insert(sheet, [createRow(`n${i % 140}`)], writer)
      wanted.push(`n${i % 140}`)
      if (i === 20) edited = [...ids][0]!
      if (i % 30 === 29) {
        await update(sheet, [{ id: edited, values: { name: { value: `edited ${i}` } } }], writer)
        wanted[21] = `edited ${i}`
      }
    }
    const manifests = (await listItems(sheet.sheetId, 'l#')).filter(({ sk }) => sk!.S!.endsWith('~m'))
    expect(manifests.map(({ sk }) => sk!.S)).toEqual(['l#00000007~m'])
    const counts = { total: 151, valid: 131, error: 20 }
    for (const store of [engine.createStore(), behind, writer]) {
      expect(await getNames(sheet, store)).toEqual(wanted)
      expect(await engine.countRecords(sheet, {}, store)).toEqual(counts)
    }
    cloud.meter.reset()
    await engine.countRecords(sheet, {}, engine.createStore())
    expect(cloud.meter.count()).toBeLessThanOrEqual(2)
    await client.dynamo.send(
      new DeleteItemCommand({
        TableName: client.getTableName(),
        Key: { pk: { S: `sh#${sheet.sheetId}` }, sk: manifests[0]!.sk! },
      }),
    )
    expect(await getNames(sheet)).toEqual(wanted)
    const { counts: after } = await insert(sheet, [createRow('n5')], engine.createStore())
    expect(after).toEqual({ total: 152, valid: 131, error: 21 })
  }, 60_000)

  it('gets a missing manifest stored by the first reader without it', async () => {
    const sheet = plainField()
    for (let i = 0; i < 290; i++) await insert(sheet, [createRow(`n${i}`)])
    const listManifestKeys = async () =>
      (await listItems(sheet.sheetId, 'l#')).map(({ sk }) => sk!.S!).filter((sk) => sk.endsWith('~m'))
    for (const sk of await listManifestKeys())
      await client.dynamo.send(
        new DeleteItemCommand({
          TableName: client.getTableName(),
          Key: { pk: { S: `sh#${sheet.sheetId}` }, sk: { S: sk } },
        }),
      )
    expect((await getNames(sheet)).length).toBe(290)
    expect(await listManifestKeys()).toEqual(['l#00000015~m'])
    expect((await getNames(sheet)).length).toBe(290)
  }, 60_000)
})

describe('commits of writers with different clocks', () => {
  it('have times in the order of the log, on every page, also for writers that start from a manifest', async () => {
    const sheet = plainField()
    const stores = [engine.createStore(), engine.createStore()]
    const start = Date.parse('2026-01-02T03:04:05.000Z')
    for (let i = 0; i < 150; i++) {
      const at = new Date(start + (i % 10) * 1000 - i)
      const store = i % 7 === 0 ? engine.createStore() : stores[i % 2]
      await engine.insert(sheet, [createRow(`n${i}`)], createWriteContext('us_usr_1', { at }), store)
    }
    const commits = await engine.listCommits(sheet.sheetId, { pageSize: 200 })
    const times = commits.map(({ createdAt }) => Date.parse(createdAt)).reverse()
    expect(times).toHaveLength(150)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(times[0]).toBe(start)
    expect(times.at(-1)).toBe(start + 9 * 1000 - 9)
  }, 30_000)
})

describe('record histories', () => {
  const deleteManifests = async (sheetId: string) => {
    for (const { pk, sk } of await listItems(sheetId, 't#'))
      await client.dynamo.send(new DeleteItemCommand({ TableName: client.getTableName(), Key: { pk: pk!, sk: sk! } }))
  }

  it('are the same through stored touch indexes, and then cost few requests', async () => {
    const sheet = plainField()
    const store = engine.createStore({ compactEdits: 5, editedRows: 5 })
    const first = await insert(
      sheet,
      Array.from({ length: 300 }, (_, i) => createRow(`r${i}`)),
      store,
    )
    const ids = [...first.ids]
    const createUpdate = (list: readonly string[], name: string) =>
      update(
        sheet,
        list.map((id) => ({ id, values: { name: { value: name } } })),
        store,
      )
    for (let i = 0; i < 200; i++) {
      if (i === 40) await createUpdate(ids, 'all')
      else if (i === 60) await remove(sheet, ids.slice(0, 30), store)
      else if (i === 90) await restoreVersion(sheet, { to: 50 }, store)
      else if (i === 120) await restoreVersion(sheet, { to: 70, updated: true }, store)
      else if (i % 9 === 0) await insert(sheet, [createRow(`later ${i}`)], store)
      else await createUpdate([ids[(i * 7) % 300]!, ids[i % 3]!], `edit ${i}`)
    }
    const asked = [...ids.filter((_, i) => i % 50 < 3)]
    const readHistory = (id: string) => engine.readRecordHistory(sheet, id, {}, engine.createStore())
    const whole: unknown[] = []
    for (const id of asked) {
      await deleteManifests(sheet.sheetId)
      whole.push(await readHistory(id))
    }
    expect(await listItems(sheet.sheetId, 't#')).toHaveLength(1)
    for (const [i, id] of asked.entries()) expect(await readHistory(id), id).toEqual(whole[i])
    expect(whole.flat().length).toBeGreaterThan(80)
    for (let i = 0; i < 100; i++) await createUpdate([ids[299]!], `more ${i}`)
    await readHistory(ids[2]!)
    cloud.meter.reset()
    expect(await engine.readRecordHistory(sheet, ids[16]!, { pageSize: 2 }, store)).toHaveLength(2)
    expect(cloud.meter.read).toBeLessThan(150)
  }, 120_000)
})

function holdNextAppend(): { arrived: Promise<void>; release(): void } {
  let [release, arrive] = [() => {}, () => {}]
  const held = new Promise<void>((resolve) => (release = resolve))
  const arrived = new Promise<void>((resolve) => (arrive = resolve))
  cloud.intercept.beforeRequest = async (operation) => {
    if (operation !== 'UpdateItem') return
    cloud.intercept.beforeRequest = undefined
    arrive()
    await held
  }
  return { arrived, release: () => release() }
}

describe('log faults', () => {
  it('lost response: the repeated append counts once', async () => {
    const sheet = plainField()
    let lose = 1
    cloud.intercept.loseResponse = (operation) => operation === 'UpdateItem' && lose-- > 0
    const { commitId, counts } = await insert(sheet, [createRow('once')])
    expect(lose).toBeLessThan(0)
    expect(counts.total).toBe(1)
    expect(await getNames(sheet)).toEqual(['once'])
    expect((await listItems(sheet.sheetId, 'l#'))[0]!.q!.L).toHaveLength(2)
    expect((await engine.listCommits(sheet.sheetId)).map(({ id }) => id)).toEqual([commitId])
    const [next] = [...(await insert(sheet, [createRow('next')])).ids]
    expect(await update(sheet, [{ id: next!, values: { name: { value: 'changed' } } }])).toMatchObject({
      changed: true,
    })
    expect(await getNames(sheet)).toEqual(['once', 'changed'])
  })

  it('rewrite between reading and appending a patch: counts stay exact', async () => {
    const sheet: SheetRef = {
      sheetId: newSheetId(),
      fields: [
        { key: 'name', type: 'string', constraints: [{ type: 'required' }] },
        { key: 'age', type: 'number' },
      ],
    }
    const { ids } = await insert(
      sheet,
      Array.from({ length: 20 }, (_, i) => ({ values: { name: { value: i % 2 ? 'x' : '' }, age: { value: 'n/a' } } })),
    )
    const all = [...ids]
    const slow = engine.createStore()
    await engine.countRecords(sheet, {}, slow)
    const { arrived, release } = holdNextAppend()
    const patch = update(sheet, [{ id: all[0]!, values: { age: { value: 5 } } }], slow)
    await arrived
    const fast = engine.createStore({ editedRows: 3 })
    const names = all.slice(0, 6).map((id) => ({ id, values: { name: { value: 'now' } } }))
    await update(sheet, names, fast)
    release()
    await patch
    for (const store of [engine.createStore(), slow, fast])
      expect(await engine.countRecords(sheet, {}, store)).toEqual({ total: 20, valid: 1, error: 19 })
  })

  it('concurrent add: the limit of records holds for both together', async () => {
    const sheet: SheetRef = { sheetId: newSheetId(), fields: [{ key: 'name', type: 'string' }] }
    const createRows = (count: number) => Array.from({ length: count }, () => ({ values: { name: { value: 'x' } } }))
    const slow = engine.createStore({ sheetRows: 10 })
    await engine.countRecords(sheet, {}, slow)
    const { arrived, release } = holdNextAppend()
    const late = insert(sheet, createRows(4), slow)
    await arrived
    await insert(sheet, createRows(8), engine.createStore({ sheetRows: 10 }))
    release()
    await expect(late).rejects.toThrow('10')
    expect(await engine.countRecords(sheet)).toMatchObject({ total: 8 })
  })

  it('entry or body in a newer format: rejected instead of misread', async () => {
    const { parseEntry } = await import('../../../lib/records/format/entries.ts')
    expect(() => parseEntry('{"f":2,"o":"x"}')).toThrow('format 2')
  })
})
