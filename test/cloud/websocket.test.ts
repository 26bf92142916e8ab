/** The embedded WebSocket API: what it hands to functions, whom it lets in, and what functions do with a connection. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  ApiGatewayManagementApiClient,
  DeleteConnectionCommand,
  GetConnectionCommand,
  GoneException,
  PostToConnectionCommand,
} from '@aws-sdk/client-apigatewaymanagementapi'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { type WebSocketApi, webSocketApi } from '../../localstack/cloud/websocket.ts'

interface Told {
  requestContext: { routeKey: string; eventType: string; connectionId: string; stage: string }
  queryStringParameters?: Record<string, string>
  body?: string
}

let server: Server
let api: WebSocketApi
let client: ApiGatewayManagementApiClient
let url: string
let told: Told[]
let answer: (event: Told) => unknown
const open: WebSocket[] = []

beforeEach(async () => {
  told = []
  answer = () => ({ statusCode: 200 })
  const invoke = async (event: unknown) => {
    told.push(event as Told)
    return answer(event as Told)
  }
  api = webSocketApi({
    stage: 'dev',
    idleMs: 400,
    routes: ['$connect', '$disconnect', '$default', 'sing'].map((routeKey) => ({
      routeKey,
      functionName: 'fn',
      invoke,
    })),
  })
  server = createServer((req, res) => {
    if (api.manages(req)) void api.handle(req, res)
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

async function connected(query = ''): Promise<WebSocket> {
  const socket = new WebSocket(`${url}${query}`)
  open.push(socket)
  await once(socket, 'open')
  return socket
}
const idOf = () => told[0]!.requestContext.connectionId
const routes = () => told.map(({ requestContext }) => requestContext.routeKey)
const ends = async (socket: WebSocket): Promise<number> => (await once(socket, 'close'))[0]

describe('a connection', () => {
  it('is let in by $connect, talks to the route of its action, and takes leave by $disconnect', async () => {
    const socket = await connected('?auth=a%20b')
    expect(told[0]).toMatchObject({
      requestContext: { routeKey: '$connect', eventType: 'CONNECT', stage: 'dev' },
      queryStringParameters: { auth: 'a b' },
      headers: { upgrade: 'websocket' },
    })
    for (const body of ['{"action":"sing"}', '{"action":"dance"}', 'no JSON']) socket.send(body)
    await expect.poll(() => told.length).toBe(4)
    expect(routes().slice(1).toSorted()).toEqual(['$default', '$default', 'sing'])
    expect(told[1]).toMatchObject({ requestContext: { eventType: 'MESSAGE' }, body: '{"action":"sing"}' })
    socket.close()
    await expect.poll(routes).toContain('$disconnect')
    expect(new Set(told.map(({ requestContext }) => requestContext.connectionId)).size).toBe(1)
  })

  it('is refused with the status $connect answers, or 500 when that throws', async () => {
    const refused = async (path = '') => {
      const socket = new WebSocket(`${url}${path}`)
      open.push(socket)
      return ((await once(socket, 'error'))[0] as Error).message
    }
    answer = () => ({ statusCode: 403 })
    expect(await refused()).toContain('403')
    answer = () => {
      throw new Error('broken on purpose')
    }
    expect(await refused()).toContain('500')
    expect(await refused('/elsewhere')).toContain('403')
  })

  it('is told when its message fails, and ends when it is quiet for too long or too loud', async () => {
    const socket = await connected()
    answer = () => ({ statusCode: 500 })
    socket.send('{}')
    const [data] = await once(socket, 'message')
    expect(JSON.parse(String(data))).toMatchObject({ message: 'Internal server error', connectionId: idOf() })
    expect(await ends(socket)).toBe(1001)
    answer = () => ({ statusCode: 200 })
    const loud = await connected()
    loud.send('x'.repeat(128 * 1024 + 1))
    expect(await ends(loud)).toBe(1009)
  })
})

describe('@connections', () => {
  it('sends, tells about and ends a connection', async () => {
    const socket = await connected()
    const ConnectionId = idOf()
    const message = once(socket, 'message')
    await client.send(new PostToConnectionCommand({ ConnectionId, Data: Buffer.from('{"hello":"wörld"}') }))
    expect(String((await message)[0])).toBe('{"hello":"wörld"}')
    const { ConnectedAt } = await client.send(new GetConnectionCommand({ ConnectionId }))
    expect(Math.abs(Date.now() - ConnectedAt!.getTime())).toBeLessThan(5_000)
    const ended = ends(socket)
    await client.send(new DeleteConnectionCommand({ ConnectionId }))
    expect(await ended).toBe(1000)
  })

  it('answers GoneException for one that is not there, and refuses a message too large', async () => {
    const gone = client.send(new PostToConnectionCommand({ ConnectionId: 'nobody=', Data: Buffer.from('x') }))
    await expect(gone).rejects.toBeInstanceOf(GoneException)
    await connected()
    const large = new PostToConnectionCommand({ ConnectionId: idOf(), Data: Buffer.alloc(128 * 1024 + 1, 120) })
    await expect(client.send(large)).rejects.toMatchObject({ name: 'PayloadTooLargeException' })
  })
})
