/** Follows events over a WebSocket: they are pushed as they happen, and once a minute what got lost is made up for. */
import { get } from './api.ts'
import { pause } from './back-off.ts'
import type { LiveEvent, Session } from './connection.ts'

/** There is no WebSocket here, or none on the other side. */
export class NoSocket extends Error {
  override name = 'NoSocket'
}

/** Every so often the driver asks for what it does not have; it is the heartbeat, too. */
const SYNC_MS = 60_000
/** An answer that takes longer does not come any more. */
const ANSWER_MS = 15_000
/** Events that come this close together are handed on in the order of their ids. */
const GATHER_MS = 20

type Message =
  | { type: 'event'; event: LiveEvent }
  | { type: 'large'; id: string }
  | { type: 'position'; position: string; more?: boolean }
  | { type: 'pong' | 'error' }

/** Node has one of its own from 22 on; before, the package `ws` is one. */
async function implementation(): Promise<typeof WebSocket> {
  if (globalThis.WebSocket) return globalThis.WebSocket
  try {
    return (await import('ws')).WebSocket as unknown as typeof WebSocket
  } catch (error) {
    throw new NoSocket('This runtime has no WebSocket: install the package ws, or use Node 22', { cause: error })
  }
}

/** Ends without an error when its token is to be replaced. */
export async function socket(session: Session): Promise<void> {
  const { token, webSocketUrl } = await session.tokens.current(session.signal)
  if (!webSocketUrl) throw new NoSocket('This server pushes no events')
  const Socket = await implementation()
  const webSocket = new Socket(`${webSocketUrl}?auth=${encodeURIComponent(token)}`)
  const ended = new AbortController()
  const end = () => ended.abort()
  session.signal.addEventListener('abort', end)
  let opened = false
  try {
    await new Promise<void>((resolve, reject) => {
      webSocket.addEventListener('error', () => reject(unreachable(opened)))
      webSocket.addEventListener('close', ({ code }) => {
        if (!opened) return reject(unreachable(opened))
        reject(new Error(`The server ended the connection (${code}).`))
      })
      webSocket.addEventListener('open', () => {
        opened = true
        follow(session, webSocket, ended.signal).then(resolve, reject)
      })
      ended.signal.addEventListener('abort', () => resolve())
      void pause(ANSWER_MS, ended.signal).then(() => {
        if (!opened) reject(unreachable(opened))
      })
    })
  } finally {
    end()
    session.signal.removeEventListener('abort', end)
    webSocket.close()
  }
}

/** A refused token looks like this too: the next attempt has a new one. */
const unreachable = (opened: boolean): Error =>
  opened ? new Error('The connection broke.') : new NoSocket('The WebSocket could not be opened')

/** Talks over an open connection until its token is to be replaced. */
async function follow(session: Session, webSocket: WebSocket, signal: AbortSignal): Promise<void> {
  const inbox = gathered(session, signal)
  let answered = () => {}
  let broken: Error | undefined
  webSocket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message
    if (message.type === 'event') inbox.add(message.event)
    if (message.type === 'large')
      void get<LiveEvent>(session.api, `/events/${message.id}`, signal).then(inbox.add, (error: Error) => {
        broken = error
        answered()
      })
    if (message.type !== 'position') return
    inbox.flush()
    session.position = message.position
    if (message.more) sync()
    else answered()
  })
  const sync = () =>
    webSocket.send(JSON.stringify({ action: 'sync', position: session.position, told: session.recent() }))
  while (!signal.aborted && session.tokens.freshMs() > 0) {
    const answer = new Promise<'answered'>((resolve) => {
      answered = () => resolve('answered')
    })
    const waiting = new AbortController()
    sync()
    const first = await Promise.race([answer, pause(ANSWER_MS, AbortSignal.any([signal, waiting.signal]))])
    waiting.abort()
    if (signal.aborted) return
    if (broken) throw broken
    if (first !== 'answered') throw new Error('The server does not answer.')
    session.connected()
    await pause(Math.min(SYNC_MS, session.tokens.freshMs()), signal)
  }
}

/** Hands on what came within a moment together, in the order of the ids. */
function gathered(session: Session, signal: AbortSignal) {
  let events: LiveEvent[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const some = events
    events = []
    if (some.length > 0) session.deliver(some.sort((a, b) => (a.id < b.id ? -1 : 1)))
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
