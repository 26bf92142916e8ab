/** POST /commits/{commitId}/undo takes back any change of records. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findEvents } from '../support/activity.ts'
import { createCaller, createTestAccount } from '../support/api.ts'
import { call, createFreshSpace, must, spaceId } from '../support/fresh-account.ts'
import { createGuestCaller, createSheet, readColumn } from '../support/resources.ts'

let sheetId: string
let ids: string[]
const undo = (commitId: string, by = call) => by('POST', `/commits/${commitId}/undo`)
const readNames = () => readColumn(sheetId, 'name')

beforeAll(() => createFreshSpace({ name: 'Undo' }))
beforeEach(async () => {
  ;({ sheetId } = await createSheet([{ key: 'name', type: 'string' }]))
  const { records } = await must('POST', `/sheets/${sheetId}/records`, [{ name: 'Ada' }, { name: 'Grace' }])
  ids = records.map(({ id }: { id: string }) => id)
})

const rename = async (id: string, name: string) =>
  (await must('PUT', `/sheets/${sheetId}/records`, [{ id, values: { name: { value: name } } }])).commitId

describe('POST /commits/{commitId}/undo', () => {
  it('takes back an edit, an insertion and a deletion, and undone again, redoes it', async () => {
    const { commitId: added } = await must('POST', `/sheets/${sheetId}/records`, [{ name: 'Joan' }])
    expect((await undo(added)).body.data).toMatchObject({ sheetId, created: 0, updated: 0, deleted: 1 })
    const edited = await rename(ids[0]!, 'Augusta')
    const { body } = await undo(edited)
    expect(body.data).toMatchObject({ created: 0, updated: 1, deleted: 0 })
    expect(await readNames()).toEqual(['Ada', 'Grace'])
    expect((await undo(body.data.commitId)).status).toBe(200)
    expect(await readNames()).toEqual(['Augusta', 'Grace'])
    const { commitId: removed } = await must('DELETE', `/sheets/${sheetId}/records?ids=${ids[1]}`)
    expect((await undo(removed)).body).toMatchObject({ data: { created: 1 } })
    expect(await readNames()).toEqual(['Augusta', 'Grace'])
    const undone = await findEvents<{ context: { commitId: string } }>('topic=commit:created', { sheetId })
    expect(undone.map(({ context }) => context.commitId)).toContain(body.data.commitId)
  })

  it('is done once when it is repeated', async () => {
    const edited = await rename(ids[0]!, 'Augusta')
    const first = (await undo(edited)).body.data
    expect((await undo(edited)).body.data).toEqual(first)
    expect(await readNames()).toEqual(['Ada', 'Grace'])
  })

  it('keeps changes of other records, and is refused if the same ones were changed since', async () => {
    const edited = await rename(ids[0]!, 'Augusta')
    await rename(ids[1]!, 'Hopper')
    expect((await undo(edited)).status).toBe(200)
    expect(await readNames()).toEqual(['Ada', 'Hopper'])
    const again = await rename(ids[0]!, 'Augusta')
    await rename(ids[0]!, 'Lovelace')
    const { status, body } = await undo(again)
    expect(status).toBe(409)
    expect(body.errors).toEqual([
      { key: 'conflict', message: expect.stringMatching(/^Ada .*: 1 updated, 0 deleted\.$/) },
      { key: 'records', message: expect.stringContaining(ids[0]!) },
    ])
    expect(await readNames()).toEqual(['Lovelace', 'Hopper'])
  })

  it('takes back several changes of one record, one after the other, and redoes them', async () => {
    const undoData = async (commitId: string) => (await undo(commitId)).body.data.commitId as string
    const first = await rename(ids[0]!, 'Augusta')
    const second = await rename(ids[0]!, 'Lovelace')
    const secondUndone = await undoData(second)
    const firstUndone = await undoData(first)
    expect(await readNames()).toEqual(['Ada', 'Grace'])
    await undoData(firstUndone)
    expect(await readNames()).toEqual(['Augusta', 'Grace'])
    const secondRedone = await undoData(secondUndone)
    expect(await readNames()).toEqual(['Lovelace', 'Grace'])
    expect((await undo(firstUndone)).status).toBe(200)
    await undoData(secondRedone)
    expect(await readNames()).toEqual(['Augusta', 'Grace'])
  })

  it('can be found in the list of own changes, with counts and what it undid', async () => {
    const edited = await rename(ids[0]!, 'Augusta')
    const guest = await createGuestCaller({ id: spaceId })
    await must('POST', `/sheets/${sheetId}/records`, [{ name: 'Joan' }, { name: 'Jean' }], guest)
    const { commitId: undone } = (await undo(edited)).body.data
    const list = (by = call) => must('GET', `/sheets/${sheetId}/commits?mine=true&includeCounts=true`, undefined, by)
    expect(await list()).toMatchObject([
      { id: undone, undoes: edited, createdByName: 'Ada' },
      { id: edited, counts: { created: 0, updated: 1, deleted: 0 } },
      { counts: { created: 2, updated: 0, deleted: 0 } },
    ])
    expect(await list(guest)).toMatchObject([{ createdByName: 'Guest', counts: { created: 2 } }])
  })

  it('is for guests of the space, not for others, nor in a locked sheet', async () => {
    const edited = await rename(ids[0]!, 'Augusta')
    const { secretKey } = await createTestAccount()
    const outside = await createGuestCaller({ id: (await must('POST', '/spaces', { name: 'Other' })).id })
    for (const other of [createCaller(secretKey), outside]) expect((await undo(edited, other)).status).toBe(404)
    await must('POST', `/sheets/${sheetId}/lock`)
    expect((await undo(edited)).status).toBe(409)
    await must('POST', `/sheets/${sheetId}/unlock`)
    expect((await undo(edited, await createGuestCaller({ id: spaceId }))).status).toBe(200)
    expect(await readNames()).toEqual(['Ada', 'Grace'])
  })
})
