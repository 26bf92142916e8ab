import { beforeAll, describe, expect, it } from 'vitest'
import { findEvents } from '../support/activity.ts'
import { pluck, waitUntil } from '../support/api.ts'
import { account, call, createFreshSpace, must, spaceId } from '../support/fresh-account.ts'
import { api } from '../support/sdk.ts'

beforeAll(() => createFreshSpace({ name: 'Documented', namespace: 'manual' }))

const eventsOf = (documentId: string) => findEvents(`spaceId=${spaceId}`, { documentId })

describe('a document', () => {
  it('is created, read, changed and deleted by the public SDK, with an event for each change', async () => {
    const actions = [{ label: 'Go on', operation: 'next', mode: 'foreground' as const }]
    const { data: made } = await api.documents.create(spaceId, { title: 'Start', body: '# Hello', actions })
    expect(made).toMatchObject({
      title: 'Start',
      body: '# Hello',
      spaceId,
      environmentId: account.environmentId,
      actions,
    })
    expect(made.createdAt).toBeInstanceOf(Date)
    expect((await api.documents.get(spaceId, made.id)).data).toEqual(made)
    expect((await api.documents.list(spaceId)).data).toEqual([made])
    const { data: changed } = await api.documents.update(spaceId, made.id, { title: 'Start', body: '# Bye' })
    expect(changed).toMatchObject({ id: made.id, body: '# Bye', actions })
    await api.documents.update(spaceId, made.id, { title: 'Start', body: '# Bye' })
    expect((await api.documents.delete(spaceId, made.id)).data).toEqual({ success: true })
    expect((await call('GET', `/spaces/${spaceId}/documents/${made.id}`)).status).toBe(404)

    const events = await eventsOf(made.id)
    expect(pluck(events, 'topic')).toEqual(['document:created', 'document:updated', 'document:deleted'])
    for (const event of events) {
      const { accountId, environmentId } = account
      expect(event.context).toMatchObject({ accountId, environmentId, spaceId, documentId: made.id })
      expect(event.context.actorId).toBe(account.userId)
      expect(event).toMatchObject({ payload: {}, namespaces: ['space:manual'] })
    }
  })

  it('is found only in its own space', async () => {
    const { data } = (await call('POST', `/spaces/${spaceId}/documents`, { title: 'Here', body: '' })).body
    const other = (await must('POST', '/spaces', { name: 'Other' })).id
    for (const [method, body] of [['GET'], ['PATCH', { title: 'Mine' }], ['DELETE']] as const)
      expect((await call(method, `/spaces/${other}/documents/${data.id}`, body)).status).toBe(404)
    expect(await must('GET', `/spaces/${other}/documents`)).toEqual([])
    expect((await must('GET', `/spaces/${spaceId}/documents/${data.id}`)).title).toBe('Here')
  })

  it('is rejected when title and body are missing, both reported, and when it is too large', async () => {
    const empty = await call('POST', `/spaces/${spaceId}/documents`, {})
    expect(empty.status).toBe(400)
    expect(pluck(empty.body.errors, 'key')).toEqual(['title', 'body'])
    const large = await call('POST', `/spaces/${spaceId}/documents`, { title: 'L', body: 'ä'.repeat(200_000) })
    expect(large.status).toBe(413)
    expect(large.body.errors[0].message).toMatch(
      /^A document can have at most 307,200 bytes as JSON; this one has 4\d+,\d+\.$/,
    )
  })

  it('can be the subject of a job, and is deleted with its space', async () => {
    const space = await must('POST', '/spaces', { name: 'Short' })
    const { data } = (await call('POST', `/spaces/${space.id}/documents`, { title: 'T', body: 'b' })).body
    const job = await call('POST', '/jobs', { type: 'document', operation: 'next', source: data.id })
    expect(job.body.data, JSON.stringify(job.body)).toMatchObject({ source: data.id, type: 'document' })
    const action = await call('POST', `/actions?spaceId=${space.id}`, { targetId: data.id, label: 'Next' })
    expect(action.status, JSON.stringify(action.body)).toBe(200)
    await call('DELETE', `/spaces/${space.id}`)
    await waitUntil(async () => (await call('GET', `/spaces/${space.id}/documents/${data.id}`)).status === 404)
    await waitUntil(async () => (await call('GET', `/actions/${action.body.data.id}`)).status === 404)
  })
})
