/** Stands between a driver and the server of the tests: can be gone for a while, and can spoil the tokens it was asked for. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { server } from '../api.ts'

export interface Relay {
  /** Ends in /api. */
  apiUrl: string
  /** Cuts every connection and takes none. */
  break(): Promise<void>
  /** Is there again, at the same address. */
  mend(): Promise<void>
  /** Refuses the tokens given out so far. */
  spoilTokens(): void
  /** Says of every token that it lives this many minutes. */
  shortenTokens(minutes: number): void
  /** Refuses every WebSocket from now on. */
  refuseWebSockets(): void
  /** How many tokens were asked for. */
  tokensAsked(): number
  close(): Promise<void>
}

export async function relay(): Promise<Relay> {
  const target = new URL(server().baseUrl)
  let spoiled = 0
  let asked = 0
  let socketsRefused = false
  let ttl: number | undefined
  const tokens: string[] = []
  const sockets = new Set<{ destroy(): void }>()

  function handle(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const isToken = incoming.url!.includes('/subscription')
    if (isToken) asked++
    const auth = new URL(incoming.url!, target).searchParams.get('auth')
    if (auth && tokens.indexOf(auth) >= 0 && tokens.indexOf(auth) < spoiled) {
      outgoing.writeHead(403, { 'content-type': 'application/json' })
      return void outgoing.end('{"errors":[{"key":"forbidden","message":"spoiled"}]}')
    }
    const onward = request(
      {
        host: target.hostname,
        port: target.port,
        path: incoming.url,
        method: incoming.method,
        headers: incoming.headers,
      },
      async (answer) => {
        const chunks: Buffer[] = []
        for await (const chunk of answer) chunks.push(chunk as Buffer)
        let body = Buffer.concat(chunks)
        if (isToken && answer.statusCode === 200) {
          const { data } = JSON.parse(body.toString())
          tokens.push(data.token)
          data.ttl = ttl ?? data.ttl
          if (data.webSocketUrl) data.webSocketUrl = data.webSocketUrl.replace(target.host, address())
          body = Buffer.from(JSON.stringify({ data }))
        }
        const { 'content-length': _, ...headers } = answer.headers
        outgoing.writeHead(answer.statusCode!, headers)
        outgoing.end(body)
      },
    )
    onward.on('error', () => outgoing.destroy())
    outgoing.on('close', () => onward.destroy())
    incoming.pipe(onward)
  }

  let front: Server
  let port = 0
  const address = () => `127.0.0.1:${port}`
  async function listen(): Promise<void> {
    front = createServer(handle)
    front.on('connection', (socket) => {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
    })
    front.on('upgrade', (incoming, socket, head) => {
      if (socketsRefused) return void socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n')
      const onward = connect(Number(target.port), target.hostname, () => {
        const lines = incoming.rawHeaders.flatMap((_, i, all) => (i % 2 ? [] : [`${all[i]}: ${all[i + 1]}`]))
        onward.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
        onward.write(head)
        onward.pipe(socket).pipe(onward)
      })
      onward.on('error', () => socket.destroy())
      socket.on('error', () => onward.destroy())
      socket.on('close', () => onward.destroy())
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
    apiUrl: `http://${address()}/api`,
    break: stop,
    mend: listen,
    spoilTokens() {
      spoiled = tokens.length
    },
    shortenTokens(minutes) {
      ttl = minutes
    },
    refuseWebSockets() {
      socketsRefused = true
    },
    tokensAsked: () => asked,
    close: stop,
  }
}
