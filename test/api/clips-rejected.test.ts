/** Data clips after a rejected merge and after deletion, and concurrent acknowledgements of an event. */
import { beforeAll, expect, it } from 'vitest'
import { account, call, createFreshAccount, must } from '../support/fresh-account.ts'
import { createSheet } from '../support/resources.ts'

let spaceId: string

beforeAll(async () => {
  await createFreshAccount()
  spaceId = (await must('POST', '/spaces', { environmentId: account.environmentId, name: 'S' })).id
})

async function newChangedClip(more: object = {}) {
  const { sheetId } = await createSheet(undefined, { space: spaceId })
  const sourceId = sheetId as string
  await must('POST', `/sheets/${sourceId}/records`, [{ a: { value: 'first' } }])
  const clip = await must('POST', '/data-clips', { sourceSheetId: sourceId, name: 'C', ...more })
  await must('POST', `/data-clips/${clip.id}/add-records?filter=all`)
  expect((await write(clip.clipSheetId, 'of the clip')).status).toBe(200)
  return { clip, sourceId }
}
const recordIn = async (sheetId: string) => (await must('GET', `/sheets/${sheetId}/records`)).records[0]
const valueIn = async (sheetId: string) => (await recordIn(sheetId)).values.a.value
const write = async (sheetId: string, a: string) =>
  call('PUT', `/sheets/${sheetId}/records`, [{ id: (await recordIn(sheetId)).id, values: { a: { value: a } } }])
const merge = ({ id }: { id: string }) => call('POST', `/data-clips/${id}/merge`)

it('a clip is not merged into a locked sheet, and is merged once the sheet is unlocked', async () => {
  const { clip, sourceId } = await newChangedClip()
  await must('POST', `/sheets/${sourceId}/lock`)
  expect((await merge(clip)).status).toBe(409)
  expect(await valueIn(sourceId)).toBe('first')
  expect((await write(clip.clipSheetId, 'changed since')).status).toBe(200)
  await must('POST', `/sheets/${sourceId}/unlock`)
  expect((await merge(clip)).status).toBe(200)
  expect(await valueIn(sourceId)).toBe('changed since')
})

it('a clip can be changed again after its merge was rejected because the source had changed', async () => {
  const { clip, sourceId } = await newChangedClip()
  expect((await write(sourceId, 'of the source')).status).toBe(200)
  const { Clips } = await import('../../lib/entities/clips.ts')
  const { transact } = await import('../../lib/table/transact.ts')
  const { readVersion } = await import('../../lib/records/index.ts')
  const stored = (await Clips.get(clip.id))!
  const { seq } = await readVersion(sourceId)
  await transact([Clips.replace(stored, { ...stored, merging: { op: `merge ${clip.id}`, seq } })])
  await must('POST', `/sheets/${clip.clipSheetId}/lock`)

  const refused = await merge(clip)
  expect([refused.status, refused.body.errors[0].message]).toEqual([
    409,
    expect.stringMatching(/^1 record has conflicts/),
  ])
  expect((await Clips.get(clip.id))!.merging).toBeUndefined()
  expect((await write(clip.clipSheetId, 'changed since')).status).toBe(200)
  expect((await must('GET', `/data-clips/${clip.id}`)).status).toBe('open')
})

it('deleting a clip revokes its workbook from its collaborators and emits that each has left the space', async () => {
  const emails = ['one@example.com', 'other@example.com']
  const { clip } = await newChangedClip({ collaborators: emails })
  const spacesOf = async () =>
    Promise.all(emails.map(async (email) => (await must('GET', `/guests?email=${email}`))[0].spaces))
  const given = [{ id: spaceId, workbooks: [{ id: clip.workbookId }] }]
  expect(await spacesOf()).toEqual([given, given])
  await must('DELETE', `/data-clips/${clip.id}`)
  expect(await spacesOf()).toEqual([[], []])
  expect(await must('GET', `/events?spaceId=${spaceId}&topic=space:guestRemoved`)).toHaveLength(2)
})

it('an event stays acknowledged by the first of two concurrent callers', async () => {
  const [event] = await must('GET', `/events?spaceId=${spaceId}&pageSize=1`)
  const { buildAcknowledgement, Events } = await import('../../lib/events/store.ts')
  const { transact } = await import('../../lib/table/transact.ts')
  await transact([buildAcknowledgement(event, 'us_usr_first', '2026-01-01T00:00:00.000Z')])
  await transact([buildAcknowledgement(event, 'us_usr_second', '2026-01-02T00:00:00.000Z')])
  expect(await Events.get(event.id)).toMatchObject({
    acknowledgedAt: '2026-01-01T00:00:00.000Z',
    acknowledgedBy: 'us_usr_first',
  })
})
