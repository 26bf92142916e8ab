/** HTTP servers on the loopback interface, with clear errors for unavailable ports and a bounded stop. */
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { CannotStartError } from './cannot-start.ts'
import { FOREIGN_HOST, hasForeignHost, rejectForeignHost } from './reject-web-pages.ts'

const HOST = '127.0.0.1'
/** Longer than clients keep idle connections: if the server closes first, the client's next request fails. */
const KEEP_ALIVE_MS = 75_000

export type Upgrade = (req: IncomingMessage, socket: Duplex, head: Buffer) => void

export interface Listener {
  url: string
  serve(handle: RequestListener): void
  upgrade(handle: Upgrade): void
  close(graceMs: number): Promise<void>
}

export async function listen(port: number, variable: string, maxHeaderBytes?: number): Promise<Listener> {
  let handler: RequestListener | undefined
  const waiting: Parameters<RequestListener>[] = []
  const server = createServer(
    { maxHeaderSize: maxHeaderBytes, keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: 0 },
    (req, res) => {
      if (hasForeignHost(req)) rejectForeignHost(res)
      else if (handler) handler(req, res)
      else waiting.push([req, res])
    },
  )
  await bind(server, port, variable)
  return {
    url: `http://${HOST}:${(server.address() as AddressInfo).port}`,
    serve(handle) {
      handler = handle
      for (const [req, res] of waiting.splice(0)) handle(req, res)
    },
    upgrade(handle) {
      server.on('upgrade', (req, socket, head) => {
        if (hasForeignHost(req)) rejectUpgrade(socket)
        else handle(req, socket, head)
      })
    },
    close: (graceMs) => close(server, graceMs),
  }
}

function rejectUpgrade(socket: Duplex): void {
  const { status, reason } = FOREIGN_HOST
  socket.on('error', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status} ${reason}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

function bind(server: Server, port: number, variable: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(toPortError(error, port, variable) ?? error))
    server.listen(port, HOST, resolve)
  })
}

export function toPortError({ code }: NodeJS.ErrnoException, port: number, variable: string): Error | undefined {
  if (code === 'EADDRINUSE')
    return new CannotStartError(`Port ${port} is taken: set PORT (API) or CLOUD_PORT (cloud) to a free one.`)
  if (code === 'EACCES')
    return new CannotStartError(
      `Port ${port} requires privileges this user does not have: set ${variable} to a port above 1023.`,
    )
  return undefined
}

function close(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const forceClose = setTimeout(() => server.closeAllConnections(), graceMs)
    server.close(() => {
      clearTimeout(forceClose)
      resolve()
    })
    server.closeIdleConnections()
  })
}
