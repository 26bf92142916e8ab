/** Live events over a WebSocket: pushed as they happen, made up for after a break, and to nobody who may not hear them. */
import { once } from 'node:events'
import type { DeleteCommand } from '@aws-sdk/lib-dynamodb'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { Event } from '../../schemas/events.ts'
import { SOCKET_MESSAGE_BYTES, type SocketMessage } from '../../schemas/socket.ts'
import { callerOf, mintAccount, type TestAccount, until } from '../support/api.ts'

let account: TestAccount
let call: ReturnType<typeof callerOf>
let admin: ReturnType<typeof callerOf>
const open: WebSocket[] = []

beforeAll(async () => {
  account = await mintAccount()
  call = callerOf(account.secretKey)
  admin = callerOf((await callerOf(undefined)('POST', '/auth', account)).body.accessToken)
})
afterEach(() => {
  for (const socket of open.splice(0)) socket.terminate()
})

const newSpace = async () => (await call('POST', '/spaces', { name: 'Socket' })).body.data.id as string
const emit = async (topic: string, context: object = {}, payload: object = {}) =>
  (await call('POST', '/events', { topic, domain: 'x', context, payload })).body.data as Event

/** A connection to a channel; `position` settles with the first position it is told. */
async function connection(
  scope: string,
  { caller = call, position = undefined as string | undefined, sync = true } = {},
) {
  const { token, webSocketUrl } = (await caller('GET', `/subscription?scope=${scope}`)).body.data
  const socket = new WebSocket(`${webSocketUrl}?auth=${token}`)
  open.push(socket)
  const messages: SocketMessage[] = []
  let code: number | undefined
  socket.on('message', (data) => messages.push(JSON.parse(data.toString())))
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
    await until(async () => positions().length > 0)
  }
  return { socket, send, of, positions, events: () => of('event').map(({ event }) => event), closed: () => code }
}

it('pushes each event of an environment and of a space as it happens', async () => {
  const spaceId = await newSpace()
  const [environment, space] = [await connection(account.environmentId), await connection(spaceId)]
  const started = Date.now()
  const inSpace = await emit('pushed:one', { spaceId })
  await until(async () => environment.events().length > 0 && space.events().length > 0)
  expect(Date.now() - started).toBeLessThan(1_500)
  const outside = await emit('pushed:two')
  await until(async () => environment.events().length > 1)
  expect(environment.events()).toEqual([inSpace, outside])
  expect(space.events()).toEqual([inSpace])
})

it('brings what came while there was no connection, and not what the client says it has', async () => {
  const spaceId = await newSpace()
  const first = await connection(spaceId)
  const had = await emit('while:connected', { spaceId })
  await until(async () => first.events().length === 1)
  first.socket.close()
  await until(async () => first.closed() !== undefined)
  const missed = [await emit('while:away', { spaceId }), await emit('while:away', { spaceId })]
  const second = await connection(spaceId, { position: first.positions()[0]! })
  expect(second.events()).toEqual([had, ...missed])
  second.send({ action: 'sync', position: first.positions()[0], told: [had, missed[0]!].map(({ id }) => id) })
  await until(async () => second.positions().length === 2)
  expect(second.events().slice(3)).toEqual([missed[1]])
  second.send({ action: 'sync', position: second.positions()[1] })
  await until(async () => second.positions().length === 3)
  expect(second.events()).toHaveLength(4)
})

it('sends an event too large for a message without its payload, to be claimed', async () => {
  const live = await connection(account.environmentId)
  const payload = { text: 'x'.repeat(SOCKET_MESSAGE_BYTES) }
  const event = await emit('large:one', {}, payload)
  await until(async () => live.events().length === 1)
  expect(live.events()[0]).toEqual({ ...event, payload: {}, dataUrl: expect.stringMatching(/^v1\/events\/.*\?for=/) })
  expect((await call('GET', `/${live.events()[0]!.dataUrl!.slice(3)}`)).body.data).toEqual(payload)
  const wide = await emit('large:context', { note: 'y'.repeat(SOCKET_MESSAGE_BYTES) })
  await until(async () => live.of('large').length === 1)
  expect(live.of('large')).toEqual([{ type: 'large', id: wide.id }])
})

