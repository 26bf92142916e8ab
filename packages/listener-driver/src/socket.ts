/** Receives events over a WebSocket, and requests missed ones once a minute. */
import { get } from './api.ts'
import { sleep } from './back-off.ts'
import type { LiveEvent, Session } from './connection.ts'

export class NoSocket extends Error {
  override name = 'NoSocket'
}

/** Also the heartbeat of the connection. */
const SYNC_MS = 60_000
const RESPONSE_TIMEOUT_MS = 15_000
/** Events within this time are sorted by id. */
const GATHER_MS = 20

type Message =
  | { type: 'event'; event: LiveEvent }
  | { type: 'too-large'; id: string }
  | { type: 'position'; position: string; more?: boolean }
  | { type: 'pong' | 'error' }

/** Node 22 has a built-in WebSocket; earlier versions need the package `ws`. */
async function loadWebSocket(): Promise<typeof WebSocket> {
  if (globalThis.WebSocket) return globalThis.WebSocket
  try {
    return (await import('ws')).WebSocket as unknown as typeof WebSocket
  } catch (error) {
    throw new NoSocket('WebSocket is not available. Install the package ws or use Node 22', { cause: error })
  }
}

export async function runSocket(session: Session): Promise<void> {
  const { token, webSocketUrl } = await session.tokens.current(session.signal)
  if (!webSocketUrl) throw new NoSocket('This server does not support WebSockets')
  const Socket = await loadWebSocket()
  const webSocket = new Socket(`${webSocketUrl}?auth=${encodeURIComponent(token)}`)
  const ended = new AbortController()
  const end = () => ended.abort()
  session.signal.addEventListener('abort', end)
  let opened = false
  try {
    await new Promise<void>((resolve, reject) => {
      webSocket.addEventListener('error', () => reject(connectionError(opened)))
      webSocket.addEventListener('close', ({ code }) => {
        if (!opened) return reject(connectionError(opened))
        reject(new Error(`The server closed the connection (${code}).`))
      })
      webSocket.addEventListener('open', () => {
        opened = true
        follow(session, webSocket, ended.signal).then(resolve, reject)
      })
      ended.signal.addEventListener('abort', () => resolve())
      void sleep(RESPONSE_TIMEOUT_MS, ended.signal).then(() => {
        if (!opened) reject(connectionError(opened))
      })
    })
  } finally {
    end()
    session.signal.removeEventListener('abort', end)
    webSocket.close()
  }
}

/** Could also be a rejected token, so the next attempt uses a new one. */
const connectionError = (opened: boolean): Error =>
  opened ? new Error('The connection was lost.') : new NoSocket('Could not open the WebSocket')

async function follow(session: Session, webSocket: WebSocket, signal: AbortSignal): Promise<void> {
  const inbox = createInbox(session, signal)
  let onResponse = () => {}
  let failure: Error | undefined
  webSocket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message
    if (message.type === 'event') inbox.add(message.event)
    if (message.type === 'too-large')
      void get<LiveEvent>(session.api, `/events/${message.id}`, signal).then(inbox.add, (error: Error) => {
        failure = error
        onResponse()
      })
    if (message.type !== 'position') return
    inbox.flush()
    session.position = message.position
    if (message.more) sync()
    else onResponse()
  })
  const sync = () =>
    webSocket.send(JSON.stringify({ action: 'sync', position: session.position, seenIds: session.recentIds() }))
  while (!signal.aborted && session.tokens.validMs() > 0) {
    const response = new Promise<'answered'>((resolve) => {
      onResponse = () => resolve('answered')
    })
    const timeoutControl = new AbortController()
    sync()
    const winner = await Promise.race([
      response,
      sleep(RESPONSE_TIMEOUT_MS, AbortSignal.any([signal, timeoutControl.signal])),
    ])
    timeoutControl.abort()
    if (signal.aborted) return
    if (failure) throw failure
    if (winner !== 'answered') throw new Error('The server is not responding.')
    session.onConnected()
    await sleep(Math.min(SYNC_MS, session.tokens.validMs()), signal)
  }
}

function createInbox(session: Session, signal: AbortSignal) {
  let events: LiveEvent[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const batch = events
    events = []
    if (batch.length > 0) session.deliver(batch.sort((a, b) => (a.id < b.id ? -1 : 1)))
  }
  signal.addEventListener('abort', flush)
  return {
    flush,
    add(event: LiveEvent) {
      events.push(event)
      timer ??= setTimeout(flush, GATHER_MS)
    },
  }
}
