/**
 * HTTP servers on this machine alone, under its own names alone: started with a clear word when a port cannot be had, stopped
 * within a given time.
 */
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { GATEWAY_SERVER_OPTIONS } from '../gateway.ts'
import { CannotStartError } from './cannot-start.ts'
import { FOREIGN_HOST, hasForeignHost, refuseForeignHost } from './foreign.ts'

const HOST = '127.0.0.1'
/** Longer than any client keeps an unused connection: a server that closes first makes the client's next request fail. */
const KEEP_ALIVE_MS = 75_000

export type Upgrade = (req: IncomingMessage, socket: Duplex, head: Buffer) => void

export interface Listener {
  /** `http://127.0.0.1:<port>`. */
  url: string
  /** From now on requests go here; those that came earlier have been waiting. */
  serve(handle: RequestListener): void
  /** Requests to change to another protocol go here; without it they are refused. */
  upgrade(handle: Upgrade): void
  /** Takes no more connections and cuts off, after `graceMs`, those still busy. */
  close(graceMs: number): Promise<void>
}

/** @param port 0 for any free one. @param variable what names the port. @throws CannotStartError when the port cannot be had */
export async function listen(port: number, variable: string): Promise<Listener> {
  let handler: RequestListener | undefined
  const waiting: Parameters<RequestListener>[] = []
  const server = createServer(
    { ...GATEWAY_SERVER_OPTIONS, keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: 0 },
    (req, res) => {
      if (hasForeignHost(req)) refuseForeignHost(res)
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
        if (hasForeignHost(req)) refuseUpgrade(socket)
        else handle(req, socket, head)
      })
    },
    close: (graceMs) => close(server, graceMs),
  }
}

function refuseUpgrade(socket: Duplex): void {
  const { status, reason } = FOREIGN_HOST
  socket.on('error', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status} ${reason}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

function bind(server: Server, port: number, variable: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(portProblem(error, port, variable) ?? error))
    server.listen(port, HOST, resolve)
  })
}

/** What its user can do about a port that cannot be had; undefined for other errors. */
export function portProblem({ code }: NodeJS.ErrnoException, port: number, variable: string): Error | undefined {
  if (code === 'EADDRINUSE')
    return new CannotStartError(`Port ${port} is taken: set PORT (API) or CLOUD_PORT (cloud) to a free one.`)
  if (code === 'EACCES')
    return new CannotStartError(`Port ${port} needs rights this user does not have: set ${variable} to one above 1023.`)
  return undefined
}

function close(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cutOff = setTimeout(() => server.closeAllConnections(), graceMs)
    server.close(() => {
      clearTimeout(cutOff)
      resolve()
    })
    server.closeIdleConnections()
  })
}
