import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { pluck } from '../support/api.ts'
import { call, createFreshSpace, must, spaceId } from '../support/fresh-account.ts'
import { createSheet } from '../support/resources.ts'

let sheetId: string
let ids: string[]

beforeAll(() => createFreshSpace({ name: 'Snapshots' }))
beforeEach(async () => {
  const fields = [
    { key: 'email', type: 'string', constraints: [{ type: 'unique' }] },
    { key: 'age', type: 'number' },
  ]
  ;({ sheetId } = await createSheet(fields, { sheet: { name: 'People', slug: 'people' } }))
  ids = pluck((await insert([{ email: 'ada' }, { email: 'bob' }, { email: 'eve', age: 'old' }])).records, 'id')
})

const insert = async (rows: object[]) => await must('POST', `/sheets/${sheetId}/records`, rows)
const put = (id: string, values: object) => call('PUT', `/sheets/${sheetId}/records`, [{ id, values }])
const takeSnapshot = async (label = 'Before') => await must('POST', '/snapshots', { sheetId, label })
const rows = async () =>
  (await must('GET', `/sheets/${sheetId}/records`)).records.map(
    (record: { id: string; values: { email: { value: unknown }; age: { value: unknown } } }) => [
      record.id,
      record.values.email.value,
      record.values.age.value,
    ],
  )
const topics = async () =>
  pluck(
    (await must('GET', `/events?spaceId=${spaceId}&pageSize=1000`)).filter(
      (event: { context: { sheetId?: string } }) => event.context.sheetId === sheetId,
    ),
    'topic',
  )

async function change() {
  await put(ids[0]!, { email: { value: 'ada@example.com' } })
  await call('DELETE', `/sheets/${sheetId}/records?ids=${ids[1]}`)
  return (await insert([{ email: 'zoe' }])).records[0].id as string
}

describe('a snapshot', () => {
  it('counts changes of current fields, not of removed ones', async () => {
    const { id } = await takeSnapshot()
    await put(ids[0]!, { email: { value: 'ada@x.y' }, age: { value: 1 } })
    await put(ids[1]!, { age: { value: 2 } })
    const updated = async () => (await must('GET', `/snapshots/${id}?includeSummary=true`)).summary.updatedSince
    expect(await updated()).toEqual({ total: 2, byField: { email: 1, age: 2 } })
    await call('DELETE', `/sheets/${sheetId}/fields/age`)
    expect(await updated()).toEqual({ total: 1, byField: { email: 1 } })
  })

  it('is created, listed, emitted, and deleted without touching a record', async () => {
    const first = await takeSnapshot('First')
    const second = await takeSnapshot('Second')
    expect(first).toMatchObject({ sheetId, label: 'First', counts: { total: 3, valid: 2, error: 1 } })
    const listed = await must('GET', `/snapshots?sheetId=${sheetId}`)
    expect(pluck(listed, 'label')).toEqual(['Second', 'First'])
    expect((await topics()).filter((topic: string) => topic === 'snapshot:created')).toHaveLength(2)
    expect(await must('DELETE', `/snapshots/${second.id}`)).toEqual({ success: true })
    expect((await call('GET', `/snapshots/${second.id}`)).status).toBe(404)
    expect(await rows()).toHaveLength(3)
  })

  it('reports what changed since, in records and in fields', async () => {
    const { id } = await takeSnapshot()
    const added = await change()
    await call('POST', `/sheets/${sheetId}/fields`, { key: 'note', type: 'string' })
    const { summary } = await must('GET', `/snapshots/${id}?includeSummary=true`)
    expect(summary).toMatchObject({
      createdSince: { total: 1 },
      updatedSince: { total: 1, byField: { email: 1 } },
      deletedSince: { total: 1 },
      schemaDiff: { email: 'unchanged', age: 'unchanged', note: 'added' },
      config: { name: 'People' },
    })
    const changed = async (type: string) => await must('GET', `/snapshots/${id}/records?changeType=${type}`)
    expect(await changed('createdSince')).toMatchObject([
      { id: added, values: { email: { value: 'zoe', snapshotValue: null } } },
    ])
    expect(await changed('updatedSince')).toMatchObject([
      { id: ids[0], values: { email: { value: 'ada@example.com', snapshotValue: 'ada' } } },
    ])
    expect(await changed('deletedSince')).toMatchObject([
      { id: ids[1], values: { email: { value: null, snapshotValue: 'bob' } } },
    ])
    const all = await must('GET', `/snapshots/${id}/records?pageSize=2&pageNumber=2`)
    expect(all).toMatchObject([{ id: ids[2], values: { age: { snapshotValue: 'old' } } }])
  })

  it('is restored as one commit with its events, records under their own ids', async () => {
    const before = await rows()
    const { id } = await takeSnapshot()
    await change()
    const told = (await topics()).length
    expect((await call('POST', `/snapshots/${id}/restore`)).status).toBe(200)
    expect(await rows()).toEqual(before)
    expect((await must('GET', `/sheets/${sheetId}/counts`)).counts).toMatchObject({ total: 3, error: 1 })
    expect((await topics()).slice(told)).toEqual([
      'records:created',
      'records:updated',
      'records:deleted',
      'commit:created',
      'sheet:counts-updated',
      'sheet:calculation-updated',
    ])
    expect(await must('GET', `/sheets/${sheetId}/commits`)).toHaveLength(5)
    const again = (await topics()).length
    await call('POST', `/snapshots/${id}/restore`)
    expect((await topics()).length, 'nothing to restore: no commit').toBe(again)
  })

  it('is restored in part', async () => {
    const { id } = await takeSnapshot()
    const added = await change()
    const restore = (body: object) => call('POST', `/snapshots/${id}/restore`, body)
    await restore({ created: false, updated: true, deleted: false })
    expect(await rows()).toEqual([
      [ids[0], 'ada', null],
      [ids[2], 'eve', 'old'],
      [added, 'zoe', null],
    ])
    await restore({ created: true, updated: false, deleted: false })
    expect((await rows()).map(([record]: string[]) => record)).toEqual([ids[0], ids[2]])
    await restore({ created: false, updated: false, deleted: true })
    expect((await rows()).map(([record]: string[]) => record)).toEqual(ids)
  })
})

describe('any version', () => {
  it('can be read by its commit, and a record returns its history', async () => {
    const { commitId } = (await put(ids[0]!, { age: { value: 1 } })).body.data
    await put(ids[0]!, { age: { value: 2 }, email: { value: 'countess' } })
    const ages = async (query: string) =>
      (await must('GET', `/sheets/${sheetId}/records?${query}`)).records.map(
        ({ values }: { values: { age: { value: unknown } } }) => values.age.value,
      )
    expect(await ages(`asOfCommitId=${commitId}`)).toEqual([1, null, 'old'])
    expect(await ages('')).toEqual([2, null, 'old'])
    const history = await must('GET', `/sheets/${sheetId}/records/${ids[0]}/history`)
    expect(history).toMatchObject([
      {
        action: 'updated',
        changes: [
          { fieldKey: 'email', previousValue: 'ada', newValue: 'countess' },
          { fieldKey: 'age', previousValue: 1, newValue: 2 },
        ],
      },
      { action: 'updated', commitId, changes: [{ fieldKey: 'age', previousValue: null, newValue: 1 }] },
      { action: 'created' },
    ])
    expect((await call('GET', `/sheets/${sheetId}/records/us_rc_none_0_0_0/history`)).status).toBe(404)
    expect((await must('POST', '/versions', { sheetId })).versionId).toMatch(/^us_vr_.*_2$/)
  })
})