it('answers a ping, and tells what is wrong with a message', async () => {
  const live = await connection(account.environmentId)
  live.send({ action: 'ping' })
  await until(async () => live.of('pong').length === 1)
  // One after the other: messages are handled side by side, and their answers come in any order.
  live.send('not JSON')
  await until(async () => live.of('error').length === 1)
  live.send({ action: 'sync', position: 'here', told: 'it' })
  await until(async () => live.of('error').length === 2)
  expect(live.of('error').map(({ errors }) => errors.map(({ key }) => key))).toEqual([['body'], ['position', 'told']])
})

it('lets nobody in without a good token', async () => {
  const { token, webSocketUrl } = (await call('GET', '/subscription')).body.data
  for (const auth of ['', 'eyJ', account.secretKey, `${token.slice(0, -6)}AAAAAA`]) {
    const socket = new WebSocket(`${webSocketUrl}?auth=${auth}`)
    open.push(socket)
    const [error] = await once(socket, 'error')
    expect((error as Error).message).toContain('403')
  }
})

it('ends with the key it was got with, before another event gets through', async () => {
  const query = `environmentId=${account.environmentId}`
  const key = (await admin('POST', `/auth/api-key?type=SECRET&${query}`)).body.data[0]
  const [revoked, talking] = [
    await connection(account.environmentId, { caller: callerOf(key.rawKey) }),
    await connection(account.environmentId, { caller: callerOf(key.rawKey), sync: false }),
  ]
  await admin('DELETE', `/auth/api-key?key=${key.id}&${query}`)
  await emit('not:for-you')
  await until(async () => revoked.closed() !== undefined)
  expect(revoked.events()).toEqual([])
  talking.send({ action: 'sync' })
  await until(async () => talking.closed() !== undefined)
  expect(talking.positions()).toEqual([])
})

it('ends with its token', async () => {
  const live = await connection(account.environmentId)
  const { listSocket, socketsIn } = await import('../../lib/events/sockets.ts')
  const [listed] = await socketsIn<object>(account.environmentId)
  await listSocket({
    ...listed!,
    subscription: { ...listed!.subscription, expires: Math.floor(Date.now() / 1000) - 1 },
  })
  await emit('too:late')
  await until(async () => live.closed() !== undefined)
  expect(live.events()).toEqual([])
})

it('ends with its own token, while the connection of another token of the same key goes on', async () => {
  const spaceId = await newSpace()
  const { listSocket, socketsIn } = await import('../../lib/events/sockets.ts')
  const pair = [await connection(spaceId), await connection(spaceId)]
  const sockets = await socketsIn<object>(spaceId)
  const ended = { expires: Math.floor(Date.now() / 1000) - 1 }
  await listSocket({ ...sockets[0]!, subscription: { ...sockets[0]!.subscription, ...ended } })
  const event = await emit('half:late', { spaceId })
  const [closed, live] = [() => pair.filter((one) => one.closed()), () => pair.filter((one) => !one.closed())]
  await until(async () => live().every((one) => one.events().length > 0))
  expect(closed().map((one) => one.events())).toEqual([[]])
  expect(live().map((one) => one.events())).toEqual([[event]])
})

it('is forgotten before its end is reported: a function does nothing more once it has returned', async () => {
  const spaceId = await newSpace()
  const live = await connection(spaceId)
  const { closeSocket, socketsIn } = await import('../../lib/events/sockets.ts')
  const { documents } = await import('../../lib/table/client.ts')
  const [listed] = await socketsIn(spaceId)
  const send = documents.send.bind(documents)
  let [begun, done] = [0, 0]
  const slowly = async (command: DeleteCommand) => {
    begun++
    await new Promise((resolve) => setTimeout(resolve, 200))
    await send(command)
    done++
  }
  vi.spyOn(documents, 'send').mockImplementation(slowly as never)
  await closeSocket(listed!)
  vi.restoreAllMocks()
  expect(begun).toBeGreaterThan(0)
  expect(done).toBe(begun)
  await until(async () => live.closed() !== undefined)
  expect(await socketsIn(spaceId)).toEqual([])
})

it('keeps quiet to who has not said it is there, and forgets who is gone', async () => {
  const spaceId = await newSpace()
  const silent = await connection(spaceId, { sync: false })
  const gone = await connection(spaceId)
  gone.socket.terminate()
  const there = await connection(spaceId)
  await emit('who:is-there', { spaceId })
  await until(async () => there.events().length === 1)
  expect(silent.events()).toEqual([])
  const { socketsIn } = await import('../../lib/events/sockets.ts')
  await until(async () => (await socketsIn(spaceId)).length === 1)
})
