/** The log under trouble: lost answers, writers that die half-way, missing manifests, states far behind. */
import { DeleteItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { SheetRef } from '../../../lib/records/sheet.ts'
import { by, newSheetId, type RecordCloud, recordCloud } from '../../support/records.ts'

type Engine = typeof import('../../../lib/records/index.ts')
type Client = typeof import('../../../lib/table/client.ts')
let cloud: RecordCloud
let engine: Engine
let client: Client

beforeAll(async () => {
  cloud = await recordCloud()
  engine = await import('../../../lib/records/index.ts')
  client = await import('../../../lib/table/client.ts')
})
afterAll(() => cloud.close())
beforeEach(() => {
  cloud.intercept.before = undefined
  cloud.intercept.after = undefined
})

const unique = (): SheetRef => ({
  sheetId: newSheetId(),
  fields: [
    { key: 'name', type: 'string', constraints: [{ type: 'unique' }] },
    { key: 'note', type: 'string' },
  ],
})
const plain = (): SheetRef => ({ sheetId: newSheetId(), fields: [{ key: 'name', type: 'string' }] })
const row = (name: string) => ({ values: { name: { value: name } } })
const namesOf = async (sheet: SheetRef, store = engine.newStore()) =>
  (await engine.read(sheet, {}, store)).records.map(({ values }) => values.name!.value)

const items = async (sheetId: string, prefix: string) => {
  const { Items = [] } = await client.dynamo.send(
    new QueryCommand({
      TableName: client.tableName(),
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: { ':pk': { S: `sh#${sheetId}` }, ':prefix': { S: prefix } },
    }),
  )
  return Items
}

describe('a long log', () => {
  it('is read from its newest manifest, by any process, and as well without it', async () => {
    const sheet = unique()
    const writer = engine.newStore()
    const behind = engine.newStore()
    await engine.insert(sheet, [row('first')], by(), behind)
    const wanted = ['first']
    let edited = ''
    for (let i = 0; i < 150; i++) {
      const { ids } = await engine.insert(sheet, [row(`n${i % 140}`)], by(), writer)
      wanted.push(`n${i % 140}`)
      if (i === 20) edited = [...ids][0]!
      if (i % 30 === 29) {
        await engine.update(sheet, [{ id: edited, values: { name: { value: `edited ${i}` } } }], by(), writer)
        wanted[21] = `edited ${i}`
      }
    }
    const manifests = (await items(sheet.sheetId, 'l#')).filter(({ sk }) => sk!.S!.endsWith('~m'))
    expect(manifests.map(({ sk }) => sk!.S)).toEqual(['l#00000007~m'])
    const counts = { total: 151, valid: 131, error: 20 }
    for (const store of [engine.newStore(), behind, writer]) {
      expect(await namesOf(sheet, store)).toEqual(wanted)
      expect(await engine.counts(sheet, {}, store)).toEqual(counts)
    }
    cloud.meter.reset()
    await engine.counts(sheet, {}, engine.newStore())
    expect(cloud.meter.count()).toBeLessThanOrEqual(2)
    await client.dynamo.send(
      new DeleteItemCommand({
        TableName: client.tableName(),
        Key: { pk: { S: `sh#${sheet.sheetId}` }, sk: manifests[0]!.sk! },
      }),
    )
    expect(await namesOf(sheet)).toEqual(wanted)
    const { counts: after } = await engine.insert(sheet, [row('n5')], by(), engine.newStore())
    expect(after).toEqual({ total: 152, valid: 131, error: 21 })
  }, 60_000)

  it('gets a missing manifest stored by whoever had to read without it', async () => {
    const sheet = plain()
    for (let i = 0; i < 290; i++) await engine.insert(sheet, [row(`n${i}`)], by())
    const manifestKeys = async () =>
      (await items(sheet.sheetId, 'l#')).map(({ sk }) => sk!.S!).filter((sk) => sk.endsWith('~m'))
    for (const sk of await manifestKeys())
      await client.dynamo.send(
        new DeleteItemCommand({
          TableName: client.tableName(),
          Key: { pk: { S: `sh#${sheet.sheetId}` }, sk: { S: sk } },
        }),
      )
    expect((await namesOf(sheet)).length).toBe(290)
    expect(await manifestKeys()).toEqual(['l#00000015~m'])
    expect((await namesOf(sheet)).length).toBe(290)
  }, 60_000)
})

describe('histories of records', () => {
  const forget = async (sheetId: string) => {
    for (const { pk, sk } of await items(sheetId, 't#'))
      await client.dynamo.send(new DeleteItemCommand({ TableName: client.tableName(), Key: { pk: pk!, sk: sk! } }))
  }

  it('are the same by the trails others left, and cost a few requests then', async () => {
    const sheet = plain()
    const store = engine.newStore({ compactEdits: 5, editedRows: 5 })
    const first = await engine.insert(
      sheet,
      Array.from({ length: 300 }, (_, i) => row(`r${i}`)),
      by(),
      store,
    )
    const ids = [...first.ids]
    const set = (list: readonly string[], name: string) =>
      engine.update(
        sheet,
        list.map((id) => ({ id, values: { name: { value: name } } })),
        by(),
        store,
      )
    for (let i = 0; i < 200; i++) {
      if (i === 40) await set(ids, 'all')
      else if (i === 60) await engine.remove(sheet, ids.slice(0, 30), by(), store)
      else if (i === 90) await engine.restore(sheet, { to: 50 }, by(), store)
      else if (i === 120) await engine.restore(sheet, { to: 70, updated: true }, by(), store)
      else if (i % 9 === 0) await engine.insert(sheet, [row(`later ${i}`)], by(), store)
      else await set([ids[(i * 7) % 300]!, ids[i % 3]!], `edit ${i}`)
    }
    const asked = [...ids.filter((_, i) => i % 17 < 3)]
    const historyOf = (id: string) => engine.recordHistory(sheet, id, {}, engine.newStore())
    const whole: unknown[] = []
    for (const id of asked) {
      await forget(sheet.sheetId)
      whole.push(await historyOf(id))
    }
    expect(await items(sheet.sheetId, 't#')).toHaveLength(1)
    for (const [i, id] of asked.entries()) expect(await historyOf(id), id).toEqual(whole[i])
    expect(whole.flat().length).toBeGreaterThan(200)
    for (let i = 0; i < 100; i++) await set([ids[299]!], `more ${i}`)
    await historyOf(ids[2]!)
    cloud.meter.reset()
    expect(await engine.recordHistory(sheet, ids[16]!, { pageSize: 2 }, store)).toHaveLength(2)
    expect(cloud.meter.read).toBeLessThan(150)
  }, 120_000)
})

describe('trouble', () => {
  it('of a lost answer: the repeated append counts once', async () => {
    const sheet = plain()
    let lose = 1
    cloud.intercept.after = (operation) => operation === 'UpdateItem' && lose-- > 0
    const { commitId, counts } = await engine.insert(sheet, [row('once')], by())
    expect(lose).toBeLessThan(0)
    expect(counts.total).toBe(1)
    expect(await namesOf(sheet)).toEqual(['once'])
    expect((await items(sheet.sheetId, 'l#'))[0]!.q!.L).toHaveLength(2)
    expect((await engine.commits(sheet.sheetId)).map(({ id }) => id)).toEqual([commitId])
    const [next] = [...(await engine.insert(sheet, [row('next')], by())).ids]
    expect(await engine.update(sheet, [{ id: next!, values: { name: { value: 'changed' } } }], by())).toMatchObject({
      changed: true,
    })
    expect(await namesOf(sheet)).toEqual(['once', 'changed'])
  })

  it('of a rewrite between the view of a patch and its append: counts stay exact', async () => {
    const sheet: SheetRef = {
      sheetId: newSheetId(),
      fields: [
        { key: 'name', type: 'string', constraints: [{ type: 'required' }] },
        { key: 'age', type: 'number' },
      ],
    }
    const { ids } = await engine.insert(
      sheet,
      Array.from({ length: 20 }, (_, i) => ({ values: { name: { value: i % 2 ? 'x' : '' }, age: { value: 'n/a' } } })),
      by(),
    )
    const all = [...ids]
    const slow = engine.newStore()
    await engine.counts(sheet, {}, slow)
    let held: (() => void) | undefined
    const arrived = new Promise<void>((resolve) => {
      cloud.intercept.before = async (operation) => {
        if (operation !== 'UpdateItem') return
        cloud.intercept.before = undefined
        await new Promise<void>((release) => {
          held = release
          resolve()
        })
      }
    })
    const patch = engine.update(sheet, [{ id: all[0]!, values: { age: { value: 5 } } }], by(), slow)
    await arrived
    const fast = engine.newStore({ editedRows: 3 })
    const names = all.slice(0, 6).map((id) => ({ id, values: { name: { value: 'now' } } }))
    await engine.update(sheet, names, by(), fast)
    held!()
    await patch
    for (const store of [engine.newStore(), slow, fast])
      expect(await engine.counts(sheet, {}, store)).toEqual({ total: 20, valid: 1, error: 19 })
  })

  it('of an entry or body of a newer form: refused, not misread', async () => {
    const { parseEntry } = await import('../../../lib/records/log/entries.ts')
    expect(() => parseEntry('{"f":2,"o":"x"}')).toThrow('form 2')
  })
})
