/**
 * Who is signed in: kept in memory and in sessionStorage, so that a reload keeps it and a closed tab ends it. A token is
 * refreshed while it is valid; a refused one ends the session.
 */
import { useSyncExternalStore } from 'react'
import { kept } from '../storage.ts'

export interface Session {
  token: string
  kind: 'user' | 'guest' | 'embedded'
  email?: string
  /** The origin of the page that holds an embedded session in a frame. */
  embedder?: string
  /** Came by a shared link, with an address that is not proven: it opens one space, whatever else the guest has. */
  byShared?: boolean
  /** The one space it opens, where it opens one. */
  spaceId?: string
  /** Milliseconds since 1970. */
  expiresAt: number
}

const KEPT = kept(() => sessionStorage, 'wharf.session')
/** A token is refreshed when this part of its time is left. */
const REFRESH_AT = 0.25
const LONGEST_TIMER_MS = 2_000_000_000

/** The frame of another page has the session that page gives it, never the one of this tab. */
let current: Session | undefined = location.pathname === '/embed' ? undefined : stored()
let ended = false
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

function stored(): Session | undefined {
  try {
    const session = JSON.parse(KEPT.get() ?? 'null') as Session | null
    return session && session.expiresAt > Date.now() ? session : undefined
  } catch {
    return undefined
  }
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
const tell = () => {
  for (const listener of listeners) listener()
}

export const session = (): Session | undefined => current
export const useSession = (): Session | undefined => useSyncExternalStore(subscribe, session)
/** Whether a session ended by itself, so that the sign-in page can say so. */
export const sessionEnded = (): boolean => ended

export function begin(next: Session): void {
  current = next
  ended = false
  // A frame asks the page around it again: its session never takes the place of one of this tab.
  if (next.kind !== 'embedded') KEPT.set(JSON.stringify(next))
  schedule()
  tell()
}

/** @param byItself the server refused the token */
export function end(byItself = false): void {
  if (!current) return
  if (current.kind !== 'embedded') KEPT.remove()
  current = undefined
  ended = byItself
  clearTimeout(timer)
  tell()
}

interface Claims {
  sub?: string
  exp?: number
}

/** What a token says about itself; nothing where it is opaque. */
function claimsOf(token: string): Claims {
  try {
    const [, claims = ''] = token.split('.')
    return JSON.parse(atob(claims.replace(/-/g, '+').replace(/_/g, '/'))) as Claims
  } catch {
    return {}
  }
}

/** When a token ends, as it says itself; opaque tokens are given the shortest life there is. */
export function expiryOf(token: string, otherwiseSeconds = 3600): number {
  const { exp } = claimsOf(token)
  return exp ? exp * 1000 : Date.now() + otherwiseSeconds * 1000
}

/** Headers of every request: who calls, and from whose frame. */
export function sessionHeaders(): Record<string, string> {
  if (!current) return {}
  const { token, embedder } = current
  return { authorization: `Bearer ${token}`, ...(embedder ? { 'x-embedded-in': embedder } : {}) }
}

/** The id of who is signed in, as `createdBy` names it. */
export const signedInId = (): string | undefined => (current ? claimsOf(current.token).sub : undefined)

function schedule(): void {
  clearTimeout(timer)
  if (!current) return
  const left = current.expiresAt - Date.now()
  timer = setTimeout(() => void refresh(), Math.min(LONGEST_TIMER_MS, Math.max(1000, left * (1 - REFRESH_AT))))
}

async function refresh(): Promise<void> {
  const before = current
  if (!before) return
  const response = await fetch('/api/v1/auth/refresh-token', {
    method: 'POST',
    headers: { ...sessionHeaders(), 'content-type': 'application/json' },
    body: JSON.stringify(before.token),
  }).catch(() => undefined)
  if (current !== before) return
  if (response?.ok) {
    const { accessToken } = (await response.json()) as { accessToken: string }
    return begin({ ...before, token: accessToken, expiresAt: expiryOf(accessToken) })
  }
  if (Date.now() >= before.expiresAt) end(true)
  else schedule()
}

schedule()
