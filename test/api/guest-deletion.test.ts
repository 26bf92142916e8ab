import { beforeAll, describe, expect, it } from 'vitest'
import { createCaller, getData } from '../support/api.ts'
import { call, createFreshAccount, must } from '../support/fresh-account.ts'
import { createGuest, createSheet, createSpace, newEmail } from '../support/resources.ts'

beforeAll(createFreshAccount)

async function newClip(space: string, more: object = {}) {
  const { sheetId } = await createSheet(undefined, { space })
  return must('POST', '/data-clips', { sourceSheetId: sheetId, name: 'C', ...more })
}
const newGuest = (email: string, spaces: object[] = []) => createGuest(spaces, { email })
const read = async (clip: { id: string }) => must('GET', `/data-clips/${clip.id}`)
const signInByLink = (clip: { guestLinkUrl: string }, email: string) =>
  getData(
    createCaller(undefined)('POST', '/invitations/exchange', {
      token: new URL(clip.guestLinkUrl).hash.slice('#token='.length),
      email,
    }),
  )

describe('DELETE /guests/{guestId}', () => {
  it('removes the guest from every data clip, so that a list of collaborators can be written back', async () => {
    const [space, other] = [await createSpace(), await createSpace()]
    const email = newEmail()
    const clips = [
      await newClip(space.id, { collaborators: [email] }),
      await newClip(other.id, { collaborators: [email] }),
    ]
    const [id] = (await read(clips[0])).collaborators
    const whole = await newGuest(email, [{ id: space.id }])
    expect(whole.id).toBe(id)
    await must('DELETE', `/guests/${id}`)
    expect((await call('GET', `/guests/${id}`)).status).toBe(404)
    for (const clip of clips) {
      const { collaborators } = await read(clip)
      expect(collaborators).toEqual([])
      await must('PATCH', `/data-clips/${clip.id}`, { collaborators })
    }
    const events = await must('GET', `/events?spaceId=${space.id}&topic=data-clip:collaborator-updated`)
    expect(events.at(-1).payload.changes).toEqual([{ action: 'removed', userId: id }])
  })

  it.each([
    ['with a spaceId', (id: string, spaceId: string) => call('DELETE', `/guests/${id}?spaceId=${spaceId}`)],
    ['by a list of spaces without it', (id: string) => call('PATCH', `/guests/${id}`, { spaces: [] })],
  ])("and losing a space %s removes the guest only from that space's clips", async (_, lose) => {
    const [space, other] = [await createSpace(), await createSpace()]
    const email = newEmail()
    const [lost, kept] = [
      await newClip(space.id, { collaborators: [email] }),
      await newClip(other.id, { collaborators: [email] }),
    ]
    const [id] = (await read(lost)).collaborators
    await getData(lose(id, space.id))
    expect((await read(lost)).collaborators).toEqual([])
    expect((await read(kept)).collaborators).toEqual(_ === 'with a spaceId' ? [id] : [])
  })

  it('closes public links to the address until it is invited again', async () => {
    const space = await createSpace()
    const clip = await newClip(space.id, { sharedLinkAccess: 'public' })
    const email = newEmail()
    const first = await signInByLink(clip, email)
    expect(first.valid).toBe(true)
    const [{ id }] = await must('GET', `/guests?email=${email}`)
    await must('DELETE', `/guests/${id}`)
    expect((await createCaller(first.token)('GET', '/spaces')).status).toBe(401)
    for (const spelled of [email, email.toUpperCase(), ` ${email} `])
      expect(await signInByLink(clip, spelled)).toEqual({ valid: false })
    expect(await must('GET', `/guests?email=${email}`)).toEqual([])
    expect((await signInByLink(clip, newEmail())).valid).toBe(true)

    await newGuest(email)
    expect((await signInByLink(clip, email)).valid).toBe(true)
  })

  it('keeps only a keyed hash of the address and the audit log entries', async () => {
    const email = newEmail()
    const { id } = await newGuest(email)
    await must('DELETE', `/guests/${id}`)
    const { documents, getTableName } = await import('../../lib/table/client.ts')
    const { ScanCommand } = await import('@aws-sdk/lib-dynamodb')
    const marks: string[] = []
    for (let start: Record<string, unknown> | undefined; ; ) {
      const page = await documents.send(new ScanCommand({ TableName: getTableName(), ExclusiveStartKey: start }))
      const items = (page.Items ?? []).filter(({ pk }) => !String(pk).startsWith('audit#'))
      marks.push(...items.map((item) => JSON.stringify(item)).filter((text) => text.includes(id)))
      start = page.LastEvaluatedKey
      if (!start) break
    }
    expect(marks.some((text) => text.includes('guest.deleted'))).toBe(true)
    expect(marks.filter((text) => text.includes(email))).toEqual([])
  })
})
