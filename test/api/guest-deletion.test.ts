/** A deleted guest is gone from everything that named it, and no link lets it in again. */
import { beforeAll, describe, expect, it } from 'vitest'
import { callerOf, dataOf, mintAccount, type TestAccount } from '../support/api.ts'

let account: TestAccount
let call: ReturnType<typeof callerOf>
let environmentId: string
let count = 0

beforeAll(async () => {
  account = await mintAccount()
  environmentId = account.environmentId
  call = callerOf(account.secretKey)
})

const address = () => `guest-${count++}@example.com`
const newSpace = () => dataOf(call('POST', '/spaces', { environmentId, name: 'S' }))
async function newClip(spaceId: string, more: object = {}) {
  const sheets = [{ name: 'P', slug: 'p', fields: [{ key: 'a', type: 'string' }] }]
  const workbook = await dataOf(call('POST', '/workbooks', { spaceId, name: 'W', sheets }))
  return dataOf(call('POST', '/data-clips', { sourceSheetId: workbook.sheets[0].id, name: 'C', ...more }))
}
const newGuest = async (email: string, spaces: object[] = []) =>
  (await dataOf(call('POST', '/guests', { environmentId, email, name: 'G', spaces })))[0]
const read = async (clip: { id: string }) => dataOf(call('GET', `/data-clips/${clip.id}`))
const byLink = (clip: { guestLinkUrl: string }, email: string) =>
  dataOf(
    callerOf(undefined)('POST', '/invitations/exchange', {
      token: new URL(clip.guestLinkUrl).hash.slice('#token='.length),
      email,
    }),
  )

describe('DELETE /guests/{guestId}', () => {
  it('takes the guest off every data clip, so that a list of collaborators can be written back', async () => {
    const [space, other] = [await newSpace(), await newSpace()]
    const email = address()
    const clips = [
      await newClip(space.id, { collaborators: [email] }),
      await newClip(other.id, { collaborators: [email] }),
    ]
    const [id] = (await read(clips[0])).collaborators
    const whole = await newGuest(email, [{ id: space.id }])
    expect(whole.id).toBe(id)
    await dataOf(call('DELETE', `/guests/${id}`))
    expect((await call('GET', `/guests/${id}`)).status).toBe(404)
    for (const clip of clips) {
      const { collaborators } = await read(clip)
      expect(collaborators).toEqual([])
      await dataOf(call('PATCH', `/data-clips/${clip.id}`, { collaborators }))
    }
    const events = await dataOf(call('GET', `/events?spaceId=${space.id}&topic=data-clip:collaborator-updated`))
    expect(events.at(-1).payload.changes).toEqual([{ action: 'removed', userId: id }])
  })

  it.each([
    ['with a spaceId', (id: string, spaceId: string) => call('DELETE', `/guests/${id}?spaceId=${spaceId}`)],
    ['by a list of spaces without it', (id: string) => call('PATCH', `/guests/${id}`, { spaces: [] })],
  ])('and losing a space %s takes the guest off the clips of that space alone', async (_, lose) => {
    const [space, other] = [await newSpace(), await newSpace()]
    const email = address()
    const [lost, kept] = [
      await newClip(space.id, { collaborators: [email] }),
      await newClip(other.id, { collaborators: [email] }),
    ]
    const [id] = (await read(lost)).collaborators
    await dataOf(lose(id, space.id))
    expect((await read(lost)).collaborators).toEqual([])
    expect((await read(kept)).collaborators).toEqual(_ === 'with a spaceId' ? [id] : [])
  })

  it('closes public links to the address until somebody invites it again', async () => {
    const space = await newSpace()
    const clip = await newClip(space.id, { sharedLinkAccess: 'public' })
    const email = address()
    const first = await byLink(clip, email)
    expect(first.valid).toBe(true)
    const [{ id }] = await dataOf(call('GET', `/guests?email=${email}`))
    await dataOf(call('DELETE', `/guests/${id}`))
    expect((await callerOf(first.token)('GET', '/spaces')).status).toBe(401)
    for (const spelled of [email, email.toUpperCase(), ` ${email} `])
      expect(await byLink(clip, spelled)).toEqual({ valid: false })
    expect(await dataOf(call('GET', `/guests?email=${email}`))).toEqual([])
    expect((await byLink(clip, address())).valid).toBe(true)

    await newGuest(email)
    expect((await byLink(clip, email)).valid).toBe(true)
  })

  it('keeps nothing of the address but a keyed hash, and what the audit log noted', async () => {
    const email = address()
    const { id } = await newGuest(email)
    await dataOf(call('DELETE', `/guests/${id}`))
    const { documents, tableName } = await import('../../lib/table/client.ts')
    const { ScanCommand } = await import('@aws-sdk/lib-dynamodb')
    const marks: string[] = []
    for (let start: Record<string, unknown> | undefined; ; ) {
      const page = await documents.send(new ScanCommand({ TableName: tableName(), ExclusiveStartKey: start }))
      const items = (page.Items ?? []).filter(({ pk }) => !String(pk).startsWith('audit#'))
      marks.push(...items.map((item) => JSON.stringify(item)).filter((text) => text.includes(id)))
      start = page.LastEvaluatedKey
      if (!start) break
    }
    expect(marks.some((text) => text.includes('guest.deleted'))).toBe(true)
    expect(marks.filter((text) => text.includes(email))).toEqual([])
  })
})
