/** A proxy between a driver and the test server that can disconnect and invalidate tokens. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { getServer } from './api.ts'

export interface Relay {
  apiUrl: string
  disconnect(): Promise<void>
  restore(): Promise<void>
  invalidateTokens(): void
  shortenTokens(minutes: number): void
  refuseWebSockets(): void
  countTokens(): number
  close(): Promise<void>
}

export async function startRelay(): Promise<Relay> {
  const target = new URL(getServer().baseUrl)
  let invalidTokens = 0
  let requestedTokens = 0
  let socketsRefused = false
  let ttl: number | undefined
  const tokens: string[] = []
  const sockets = new Set<{ destroy(): void }>()

  function handle(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const isToken = incoming.url!.includes('/subscription')
    if (isToken) requestedTokens++
    const auth = new URL(incoming.url!, target).searchParams.get('auth')
    if (auth && tokens.indexOf(auth) >= 0 && tokens.indexOf(auth) < invalidTokens) {
      outgoing.writeHead(403, { 'content-type': 'application/json' })
      return void outgoing.end('{"errors":[{"key":"forbidden","message":"spoiled"}]}')
    }
    const upstream = request(
      {
        host: target.hostname,
        port: target.port,
        path: incoming.url,
        method: incoming.method,
        headers: incoming.headers,
      },
      async (response) => {
        const chunks: Buffer[] = []
        for await (const chunk of response) chunks.push(chunk as Buffer)
        let body = Buffer.concat(chunks)
        if (isToken && response.statusCode === 200) {
          const { data } = JSON.parse(body.toString())
          tokens.push(data.token)
          data.ttl = ttl ?? data.ttl
          if (data.webSocketUrl) data.webSocketUrl = data.webSocketUrl.replace(target.host, getAddress())
          body = Buffer.from(JSON.stringify({ data }))
        }
        const { 'content-length': _, ...headers } = response.headers
        outgoing.writeHead(response.statusCode!, headers)
        outgoing.end(body)
      },
    )
    upstream.on('error', () => outgoing.destroy())
    outgoing.on('close', () => upstream.destroy())
    incoming.pipe(upstream)
  }

  let front: Server
  let port = 0
  const getAddress = () => `127.0.0.1:${port}`
  async function listen(): Promise<void> {
    front = createServer(handle)
    front.on('connection', (socket) => {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
    })
    front.on('upgrade', (incoming, socket, head) => {
      if (socketsRefused) return void socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n')
      const upstream = connect(Number(target.port), target.hostname, () => {
        const lines = incoming.rawHeaders.flatMap((_, i, all) => (i % 2 ? [] : [`${all[i]}: ${all[i + 1]}`]))
        upstream.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
        upstream.write(head)
        upstream.pipe(socket).pipe(upstream)
      })
      upstream.on('error', () => socket.destroy())
      socket.on('error', () => upstream.destroy())
      socket.on('close', () => upstream.destroy())
    })
    front.listen(port, '127.0.0.1')
    await once(front, 'listening')
    port = (front.address() as AddressInfo).port
  }
  async function stop(): Promise<void> {
    const closed = once(front, 'close')
    front.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }

  await listen()
  return {
    apiUrl: `http://${getAddress()}/api`,
    disconnect: stop,
    restore: listen,
    invalidateTokens() {
      invalidTokens = tokens.length
    },
    shortenTokens(minutes) {
      ttl = minutes
    },
    refuseWebSockets() {
      socketsRefused = true
    },
    countTokens: () => requestedTokens,
    close: stop,
  }
}
