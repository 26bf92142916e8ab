/** People who work in a space together: comments on records, and who is there. */
import { beforeAll, describe, expect, it } from 'vitest'
import { createCaller, createTestAccount } from '../support/api.ts'
import { call, createFreshSpace, must, spaceId } from '../support/fresh-account.ts'
import { createGuestCaller, createSheet } from '../support/resources.ts'

let sheetId: string
let recordIds: string[]

beforeAll(async () => {
  await createFreshSpace({ name: 'Together' })
  ;({ sheetId } = await createSheet())
  const { records } = await must('POST', `/sheets/${sheetId}/records`, [{ a: '1' }, { a: '2' }])
  recordIds = records.map(({ id }: { id: string }) => id)
})

describe('comments on a record', () => {
  it('are written by guests and the team, listed with their authors, and mark the record', async () => {
    const guest = await createGuestCaller({ id: spaceId })
    const [recordId] = recordIds
    const path = `/sheets/${sheetId}/comments`
    await must('POST', path, { recordId, text: ' Is this right? ' })
    await must('POST', path, { recordId, text: 'Yes.' }, guest)
    for (const by of [call, guest]) {
      expect(await must('GET', `${path}?recordId=${recordId}`, undefined, by)).toMatchObject([
        { recordId, text: 'Is this right?', createdByName: 'Ada' },
        { recordId, text: 'Yes.', createdByName: 'Guest' },
      ])
      expect(await must('GET', `${path}/records`, undefined, by)).toMatchObject([{ recordId, count: 2 }])
    }
    expect(await must('GET', `${path}?recordId=${recordIds[1]}`)).toEqual([])
    expect(await must('GET', `/threads?resourceId=${sheetId}`)).toMatchObject([{ source: 'record-comments' }])
  })

  it('need a record of the sheet and a text', async () => {
    const comment = (recordId: string, text = 'Hello') =>
      call('POST', `/sheets/${sheetId}/comments`, { recordId, text })
    expect((await comment(recordIds[0]!.replace(/.$/, 'X'))).status).toBe(404)
    expect((await comment(recordIds[0]!, '  ')).status).toBe(400)
  })
})

describe('POST /spaces/{spaceId}/presence', () => {
  it('lists who is in the space, until they leave', async () => {
    const guest = await createGuestCaller({ id: spaceId })
    const report = (by: typeof call, body: object = {}) => must('POST', `/spaces/${spaceId}/presence`, body, by)
    expect(await report(call)).toMatchObject([{ name: 'Ada' }])
    const both = await report(guest, { sheetId })
    expect(both).toMatchObject([{ name: 'Ada' }, { name: 'Guest', sheetId }])
    expect(await report(call)).toHaveLength(2)
    await report(guest, { left: true })
    expect(await report(call)).toHaveLength(1)
  })

  it('is hidden from guests of another space and other accounts', async () => {
    const { secretKey } = await createTestAccount()
    const outside = await createGuestCaller({ id: (await must('POST', '/spaces', { name: 'Other' })).id })
    for (const other of [createCaller(secretKey), outside])
      expect((await other('POST', `/spaces/${spaceId}/presence`, {})).status).toBe(404)
  })
})
