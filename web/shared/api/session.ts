/** The session, stored in memory and sessionStorage: survives a reload, and ends with the last tab that has it. */
import { useSyncExternalStore } from 'react'
import { createValueStore } from '../storage.ts'
import type { Session } from './session-shape.ts'
import { connectTabs } from './session-tabs.ts'

const SESSION_STORE = createValueStore(() => sessionStorage, 'wharf.session')
const REFRESH_AT_FRACTION = 0.25
const MAX_TIMER_MS = 2_000_000_000

/** An embedded importer gets its session from the embedding page, never from this tab. */
let current: Session | undefined = location.pathname === '/embed' ? undefined : readStoredSession()
let wasRejected = false
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

function readStoredSession(): Session | undefined {
  try {
    const session = JSON.parse(SESSION_STORE.get() ?? 'null') as Session | null
    return session && session.expiresAt > Date.now() ? session : undefined
  } catch {
    return undefined
  }
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
const notifyListeners = () => {
  for (const listener of listeners) listener()
}

export const session = (): Session | undefined => current
export const useSession = (): Session | undefined => useSyncExternalStore(subscribe, session)
export const wasSessionRejected = (): boolean => wasRejected

export function startSession(next: Session): void {
  current = next
  wasRejected = false
  // Embedded sessions are not stored: the iframe requests a new one, and the tab keeps its session.
  if (next.kind !== 'embedded') SESSION_STORE.set(JSON.stringify(next))
  scheduleRefresh()
  notifyListeners()
}

export function endSession(rejected = false): void {
  if (!current) return
  if (current.kind !== 'embedded') tabs.announceEnd(current.token)
  endHere(rejected)
}

const tabs = connectTabs({
  get: session,
  end: (token) => {
    if (current?.token === token) endHere(false)
  },
})

/** Takes over the session of another tab, unless this page has its own or comes with the token of a link. */
export async function joinSession(hasLinkToken: boolean): Promise<void> {
  if (current || hasLinkToken || location.pathname === '/embed') return
  const shared = await tabs.request()
  if (shared && !current) startSession(shared)
}

function endHere(rejected: boolean): void {
  if (current?.kind !== 'embedded') SESSION_STORE.remove()
  current = undefined
  wasRejected = rejected
  clearTimeout(timer)
  notifyListeners()
}

interface Claims {
  sub?: string
  exp?: number
}

function parseClaims(token: string): Claims {
  try {
    const [, claims = ''] = token.split('.')
    return JSON.parse(atob(claims.replace(/-/g, '+').replace(/_/g, '/'))) as Claims
  } catch {
    return {}
  }
}

/** Opaque tokens get the shortest lifetime of any token. */
export function parseExpiry(token: string, defaultSeconds = 3600): number {
  const { exp } = parseClaims(token)
  return exp ? exp * 1000 : Date.now() + defaultSeconds * 1000
}

export function buildSessionHeaders(): Record<string, string> {
  if (!current) return {}
  const { token, embedder } = current
  return { authorization: `Bearer ${token}`, ...(embedder ? { 'x-embedded-in': embedder } : {}) }
}

export const getSignedInId = (): string | undefined => (current ? parseClaims(current.token).sub : undefined)

function scheduleRefresh(): void {
  clearTimeout(timer)
  if (!current) return
  const remainingMs = current.expiresAt - Date.now()
  timer = setTimeout(
    () => void refresh(),
    Math.min(MAX_TIMER_MS, Math.max(1000, remainingMs * (1 - REFRESH_AT_FRACTION))),
  )
}

async function refresh(): Promise<void> {
  const previous = current
  if (!previous) return
  const response = await fetch('/api/v1/auth/refresh-token', {
    method: 'POST',
    headers: { ...buildSessionHeaders(), 'content-type': 'application/json' },
    body: JSON.stringify(previous.token),
  }).catch(() => undefined)
  if (current !== previous) return
  if (response?.ok) {
    const { accessToken } = (await response.json()) as { accessToken: string }
    return startSession({ ...previous, token: accessToken, expiresAt: parseExpiry(accessToken) })
  }
  if (Date.now() >= previous.expiresAt) endSession(true)
  else scheduleRefresh()
}

scheduleRefresh()
