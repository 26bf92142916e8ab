/** Event visibility: a listener receives only events about resources it can read. */
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { Event } from '../../schemas/events/shape.ts'
import type { SocketMessage } from '../../schemas/live/socket.ts'
import { createCaller, getData, waitUntil } from '../support/api.ts'
import { account, type Caller, createFreshAccount, mustAsAdmin as must } from '../support/fresh-account.ts'
import { createGuestCaller } from '../support/resources.ts'

let spaceId: string
let sheetId: string
let listeners: Record<'guest' | 'embedded', Caller>
const HIDDEN = ['program', 'thread', 'secret']

const open: WebSocket[] = []
afterAll(() => {
  for (const socket of open) socket.terminate()
})

beforeAll(async () => {
  await createFreshAccount()
  const { environmentId } = account
  const init = { space: { environmentId, name: 'Heard' }, workbook: { name: 'W', sheets: [{ name: 'S', fields: [] }] } }
  const made = await getData(createCaller(account.publishableKey)('POST', '/internal/spaces/init', init))
  spaceId = made.space.id
  sheetId = made.workbook.sheets[0].id
  listeners = {
    guest: await createGuestCaller({ id: spaceId }),
    embedded: createCaller(made.space.accessToken),
  }
})

async function createEverything(): Promise<string> {
  const { environmentId } = account
  const side = { name: 'Side', fields: [{ key: 'a', type: 'string' }] }
  await must('POST', `/mapping?environmentId=${environmentId}`, {
    source: side,
    destinationSheetId: sheetId,
    save: true,
  })
  await must('POST', '/threads', { resourceId: sheetId, status: 'ready' })
  await must('POST', '/secrets', { environmentId, spaceId, name: `S${Date.now()}`, value: 'x' })
  await must('POST', '/canvases', { spaceId, name: 'Canvas' })
  await must('POST', `/spaces/${spaceId}/documents`, { title: 'T', body: 'B' })
  return (await must('POST', '/jobs', { type: 'space', operation: 'last', source: spaceId })).id
}
const domains = (events: Event[]) => [...new Set(events.map(({ domain }) => domain))].sort()
const isOf = (jobId: string) => (event: Event) => event.context.jobId === jobId
const listAllEvents = async () =>
  must('GET', `/events?spaceId=${spaceId}&includeAcknowledged=true&pageSize=1000`) as Promise<Event[]>

describe.each(['guest', 'embedded'] as const)('a listener with the permissions of: %s', (name) => {
  const listener = () => listeners[name]

  it('lists the events it may read, on full pages', async () => {
    await createEverything()
    const all = await listAllEvents()
    expect(domains(all)).toEqual(expect.arrayContaining([...HIDDEN, 'canvas', 'document', 'job']))
    const path = `/events?spaceId=${spaceId}&includeAcknowledged=true`
    const heard: Event[] = await getData(listener()('GET', `${path}&pageSize=1000`))
    expect(domains(heard)).toEqual(domains(all).filter((domain) => !HIDDEN.includes(domain)))
    const pages: Event[] = []
    for (let page = 1; pages.length < heard.length; page++) {
      const some: Event[] = await getData(listener()('GET', `${path}&pageSize=3&pageNumber=${page}`))
      expect(some).toHaveLength(Math.min(3, heard.length - pages.length))
      pages.push(...some)
    }
    expect(pages).toEqual(heard)
  })

  it('does not find other events by id', async () => {
    await createEverything()
    for (const event of (await listAllEvents()).filter(({ domain }) => HIDDEN.includes(domain)))
      for (const path of [`/events/${event.id}`, `/events/${event.id}/payload`]) {
        const { status, body } = await listener()('GET', path)
        expect([status, body.errors[0].message]).toEqual([404, `There is no event ${event.id}.`])
      }
  })

  it('does not receive them by long poll or WebSocket', async () => {
    const { token, subscribeKey, webSocketUrl } = await getData(listener()('GET', `/subscription?scope=${spaceId}`))
    const poll = async (tt: string) =>
      (await createCaller(undefined)('GET', `/v2/subscribe/${subscribeKey}/space.${spaceId}/0?tt=${tt}&auth=${token}`))
        .body
    let tt = (await poll('0')).t.t
    const socket = new WebSocket(`${webSocketUrl}?auth=${token}`)
    open.push(socket)
    const messages: SocketMessage[] = []
    socket.on('message', (data) => messages.push(JSON.parse(data.toString())))
    await once(socket, 'open')
    socket.send(JSON.stringify({ action: 'sync' }))
    const position = await waitUntil(async () => messages.find((each) => each.type === 'position'))
    const job = await createEverything()
    const polled: Event[] = []
    while (!polled.some(isOf(job))) {
      const answer = await poll(tt)
      tt = answer.t.t
      polled.push(...answer.m.map(({ d }: { d: Event }) => d))
    }
    const pushedEvents = () => messages.flatMap((each) => (each.type === 'event' ? [each.event] : []))
    await waitUntil(async () => pushedEvents().some(isOf(job)))
    messages.length = 0
    socket.send(JSON.stringify({ action: 'sync', position: position.position }))
    const seen = [...pushedEvents()]
    await waitUntil(async () => pushedEvents().some(isOf(job)))
    for (const events of [polled, seen, pushedEvents()])
      expect(domains(events).filter((domain) => HIDDEN.includes(domain))).toEqual([])
    expect(domains(polled)).toEqual(expect.arrayContaining(['canvas', 'document', 'job']))
  })
})
