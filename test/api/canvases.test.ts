import { beforeAll, describe, expect, it } from 'vitest'
import { findEvents } from '../support/activity.ts'
import { pluck, waitUntil } from '../support/api.ts'
import { account, call, createFreshSpace, must, spaceId } from '../support/fresh-account.ts'
import { api } from '../support/sdk.ts'

beforeAll(() => createFreshSpace({ name: 'Painted' }))

const newCanvas = async (): Promise<string> => (await must('POST', '/canvases', { spaceId, name: 'One' })).id
const newArea = (canvasId: string, more: object = {}) =>
  must('POST', '/canvas-areas', { canvasId, type: 'sheet', position: 'middle', ...more })
const eventsOf = async (id: string) =>
  (await findEvents(`spaceId=${spaceId}`)).filter(({ payload }) => payload.id === id)

describe('a canvas', () => {
  it('is created, read, changed and deleted, each with an event that carries the full canvas', async () => {
    const made = await must('POST', '/canvases', { spaceId, name: 'Overview', metadata: { color: 'red' } })
    expect(made).toMatchObject({ spaceId, environmentId: account.environmentId, name: 'Overview' })
    expect(await must('GET', `/canvases/${made.id}`)).toEqual(made)
    const listed = (await call('GET', `/canvases?spaceId=${spaceId}`)).body
    expect(listed).toMatchObject({ data: [made], pagination: { totalCount: 1 } })
    const changed = await must('PATCH', `/canvases/${made.id}`, { description: 'All of it', metadata: null })
    expect(changed).toMatchObject({ name: 'Overview', description: 'All of it', metadata: { color: 'red' } })
    await must('PATCH', `/canvases/${made.id}`, { description: 'All of it' })
    await must('DELETE', `/canvases/${made.id}`)
    expect((await call('GET', `/canvases/${made.id}`)).status).toBe(404)

    const told = await eventsOf(made.id)
    expect(told.map(({ topic, payload }) => [topic, payload])).toEqual([
      ['canvas:created', made],
      ['canvas:updated', changed],
      ['canvas:deleted', changed],
    ])
    const { accountId, environmentId } = account
    for (const { context } of told)
      expect(context).toMatchObject({ accountId, environmentId, spaceId, canvasId: made.id })
  })

  it('is deleted with its areas in one request, and with its space', async () => {
    const canvasId = await newCanvas()
    const areas = [await newArea(canvasId), await newArea(canvasId)]
    await must('DELETE', `/canvases/${canvasId}`)
    for (const { id } of areas) {
      expect((await call('GET', `/canvas-areas/${id}`)).status).toBe(404)
      expect((await eventsOf(id)).map(({ topic }) => topic)).toEqual(['canvas-area:created', 'canvas-area:deleted'])
    }
    const short = await must('POST', '/spaces', { name: 'Short' })
    const { id } = await must('POST', '/canvases', { spaceId: short.id })
    await must('DELETE', `/spaces/${short.id}`)
    await waitUntil(async () => (await call('GET', `/canvases/${id}`)).status === 404)
  })
})

describe('a canvas area', () => {
  it('is created, read, changed and deleted by the public SDK, each with an event that carries the full area', async () => {
    const canvasId = await newCanvas()
    const { data: made } = await api.canvasAreas.create({
      canvasId,
      type: 'document',
      position: 'left',
      config: { documentId: 'd' },
    })
    expect(made).toMatchObject({ canvasId, type: 'document', position: 'left', layout: 'split', visibility: 'visible' })
    expect((await api.canvasAreas.get(made.id)).data).toEqual(made)
    expect((await api.canvasAreas.list({ canvasId })).data).toEqual([made])
    expect((await api.canvasAreas.list({ spaceId })).data.map(({ id }) => id)).toContain(made.id)
    const { data: changed } = await api.canvasAreas.update(made.id, { position: 'right', visibility: 'hidden' })
    expect(changed).toMatchObject({ position: 'right', visibility: 'hidden', config: { documentId: 'd' } })
    expect((await api.canvasAreas.delete(made.id)).data).toEqual({ success: true })

    const told = await eventsOf(made.id)
    expect(told.map(({ topic }) => topic)).toEqual([
      'canvas-area:created',
      'canvas-area:updated',
      'canvas-area:deleted',
    ])
    expect(told[1]!.payload).toEqual(JSON.parse(JSON.stringify(changed)))
    const { accountId, environmentId } = account
    for (const { context } of told)
      expect(context).toMatchObject({ accountId, environmentId, spaceId, canvasId, canvasAreaId: made.id })
  })

  it('can be inside another area of the same canvas, never inside itself, and is deleted with it', async () => {
    const canvasId = await newCanvas()
    const outer = await newArea(canvasId)
    const inner = await newArea(canvasId, { parentId: outer.id })
    const innermost = await newArea(canvasId, { parentId: inner.id })
    const elsewhere = await newArea(await newCanvas())
    const getErrors = async (id: string, body: object) => (await call('PATCH', `/canvas-areas/${id}`, body)).body.errors
    expect(await getErrors(outer.id, { parentId: innermost.id })).toEqual([
      { key: 'parentId', message: 'is the area itself or one of its descendants' },
    ])
    expect(await getErrors(outer.id, { parentId: outer.id })).toHaveLength(1)
    expect(await getErrors(inner.id, { parentId: elsewhere.id })).toEqual([
      { key: 'parentId', message: 'is not an area of the same canvas' },
    ])
    expect(await getErrors(inner.id, { canvasId: elsewhere.canvasId })).toMatchObject([{ key: 'canvasId' }])
    const listed = await must('GET', `/canvas-areas?canvasId=${canvasId}&parentId=${outer.id}`)
    expect(pluck(listed, 'id')).toEqual([inner.id])
    await must('DELETE', `/canvas-areas/${outer.id}`)
    expect(await must('GET', `/canvas-areas?canvasId=${canvasId}`)).toEqual([])
  })

  it('is limited to 40 per canvas, which can still be deleted in one request', async () => {
    const canvasId = await newCanvas()
    for (let count = 0; count < 40; count++) await newArea(canvasId)
    const over = await call('POST', '/canvas-areas', { canvasId, type: 'sheet', position: 'middle' })
    expect([over.status, over.body.errors[0].message]).toEqual([409, 'This canvas already has 40 areas, the maximum.'])
    await must('DELETE', `/canvases/${canvasId}`)
  })
})
