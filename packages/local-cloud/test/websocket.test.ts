/** The embedded WebSocket API: events for functions, authorization and the @connections API. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  ApiGatewayManagementApiClient,
  DeleteConnectionCommand,
  GoneException,
  PostToConnectionCommand,
} from '@aws-sdk/client-apigatewaymanagementapi'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { createWebSocketApi, type WebSocketApi } from '../src/websocket.ts'

interface Told {
  requestContext: { routeKey: string; eventType: string; connectionId: string; stage: string }
  queryStringParameters?: Record<string, string>
  body?: string
}

let server: Server
let api: WebSocketApi
let client: ApiGatewayManagementApiClient
let url: string
let received: Told[]
let answer: (event: Told) => unknown
const open: WebSocket[] = []

beforeEach(async () => {
  received = []
  answer = () => ({ statusCode: 200 })
  const invoke = async (event: unknown) => {
    received.push(event as Told)
    return answer(event as Told)
  }
  api = createWebSocketApi({
    stage: 'dev',
    idleMs: 400,
    routes: ['$connect', '$disconnect', '$default', 'sing'].map((routeKey) => ({
      routeKey,
      functionName: 'fn',
      invoke,
    })),
  })
  server = createServer((req, res) => {
    if (api.isConnectionRequest(req)) void api.handle(req, res)
    else res.writeHead(404).end()
  })
  server.on('upgrade', api.upgrade).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  url = `ws://127.0.0.1:${port}/dev`
  client = new ApiGatewayManagementApiClient({
    endpoint: `http://127.0.0.1:${port}/dev`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  })
})
afterEach(async () => {
  for (const socket of open.splice(0)) socket.terminate()
  client.destroy()
  await api.close()
  server.closeAllConnections()
  server.close()
})

async function connect(query = ''): Promise<WebSocket> {
  const socket = new WebSocket(`${url}${query}`)
  open.push(socket)
  await once(socket, 'open')
  return socket
}
const getConnectionId = () => received[0]!.requestContext.connectionId
const getRoutes = () => received.map(({ requestContext }) => requestContext.routeKey)
const waitForClose = async (socket: WebSocket): Promise<number> => (await once(socket, 'close'))[0]

describe('WebSocket connection', () => {
  it('is accepted by $connect, calls the route of its action, and ends with $disconnect', async () => {
    const socket = await connect('?auth=a%20b')
    expect(received[0]).toMatchObject({
      requestContext: { routeKey: '$connect', eventType: 'CONNECT', stage: 'dev' },
      queryStringParameters: { auth: 'a b' },
      headers: { upgrade: 'websocket' },
    })
    for (const body of ['{"action":"sing"}', '{"action":"dance"}', 'no JSON']) socket.send(body)
    await expect.poll(() => received.length).toBe(4)
    expect(getRoutes().slice(1).toSorted()).toEqual(['$default', '$default', 'sing'])
    expect(received[1]).toMatchObject({ requestContext: { eventType: 'MESSAGE' }, body: '{"action":"sing"}' })
    socket.close()
    await expect.poll(getRoutes).toContain('$disconnect')
    expect(new Set(received.map(({ requestContext }) => requestContext.connectionId)).size).toBe(1)
  })

  it('is rejected with the status from $connect, or 500 when it throws', async () => {
    const getRejectedStatus = async (path = '') => {
      const socket = new WebSocket(`${url}${path}`)
      open.push(socket)
      return ((await once(socket, 'error'))[0] as Error).message
    }
    answer = () => ({ statusCode: 403 })
    expect(await getRejectedStatus()).toContain('403')
    answer = () => {
      throw new Error('broken on purpose')
    }
    expect(await getRejectedStatus()).toContain('500')
    expect(await getRejectedStatus('/elsewhere')).toContain('403')
  })

  it('is notified when its message fails, and closed when idle too long or sending too much', async () => {
    const socket = await connect()
    answer = () => ({ statusCode: 500 })
    socket.send('{}')
    const [data] = await once(socket, 'message')
    expect(JSON.parse(String(data))).toMatchObject({
      message: 'Internal server error',
      connectionId: getConnectionId(),
    })
    expect(await waitForClose(socket)).toBe(1001)
    answer = () => ({ statusCode: 200 })
    const loud = await connect()
    loud.send('x'.repeat(128 * 1024 + 1))
    expect(await waitForClose(loud)).toBe(1009)
  })
})

describe('@connections', () => {
  it('sends to and ends a connection', async () => {
    const socket = await connect()
    const ConnectionId = getConnectionId()
    const message = once(socket, 'message')
    await client.send(new PostToConnectionCommand({ ConnectionId, Data: Buffer.from('{"hello":"wörld"}') }))
    expect(String((await message)[0])).toBe('{"hello":"wörld"}')
    const ended = waitForClose(socket)
    await client.send(new DeleteConnectionCommand({ ConnectionId }))
    expect(await ended).toBe(1000)
  })

  it('returns GoneException for a missing connection, and rejects a message that is too large', async () => {
    const gone = client.send(new PostToConnectionCommand({ ConnectionId: 'nobody=', Data: Buffer.from('x') }))
    await expect(gone).rejects.toBeInstanceOf(GoneException)
    await connect()
    const large = new PostToConnectionCommand({
      ConnectionId: getConnectionId(),
      Data: Buffer.alloc(128 * 1024 + 1, 120),
    })
    await expect(client.send(large)).rejects.toMatchObject({ name: 'PayloadTooLargeException' })
  })
})
