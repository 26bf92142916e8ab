import { beforeAll, describe, expect, it } from 'vitest'
import { findEvents } from '../support/activity.ts'
import { createCaller, createTestAccount, waitUntil } from '../support/api.ts'
import { account, call, createFreshSpace, must, spaceId } from '../support/fresh-account.ts'
import { createSheet } from '../support/resources.ts'
import { api } from '../support/sdk.ts'

let workbookId: string
let sheetId: string

beforeAll(async () => {
  await createFreshSpace({ name: 'Talking' })
  ;({ workbookId, sheetId } = await createSheet())
})

const eventsOf = (threadId: string) => findEvents('domain=thread', { threadId })

describe('a thread', () => {
  it('is created, read, changed and deleted by the public SDK, with an event for each change', async () => {
    const config = { resourceId: sheetId, status: 'ready' as const, source: 'assistant', metadata: { title: 'People' } }
    const { data: made } = await api.threads.createThread(config)
    expect(made).toMatchObject(config)
    expect((await api.threads.getThread(made.id)).data).toEqual(made)
    expect((await api.threads.getThreads({ resourceId: sheetId })).data).toEqual([made])
    expect((await api.threads.getThreads({ environmentId: account.environmentId })).data).toEqual([made])
    expect((await api.threads.getThreads({ resourceId: spaceId })).data).toEqual([])
    await api.threads.updateThread(made.id, { status: 'active', state: { step: 1, by: 'me' } })
    const { data: merged } = await api.threads.updateThread(made.id, { state: { step: 2 } })
    expect(merged.state).toEqual({ step: 2, by: 'me' })
    const { data: replaced } = await api.threads.updateThread(made.id, {
      state: { step: 3 },
      stateUpdateStrategy: 'replace',
    })
    expect(replaced).toMatchObject({ ...config, status: 'active', state: { step: 3 } })
    expect((await api.threads.deleteThread(made.id)).data).toEqual({ success: true })
    expect((await call('GET', `/threads/${made.id}`)).status).toBe(404)

    const told = await eventsOf(made.id)
    const described = { threadId: made.id, title: 'People' }
    expect(told.map(({ topic }) => topic)).toEqual([
      'thread:created',
      'thread:updated',
      'thread:updated',
      'thread:updated',
      'thread:deleted',
    ])
    expect(told[0]!.payload).toEqual({ ...described, status: 'ready', createdAt: made.createdAt.toISOString() })
    expect(told[1]!.payload).toEqual({
      ...described,
      status: 'active',
      changes: [
        { field: 'status', previousValue: 'ready', newValue: 'active' },
        { field: 'state', previousValue: null, newValue: { step: 1, by: 'me' } },
      ],
    })
    expect(told[4]!.payload).toEqual({})
    const { accountId, environmentId, userId: actorId } = account
    for (const { context } of told)
      expect(context).toEqual({ accountId, environmentId, spaceId, threadId: made.id, actorId })
  })

  it('is about visible resources in one space, and stays there', async () => {
    const stranger = createCaller((await createTestAccount()).secretKey)
    const foreign = (await stranger('POST', '/spaces', { name: 'x' })).body.data.id
    const other = (await must('POST', '/spaces', { name: 'Other' })).id
    for (const resourceId of [foreign, 'us_sh_nothing', 'anything'])
      expect((await call('POST', '/threads', { resourceId, status: 'ready' })).status).toBe(404)
    const { data } = (await call('POST', '/threads', { resourceId: sheetId, status: 'ready' })).body
    expect((await call('PUT', `/threads/${data.id}`, { resourceId: other })).status).toBe(404)
    expect((await must('PUT', `/threads/${data.id}`, { resourceId: workbookId })).resourceId).toBe(workbookId)
    const large = await call('PUT', `/threads/${data.id}`, { metadata: { text: 'x'.repeat(70_000) } })
    expect(large.status).toBe(413)
    expect(large.body.errors[0].message).toMatch(/^A thread can have at most 65,536 bytes as JSON/)
  })

  it('is deleted with its subject', async () => {
    const book = await must('POST', '/workbooks', {
      spaceId,
      name: 'Short',
      sheets: [{ name: 'S', slug: 's', fields: [] }],
    })
    const { data } = (await call('POST', '/threads', { resourceId: book.id, status: 'ready' })).body
    await call('DELETE', `/workbooks/${book.id}`)
    await waitUntil(async () => (await call('GET', `/threads/${data.id}`)).status === 404)
  })
})

describe('a message', () => {
  it('is created, read, changed and deleted by the public SDK, in its own thread only', async () => {
    const { data: thread } = await api.threads.createThread({ resourceId: spaceId, status: 'ready' })
    const { data: other } = await api.threads.createThread({ resourceId: spaceId, status: 'ready' })
    const said = { role: 'user' as const, content: { text: 'Hello' }, parts: [{ type: 'text' }], messageId: 'mine-1' }
    const made = await api.messages.createMessage(thread.id, said)
    expect(made).toMatchObject({ ...said, threadId: thread.id })
    const second = await api.messages.createMessage(thread.id, { role: 'assistant', content: { text: 'Hi' } })
    expect(await api.messages.getMessage(thread.id, made.id)).toEqual(made)
    expect((await api.messages.getMessages(thread.id)).data).toEqual([made, second])
    const changed = await api.messages.updateMessage(thread.id, made.id, { content: { text: 'Hello again' } })
    expect(changed).toMatchObject({ ...said, content: { text: 'Hello again' } })
    for (const [method, body] of [['GET'], ['PUT', { role: 'tool' }], ['DELETE']] as const)
      expect((await call(method, `/threads/${other.id}/messages/${made.id}`, body)).status).toBe(404)
    const moved = await call('PUT', `/threads/${thread.id}/messages/${made.id}`, { threadId: other.id })
    expect([moved.status, moved.body.errors[0].key]).toEqual([400, 'threadId'])
    expect((await api.messages.deleteMessage(thread.id, made.id)).data).toEqual({ success: true })
    expect((await api.messages.getMessages(thread.id)).data).toEqual([second])
    await api.threads.deleteThread(thread.id)
    expect((await call('GET', `/threads/${thread.id}/messages/${second.id}`)).status).toBe(404)
  })

  it('can be long, and a list of many is returned in full', async () => {
    const { data: thread } = await api.threads.createThread({ resourceId: spaceId, status: 'ready' })
    const text = Array.from({ length: 20_000 }, () => Math.random().toString(36).slice(2, 14)).join('')
    const said = { role: 'user', content: { text } }
    for (let count = 0; count < 20; count++)
      expect((await call('POST', `/threads/${thread.id}/messages`, said)).status).toBe(200)
    const { data } = await api.messages.getMessages(thread.id)
    expect(data).toHaveLength(20)
    expect(data.every(({ content }) => content.text === text)).toBe(true)
    const large = { role: 'user', content: { text: text + text } }
    expect((await call('POST', `/threads/${thread.id}/messages`, large)).status).toBe(413)
  })
})
