import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DeleteCommand } from '@aws-sdk/lib-dynamodb'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { Event } from '../../schemas/events/shape.ts'
import { SOCKET_MESSAGE_BYTES, type SocketMessage } from '../../schemas/live/socket.ts'
import { createCaller, waitUntil } from '../support/api.ts'
import { expectDocumented } from '../support/asyncapi.ts'
import { account, admin, call, createFreshAccount, must, mustAsAdmin } from '../support/fresh-account.ts'

const open: WebSocket[] = []
const received: SocketMessage[][] = []

beforeAll(createFreshAccount)
afterEach(() => {
  for (const socket of open.splice(0)) socket.terminate()
  for (const message of received.splice(0).flat()) expectDocumented(message)
})

const newSpace = async () => (await must('POST', '/spaces', { name: 'Socket' })).id as string
const emit = async (topic: string, context: object = {}, payload: object = {}) =>
  (await must('POST', '/events', { topic, domain: 'x', context, payload })) as Event

async function connect(scope: string, { caller = call, position = undefined as string | undefined, sync = true } = {}) {
  const { token, webSocketUrl } = (await caller('GET', `/subscription?scope=${scope}`)).body.data
  const socket = new WebSocket(`${webSocketUrl}?auth=${token}`)
  open.push(socket)
  const messages: SocketMessage[] = []
  let code: number | undefined
  socket.on('message', (data) => messages.push(JSON.parse(data.toString())))
  received.push(messages)
  socket.on('close', (closed) => {
    code = closed
  })
  await once(socket, 'open')
  const send = (message: object | string) =>
    socket.send(typeof message === 'string' ? message : JSON.stringify(message))
  const of = <T extends SocketMessage['type']>(type: T) =>
    messages.filter((each): each is Extract<SocketMessage, { type: T }> => each.type === type)
  const positions = () => of('position').map((each) => each.position)
  if (sync) {
    send({ action: 'sync', position })
    await waitUntil(async () => positions().length > 0)
  }
  return { socket, send, of, positions, events: () => of('event').map(({ event }) => event), closed: () => code }
}

it('pushes each event of an environment and of a space as it happens', async () => {
  const spaceId = await newSpace()
  const [environment, space] = [await connect(account.environmentId), await connect(spaceId)]
  const started = Date.now()
  const inSpace = await emit('pushed:one', { spaceId })
  await waitUntil(async () => environment.events().length > 0 && space.events().length > 0)
  expect(Date.now() - started).toBeLessThan(1_500)
  const outside = await emit('pushed:two')
  await waitUntil(async () => environment.events().length > 1)
  expect(environment.events()).toEqual([inSpace, outside])
  expect(space.events()).toEqual([inSpace])
})

it('sends what was missed while disconnected, and not the events the client lists as seen', async () => {
  const spaceId = await newSpace()
  const first = await connect(spaceId)
  const had = await emit('while:connected', { spaceId })
  await waitUntil(async () => first.events().length === 1)
  first.socket.close()
  await waitUntil(async () => first.closed() !== undefined)
  const missed = [await emit('while:away', { spaceId }), await emit('while:away', { spaceId })]
  const second = await connect(spaceId, { position: first.positions()[0]! })
  expect(second.events()).toEqual([had, ...missed])
  second.send({ action: 'sync', position: first.positions()[0], seenIds: [had, missed[0]!].map(({ id }) => id) })
  await waitUntil(async () => second.positions().length === 2)
  expect(second.events().slice(3)).toEqual([missed[1]])
  second.send({ action: 'sync', position: second.positions()[1] })
  await waitUntil(async () => second.positions().length === 3)
  expect(second.events()).toHaveLength(4)
})

it('sends an event too large for a message without its payload, to be claimed', async () => {
  const live = await connect(account.environmentId)
  const payload = { text: 'x'.repeat(SOCKET_MESSAGE_BYTES) }
  const event = await emit('large:one', {}, payload)
  await waitUntil(async () => live.events().length === 1)
  expect(live.events()[0]).toEqual({ ...event, payload: {}, dataUrl: expect.stringMatching(/^v1\/events\/.*\?for=/) })
  expect(await must('GET', `/${live.events()[0]!.dataUrl!.slice(3)}`)).toEqual(payload)
  const wide = await emit('large:context', { note: 'y'.repeat(SOCKET_MESSAGE_BYTES) })
  await waitUntil(async () => live.of('too-large').length === 1)
  expect(live.of('too-large')).toEqual([{ type: 'too-large', id: wide.id }])
})

