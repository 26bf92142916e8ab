/** Data clips after a refused merge and after their deletion; events that two acknowledge. */
import { beforeAll, expect, it } from 'vitest'
import { callerOf, dataOf, mintAccount, type TestAccount } from '../support/api.ts'

let account: TestAccount
let call: ReturnType<typeof callerOf>
let spaceId: string

beforeAll(async () => {
  account = await mintAccount()
  call = callerOf(account.secretKey)
  spaceId = (await dataOf(call('POST', '/spaces', { environmentId: account.environmentId, name: 'S' }))).id
})

/** A clip of one record whose value was changed in the clip. */
async function changedClip(more: object = {}) {
  const sheets = [{ name: 'P', slug: 'p', fields: [{ key: 'a', type: 'string' }] }]
  const workbook = await dataOf(call('POST', '/workbooks', { spaceId, name: 'W', sheets }))
  const sourceId = workbook.sheets[0].id as string
  await dataOf(call('POST', `/sheets/${sourceId}/records`, [{ a: { value: 'first' } }]))
  const clip = await dataOf(call('POST', '/data-clips', { sourceSheetId: sourceId, name: 'C', ...more }))
  await dataOf(call('POST', `/data-clips/${clip.id}/add-records?filter=all`))
  expect((await write(clip.clipSheetId, 'of the clip')).status).toBe(200)
  return { clip, sourceId }
}
const recordIn = async (sheetId: string) => (await dataOf(call('GET', `/sheets/${sheetId}/records`))).records[0]
const valueIn = async (sheetId: string) => (await recordIn(sheetId)).values.a.value
const write = async (sheetId: string, a: string) =>
  call('PUT', `/sheets/${sheetId}/records`, [{ id: (await recordIn(sheetId)).id, values: { a: { value: a } } }])
const merge = ({ id }: { id: string }) => call('POST', `/data-clips/${id}/merge`)

it('is not merged into a locked sheet, and is merged once the sheet is unlocked', async () => {
  const { clip, sourceId } = await changedClip()
  await dataOf(call('POST', `/sheets/${sourceId}/lock`))
  expect((await merge(clip)).status).toBe(409)
  expect(await valueIn(sourceId)).toBe('first')
  expect((await write(clip.clipSheetId, 'changed since')).status).toBe(200)
  await dataOf(call('POST', `/sheets/${sourceId}/unlock`))
  expect((await merge(clip)).status).toBe(200)
  expect(await valueIn(sourceId)).toBe('changed since')
})

it('is open for changes as soon as its merge was refused because the source changed meanwhile', async () => {
  const { clip, sourceId } = await changedClip()
  expect((await write(sourceId, 'of the source')).status).toBe(200)
  // As a merge leaves it that had looked at the conflicts before the source changed: closed, and about to commit.
  const { Clips } = await import('../../lib/entities/clips.ts')
  const { transact } = await import('../../lib/table/transact.ts')
  const { versionOf } = await import('../../lib/records/index.ts')
  const stored = (await Clips.get(clip.id))!
  const { seq } = await versionOf(sourceId)
  await transact([Clips.replace(stored, { ...stored, merging: { op: `merge ${clip.id}`, seq } })])
  await dataOf(call('POST', `/sheets/${clip.clipSheetId}/lock`))

  const refused = await merge(clip)
  expect([refused.status, refused.body.errors[0].message]).toEqual([
    409,
    expect.stringMatching(/^1 records have conflicts/),
  ])
  expect((await Clips.get(clip.id))!.merging).toBeUndefined()
  expect((await write(clip.clipSheetId, 'changed since')).status).toBe(200)
  expect((await dataOf(call('GET', `/data-clips/${clip.id}`))).status).toBe('open')
})

it('takes its workbook from its collaborators when it is deleted, and emits that each has left the space', async () => {
  const emails = ['one@example.com', 'other@example.com']
  const { clip } = await changedClip({ collaborators: emails })
  const spacesOf = async () =>
    Promise.all(emails.map(async (email) => (await dataOf(call('GET', `/guests?email=${email}`)))[0].spaces))
  const given = [{ id: spaceId, workbooks: [{ id: clip.workbookId }] }]
  expect(await spacesOf()).toEqual([given, given])
  await dataOf(call('DELETE', `/data-clips/${clip.id}`))
  expect(await spacesOf()).toEqual([[], []])
  expect(await dataOf(call('GET', `/events?spaceId=${spaceId}&topic=space:guestRemoved`))).toHaveLength(2)
})

it('an event stays acknowledged by the first of two who acknowledge it at the same time', async () => {
  const [event] = await dataOf(call('GET', `/events?spaceId=${spaceId}&pageSize=1`))
  const { acknowledgement, Events } = await import('../../lib/events/store.ts')
  const { transact } = await import('../../lib/table/transact.ts')
  await transact([acknowledgement(event.id, 'us_usr_first', '2026-01-01T00:00:00.000Z')])
  await transact([acknowledgement(event.id, 'us_usr_second', '2026-01-02T00:00:00.000Z')])
  expect(await Events.get(event.id)).toMatchObject({
    acknowledgedAt: '2026-01-01T00:00:00.000Z',
    acknowledgedBy: 'us_usr_first',
  })
})