it('replies to a ping, and reports errors in a message', async () => {
  const live = await connect(account.environmentId)
  live.send({ action: 'ping' })
  await waitUntil(async () => live.of('pong').length === 1)
  // One after the other, because messages are handled concurrently and replies come in any order.
  live.send('not JSON')
  await waitUntil(async () => live.of('error').length === 1)
  live.send({ action: 'sync', position: 'here', seenIds: 'it' })
  await waitUntil(async () => live.of('error').length === 2)
  expect(live.of('error').map(({ errors }) => errors.map(({ key }) => key))).toEqual([
    ['body'],
    ['position', 'seenIds'],
  ])
})

it('rejects a connection without a valid token', async () => {
  const { token, webSocketUrl } = await must('GET', '/subscription')
  for (const auth of ['', 'eyJ', account.secretKey, `${token.slice(0, -6)}AAAAAA`]) {
    const socket = new WebSocket(`${webSocketUrl}?auth=${auth}`)
    open.push(socket)
    const [error] = await once(socket, 'error')
    expect((error as Error).message).toContain('403')
  }
})

it('closes when the key behind its token is deleted, before another event gets through', async () => {
  const query = `environmentId=${account.environmentId}`
  const key = (await mustAsAdmin('POST', `/auth/api-key?type=SECRET&${query}`))[0]
  const [revoked, talking] = [
    await connect(account.environmentId, { caller: createCaller(key.rawKey) }),
    await connect(account.environmentId, { caller: createCaller(key.rawKey), sync: false }),
  ]
  await admin('DELETE', `/auth/api-key?key=${key.id}&${query}`)
  await emit('not:for-you')
  await waitUntil(async () => revoked.closed() !== undefined)
  expect(revoked.events()).toEqual([])
  talking.send({ action: 'sync' })
  await waitUntil(async () => talking.closed() !== undefined)
  expect(talking.positions()).toEqual([])
})

it('closes when its token expires', async () => {
  const live = await connect(account.environmentId)
  const { addSocketToList, getSocketsInList } = await import('../../lib/events/sockets.ts')
  const [listed] = await getSocketsInList<object>(account.environmentId)
  await addSocketToList({
    ...listed!,
    subscription: { ...listed!.subscription, expires: Math.floor(Date.now() / 1000) - 1 },
  })
  await emit('too:late')
  await waitUntil(async () => live.closed() !== undefined)
  expect(live.events()).toEqual([])
})

it('closes when its token is deleted, while the connection of another token of the same key stays open', async () => {
  const spaceId = await newSpace()
  const { addSocketToList, getSocketsInList } = await import('../../lib/events/sockets.ts')
  const pair = [await connect(spaceId), await connect(spaceId)]
  const sockets = await getSocketsInList<object>(spaceId)
  const ended = { expires: Math.floor(Date.now() / 1000) - 1 }
  await addSocketToList({ ...sockets[0]!, subscription: { ...sockets[0]!.subscription, ...ended } })
  const event = await emit('half:late', { spaceId })
  const [closed, live] = [() => pair.filter((one) => one.closed()), () => pair.filter((one) => !one.closed())]
  await waitUntil(async () => live().every((one) => one.events().length > 0))
  expect(closed().map((one) => one.events())).toEqual([[]])
  expect(live().map((one) => one.events())).toEqual([[event]])
})

it('is removed before its close is reported: a function does nothing after it returned', async () => {
  const spaceId = await newSpace()
  const live = await connect(spaceId)
  const { closeSocket, getSocketsInList } = await import('../../lib/events/sockets.ts')
  const { documents } = await import('../../lib/table/client.ts')
  const [listed] = await getSocketsInList(spaceId)
  const send = documents.send.bind(documents)
  let [begun, done] = [0, 0]
  const slowly = async (command: DeleteCommand) => {
    begun++
    await sleep(200)
    await send(command)
    done++
  }
  vi.spyOn(documents, 'send').mockImplementation(slowly as never)
  await closeSocket(listed!)
  vi.restoreAllMocks()
  expect(begun).toBeGreaterThan(0)
  expect(done).toBe(begun)
  await waitUntil(async () => live.closed() !== undefined)
  expect(await getSocketsInList(spaceId)).toEqual([])
})

it('sends nothing to a client that has not synced, and forgets closed connections', async () => {
  const spaceId = await newSpace()
  const silent = await connect(spaceId, { sync: false })
  const gone = await connect(spaceId)
  gone.socket.terminate()
  const there = await connect(spaceId)
  await emit('who:is-there', { spaceId })
  await waitUntil(async () => there.events().length === 1)
  expect(silent.events()).toEqual([])
  const { getSocketsInList } = await import('../../lib/events/sockets.ts')
  await waitUntil(async () => (await getSocketsInList(spaceId)).length === 1)
})
